"""``tautline token``: the tokens of programs, made in a server's store or by the server itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from service.cli.accounts import check_name
from service.cli.connect import operations, refuse_beside_server, request
from service.cli.options import DEFAULT_STORE, FormatOption, ServerOption, StoreOption
from service.cli.output import emit, minute, say
from service.cli.tables import token_row

token = typer.Typer(help="Tokens, with which programs use a server.", no_args_is_help=True)

ScopeName = Literal["read", "run", "admin"]
SecretFileOption = Annotated[
    Path | None,
    typer.Option(
        "--secret-file", envvar="TAUTLINE_SECRET_FILE", metavar="FILE",
        help="The server's key file, if the server was given one.",
    ),
]  # fmt: skip


@token.command("create")
def create_token(
    context: typer.Context,
    purpose: Annotated[str, typer.Argument(metavar="PURPOSE", help="What the token is for.")],
    account: Annotated[
        str | None,
        typer.Option(
            "--account",
            metavar="NAME",
            callback=check_name,
            help="Account of the token. A store with accounts needs it; a server makes a token of your own "
            "account without it, and only admins may name another account.",
        ),
    ] = None,
    scope: Annotated[
        ScopeName,
        typer.Option("--scope", help="read; run: also make and work on studies; admin: everything."),
    ] = "run",
    days: Annotated[int, typer.Option("--days", min=1, max=3650, help="How long the token is valid.")] = 90,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    secret_file: SecretFileOption = None,
) -> None:
    """Print a new token; it is shown only this once."""
    from service.resources.access import TokenRequest

    refuse_beside_server(context, server, ["secret_file"], "a server makes tokens with its own key")
    values = {"name": purpose, "account": account, "scope": scope, "days": days}
    with operations(store, server, secret_file=secret_file) as ops:
        made = ops.tokens.create(request(TokenRequest, values))
    typer.echo(made.token)
    until = f"until {minute(made.expires)} UTC" if made.expires else "for ever"
    say(
        f"it is valid {until} and cannot be shown again: keep it in a file that "
        "only you can read, or in TAUTLINE_TOKEN"
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
    """List your tokens; for admins, those of everybody. The text of a token is not stored."""
    with operations(store, server) as ops:
        everybody = account is None and ops.accounts.me().role == "admin"
        rows = [token_row(item) for item in ops.tokens.list(account, everybody=everybody).items]
    emit(rows, format, "Tokens")


@token.command("revoke")
def revoke_token(
    token_id: Annotated[
        str, typer.Argument(metavar="ID", help="Id of the token, as `tautline token list` prints it.")
    ],
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Revoke a token: it is refused from now on."""
    with operations(store, server) as ops:
        ops.tokens.revoke(token_id)
    say(f"token {token_id} is refused from now on")
