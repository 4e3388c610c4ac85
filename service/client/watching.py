"""The event stream of a study, followed until its runs have ended, over connections that break."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from errors import LimitError, NotReadyError, ServerError, StoreError, TautlineError, UnreachableError
from service.client.wire import Wire
from service.resources.studies import EventResource, RunResource
from studies.records import MOVING

_LARGEST = 1024 * 1024


def event_data(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of each event of a stream, and ``""`` for a comment that only shows that it lives.

    An event that is cut off by the end of the stream is left out: it will come again.
    """
    lines: list[str] = []
    for line in _lines(chunks):
        if line:
            lines.append(line)
            continue
        if lines:
            yield _data(lines)
        lines = []


def _data(lines: list[str]) -> str:
    found = [line.removeprefix("data:").removeprefix(" ") for line in lines if line.startswith("data:")]
    return "\n".join(found)


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Whole lines; only line feeds end one, so that no letter inside of JSON is taken for an end."""
    waiting = b""
    for chunk in chunks:
        *whole, waiting = (waiting + chunk).split(b"\n")
        if len(waiting) > _LARGEST:
            raise ServerError("the server sent an event without an end; check that it is a Tautline server")
        for line in whole:
            yield line.removesuffix(b"\r").decode()


SILENCE = 45.0
"""Seconds without data after which a connection is closed; the server sends some every 15 s."""
PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0, 10.0, 15.0, 15.0)
"""Seconds between tries to connect again, as long as nothing comes."""
_PASSING = (LimitError, NotReadyError, StoreError, UnreachableError)


def watch(
    wire: Wire, name: str, runs: Callable[[], Sequence[RunResource]], after: int
) -> Iterator[EventResource]:
    """Events of a study after the one numbered ``after``; ends when no run moves and all events came."""
    states = _RunStates(runs)
    tries = 0
    while True:
        lost: TautlineError | None = None
        try:
            for event in _one_connection(wire, name, after, states):
                tries = 0
                after = event.id
                yield event
        except _PASSING as error:
            lost = error
        if states.everything:
            return
        if tries == len(PAUSES):
            raise lost or UnreachableError(f"the event stream of {wire.server} ended several times in a row")
        if tries or states.moves:  # else the last events come at once over a new connection
            time.sleep(PAUSES[tries])
        tries += 1


def _one_connection(wire: Wire, name: str, after: int, states: _RunStates) -> Iterator[EventResource]:
    """The events that one connection brings, until it breaks, or the last run stops to move."""
    states.refresh()  # before the stream is opened: what happened until then stands before its first comment
    moved = states.moves
    with wire.stream("events", {"study": name, "after": after}, SILENCE) as answer:
        for data in event_data(answer.iter_bytes()):
            if not data:
                states.everything = not states.moves
            elif (event := wire.read_text(EventResource, data)).id > after:
                yield event
                if event.kind not in MOVING and event.kind != "generation":
                    states.refresh()
            if states.everything or (moved and not states.moves):
                return


class _RunStates:
    """Movement of a study's runs, and a flag that is set once all their events came."""

    def __init__(self, runs: Callable[[], Sequence[RunResource]]) -> None:
        self._runs = runs
        self.moves = True
        self.everything = False

    def refresh(self) -> None:
        """Ask for the runs."""
        self.moves = any(run.state in MOVING for run in self._runs())
