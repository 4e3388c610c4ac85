"""The events of studies as they are stored, by whatever process stores them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from service.app.context import Context
from service.resources.parameters import StudyName
from service.resources.studies import EventResource
from studies.records import MOVING
from studies.store.events import News

POLL_SECONDS = 0.2
_AT_ONCE = 1000


class EventService:
    """Events of the runs of a study."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def follow(self, name: StudyName, after: int = 0) -> Iterator[EventResource]:
        """The events since event ``after``, then new ones as they happen.

        Ends when no run waits for a runner or is worked on: see :data:`studies.records.MOVING`.
        """
        self._context.authorization.study(name)
        return self._follow(name, after)

    def _follow(self, name: str, after: int) -> Iterator[EventResource]:
        store = self._context.store
        while True:
            study = self._context.authorization.study(name)
            found = store.events(after, _AT_ONCE, study.name)
            yield from map(EventResource.model_validate, found)
            if found:
                after = found[-1].id
            elif not any(run.state in MOVING for run in study.runs):
                return
            else:
                store.settle()
                time.sleep(POLL_SECONDS)


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Events, the number to go on after, and whether more may be there already."""

    events: list[EventResource]
    last: int
    more: bool


class EventFeed:
    """Events that the event stream of a server reads from the store for one caller."""

    def __init__(self, context: Context) -> None:
        self._store = context.store
        self._authorization = context.authorization

    def require_study(self, name: str) -> None:
        """Raise ``AbsentError`` unless the caller may see the study."""
        self._authorization.require(name)

    def may_read(self, news: News) -> bool:
        """True if the caller may see what an event happened to."""
        return self._authorization.may_read(news.owner, news.visibility)

    def since(self, after: int, limit: int, study: str | None = None) -> EventBatch:
        """Events after a number, of one study or of all that the caller may see."""
        name = None if study is None else self._authorization.require(study)
        found = self._store.events(after, limit, name)
        events = [EventResource.model_validate(event) for event in self._authorization.events(found)]
        return EventBatch(events, found[-1].id if found else after, len(found) == limit)
