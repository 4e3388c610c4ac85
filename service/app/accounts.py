"""Accounts: who may use a server."""

from __future__ import annotations

from errors import ForbiddenError, InputError, UnknownNameError
from service.access.passwords import hash_password
from service.access.sessions import own_password_matches
from service.app.authorization import absent_error
from service.app.context import Context
from service.resources.access import (
    AccountEdit,
    AccountRequest,
    AccountResource,
    IdentityResource,
    PasswordRequest,
)
from service.resources.models import Page, moment
from service.resources.parameters import ShortName
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
