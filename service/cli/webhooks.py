"""``tautline webhooks``: addresses that a server tells of the ends of runs."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from errors import InputError
from service.cli.options import DEFAULT_STORE, FormatOption, StoreOption
from service.cli.output import emit, say
from service.settings import FILE_VARIABLE, Settings, read_settings, shown_address

app = typer.Typer(help="Addresses that a server tells when a run ends.", no_args_is_help=True)
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", envvar=FILE_VARIABLE, metavar="FILE", help="Settings of the server (TOML)."),
]


@app.command("list")
def list_webhooks(store: StoreOption = DEFAULT_STORE, format_: FormatOption = "table") -> None:
    """Deliveries and failures of each address that a server on this store has."""
    from studies.store import open_existing

    with open_existing(store) as opened:
        emit(
            [
                {
                    "to": each.address,
                    "delivered": each.delivered,
                    "given up": each.dropped,
                    "attempts": each.attempts,
                    "next try": _moment(each.due) if each.attempts else None,
                    "last try": _moment(each.tried),
                    "reason": each.problem,
                }
                for each in opened.webhooks.all()
            ],
            format_,
        )


@app.command("test")
def send_test(config: ConfigOption = None) -> None:
    """Send a test message to each address of the server's settings."""
    from service.webhooks import send_tests, senders

    failed = False
    for address, problem in send_tests(senders(_settings(config))):
        say(f"{address}: {problem or 'delivered'}")
        failed = failed or bool(problem)
    if failed:
        raise typer.Exit(1)


@app.command()
def secret(config: ConfigOption = None) -> None:
    """Print the secret with which each address checks the signature of what it is sent."""
    from service.access.secret import server_key
    from service.webhooks import check_webhooks, secret_of, secret_text

    settings = _settings(config)
    check_webhooks(settings)
    key = server_key(settings.secret_file)
    for url in settings.webhooks:
        typer.echo(f"{shown_address(url)} {secret_text(secret_of(key, url))}")


def _settings(config: Path | None) -> Settings:
    settings = read_settings({}, config)
    if not settings.webhooks:
        raise InputError(
            "no address is set: write `webhooks` into the server's settings file and name it with --config, "
            "or set the variable TAUTLINE_WEBHOOKS"
        )
    return settings


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
