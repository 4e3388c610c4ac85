"""How many studies one account may have at work, counted where no other request can come between."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from errors import LimitError
from studies.records import MOVING
from studies.store.column_types import belongs_to
from studies.store.run_lock import order_events
from studies.store.tables import run, study


def running(connection: Connection, owner: str, besides: str | None = None) -> int:
    """How many of ``owner``'s studies are queued or at work; ``besides`` one."""
    query = select(func.count(study.c.id.distinct())).join(run, run.c.study_id == study.c.id)
    query = query.where(belongs_to(study.c.owner, owner), run.c.state.in_(sorted(MOVING)))
    if besides is not None:
        query = query.where(study.c.name != besides)
    return connection.execute(query).scalar_one()


def require(connection: Connection, owner: str, name: str, most: int | None) -> None:
    """Raise ``LimitError`` unless one more study, ``name``, may be queued; None allows any number.

    Whoever queues writes events, so that the lock of these keeps others out until this is committed.
    """
    if most is None:
        return
    order_events(connection)
    others = running(connection, owner, besides=name)
    if others >= most:
        raise LimitError(
            f"{others} of your studies are queued or running; at most {most} are allowed at once. Pause or "
            "stop one, or wait until one is done"
        )
