"""The verbs of accounts and tokens, asked of a server."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from pydantic import BaseModel, SecretStr

from service.access.tokens import no_token
from service.client.wire import Query, Wire
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
from service.resources.models import Edit

T = TypeVar("T")
_TOKEN_ID = re.compile(r"[0-9a-f]{1,64}")


class AccessClient:
    """See :class:`service.operations.AccessOperations`; ``tautline.Client`` is one."""

    _wire: Wire

    def me(self) -> IdentityResource:
        """Your account as the server knows you, and what you may do."""
        return self._wire.read(IdentityResource, self._wire.ask("GET", "me"))

    def accounts(self) -> list[AccountResource]:
        """All accounts by name, for admins."""
        return self._all("accounts", AccountResource)

    def account(self, name: str) -> AccountResource:
        """An account: one's own, or any for admins."""
        return self._wire.read(AccountResource, self._wire.ask("GET", _account(name)))

    def add_account(self, wanted: AccountRequest) -> AccountResource:
        """Make an account."""
        return self._wire.read(AccountResource, self._wire.ask("POST", "accounts", None, _open(wanted)))

    def edit_account(self, name: str, edit: AccountEdit) -> AccountResource:
        """Give an account another role, let nobody in by it any more, or let them in again."""
        answer = self._wire.ask("PATCH", _account(name), None, _open(edit), again=True)
        return self._wire.read(AccountResource, answer)

    def set_password(self, name: str, wanted: PasswordRequest) -> None:
        """Set a password; for one's own the current one is needed. All sessions of the account end."""
        self._wire.ask("PUT", f"{_account(name)}/password", None, _open(wanted))

    def tokens(self, account: str | None = None, *, everybody: bool = False) -> list[TokenResource]:
        """One's own tokens, newest first; those of another account or everybody's for admins."""
        return self._all("tokens", TokenResource, {"account": account, "everybody": everybody})

    def make_token(self, wanted: TokenRequest) -> NewTokenResource:
        """Make a token, which is shown this once: of one's own, or for another account by an admin.

        It ends at the latest with the token that this client has.
        """
        return self._wire.read(NewTokenResource, self._wire.ask("POST", "tokens", None, _open(wanted)))

    def revoke_token(self, token_id: str) -> None:
        """Refuse a token from now on: one of one's own, or any for admins."""
        if not _TOKEN_ID.fullmatch(token_id):
            raise no_token(token_id)
        self._wire.ask("DELETE", f"tokens/{token_id}", again=True)

    def _all(self, path: str, kind: type[T], query: Query | None = None) -> list[T]:
        """All items of a list that comes as one page."""
        return self._wire.read_page(kind, self._wire.ask("GET", path, query))[0]


def _account(name: str) -> str:
    """The path of an account; a name that cannot be one is not put into an address."""
    check_account_name(name)
    return f"accounts/{name}"


def _open(record: BaseModel) -> dict[str, Any]:
    """A record as it is sent, its passwords in clear: encryption is the connection's task."""
    return {
        name: value.get_secret_value() if isinstance(value, SecretStr) else value
        for name, value in record.model_dump(exclude_unset=isinstance(record, Edit)).items()
    }
