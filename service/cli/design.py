"""``tautline design``: what can be asked of a single stored design."""

from __future__ import annotations

import typer

from service.cli.robustness import robust

app = typer.Typer(help="Single stored designs: under tolerances.", no_args_is_help=True)
app.command()(robust)


@app.callback()
def _group() -> None:
    """Keep the name of the only command."""
