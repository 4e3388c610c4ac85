"""``tautline study edit``: what may be changed of a stored study."""

from __future__ import annotations

from typing import Annotated

import typer

from errors import InputError
from service.cli.connect import operations, request
from service.cli.options import DEFAULT_STORE, NameArgument, ServerOption, StoreOption
from service.cli.output import say


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
