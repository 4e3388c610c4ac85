"""Contexts, which services share: the caller, the caller's limits, the sandbox and the cache."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from service.access.identity import HERE as PERSON_HERE
from service.access.identity import Identity
from service.app.cache import Cache, run_key, study_stamp
from service.app.request_limits import NO_LIMITS, RequestLimits
from studies.execution.model_calls import LOCAL, ModelCalls

if TYPE_CHECKING:
    from service.app.authorization import Authorization
    from studies.records import RunRecord, StudyRecord
    from studies.store import Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class StorelessContext:
    """The context of services without a store.

    Parameters
    ----------
    identity : Identity
        The caller.
    limits : RequestLimits
        How much the caller may have going on.
    sandbox : ModelCalls
        Where models compute.
    cache : Cache
        Results that are the same for all callers.
    """

    identity: Identity = PERSON_HERE
    limits: RequestLimits = NO_LIMITS
    sandbox: ModelCalls = LOCAL
    cache: Cache = field(default_factory=Cache)

    @contextmanager
    def computing(self) -> Generator[None]:
        """Hold a place for a computation; raises for callers who may not compute, or who compute already."""
        self.identity.require_writes()
        with self.limits.computation(self.identity.account):
            yield


@dataclass(frozen=True, slots=True, kw_only=True)
class Context(StorelessContext):
    """The same with a ``store``; whoever opened it closes it."""

    store: Store

    @property
    def authorization(self) -> Authorization:
        """Checks of the studies that the caller may see and change."""
        from service.app.authorization import Authorization

        return Authorization(self.store, self.identity)

    def cached(
        self,
        what: str,
        study: StudyRecord,
        runs: Sequence[RunRecord],
        compute: Callable[[], T],
        *,
        stamp: Hashable = None,
    ) -> T:
        """The value of ``compute`` for the present state of these runs; see :class:`service.app.cache.Cache`.

        ``stamp`` is the present state, where the caller has read it already.
        """
        if stamp is None:
            stamp = study_stamp(study, self.store.trial_counts(runs))
        return self.cache.get(run_key(what, study, runs), stamp, compute)
