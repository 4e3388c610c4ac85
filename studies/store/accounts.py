"""Accounts, tokens, sessions and login links as they are stored. Names, roles and HMACs; no decisions."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from errors import NameTakenError, StateError, StoreBusyError, UnknownNameError
from studies.records import AccountRecord, Role, TokenRecord
from studies.store.column_types import belongs_to
from studies.store.database import Database
from studies.store.tables import account, insert_first, token


class Accounts:
    """The accounts of a store; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, role: Role, password: str | None = None) -> AccountRecord:
        """Make an account; raises ``NameTakenError`` when there is one of this name."""
        before: list[AccountRecord] = []

        def work(connection: Connection) -> AccountRecord:
            now = self._database.now(connection)
            row = {"name": name, "role": role, "password": password, "created": now, "disabled": False}
            if insert_first(connection, account, row):
                before.append(AccountRecord(name, role, now, password=password))
                return before[-1]
            found = _find(connection, name)
            if found in before:
                return found  # the first try was stored, only its answer was lost
            raise NameTakenError(
                f"there is already an account named '{name}'; choose another name", ("name",)
            )

        return self._database.write(work)

    def find(self, name: str) -> AccountRecord:
        """The account called ``name``; raises ``UnknownNameError``."""
        return self._database.read(lambda c: _find(c, name))

    def all(self) -> list[AccountRecord]:
        """All accounts by name."""
        query = select(account).order_by(account.c.name)
        return self._database.read(lambda c: [_account_record(row) for row in c.execute(query).mappings()])

    def exist(self) -> bool:
        """True if there is any."""
        return self._database.read(lambda c: c.execute(select(account.c.name).limit(1)).first() is not None)

    def set_role(self, name: str, role: Role) -> AccountRecord:
        """Give the account another role; raises ``StateError`` where no admin would be left."""
        return self._change(name, role=role)

    def set_password(self, name: str, password: str) -> AccountRecord:
        """Give the account another password (argon2's text); its browser sessions end."""
        return self._change(name, password=password)

    def set_disabled(self, name: str, *, disabled: bool) -> AccountRecord:
        """Let nobody in under this name, or let them in again; raises ``StateError`` for the last admin."""
        return self._change(name, disabled=disabled)

    def _change(self, name: str, **values: Any) -> AccountRecord:
        def work(connection: Connection) -> AccountRecord:
            # On PostgreSQL two admins who demote each other wait for each other here.
            connection.execute(select(account.c.name).order_by(account.c.name).with_for_update())
            before = _find(connection, name)
            connection.execute(update(account).where(account.c.name == name).values(**values))
            if "password" in values or values.get("disabled"):
                _end_sessions(connection, name, self._database.now(connection))
            after = _find(connection, name)
            if _administers(before) and not _administers(after):
                _require_an_admin(connection, name)
            return after

        return self._database.write(work)


def _find(connection: Connection, name: str) -> AccountRecord:
    row = connection.execute(select(account).where(account.c.name == name)).mappings().first()
    if row is None:
        known = connection.execute(select(account.c.name).order_by(account.c.name)).scalars()
        raise UnknownNameError("account", name, known)
    return _account_record(row)


def _account_record(row: Any) -> AccountRecord:
    return AccountRecord(row["name"], row["role"], row["created"], row["disabled"], row["password"])


def _administers(record: AccountRecord) -> bool:
    return record.role == "admin" and not record.disabled


def _require_an_admin(connection: Connection, name: str) -> None:
    """Raise ``StateError`` when nobody is left who may manage accounts, now that ``name`` may not."""
    living = (account.c.role == "admin") & ~account.c.disabled
    if connection.execute(select(func.count()).select_from(account).where(living)).scalar_one() == 0:
        raise StateError(f"'{name}' is the only admin; make another account admin first")


def _end_sessions(connection: Connection, name: str, now: float) -> None:
    """Whoever logged in with the old password has to log in again."""
    own = (token.c.account == name) & (token.c.kind == "session") & token.c.revoked.is_(None)
    connection.execute(update(token).where(own).values(revoked=now))


KEPT_SECONDS = 7 * 24 * 3600.0
"""Time for which an ended session or login link is kept; tokens of programs are kept for ever."""

TOUCH_SECONDS = 60.0
"""Last use is written at most so often."""


