"""``tautline store``: care of the database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from service.cli.connect import say_how_to_accept
from service.cli.options import DEFAULT_STORE, StoreOption
from service.cli.output import say

app = typer.Typer(help="Upgrade, copy and check the database.", no_args_is_help=True)


@app.command()
def upgrade(store: StoreOption = DEFAULT_STORE) -> None:
    """Upgrade the database's schema to the version that this Tautline writes."""
    from studies.store import open_existing

    with open_existing(store, migrate=True) as opened:
        say(f"{opened.name} is at schema {opened.revision}")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="A new file for the copy.")],
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Copy a SQLite store. Runs may write to it at the same time; the copy is a store."""
    from studies.store import back_up_store

    back_up_store(store, file)
    say(f"copied the store to {file}")


@app.command()
def check(
    store: StoreOption = DEFAULT_STORE,
    accept_loss: Annotated[
        bool,
        typer.Option("--accept-loss", help="Go on with what is left of a store whose log was removed."),
    ] = False,
) -> None:
    """Look for damage: pages, references, numbers, logs, fronts. Exits with 1 when there is any."""
    from studies.store import open_existing

    with open_existing(store) as opened:
        if accept_loss:
            opened.accept_loss()
        problems = opened.check()
        for problem in problems:
            typer.echo(problem)
        if problems:
            say_how_to_accept(opened)
            raise typer.Exit(1)
        say(f"{opened.name} has no damage")
