"""Keeps the claims of this process alive while it works, and learns what is to be done with its runs.

Renewing must not wait for a search that thinks or a design that takes an hour, so a thread does it.
Its patience is measured by the monotonic clock: nobody can talk it into holding on by setting the
machine's clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Literal, Self

from studies.records import RunState
from studies.store import LEASE_SECONDS, Claim, Store

RENEW_SECONDS = 2.0
"""Time between renewals of claims; a request to pause or stop is noticed within this time."""
MARGIN_SECONDS = 5.0
"""Work stops this long before the lease could run out."""

Instruction = Literal["work", "hold", "pause", "cancel", "leave"]


class Heartbeat:
    """Renews what it watches; use as a context manager.

    ``instruction(claim)`` says what to do with a run: ``work`` on; ``hold`` still, because the
    store has not answered for so long that the lease may run out; leave it ``pause`` d or
    ``cancel`` led, because somebody asked for it; ``leave`` it to the process that took it over.
    """

    def __init__(self, store: Store, every: float = RENEW_SECONDS, lease: float = LEASE_SECONDS) -> None:
        self._store = store
        self._every = every
        self._patience = lease - min(MARGIN_SECONDS, lease / 3)
        self._renewed: dict[Claim, float] = {}
        self._states: dict[Claim, RunState | None] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="tautline-heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join(timeout=self._every)

    def watch(self, claim: Claim) -> None:
        """Renew a claim from now on; it was made just now, or its run has just begun."""
        with self._lock:
            self._renewed[claim] = time.monotonic()
            self._states[claim] = "running"

    def forget(self, claim: Claim) -> None:
        """Renew a claim no longer."""
        with self._lock:
            self._renewed.pop(claim, None)
            self._states.pop(claim, None)

    def instruction(self, claim: Claim) -> Instruction:
        """Instruction for the worker on the claim's run."""
        with self._lock:
            state = self._states.get(claim)
            since = time.monotonic() - self._renewed.get(claim, 0.0)
        if state is None:
            return "leave"
        if state in ("pausing", "paused"):
            return "pause"
        if state in ("cancelling", "cancelled"):
            return "cancel"
        return "work" if since < self._patience else "hold"

    def renew(self) -> None:
        """Renew everything that is watched, once."""
        with self._lock:
            claims = [claim for claim, state in self._states.items() if state is not None]
        if not claims:
            return
        asked = time.monotonic()
        states = self._store.renew(claims)
        with self._lock:
            for claim in claims:
                if self._renewed.get(claim, asked) > asked or claim not in self._states:
                    continue  # begun or forgotten meanwhile: the answer is about an older state
                self._states[claim] = states.get(claim)
                self._renewed[claim] = asked

    def _beat(self) -> None:
        while not self._ended.wait(self._every):
            try:
                self.renew()
            except Exception:  # noqa: BLE001, S112 - whoever works finds out by itself; claims grow old meanwhile
                continue


class Leash:
    """Stops the work on a claimed run on request, and while its store does not answer.

    Parameters
    ----------
    claim, heartbeat : the right to write the run, and what keeps it alive
    should_stop : asked several times a second
    """

    def __init__(self, claim: Claim, heartbeat: Heartbeat, should_stop: Callable[[], bool]) -> None:
        self._claim, self._heartbeat, self._should_stop = claim, heartbeat, should_stop
        self._held = False

    def __call__(self) -> bool:
        """True if the work is to stop, for good or until :meth:`may_go_on`."""
        instruction = self._heartbeat.instruction(self._claim)
        self._held |= instruction == "hold"
        return self._should_stop() or instruction != "work"

    def may_go_on(self) -> bool:
        """True if the claim only grew old, so that the work can go on once the store has renewed it."""
        held, self._held = self._held, False
        if self._should_stop() or not held:
            return False
        self._heartbeat.renew()
        return self._heartbeat.instruction(self._claim) == "work"
