"""Words on stored studies: ``tautline study edit``, ``describe``, ``note``, ``tag``, ``favourite``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from errors import InputError
from service.cli.connect import operations, request
from service.cli.options import DEFAULT_STORE, FormatOption, NameArgument, ServerOption, StoreOption
from service.cli.output import emit, emit_json, say
from studies.execution.evaluation_key import short_key


def describe(
    name: NameArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What the study is about.")],
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Give a study another description. Nothing else changes."""
    from service.resources.studies import StudyEdit

    with operations(store, server) as ops:
        study = ops.studies.edit(name, request(StudyEdit, {"description": text}))
    say(f"'{study.name}': {study.description or 'no description'}")


def edit(
    name: NameArgument,
    description: Annotated[str | None, typer.Option("--description", help="What the study is about.")] = None,
    shared: Annotated[
        bool | None,
        typer.Option("--shared/--private", help="Whether every account may read it, or only its owner."),
    ] = None,
    archived: Annotated[
        bool | None,
        typer.Option("--archive/--restore", help="Archive it: only `study list --archived` lists it."),
    ] = None,
    owner: Annotated[
        str | None, typer.Option("--owner", metavar="ACCOUNT", help="Account of the new owner (admins only).")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Edit description, visibility or owner, or archive a study. Its designs do not change."""
    from service.resources.studies import StudyEdit

    visibility = {None: None, True: "shared", False: "private"}[shared]
    changes = {"description": description, "visibility": visibility, "archived": archived, "owner": owner}
    given = {field: value for field, value in changes.items() if value is not None}
    if not given:
        raise InputError("nothing to change; see `tautline study edit --help`")
    with operations(store, server) as ops:
        study = ops.studies.edit(name, request(StudyEdit, given))
    place = ", archived" if study.archived else ""
    owned = f" of '{study.owner}'" if study.owner else ""
    say(f"'{study.name}' is a {study.visibility} study{owned}{place}")


KeyOption = Annotated[
    str, typer.Option("--design", metavar="KEY", help="Key of a design; else it is of the study itself.")
]


def note(
    name: NameArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is worth knowing.")],
    key: KeyOption = "",
    change: Annotated[
        int | None,
        typer.Option("--change", min=1, metavar="ID", help="Give this note of yours another text."),
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Write a note beside a study or one of its designs."""
    from service.resources.studies import AnnotationEdit

    if change is None:
        _add(name, {"kind": "note", "text": text, "key": key}, store, server)
        return
    with operations(store, server) as ops:
        found = ops.annotations.edit(name, change, request(AnnotationEdit, {"text": text}))
    say(f"changed note {found.id} of '{name}'")


def tag(
    name: NameArgument,
    text: Annotated[str, typer.Argument(metavar="TAG", help="A word or two, without commas.")],
    key: KeyOption = "",
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Set a tag on a study or one of its designs."""
    _add(name, {"kind": "tag", "text": text, "key": key}, store, server)


def favourite(
    name: NameArgument,
    key: KeyOption = "",
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Mark a study or one of its designs as a favourite of yours."""
    _add(name, {"kind": "favourite", "key": key}, store, server)


def _add(name: str, values: dict[str, Any], store: str, server: str | None) -> None:
    from service.resources.studies import AnnotationRequest

    with operations(store, server) as ops:
        made = ops.annotations.add(name, request(AnnotationRequest, values))
    place = f"design {short_key(made.key)} of '{name}'" if made.key else f"'{name}'"
    say(f"{made.kind} {made.id} of {place}")


def list_annotations(
    name: NameArgument,
    key: Annotated[
        str | None, typer.Option("--design", metavar="KEY", help="Only those of this design.")
    ] = None,
    remove: Annotated[
        int | None, typer.Option("--remove", min=1, metavar="ID", help="Delete the one with this number.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """List notes, tags and your favourites; or delete one.

    They are those of a study and of its designs.
    """
    with operations(store, server) as ops:
        if remove is not None:
            gone = ops.annotations.remove(name, remove)
            say(f"deleted {gone.kind} {gone.id} of '{name}'")
            return
        found = ops.annotations.list(name, key).items
    if format == "json":
        emit_json([one.model_dump(mode="json") for one in found])
        return
    rows = [
        {
            "id": one.id, "design": short_key(one.key) if format == "table" else one.key, "kind": one.kind,
            "text": one.text, "author": one.author, "changed": one.changed,
        }
        for one in found
    ]  # fmt: skip
    emit(rows, format)
