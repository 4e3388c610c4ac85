"""The runs of a study with their counts, and what they have to say about designs that did not work."""

from __future__ import annotations

from collections.abc import Sequence

from service.local.kept import kept
from service.local.measured import Measured, measured_volumes
from service.local.shown import run_resource
from service.resources import RunResource
from studies.records import GenerationRecord, RunRecord, StudyRecord
from studies.store import Store

_MOST_LINES = 3


def run_resources(store: Store, study: StudyRecord, runs: Sequence[RunRecord]) -> list[RunResource]:
    """One per run of the study, in the order given."""
    last = store.last_generations(runs)
    measured = measured_volumes(store, study)
    return [_resource(store, study, run, last.get(run.id), measured) for run in runs]


def _resource(
    store: Store, study: StudyRecord, run: RunRecord, last: GenerationRecord | None, measured: Measured
) -> RunResource:
    if last is None:
        return run_resource(run, None, [], [], measured)
    # Counted among all designs of a front, or of a run: once for each generation, whoever asks.
    reasons, warnings = kept(
        store, "remarks", study, [run], lambda: _remarks(store, run, last), stamp=last.asked
    )
    return run_resource(run, last, reasons, warnings, measured)


def _remarks(store: Store, run: RunRecord, last: GenerationRecord) -> tuple[list[str], list[str]]:
    reasons = _reasons(store, run) if not last.feasible else []
    return reasons, _warnings(store, run) if last.front_size else []


def _warnings(store: Store, run: RunRecord) -> list[str]:
    """What the model warns of in designs on the front, the most frequent warnings first."""
    return [f"{count} on the front: {text}" for text, count in store.warnings(run, _MOST_LINES)]


def _reasons(store: Store, run: RunRecord) -> list[str]:
    """Why designs were not feasible, the most frequent reasons first."""
    found = store.reasons(run, _MOST_LINES)
    return [f"{count} x {reason or 'a constraint is broken'}" for reason, count in found]
