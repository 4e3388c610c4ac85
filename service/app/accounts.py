"""Accounts and tokens: who may use a server, and with what programs do."""

from __future__ import annotations

from collections.abc import Callable

from errors import ForbiddenError, InputError, StateError, UnknownNameError
from service.access.authenticator import Authenticator
from service.access.passwords import hash_password
from service.access.sessions import own_password_matches
from service.access.tokens import no_token
from service.app.authorization import absent_error
from service.app.context import Context
from service.resources.access import (
    AccountEdit,
    AccountRequest,
    AccountResource,
    IdentityResource,
    NewTokenResource,
    PasswordRequest,
    TokenRequest,
    TokenResource,
)
from service.resources.models import Page, moment
from service.resources.parameters import Everybody, ShortName
from studies.records import AccountRecord


class AccountService:
    """Accounts of a server. Admins see and change all of them, others their own account and password."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def me(self) -> IdentityResource:
        """The caller, and what they may do."""
        return IdentityResource.model_validate(self._context.identity)

    def list(self) -> Page[AccountResource]:
        """All accounts by name."""
        self._context.identity.require_admin()
        return Page(items=[_resource(record) for record in self._store.accounts.all()])

    def get(self, name: ShortName) -> AccountResource:
        """An account: your own, or for admins any."""
        return _resource(known_account(self._context, name))

    def add(self, request: AccountRequest) -> AccountResource:
        """Make an account."""
        self._context.identity.require_admin()
        password = None if request.password is None else hash_password(request.password.get_secret_value())
        return _resource(self._store.accounts.add(request.name, request.role, password))

    def edit(self, name: ShortName, edit: AccountEdit) -> AccountResource:
        """Give an account another role, or disable it."""
        self._context.identity.require_admin()
        record = known_account(self._context, name)
        if "role" in edit.model_fields_set:
            record = self._store.accounts.set_role(name, edit.role)
        if "disabled" in edit.model_fields_set:
            record = self._store.accounts.set_disabled(name, disabled=edit.disabled)
        return _resource(record)

    def set_password(self, name: ShortName, request: PasswordRequest) -> None:
        """Set a password; your own needs the current one. All sessions of the account end."""
        self._context.identity.require_person()
        record = known_account(self._context, name)
        if record.name == self._context.identity.account and record.password is not None:
            current = "" if request.current is None else request.current.get_secret_value()
            if not own_password_matches(self._store, self._context.identity, current):
                raise InputError("is not your current password", ("current",))
        elif not self._context.identity.administers:
            raise ForbiddenError("an account without a password gets its first one from an admin")
        self._store.accounts.set_password(name, hash_password(request.password.get_secret_value()))


def known_account(context: Context, name: str) -> AccountRecord:
    """An account that the caller may know of; raises ``AbsentError`` for others, there or not."""
    identity, accounts = context.identity, context.store.accounts
    if identity.administers or identity.account == name:
        try:
            return accounts.find(name)
        except UnknownNameError:
            pass
    own = [identity.account] if identity.account else []
    raise absent_error(
        "account", name, [record.name for record in accounts.all()] if identity.administers else own
    )


def _resource(record: AccountRecord) -> AccountResource:
    return AccountResource(
        name=record.name,
        role=record.role,
        created=moment(record.created),
        disabled=record.disabled,
        password=record.password is not None,
    )


_DAY = 24 * 3600.0


class TokenService:
    """Tokens with which programs use a server. A token manages tokens only if its scope is ``admin``.

    Parameters
    ----------
    context : Context
        See there.
    authenticator : callable () -> Authenticator
        Makes tokens; called when one is made, because only then the server's key is needed.
    has_accounts : callable () -> bool
        Whether people log in by accounts, so that a token has to be somebody's.
    """

    def __init__(
        self,
        context: Context,
        authenticator: Callable[[], Authenticator],
        has_accounts: Callable[[], bool],
    ) -> None:
        self._context = context
        self._store = context.store
        self._authenticator = authenticator
        self._has_accounts = has_accounts

    def list(self, account: ShortName | None = None, *, everybody: Everybody = False) -> Page[TokenResource]:
        """Your tokens, newest first; for admins also those of another account, or all."""
        self._context.identity.require_person()
        owner = self._context.identity.account if account is None else account
        if everybody and account is not None:
            raise InputError(
                "gives one account, although the tokens of everybody are requested; leave one of the two out",
                ("account",),
            )
        if not self._context.identity.administers and (everybody or owner != self._context.identity.account):
            raise ForbiddenError("only an admin may see the tokens of another account")
        if owner != self._context.identity.account:
            known_account(self._context, owner)
        found = self._store.tokens.of(None if everybody else owner)
        return Page(items=[TokenResource.model_validate(record) for record in found])

    def create(self, request: TokenRequest) -> NewTokenResource:
        """Make a token, which is shown in this answer and never again. Only admins make tokens for others.

        A token that is made with a token ends with that token at the latest. There is none for an
        account that is disabled.
        """
        self._context.identity.require_person()
        bearer = self._bearer(request.account)
        seconds = self._seconds(request.days)
        text, record = self._authenticator().issue("token", bearer, request.name, request.scope, seconds)
        return NewTokenResource(**dict(TokenResource.model_validate(record)), token=text)

    def revoke(self, token_id: ShortName) -> None:
        """Revoke a token: it is refused from now on."""
        self._context.identity.require_person()
        owner = None if self._context.identity.administers else self._context.identity.account
        try:
            self._store.tokens.revoke(token_id, owner)
        except UnknownNameError:
            raise no_token(token_id) from None

    def _bearer(self, account: str | None) -> str:
        """The account that a new token is for; raises where the caller may make none for it."""
        own = self._context.identity.account
        if account is None or account == own:
            if self._has_accounts() and not own:
                raise InputError(
                    "is missing: this store has accounts, and a token belongs to one",
                    ("account",),
                )
            return own
        if not self._context.identity.administers:
            raise ForbiddenError("only an admin may make a token for another account")
        if known_account(self._context, account).disabled:
            raise StateError(f"'{account}' is disabled, so no token is made for it; enable the account first")
        return account

    def _seconds(self, days: int | None) -> float | None:
        """Life of a new token in s: as wanted, but not longer than the one by which it is requested."""
        lives = [] if days is None else [days * _DAY]
        if self._context.identity.until is not None:
            lives.append(max(0.0, self._context.identity.until - self._store.tokens.now()))
        return min(lives, default=None)
