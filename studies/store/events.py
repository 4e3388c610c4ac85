"""What happened to runs, in order: the feed of everything that watches."""

from __future__ import annotations

from sqlalchemy import Connection, select

from studies.records import EventRecord
from studies.store.tables import event, run, study


def events(connection: Connection, after: int, limit: int) -> list[EventRecord]:
    """At most ``limit`` events with a number above ``after``, oldest first."""
    query = (
        select(
            event.c.id, study.c.name, run.c.layout, run.c.seed, event.c.time, event.c.kind, event.c.message
        )
        .join(run, run.c.id == event.c.run_id)
        .join(study, study.c.id == run.c.study_id)
        .where(event.c.id > after)
        .order_by(event.c.id)
        .limit(limit)
    )
    return [EventRecord(*row) for row in connection.execute(query)]
