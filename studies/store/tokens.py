"""Tokens, sessions and login links as they are stored: never what the bearer holds, only its HMAC."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from errors import StoreBusyError, UnknownNameError
from studies.records import AccountRecord, TokenRecord
from studies.store.column_types import belongs_to
from studies.store.database import Database
from studies.store.tables import account, token

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
        return self._database.read(lambda c: [_record(row) for row in c.execute(query).mappings()])

    def sessions(self, owner: str) -> list[TokenRecord]:
        """The sessions of an account that still let its browsers in, newest first."""

        def work(connection: Connection) -> list[TokenRecord]:
            own = (token.c.kind == "session") & belongs_to(token.c.account, owner) & token.c.revoked.is_(None)
            query = select(token).where(own, token.c.expires > self._database.now(connection))
            rows = connection.execute(query.order_by(token.c.created.desc(), token.c.id))
            return [_record(row) for row in rows.mappings()]

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
    return None if row is None else _record(row)


def _record(row: Any) -> TokenRecord:
    return TokenRecord(**{name: row[name] for name in TokenRecord.__slots__})
