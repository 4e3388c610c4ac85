"""Events of runs, in order: the feed of everything that watches."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, func, select

from studies.records import ENDED, EventRecord, Visibility
from studies.store.tables import event, run, study

KEPT_DAYS = 90
"""Events of ended runs are deleted after so many days; those of other runs stay."""

_AT_ONCE = 1000


def events(connection: Connection, after: int, limit: int, name: str | None = None) -> list[EventRecord]:
    """At most ``limit`` events with a number above ``after``, oldest first; of one study, or of all."""
    given = {"after": after, "most": limit}
    rows = connection.execute(_ALL, given) if name is None else connection.execute(_OF, {**given, "of": name})
    return [EventRecord(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class News:
    """An event, and whose the study is that it happened to."""

    event: EventRecord
    owner: str
    visibility: Visibility


def news(connection: Connection, after: int, limit: int) -> list[News]:
    """At most ``limit`` events of all studies with a number above ``after``, oldest first."""
    rows = connection.execute(_NEWS, {"after": after, "most": limit})
    return [News(EventRecord(*fields), owner, visibility) for *fields, owner, visibility in rows]


# Built once: streams ask these many times a second.
_ALL = (
    select(event.c.id, study.c.name, run.c.layout, run.c.seed, event.c.time, event.c.kind, event.c.message)
    .join(run, run.c.id == event.c.run_id)
    .join(study, study.c.id == run.c.study_id)
    .where(event.c.id > bindparam("after"), run.c.kind == "search")
    .order_by(event.c.id)
    .limit(bindparam("most"))
)
_NEWS = _ALL.add_columns(study.c.owner, study.c.visibility)
_OF = _ALL.where(study.c.name == bindparam("of"))
_LAST = select(func.coalesce(func.max(event.c.id), 0))


def last(connection: Connection) -> int:
    """The number of the newest event; 0 when there is none."""
    return connection.execute(_LAST).scalar_one()


def remove_old(connection: Connection, now: float) -> int:
    """Delete the oldest events of ended runs that are past their time, at most a thousand; how many.

    A number is never given out again, so that a reader that goes on after one it saw misses nothing.
    """
    past = (event.c.time < now - KEPT_DAYS * 24 * 3600.0) & run.c.state.in_(sorted(ENDED))
    oldest = select(event.c.id).join(run).where(past).order_by(event.c.id).limit(_AT_ONCE)
    return connection.execute(delete(event).where(event.c.id.in_(oldest))).rowcount
