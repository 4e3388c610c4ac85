"""Accounts and tokens of a server."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, SecretStr

from service.access.tokens import no_token
from service.client.requests import Requests
from service.resources.access import (
    AccountEdit,
    AccountRequest,
    AccountResource,
    IdentityResource,
    NewTokenResource,
    PasswordRequest,
    TokenRequest,
    TokenResource,
    check_account_name,
)
from service.resources.studies import Page

_TOKEN_ID = re.compile(r"[0-9a-f]{1,64}")


class AccountClient:
    """See :class:`service.operations.AccountOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def me(self) -> IdentityResource:
        """Your account as the server knows you, and what you may do."""
        return self._requests.get("me", IdentityResource)

    def list(self) -> Page[AccountResource]:
        """All accounts by name, for admins."""
        return self._requests.whole("accounts", AccountResource)

    def get(self, name: str) -> AccountResource:
        """An account: one's own, or any for admins."""
        return self._requests.get(_account(name), AccountResource)

    def add(self, request: AccountRequest) -> AccountResource:
        """Make an account."""
        return self._requests.post("accounts", AccountResource, _in_clear(request))

    def edit(self, name: str, edit: AccountEdit) -> AccountResource:
        """Give an account another role, disable it, or enable it again."""
        wire = self._requests.wire
        answer = wire.ask("PATCH", _account(name), None, _in_clear(edit), again=True)
        return wire.read(AccountResource, answer)

    def set_password(self, name: str, request: PasswordRequest) -> None:
        """Set a password; for one's own the current one is needed. All sessions of the account end."""
        self._requests.wire.ask("PUT", f"{_account(name)}/password", None, _in_clear(request))


class TokenClient:
    """See :class:`service.operations.TokenOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, account: str | None = None, *, everybody: bool = False) -> Page[TokenResource]:
        """One's own tokens, newest first; those of another account or everybody's for admins."""
        query = {"account": account, "everybody": everybody}
        return self._requests.whole("tokens", TokenResource, query)

    def create(self, request: TokenRequest) -> NewTokenResource:
        """Make a token, which is shown this once: of one's own, or for another account by an admin.

        It ends at the latest with the token that this client has.
        """
        return self._requests.post("tokens", NewTokenResource, _in_clear(request))

    def revoke(self, token_id: str) -> None:
        """Refuse a token from now on: one of one's own, or any for admins."""
        if not _TOKEN_ID.fullmatch(token_id):
            raise no_token(token_id)
        self._requests.wire.ask("DELETE", f"tokens/{token_id}", again=True)


def _account(name: str) -> str:
    """The path of an account; a name that cannot be one is not put into an address."""
    check_account_name(name)
    return f"accounts/{name}"


def _in_clear(record: BaseModel) -> dict[str, Any]:
    """A record as it is sent, its passwords in clear: encryption is the connection's task."""
    return {
        name: value.get_secret_value() if isinstance(value, SecretStr) else value
        for name, value in record.model_dump().items()
    }
