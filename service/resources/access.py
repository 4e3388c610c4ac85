"""Records of accounts and tokens in REST. No hash and no secret stands in them."""

from __future__ import annotations

import re
from typing import Annotated, Generic, TypeVar

from pydantic import Field, SecretStr

from errors import InputError, Place
from service.access.identity import Role, Scope
from service.resources.models import Edit, Moment, Resource, left_out

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
AccountName = Annotated[str, Field(pattern=f"^{ACCOUNT_NAME}$", description="the name to log in with")]


class IdentityResource(Resource):
    """The caller. ``account`` is empty for the one person of a laptop without accounts."""

    account: str
    role: Role
    scope: Scope


class AccountResource(Resource):
    """Somebody who may use this server."""

    name: str
    role: Role
    created: Moment
    disabled: bool
    password: bool = Field(description="whether one can log in by password")


class AccountRequest(Resource):
    """A new account; without a password it is used by tokens alone, which an admin makes."""

    name: AccountName
    role: Role
    password: SecretStr | None = Field(default=None, max_length=1024)


class AccountEdit(Edit):
    """Fields of an account that an admin may change; those that are left out stay."""

    role: Role = Field(default_factory=left_out)
    disabled: bool = Field(default_factory=left_out)


class PasswordRequest(Resource):
    """A new password; ``current`` is needed for one's own."""

    password: SecretStr = Field(max_length=1024)
    current: SecretStr | None = Field(default=None, max_length=1024)


class TokenResource(Resource):
    """A token as it is listed: its id is public, its secret is nowhere."""

    id: str
    account: str
    name: str
    scope: Scope
    created: Moment
    expires: Moment | None
    last_used: Moment | None
    revoked: Moment | None


class SessionResource(Resource):
    """A browser that is logged in; ``current`` is the one that asks."""

    id: str
    name: str = Field(description="the browser, as it names itself")
    created: Moment
    expires: Moment | None
    last_used: Moment | None
    current: bool


class TokenRequest(Resource):
    """A new token: of one's own, or by an admin for another account."""

    name: str = Field(min_length=1, max_length=100, description="what it is for")
    scope: Scope = Field(default="run", description="read, run (also make and work on studies) or admin")
    days: int | None = Field(default=90, ge=1, le=3650, description="how long it is valid; null: for ever")
    account: AccountName | None = Field(
        default=None, description="the account; null: your own; another one: admins only"
    )


class NewTokenResource(TokenResource):
    """A token that was just made; ``token`` is shown this once."""

    token: str


class ListResource(Resource, Generic[T]):
    """All of them: there are few."""

    items: list[T]
    next: None = None
