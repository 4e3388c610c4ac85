"""Accounts: who may use a server of this store, and as what. Names and roles; no decisions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select, update

from errors import NameTakenError, StateError, UnknownNameError
from studies.records import AccountRecord, Role
from studies.store.database import Database
from studies.store.statements import insert_first
from studies.store.tables import account, token


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
        return self._database.read(lambda c: [_record(row) for row in c.execute(query).mappings()])

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
    return _record(row)


def _record(row: Any) -> AccountRecord:
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
