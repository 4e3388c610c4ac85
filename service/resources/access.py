"""Records of accounts and tokens in REST. No hash and no secret stands in them."""

import re
from typing import Annotated, Generic, TypeVar

from pydantic import Field, SecretStr

from errors import InputError, Place
from service.access.identity import Role, Scope
from service.resources.models import Created, Edit, Moment, Resource, left_out

ACCOUNT_NAME = r"[a-z0-9][a-z0-9._-]{0,63}"


def check_account_name(name: str, place: Place = ("name",)) -> None:
    """Raise ``InputError`` for what cannot be an account's name."""
    if not re.fullmatch(ACCOUNT_NAME, name):
        raise InputError(
            f"'{name}' is not an account name: use 1 to 64 characters of a-z, 0-9, '.', '_' and '-', with a "
            "letter or digit first",
            place,
        )


T = TypeVar("T")
AccountRole = Annotated[
    Role,
    Field(description="`viewer` reads; `editor` also makes studies and works on their own; `admin`: all"),
]
TokenScope = Annotated[
    Scope,
    Field(description="`read`; `run`: also make and work on studies; `admin`: all that the role allows"),
]
Expires = Annotated[Moment | None, Field(description="time when it ends, UTC; null: never")]
LastUsed = Annotated[
    Moment | None, Field(description="time of the last request with it, UTC; null: none yet")
]
AccountName = Annotated[str, Field(pattern=f"^{ACCOUNT_NAME}$", description="the name to log in with")]


class IdentityResource(Resource):
    """The caller. Without accounts, the one person of a laptop."""

    account: str = Field(description="account that the request was recognised as")
    role: AccountRole
    scope: TokenScope


class AccountResource(Resource):
    """Somebody who may use this server."""

    name: str = Field(description="the name to log in with")
    role: AccountRole
    created: Created
    disabled: bool = Field(description="true for an account that can neither log in nor use its tokens")
    password: bool = Field(description="true for an account that can log in by password")


class AccountRequest(Resource):
    """A new account; without a password it is used by tokens alone, which an admin makes."""

    name: AccountName
    role: AccountRole
    password: SecretStr | None = Field(
        default=None,
        max_length=1024,
        description="10 characters or more; null: the account uses tokens alone",
    )


class AccountEdit(Edit):
    """Fields of an account that an admin may change; those that are left out stay."""

    role: AccountRole = Field(default_factory=left_out)
    disabled: bool = Field(
        default_factory=left_out, description="true: the account can neither log in nor use its tokens"
    )


class PasswordRequest(Resource):
    """A new password for an account."""

    password: SecretStr = Field(max_length=1024, description="the new password")
    current: SecretStr | None = Field(
        default=None, max_length=1024, description="the present password; needed for your own"
    )


class TokenResource(Resource):
    """A token as it is listed: its id is public, its secret is nowhere."""

    id: str = Field(description="public number of the token, which revokes it")
    account: str = Field(description="account that the token acts for")
    name: str = Field(description="purpose of the token, as its maker wrote it")
    scope: TokenScope
    created: Created
    expires: Expires
    last_used: LastUsed
    revoked: Moment | None = Field(description="time when it was revoked; null for one that is valid")


class SessionResource(Resource):
    """A browser that is logged in."""

    id: str = Field(description="number of the session, which ends it")
    name: str = Field(description="the browser, as it names itself")
    created: Created
    expires: Expires
    last_used: LastUsed
    current: bool = Field(description="true for the session of this request")


class TokenRequest(Resource):
    """A new token: of one's own, or by an admin for another account."""

    name: str = Field(min_length=1, max_length=100, description="purpose of the token")
    scope: Scope = Field(default="run", description="read, run (also make and work on studies) or admin")
    days: int | None = Field(default=90, ge=1, le=3650, description="how long it is valid; null: for ever")
    account: AccountName | None = Field(
        default=None, description="the account; null: your own; another one: admins only"
    )


class NewTokenResource(TokenResource):
    """A token that was just made, with its secret."""

    token: str = Field(description="the secret, to send as `Authorization: Bearer`; shown this once")


class ListResource(Resource, Generic[T]):
    """All of them: there are few."""

    items: list[T] = Field(description="all of them")
    next: None = Field(default=None, description="null: there is no further part")
