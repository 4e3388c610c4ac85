"""Requests that may come twice: the second time gives what the first time made."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from errors import InputError
from studies.store.statements import insert_of
from studies.store.tables import idempotency, study

REMEMBERED_SECONDS = 24 * 3600.0
LONGEST_KEY = 255
PLACE = ("request_key",)


@dataclass(frozen=True, slots=True)
class Request:
    """A request under a key that its sender chose; ``digest`` is of everything that it asks for."""

    account: str
    key: str
    digest: str


def made_before(connection: Connection, request: Request, now: float) -> str | None:
    """The study that the same request made before; raises ``InputError`` when the key was for another."""
    if not 0 < len(request.key) <= LONGEST_KEY:
        raise InputError(f"the key has {len(request.key)} characters; it must have 1 to {LONGEST_KEY}", PLACE)
    connection.execute(delete(idempotency).where(idempotency.c.created < now - REMEMBERED_SECONDS))
    query = select(study.c.name, idempotency.c.digest).join(study, study.c.id == idempotency.c.study_id)
    own = (idempotency.c.account == request.account) & (idempotency.c.key == request.key)
    row = connection.execute(query.where(own)).first()
    if row is None:
        return None
    if row.digest != request.digest:
        raise InputError(
            "this key was already used for another request; choose a new key for a new request", PLACE
        )
    return row.name


def remember(connection: Connection, request: Request, name: str, now: float) -> None:
    """Keep what the request made, in the transaction that made it; the same request may have come first."""
    study_id = connection.execute(select(study.c.id).where(study.c.name == name)).scalar_one()
    row = {"account": request.account, "key": request.key, "digest": request.digest}
    statement = insert_of(connection.dialect.name, idempotency).values(**row, study_id=study_id, created=now)
    connection.execute(statement.on_conflict_do_nothing())
