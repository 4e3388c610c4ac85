"""The verbs of accounts and tokens, wherever the store is.

:class:`service.local.access.LocalAccess` carries them out on a store, ``tautline.Client`` asks a server to.
"""

from __future__ import annotations

from typing import Protocol

from service.access.resources import (
    AccountEdit,
    AccountRequest,
    AccountResource,
    IdentityResource,
    NewTokenResource,
    PasswordRequest,
    TokenRequest,
    TokenResource,
)


class AccessOperations(Protocol):
    """What can be done about who may use a server. Errors are those of :mod:`models.errors`, also over REST.

    Admins do all of it. Others see their own account alone, and manage their own password and tokens; by
    a token only where its scope is ``admin``.
    """

    def me(self) -> IdentityResource:
        """The caller, and what they may do; without a name for the person at the store itself."""
        ...

    def accounts(self) -> list[AccountResource]:
        """All accounts by name, for admins."""
        ...

    def account(self, name: str) -> AccountResource:
        """An account: one's own, or any for admins."""
        ...

    def add_account(self, wanted: AccountRequest) -> AccountResource:
        """Make an account."""
        ...

    def edit_account(self, name: str, edit: AccountEdit) -> AccountResource:
        """Give an account another role, let nobody in by it any more, or let them in again."""
        ...

    def set_password(self, name: str, wanted: PasswordRequest) -> None:
        """Set a password; for one's own the current one is needed. All sessions of the account end."""
        ...

    def tokens(self, account: str | None = None, *, everybody: bool = False) -> list[TokenResource]:
        """One's own tokens, newest first; those of another account or everybody's for admins."""
        ...

    def make_token(self, wanted: TokenRequest) -> NewTokenResource:
        """Make a token, which is shown this once: of one's own, or for another account by an admin.

        A token that is asked for with a token ends with it at the latest, whosever it is.
        """
        ...

    def revoke_token(self, token_id: str) -> None:
        """Refuse a token from now on: one of one's own, or any for admins."""
        ...
