"""Notes, tags and favourites of designs and of studies.

A note belongs to its author. A tag belongs to the study: it stands once, whoever set it. A favourite is one
person's, because what somebody wants to find again must not go when a colleague is done with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from errors import InputError, UnknownNameError
from studies.records import AnnotationKind, AnnotationRecord
from studies.store.column_types import storable
from studies.store.database import Database
from studies.store.tables import annotation, chunks, insert_first, study

LONGEST_NOTE = 10_000
"""Characters of a note."""

LONGEST_TAG = 64
"""Characters of a tag."""


class Annotations:
    """The annotations of a store; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, name: str, kind: AnnotationKind, text: str = "", *, key: str = "", author: str = ""
    ) -> AnnotationRecord:
        """Keep an annotation of a design of the study ``name``, or without ``key`` of the study itself.

        A tag or favourite that is there already is returned as it is. Raises ``InputError`` for a text that
        cannot be kept.
        """
        said = checked_text(kind, text)
        made: list[int] = []

        def work(connection: Connection) -> AnnotationRecord:
            if made and (found := _find(connection, name, made[-1])) is not None:
                return found  # the first try was stored, only its answer was lost
            now = self._database.now(connection)
            row = {
                "study_id": _study_id(connection, name), "key": key, "kind": kind, "text": said,
                "author": author, "created": now, "changed": now,
            }  # fmt: skip
            if kind == "note":
                written = insert(annotation).values(**row).returning(annotation.c.id)
                made.append(connection.execute(written).scalar_one())
                return _required(connection, name, made[-1])
            insert_first(connection, annotation, row)
            return _record(connection.execute(_same(name, row)).mappings().one())

        return self._database.write(work)

    def of(self, name: str, key: str | None = None) -> list[AnnotationRecord]:
        """The annotations of a study and its designs, oldest first; with ``key`` those of one design.

        An empty ``key`` means those of the study itself.
        """
        query = _ANNOTATIONS.where(study.c.name == name).order_by(annotation.c.created, annotation.c.id)
        if key is not None:
            query = query.where(annotation.c.key == key)
        return self._database.read(lambda c: [_record(row) for row in c.execute(query).mappings()])

    def of_studies(self, names: Sequence[str]) -> dict[str, list[AnnotationRecord]]:
        """The annotations of studies themselves, not those of their designs, oldest first."""

        def work(connection: Connection) -> dict[str, list[AnnotationRecord]]:
            found: dict[str, list[AnnotationRecord]] = {name: [] for name in names}
            for some in chunks(list(found)):
                query = _ANNOTATIONS.where(study.c.name.in_(some), annotation.c.key == "")
                for row in connection.execute(query.order_by(annotation.c.id)).mappings():
                    found[row["name"]].append(_record(row))
            return found

        return self._database.read(work)

    def find(self, name: str, number: int) -> AnnotationRecord:
        """An annotation of the study ``name`` by its number; raises ``UnknownNameError``."""
        return self._database.read(lambda c: _required(c, name, number))

    def edit(self, name: str, number: int, text: str) -> AnnotationRecord:
        """Give a note another text; raises ``UnknownNameError`` or ``InputError``."""

        def work(connection: Connection) -> AnnotationRecord:
            found = _required(connection, name, number)
            said = checked_text(found.kind, text)
            if found.kind != "note":
                raise InputError(f"belongs to a {found.kind}; only notes can be changed", ("text",))
            if said != found.text:
                now = self._database.now(connection)
                own = annotation.c.id == number
                connection.execute(update(annotation).where(own).values(text=said, changed=now))
            return _required(connection, name, number)

        return self._database.write(work)

    def remove(self, name: str, number: int) -> AnnotationRecord:
        """Delete an annotation, and return it as it was; raises ``UnknownNameError``."""
        removed: list[AnnotationRecord] = []

        def work(connection: Connection) -> AnnotationRecord:
            found = _find(connection, name, number)
            if found is None and removed:
                return removed[-1]  # the first try was stored, only its answer was lost
            removed.append(_required(connection, name, number))
            connection.execute(delete(annotation).where(annotation.c.id == number))
            return removed[-1]

        return self._database.write(work)


def checked_text(kind: AnnotationKind, text: str) -> str:
    """The text of an annotation as it is kept, without space around it; raises ``InputError``."""
    said = storable(text.strip())
    place = ("text",)
    if kind == "favourite":
        if said:
            raise InputError("a favourite has no text; write a note beside it", place)
        return said
    if not said:
        raise InputError(f"is empty; a {kind} needs a text", place)
    most = LONGEST_NOTE if kind == "note" else LONGEST_TAG
    if len(said) > most:
        raise InputError(f"has {len(said)} characters; a {kind} has at most {most}", place)
    if kind == "tag" and ("," in said or not said.isprintable()):
        raise InputError(f"{said!r} cannot be a tag: a tag is one line without commas", place)
    return said


def taken_along(connection: Connection, name: str) -> list[dict[str, Any]]:
    """The rows of annotations of a study that is about to be made anew; see :func:`put_back`."""
    columns = [column for column in annotation.c if column.name not in {"id", "study_id"}]
    query = select(*columns).join(study).where(study.c.name == name).order_by(annotation.c.id)
    return [dict(row) for row in connection.execute(query).mappings()]


def put_back(connection: Connection, name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Give the study ``name`` the annotations that were taken along from the one before it."""
    if rows:
        study_id = _study_id(connection, name)
        connection.execute(insert(annotation), [{"study_id": study_id, **row} for row in rows])


_ANNOTATIONS = select(study.c.name, annotation).select_from(annotation.join(study))


def _same(name: str, row: dict[str, Any]) -> Any:
    """The tag or favourite that stands where ``row`` would."""
    last = annotation.c.text if row["kind"] == "tag" else annotation.c.author
    own = (annotation.c.key == row["key"]) & (annotation.c.kind == row["kind"]) & (last == row[last.name])
    return _ANNOTATIONS.where(study.c.name == name, own)


def _study_id(connection: Connection, name: str) -> int:
    found = connection.execute(select(study.c.id).where(study.c.name == name)).scalar()
    if found is None:
        raise UnknownNameError("study", name, connection.execute(select(study.c.name)).scalars())
    return found


def _find(connection: Connection, name: str, number: int) -> AnnotationRecord | None:
    query = _ANNOTATIONS.where(study.c.name == name, annotation.c.id == number)
    row = connection.execute(query).mappings().first()
    return None if row is None else _record(row)


def _required(connection: Connection, name: str, number: int) -> AnnotationRecord:
    found = _find(connection, name, number)
    if found is None:
        known = connection.execute(
            select(annotation.c.id).join(study).where(study.c.name == name).order_by(annotation.c.id)
        ).scalars()
        raise UnknownNameError("annotation", str(number), map(str, known))
    return found


def _record(row: Any) -> AnnotationRecord:
    return AnnotationRecord(
        row["id"], row["name"], row["key"], row["kind"], row["text"], row["author"], row["created"],
        row["changed"],
    )  # fmt: skip
