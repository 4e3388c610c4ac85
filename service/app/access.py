"""Every verb of :class:`service.operations.AccessOperations`, on a store, for an identity."""

from __future__ import annotations

from collections.abc import Callable

from errors import ForbiddenError, InputError, StateError, UnknownNameError
from service.access.gate import Authenticator
from service.access.identity import Identity
from service.access.passwords import hashed
from service.access.sessions import own_password_is_right
from service.access.tokens import no_token
from service.app.authorization import absent
from service.resources.access import (
    AccountEdit,
    AccountRequest,
    AccountResource,
    IdentityResource,
    NewTokenResource,
    PasswordRequest,
    TokenRequest,
    TokenResource,
    account_resource,
    token_resource,
)
from studies.records import AccountRecord
from studies.store import Store

_DAY = 24 * 3600.0


class LocalAccess:
    """See :class:`service.operations.AccessOperations`. The REST interface's routes use it, too.

    Parameters
    ----------
    store : Store
        Where accounts and tokens are; whoever opened it closes it.
    identity : Identity
        For whom it is done.
    gate : callable () -> Authenticator
        Gives out tokens; asked for when one is made, because only then the server's key is needed.
    accounts : bool
        Whether accounts are asked for, so that a token has to be somebody's.
    """

    def __init__(
        self, store: Store, identity: Identity, gate: Callable[[], Authenticator], *, accounts: bool
    ) -> None:
        self._store = store
        self._identity = identity
        self._gate = gate
        self._accounts = accounts

    def me(self) -> IdentityResource:
        """The caller, and what they may do; without a name for the person at the store itself."""
        asks = self._identity
        return IdentityResource(account=asks.account, role=asks.role, scope=asks.scope)

    # ------------------------------------------------------------ accounts

    def accounts(self) -> list[AccountResource]:
        """All accounts by name, for admins."""
        self._identity.require_admin()
        return [account_resource(record) for record in self._store.accounts.all()]

    def account(self, name: str) -> AccountResource:
        """An account: one's own, or any for admins."""
        return account_resource(self._seen(name))

    def add_account(self, wanted: AccountRequest) -> AccountResource:
        """Make an account."""
        self._identity.require_admin()
        password = None if wanted.password is None else hashed(wanted.password.get_secret_value())
        return account_resource(self._store.accounts.add(wanted.name, wanted.role, password))

    def edit_account(self, name: str, edit: AccountEdit) -> AccountResource:
        """Give an account another role, let nobody in by it any more, or let them in again."""
        self._identity.require_admin()
        record = self._seen(name)
        if "role" in edit.model_fields_set:
            record = self._store.accounts.set_role(name, edit.role)
        if "disabled" in edit.model_fields_set:
            record = self._store.accounts.set_disabled(name, disabled=edit.disabled)
        return account_resource(record)

    def set_password(self, name: str, wanted: PasswordRequest) -> None:
        """Set a password; for one's own the current one is needed. All sessions of the account end."""
        self._identity.require_person()
        record = self._seen(name)
        if record.name == self._identity.account and record.password is not None:
            current = "" if wanted.current is None else wanted.current.get_secret_value()
            if not own_password_is_right(self._store, self._identity, current):
                raise InputError("is not your current password", ("current",))
        elif not self._identity.administers:
            raise ForbiddenError("an account without a password gets its first one from an admin")
        self._store.accounts.set_password(name, hashed(wanted.password.get_secret_value()))

    def _seen(self, name: str) -> AccountRecord:
        """An account that the caller may know of; raises ``AbsentError`` for others, there or not."""
        if self._identity.administers or self._identity.account == name:
            try:
                return self._store.accounts.find(name)
            except UnknownNameError:
                pass
        raise absent("account", name, self._known())

    def _known(self) -> list[str]:
        """The names of the accounts that the caller may know of."""
        if self._identity.administers:
            return [record.name for record in self._store.accounts.all()]
        return [self._identity.account] if self._identity.account else []

    # ------------------------------------------------------------ tokens

    def tokens(self, account: str | None = None, *, everybody: bool = False) -> list[TokenResource]:
        """One's own tokens, newest first; those of another account or everybody's for admins."""
        self._identity.require_person()
        owner = self._identity.account if account is None else account
        if everybody and account is not None:
            raise InputError(
                "gives one account, although the tokens of everybody are requested; leave one of the two out",
                ("account",),
            )
        if not self._identity.administers and (everybody or owner != self._identity.account):
            raise ForbiddenError("only an admin may see the tokens of another account")
        if owner != self._identity.account:
            self._seen(owner)
        return [token_resource(record) for record in self._store.tokens.of(None if everybody else owner)]

    def make_token(self, wanted: TokenRequest) -> NewTokenResource:
        """Make a token, which is shown this once: of one's own, or for another account by an admin.

        A token that is asked for with a token ends with it at the latest, whosever it is.
        """
        self._identity.require_person()
        bearer = self._bearer(wanted.account)
        seconds = self._seconds(wanted.days)
        text, record = self._gate().issue("token", bearer, wanted.name, wanted.scope, seconds)
        return NewTokenResource(**token_resource(record).model_dump(), token=text)

    def revoke_token(self, token_id: str) -> None:
        """Refuse a token from now on: one of one's own, or any for admins."""
        self._identity.require_person()
        owner = None if self._identity.administers else self._identity.account
        try:
            self._store.tokens.revoke(token_id, owner)
        except UnknownNameError:
            raise no_token(token_id) from None

    def _bearer(self, account: str | None) -> str:
        """The account that a new token is for; raises where the caller may make none for it."""
        own = self._identity.account
        if account is None or account == own:
            if self._accounts and not own:
                raise InputError(
                    "is missing: this store has accounts, and a token belongs to one",
                    ("account",),
                )
            return own
        if not self._identity.administers:
            raise ForbiddenError("only an admin may make a token for another account")
        if self._seen(account).disabled:
            raise StateError(f"'{account}' is disabled, so no token is made for it; enable the account first")
        return account

    def _seconds(self, days: int | None) -> float | None:
        """How long a new token is good: as wanted, but not longer than the one by which it is asked for."""
        lives = [] if days is None else [days * _DAY]
        if self._identity.until is not None:
            lives.append(max(0.0, self._identity.until - self._store.tokens.now()))
        return min(lives, default=None)
