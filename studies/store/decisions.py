"""Decisions: which design of a study was chosen, by whom and why. They are added, and never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, func, insert, select

from errors import EditConflictError, InputError, UnknownNameError
from studies.decision_records import Candidate, DecisionRecord, Interval, Preferences
from studies.execution.evaluation_key import short_key
from studies.store.column_types import storable
from studies.store.database import Database
from studies.store.tables import decision, study

LONGEST_REASON = 10_000
"""Characters."""


class Decisions:
    """The decisions of a store; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        name: str,
        key: str,
        layout: str,
        preferences: Preferences,
        reason: str,
        candidates: Sequence[Candidate],
        *,
        author: str = "",
        replaces: int | None = None,
    ) -> DecisionRecord:
        """Record that a design of the study ``name`` was chosen.

        ``replaces`` is the number of the decision that stands, None where there is none yet. Raises
        ``EditConflictError`` where another one stands, and ``InputError`` for a reason that says nothing.
        """
        said = storable(_checked_reason(reason))
        row = {
            "key": key, "layout": layout, "rule": preferences.rule, "preferences": asdict(preferences),
            "reason": said, "candidates": [asdict(one) for one in candidates], "author": author,
        }  # fmt: skip
        made: list[DecisionRecord] = []

        def work(connection: Connection) -> DecisionRecord:
            study_id = _locked(connection, name)
            found = _last(connection, study_id, name)
            if found is not None and found in made:
                return found  # the first try was stored, only its answer was lost
            _require_standing(found, replaces, name)
            values = {"number": (replaces or 0) + 1, "created": self._database.now(connection), **row}
            connection.execute(insert(decision).values(study_id=study_id, **values))
            made.append(_record({**values, "name": name}))
            return made[-1]

        return self._database.write(work)

    def of(self, name: str) -> list[DecisionRecord]:
        """The decisions of a study, the one that stands first."""
        query = _DECISIONS.where(study.c.name == name).order_by(decision.c.number.desc())
        return self._database.read(lambda c: [_record(row) for row in c.execute(query).mappings()])

    def standing(self, names: Sequence[str]) -> dict[str, DecisionRecord]:
        """The decision that stands of each of the studies that have one."""
        last = (
            select(decision.c.study_id, func.max(decision.c.number).label("number"))
            .join(study)
            .where(study.c.name.in_(list(names)))
            .group_by(decision.c.study_id)
            .subquery()
        )
        is_last = (decision.c.study_id == last.c.study_id) & (decision.c.number == last.c.number)
        query = _DECISIONS.join(last, is_last)
        rows = self._database.read(lambda c: c.execute(query).mappings().all())
        return {row["name"]: _record(row) for row in rows}


def count_of(connection: Connection, name: str) -> int:
    """Number of decisions of a study."""
    query = select(func.count()).select_from(decision.join(study)).where(study.c.name == name)
    return connection.execute(query).scalar_one()


_DECISIONS = select(study.c.name, decision).select_from(decision.join(study))


def _checked_reason(reason: str) -> str:
    text = reason.strip()
    if not text:
        raise InputError("is empty; say in a sentence why this design is chosen", ("reason",))
    if len(text) > LONGEST_REASON:
        raise InputError(
            f"has {len(text)} characters; at most {LONGEST_REASON} are kept: shorten it", ("reason",)
        )
    return text


def _locked(connection: Connection, name: str) -> int:
    """The number of a study; on PostgreSQL, others who decide on it wait until this transaction ends."""
    found = connection.execute(select(study.c.id).where(study.c.name == name).with_for_update()).scalar()
    if found is None:
        raise UnknownNameError("study", name, connection.execute(select(study.c.name)).scalars())
    return found


def _last(connection: Connection, study_id: int, name: str) -> DecisionRecord | None:
    query = select(decision).where(decision.c.study_id == study_id).order_by(decision.c.number.desc())
    row = connection.execute(query.limit(1)).mappings().first()
    return None if row is None else _record({**row, "name": name})


def _require_standing(found: DecisionRecord | None, replaces: int | None, name: str) -> None:
    """Raise ``EditConflictError`` unless ``replaces`` names the decision that stands."""
    if (None if found is None else found.number) == replaces:
        return
    if found is None:
        raise EditConflictError(f"study '{name}' has no decision {replaces} that could be replaced")
    stated = "" if replaces is None else f", not decision {replaces}"
    raise EditConflictError(
        f"decision {found.number} of study '{name}' stands{stated}: it chose design {short_key(found.key)}. "
        "Another one can only replace it",
        ("replaces", found.number),
    )


def _record(row: Any) -> DecisionRecord:
    candidates = tuple(Candidate(**one) for one in row["candidates"])
    return DecisionRecord(
        row["name"], row["number"], row["key"], row["layout"], _preferences(row["preferences"]),
        row["reason"], candidates, row["author"], row["created"],
    )  # fmt: skip


def _preferences(stored: Mapping[str, Any]) -> Preferences:
    filters = {name: Interval(**interval) for name, interval in stored["filters"].items()}
    return Preferences(stored["rule"], stored["weights"], stored["aspirations"], filters, stored["layout"])
