"""Webhooks as they are stored: for each address, the last event that it was told of, and its failures."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, func, select, update

from studies.store.database import Database
from studies.store.tables import event, insert_first, webhook


@dataclass(frozen=True, slots=True)
class WebhookRecord:
    """An address that is told of the ends of runs, in the order of the table's columns.

    Parameters
    ----------
    id : str
        Digest of the whole address, which may hold a secret and is not stored.
    address : str
        The address without what may be secret.
    event : int
        Number of the last event that it was told of, or that is past.
    attempts : int
        Failed deliveries of the next event.
    due : float
        No delivery before this time (UTC seconds).
    problem : str
        Reason of the last failure; empty after a success.
    delivered, dropped : int
        Events that it was told of, and those that were given up.
    tried : float or None
        Time of the last delivery that ended, in any way.
    """

    id: str
    address: str
    event: int
    attempts: int
    due: float
    problem: str
    delivered: int
    dropped: int
    tried: float | None


def webhook_id(url: str) -> str:
    """The id of an address."""
    return hashlib.sha256(url.encode()).hexdigest()


class Webhooks:
    """The webhooks of a store; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, url: str, shown: str) -> WebhookRecord:
        """The webhook of an address; a new one is told of what happens from now on."""
        own = webhook_id(url)

        def work(connection: Connection) -> WebhookRecord:
            newest = connection.execute(select(func.coalesce(func.max(event.c.id), 0))).scalar_one()
            row = {
                "id": own, "address": shown, "event": newest, "attempts": 0, "due": 0.0, "problem": "",
                "delivered": 0, "dropped": 0, "tried": None,
            }  # fmt: skip
            insert_first(connection, webhook, row)
            return WebhookRecord(*connection.execute(select(webhook).where(webhook.c.id == own)).one())

        return self._database.write(work)

    def all(self) -> list[WebhookRecord]:
        """All webhooks by address."""
        query = select(webhook).order_by(webhook.c.address, webhook.c.id)
        return self._database.read(lambda c: [WebhookRecord(*row) for row in c.execute(query)])

    def find(self, own: str) -> WebhookRecord:
        """The webhook with an id."""
        query = select(webhook).where(webhook.c.id == own)
        return self._database.read(lambda c: WebhookRecord(*c.execute(query).one()))

    def claim(self, held: WebhookRecord, seconds: float) -> bool:
        """Keep other servers from the next delivery for so long; false where another one was first."""

        def work(connection: Connection) -> bool:
            until = self._database.now(connection) + seconds
            free = self._same(held) & (webhook.c.due == held.due)
            return connection.execute(update(webhook).where(free).values(due=until)).rowcount == 1

        return self._database.write(work)

    def passed(self, held: WebhookRecord, number: int) -> None:
        """Go on after the event ``number``, of which nobody has to be told, unless a delivery is claimed."""
        free = self._same(held) & (webhook.c.due == held.due)
        self._database.write(lambda c: c.execute(update(webhook).where(free).values(event=number)))

    def delivered(self, held: WebhookRecord, number: int) -> None:
        """Go on after an event that was delivered."""
        self._end(held, event=number, attempts=0, due=0.0, problem="", delivered=held.delivered + 1)

    def failed(self, held: WebhookRecord, problem: str, pause: float) -> None:
        """Try the same event again after ``pause`` seconds."""
        self._end(held, pause=pause, attempts=held.attempts + 1, problem=problem)

    def gave_up(self, held: WebhookRecord, number: int, problem: str) -> None:
        """Go on after an event that could not be delivered."""
        self._end(held, event=number, attempts=0, due=0.0, problem=problem, dropped=held.dropped + 1)

    def _end(self, held: WebhookRecord, pause: float | None = None, **values: object) -> None:
        """Store how a delivery ended; nothing where another server has gone on meanwhile."""

        def work(connection: Connection) -> None:
            now = self._database.now(connection)
            due = {} if pause is None else {"due": now + pause}
            connection.execute(update(webhook).where(self._same(held)).values(tried=now, **values, **due))

        self._database.write(work)

    @staticmethod
    def _same(held: WebhookRecord) -> ColumnElement[bool]:
        """True for the webhook while nobody has gone on after its event."""
        return (webhook.c.id == held.id) & (webhook.c.event == held.event)
