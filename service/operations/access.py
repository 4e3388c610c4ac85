"""Protocols of accounts and tokens; see :mod:`service.operations`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from service.resources import access
    from service.resources.studies import Page


class AccountOperations(Protocol):
    """Who may use a server. Admins see and change all accounts, others their own account and password."""

    def me(self) -> access.IdentityResource:
        """The caller, and what they may do; without a name for the person at the store itself."""
        ...

    def list(self) -> Page[access.AccountResource]:
        """All accounts by name, for admins."""
        ...

    def get(self, name: str) -> access.AccountResource:
        """An account: one's own, or any for admins."""
        ...

    def add(self, request: access.AccountRequest) -> access.AccountResource:
        """Make an account."""
        ...

    def edit(self, name: str, edit: access.AccountEdit) -> access.AccountResource:
        """Give an account another role, disable it, or enable it again."""
        ...

    def set_password(self, name: str, request: access.PasswordRequest) -> None:
        """Set a password; for one's own the current one is needed. All sessions of the account end."""
        ...


class TokenOperations(Protocol):
    """With what programs use a server. A token manages tokens only if its scope is ``admin``."""

    def list(self, account: str | None = None, *, everybody: bool = False) -> Page[access.TokenResource]:
        """One's own tokens, newest first; those of another account or everybody's for admins."""
        ...

    def create(self, request: access.TokenRequest) -> access.NewTokenResource:
        """Make a token, which is shown this once: of one's own, or for another account by an admin.

        A token that is requested with a token ends with it at the latest, whosever it is.
        """
        ...

    def revoke(self, token_id: str) -> None:
        """Refuse a token from now on: one of one's own, or any for admins."""
        ...
