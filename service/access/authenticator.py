"""Authentication: the server recognises or refuses the bearer of a token, a session or a login link."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from errors import IdentityError, StoreBusyError, StoreError, UnknownNameError
from service.access.identity import Identity, Scope
from service.access.tokens import matches, new_token, public_id, state_of
from studies.records import AccountRecord, TokenKind, TokenRecord
from studies.store import Store


@dataclass(frozen=True, slots=True)
class Authentication:
    """A recognised identity, and the token that proves it."""

    identity: Identity
    token: TokenRecord


class Authenticator:
    """Recognises tokens that this server, or another one with its key, has issued.

    Parameters
    ----------
    store : Store
        Where accounts and tokens are.
    key : bytes
        The server's key.
    accounts : bool
        Whether the server has accounts; then no token without an account is valid.
    """

    def __init__(self, store: Store, key: bytes, *, accounts: bool) -> None:
        self._store = store
        self._key = key
        self._accounts = accounts
        self._pending = _PendingSessions(store)

    def authenticate(self, text: str, kind: TokenKind) -> Authentication:
        """The bearer of ``text``; raises ``IdentityError``, which never says which part was wrong."""
        public = public_id(text)
        found = None if public is None else self._find(public)
        if found is None:
            _refuse(kind)
        record, account, now = found
        if record.kind != kind or not matches(self._key, text, record) or state_of(record, now) != "valid":
            _refuse(kind)
        identity = self._identity(record, account)
        if identity is None:
            _refuse(kind)
        with suppress(StoreError):  # a full disk keeps nobody out
            self._store.tokens.touch(record, now)
        return Authentication(identity, record)

    def _find(self, public: str) -> tuple[TokenRecord, AccountRecord | None, float] | None:
        waiting = self._pending.write(public)
        if waiting is None:
            return self._store.tokens.find(public)
        try:
            account = self._store.accounts.find(waiting.account) if waiting.account else None
        except UnknownNameError:
            return None
        return waiting, account, self._store.tokens.now()

    def _identity(self, record: TokenRecord, account: AccountRecord | None) -> Identity | None:
        until = record.expires if record.kind == "token" else None
        if account is not None:
            return None if account.disabled else Identity(account.name, account.role, record.scope, until)
        if record.account or self._accounts:
            return None  # its account was deleted, or it is from a time without accounts
        return Identity("", "admin", record.scope, until)

    def issue(
        self, kind: TokenKind, account: str, name: str, scope: Scope, seconds: float | None
    ) -> tuple[str, TokenRecord]:
        """Make a token that is valid for ``seconds``; its text is given here and never again."""
        now = self._store.tokens.now()
        text, record = new_token(self._key, kind, account, name, scope, now, seconds)
        try:
            self._store.tokens.add(record)
        except StoreBusyError:
            if kind != "session":
                raise
            self._pending.add(record)
        return text, record

    def end(self, record: TokenRecord) -> None:
        """End a token."""
        if not self._pending.drop(record.id):
            self._store.tokens.revoke(record.id)


class _PendingSessions:
    """Sessions that were opened while another program held the store; written when one is next used.

    They are few and short-lived: whoever logs in needs a password, and waits for the lock once. Another
    password of the account ends them, whoever sets it.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._records: dict[str, tuple[TokenRecord, str | None]] = {}
        self._lock = threading.Lock()

    def add(self, record: TokenRecord) -> None:
        """Keep a session until it can be written."""
        with self._lock:
            self._records[record.id] = record, self._password(record.account)

    def write(self, public: str) -> TokenRecord | None:
        """Write a session if that can be done at once; the session while it cannot."""
        if public not in self._records:
            return None
        with self._lock:
            found = self._records.get(public)
            if found is None:
                return None
            record, password = found
            try:
                self._store.tokens.add(record, patience=0.0)
            except StoreError:
                return record if self._password(record.account) == password else None
            del self._records[public]
            if self._password(record.account) != password:  # read last: a later change finds it stored
                self._store.tokens.revoke(record.id)
        return None

    def drop(self, public: str) -> bool:
        """Let go of a session; whether it was here."""
        with self._lock:
            return self._records.pop(public, None) is not None

    def _password(self, account: str) -> str | None:
        """The password of an account as it is stored; None without one."""
        with suppress(UnknownNameError):
            return self._store.accounts.find(account).password if account else None
        return None


_WHAT = {"token": "token", "session": "session", "login": "login link"}


def _refuse(kind: TokenKind) -> NoReturn:
    raise IdentityError(f"this {_WHAT[kind]} is unknown or no longer valid; log in, or ask for a new one")
