"""``tautline store``: care of the database."""

from __future__ import annotations

import typer

from service.cli.options import DEFAULT_STORE, StoreOption
from service.cli.output import say

app = typer.Typer(help="Care of the database.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keeps `upgrade` a command of its own while it is the only one."""


@app.command()
def upgrade(store: StoreOption = DEFAULT_STORE) -> None:
    """Bring the database's schema to the version that this Tautline writes."""
    from studies.store import open_existing

    with open_existing(store, migrate=True) as opened:
        say(f"{store} is at schema {opened.revision}")
