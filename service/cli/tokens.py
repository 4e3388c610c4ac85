"""``tautline token``: by what programs are let in, told to a server's store or to the server itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from service.cli.accounts import check_name
from service.cli.options import DEFAULT_STORE, FormatOption, ServerOption, StoreOption
from service.cli.output import emit, say
from service.cli.reach import access, refuse_beside_server, request
from service.cli.tables import minute, token_row

token = typer.Typer(help="Tokens, by which programs use a server.", no_args_is_help=True)

ScopeName = Literal["read", "run", "admin"]
SecretFileOption = Annotated[
    Path | None,
    typer.Option(
        "--secret-file", envvar="TAUTLINE_SECRET_FILE", metavar="FILE",
        help="The server's key, if it is told of one.",
    ),
]  # fmt: skip


@token.command("create")
def create_token(
    context: typer.Context,
    purpose: Annotated[str, typer.Argument(metavar="PURPOSE", help="What it is for, to know it by.")],
    account: Annotated[
        str | None,
        typer.Option(
            "--account",
            metavar="NAME",
            callback=check_name,
            help="Whose token. On a store it has to be told once there are accounts; a server makes your "
            "own if it is not told, and those of others for admins.",
        ),
    ] = None,
    scope: Annotated[
        ScopeName,
        typer.Option("--scope", help="read; run: also make and work on studies; admin: everything."),
    ] = "run",
    days: Annotated[int, typer.Option("--days", min=1, max=3650, help="How long it is good.")] = 90,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    secret_file: SecretFileOption = None,
) -> None:
    """Print a new token; it is shown this once."""
    from service.access.resources import TokenRequest

    refuse_beside_server(context, server, ["secret_file"], "a server makes tokens with its own key")
    values = {"name": purpose, "account": account, "scope": scope, "days": days}
    with access(store, server, secret_file=secret_file) as where:
        made = where.make_token(request(TokenRequest, values))
    typer.echo(made.token)
    say(
        f"it is good until {minute(made.expires)} UTC and cannot be shown again: keep it in a file that only "
        "you can read, or in TAUTLINE_TOKEN"
    )


@token.command("list")
def list_tokens(
    account: Annotated[
        str | None,
        typer.Option("--account", metavar="NAME", callback=check_name, help="Only those of this account."),
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Everybody's tokens for admins, else one's own; what they hold is nowhere."""
    with access(store, server) as where:
        everybody = account is None and where.me().role == "admin"
        rows = [token_row(item) for item in where.tokens(account, everybody=everybody)]
    emit(rows, format, "Tokens")


@token.command("revoke")
def revoke_token(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="As `tautline token list` prints it.")],
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Refuse a token from now on."""
    with access(store, server) as where:
        where.revoke_token(token_id)
    say(f"token {token_id} is refused from now on")