# Built once: every request asks this, and building takes longer than answering.
_HOLDER = (account.c.name, account.c.role, account.c.created, account.c.disabled)
_OF_HOLDER = len(_HOLDER)
_WITH_HOLDER = (
    select(*_HOLDER, *(token.c[name] for name in TokenRecord.__slots__))
    .select_from(token.outerjoin(account, account.c.name == token.c.account))
    .where(token.c.id == bindparam("of_token"))
)


class Tokens:
    """The tokens of a store; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def now(self) -> float:
        """The store's time, UTC seconds."""
        return self._database.read(self._database.now)

    def add(self, record: TokenRecord, patience: float | None = None) -> None:
        """Keep a new token; what ended long ago goes."""
        values = {name: getattr(record, name) for name in TokenRecord.__slots__}
        kept: list[str] = []

        def work(connection: Connection) -> None:
            if kept and _row(connection, record.id) is not None:
                return  # the first try was stored, only its answer was lost
            old = self._database.now(connection) - KEPT_SECONDS
            passing = token.c.kind.in_(("session", "login"))
            connection.execute(delete(token).where(passing, token.c.expires < old))
            connection.execute(insert(token).values(**values))
            kept.append(record.id)

        self._database.write(work, patience)

    def find(self, token_id: str) -> tuple[TokenRecord, AccountRecord | None, float] | None:
        """A token, its account where it has one, and the time; None when there is no such token."""

        def work(connection: Connection) -> tuple[TokenRecord, AccountRecord | None, float] | None:
            row = connection.execute(_WITH_HOLDER, {"of_token": token_id}).first()
            if row is None:
                return None
            holder = None if row[0] is None else AccountRecord(*row[:_OF_HOLDER])
            return TokenRecord(*row[_OF_HOLDER:]), holder, self._database.now(connection)

        return self._database.read(work)

    def of(self, owner: str | None = None) -> list[TokenRecord]:
        """The tokens of programs, of one account or of all, newest first."""
        query = select(token).where(token.c.kind == "token").order_by(token.c.created.desc(), token.c.id)
        if owner is not None:
            query = query.where(belongs_to(token.c.account, owner))
        return self._database.read(lambda c: [_token_record(row) for row in c.execute(query).mappings()])

    def sessions(self, owner: str) -> list[TokenRecord]:
        """The sessions of an account that still let its browsers in, newest first."""

        def work(connection: Connection) -> list[TokenRecord]:
            own = (token.c.kind == "session") & belongs_to(token.c.account, owner) & token.c.revoked.is_(None)
            query = select(token).where(own, token.c.expires > self._database.now(connection))
            rows = connection.execute(query.order_by(token.c.created.desc(), token.c.id))
            return [_token_record(row) for row in rows.mappings()]

        return self._database.read(work)

    def touch(self, record: TokenRecord, now: float) -> None:
        """Note that the token was used; within a minute after the last time nothing is written.

        Nothing waits for this: when somebody else writes just then, it is noted the next time.
        """
        if record.last_used is None or now - record.last_used >= TOUCH_SECONDS:
            used = update(token).where(token.c.id == record.id).values(last_used=now)
            with suppress(StoreBusyError):
                self._database.write(lambda c: c.execute(used), patience=0.0)

    def revoke(self, token_id: str, owner: str | None = None) -> TokenRecord:
        """End a token, of this owner or of anyone; raises ``UnknownNameError`` when there is none."""

        def work(connection: Connection) -> TokenRecord:
            found = _row(connection, token_id)
            if found is None or (owner is not None and found.account != owner):
                raise UnknownNameError("token", token_id, ())
            still = (token.c.id == token_id) & token.c.revoked.is_(None)
            connection.execute(update(token).where(still).values(revoked=self._database.now(connection)))
            return _row(connection, token_id) or found

        return self._database.write(work)

    def use_up(self, token_id: str) -> bool:
        """Take what works once; False when somebody took it before."""

        def work(connection: Connection) -> bool:
            unused = (token.c.id == token_id) & token.c.used.is_(None)
            now = self._database.now(connection)
            return connection.execute(update(token).where(unused).values(used=now)).rowcount == 1

        return self._database.write(work)


def _row(connection: Connection, token_id: str) -> TokenRecord | None:
    row = connection.execute(select(token).where(token.c.id == token_id)).mappings().first()
    return None if row is None else _token_record(row)


def _token_record(row: Any) -> TokenRecord:
    return TokenRecord(**{name: row[name] for name in TokenRecord.__slots__})
