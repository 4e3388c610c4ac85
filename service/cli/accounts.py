"""``tautline account`` and ``token``: users of a server and tokens of programs, on its store or by itself.

They are asked for, or read from standard input where that is no terminal; never an argument, which
other processes and the shell's history could read.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from errors import InputError
from service.cli.connect import location_option, operations, refuse_beside_server, request
from service.cli.options import DEFAULT_STORE, FormatOption, ServerOption, StoreOption
from service.cli.output import emit, minute, say
from service.cli.tables import account_row, token_row

if TYPE_CHECKING:
    from pydantic import SecretStr


def read_password() -> SecretStr:
    """A new password, asked for twice on a terminal, else a line of standard input."""
    from service.access.passwords import check_password

    found = _prompt("Password", twice=True)
    check_password(found.get_secret_value())
    return found


def read_current_password() -> SecretStr:
    """The password that is good now, asked for on a terminal, else a line of standard input."""
    return _prompt("Current password", twice=False)


def _prompt(label: str, *, twice: bool) -> SecretStr:
    from pydantic import SecretStr

    if sys.stdin.isatty():
        return SecretStr(str(typer.prompt(label, hide_input=True, confirmation_prompt=twice, err=True)))
    try:
        line = sys.stdin.readline().rstrip("\r\n")
        line.encode()
    except UnicodeError:
        raise InputError("the standard input is not UTF-8 text", ("password",)) from None
    return SecretStr(line)


account = typer.Typer(help="Accounts of a server.", no_args_is_help=True)

RoleName = Literal["viewer", "editor", "admin"]


def check_name(parameter: typer.CallbackParam, name: str | None) -> str | None:
    """The name of an account as it was given; raises ``InputError`` for what cannot be one."""
    from service.resources.access import check_account_name

    if name is not None:
        check_account_name(name, (str(parameter.name),))
    return name


AccountArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Name of the account.", callback=check_name)
]
RoleOption = Annotated[
    RoleName, typer.Option("--role", help="viewer: reads; editor: also makes studies; admin: everything.")
]


@account.command("add")
def add(
    name: AccountArgument,
    role: RoleOption = "editor",
    no_password: Annotated[
        bool, typer.Option("--no-password", help="Make it without a password: only its tokens can use it.")
    ] = False,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Make an account. The first one makes the store's database where there is none."""
    from service.resources.access import AccountRequest

    password = None if no_password else read_password()
    wanted = request(AccountRequest, {"name": name, "role": role, "password": password})
    with operations(store, server, make=True) as ops:
        made = ops.accounts.add(wanted)
    say(f"'{made.name}' is {made.role}")


@account.command("list")
def list_accounts(
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """All accounts."""
    with operations(store, server) as ops:
        rows = [account_row(item) for item in ops.accounts.list().items]
    emit(rows, format, "Accounts")


@account.command("role")
def set_role(
    name: AccountArgument,
    role: Annotated[RoleName, typer.Argument(help="The new role.")],
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Give an account another role."""
    from service.resources.access import AccountEdit

    with operations(store, server) as ops:
        changed = ops.accounts.edit(name, AccountEdit(role=role))
    say(f"'{name}' is {changed.role}")


@account.command("password")
def set_password(
    name: AccountArgument, store: StoreOption = DEFAULT_STORE, server: ServerOption = None
) -> None:
    """Set an account's password. Browsers that are logged in have to log in again.

    A server asks for the current password before it changes your own: give that first.
    """
    from service.resources.access import PasswordRequest

    with operations(store, server) as ops:
        known = ops.accounts.get(name)  # before a password is asked for
        own = known.password and ops.accounts.me().account == name
        current = read_current_password() if own else None
        wanted = request(PasswordRequest, {"password": read_password(), "current": current})
        ops.accounts.set_password(name, wanted)
    say(f"the password of '{name}' was set")


@account.command("disable")
def disable(name: AccountArgument, store: StoreOption = DEFAULT_STORE, server: ServerOption = None) -> None:
    """Disable an account: nobody can use it any more. Its studies stay."""
    _set_disabled(name, store, server, disabled=True)
    say(
        f"'{name}' is disabled; `tautline account enable {name}{location_option(store, server)}` enables it "
        "again"
    )


@account.command("enable")
def enable(name: AccountArgument, store: StoreOption = DEFAULT_STORE, server: ServerOption = None) -> None:
    """Enable a disabled account again."""
    _set_disabled(name, store, server, disabled=False)
    say(f"'{name}' is enabled again")


def _set_disabled(name: str, store: str, server: str | None, *, disabled: bool) -> None:
    from service.resources.access import AccountEdit

    with operations(store, server) as ops:
        ops.accounts.edit(name, AccountEdit(disabled=disabled))


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
    format: FormatOption = "table",
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
