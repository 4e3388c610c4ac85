"""Keeps the claims of this process alive while it works, and learns what is to be done with runs and sweeps.

Renewing must not wait for a search that thinks or a design that takes an hour, so a thread does it.
Its patience is measured by the monotonic clock: nobody can talk it into holding on by setting the
machine's clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Generic, Literal, Protocol, Self, TypeVar

from studies.records import RunState
from studies.store import LEASE_SECONDS, Claim, SweepClaim

RENEW_SECONDS = 2.0
"""Time between renewals of claims; a request to pause or stop is noticed within this time."""
MARGIN_SECONDS = 5.0
"""Work stops this long before the lease could run out."""

Instruction = Literal["work", "hold", "pause", "cancel", "leave"]


C = TypeVar("C", Claim, SweepClaim)


class Renewer(Protocol[C]):
    """A keeper of claims: a store those of runs, its ``sweeps`` those of sweeps."""

    def renew(self, claims: Iterable[C]) -> Mapping[C, RunState]:
        """Keep claims alive; the states of what is still ours, ``running`` for a sweep."""
        ...


class Heartbeat(Generic[C]):
    """Renews what it watches; use as a context manager.

    ``instruction(claim)`` says what to do with a run: ``work`` on; ``hold`` still, because the
    store has not answered for so long that the lease may run out; leave it ``pause`` d or
    ``cancel`` led, because somebody asked for it; ``leave`` it to the process that took it over.
    """

    def __init__(self, store: Renewer[C], every: float = RENEW_SECONDS, lease: float = LEASE_SECONDS) -> None:
        self._store = store
        self._every = every
        self._patience = lease - min(MARGIN_SECONDS, lease / 3)
        self._renewed: dict[C, float] = {}
        self._states: dict[C, RunState | None] = {}
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

    def watch(self, claim: C) -> None:
        """Renew a claim from now on; it was made just now, or its run has just begun."""
        with self._lock:
            self._renewed[claim] = time.monotonic()
            self._states[claim] = "running"

    def forget(self, claim: C) -> None:
        """Renew a claim no longer."""
        with self._lock:
            self._renewed.pop(claim, None)
            self._states.pop(claim, None)

    def instruction(self, claim: C) -> Instruction:
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
