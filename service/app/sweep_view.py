"""Sweeps as the resources that faces view: how far each is, and its map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from service.resources.models import moment
from service.resources.sweeps import (
    ConditionVerdictResource,
    MapConditionResource,
    MapCriterionResource,
    SweepResource,
    SweptParameterResource,
    VerdictMapResource,
)
from studies.records import StudyRecord, SweepRecord
from studies.uncertainty.sweep import is_searched

if TYPE_CHECKING:
    from studies.comparison.verdict_map import ConditionVerdicts, VerdictMap


State = Literal["incomplete", "queued", "running", "failed", "done"]


def search_resource(record: SweepRecord, studies: Sequence[StudyRecord]) -> SweepResource:
    """A sweep of searches, by the ``studies`` that search; one has ended for each that is done."""
    states = {run.state for study in studies for run in study.runs}
    done = sum(is_searched(study) for study in studies)
    waiting: State = "running" if "running" in states else "queued" if "queued" in states else "incomplete"
    conditions = _count_conditions(record)
    return _resource(record, "done" if done == conditions else waiting, done, conditions)


def reevaluation_resource(
    record: SweepRecord,
    doing: Literal["", "queued", "running", "failed"],
    message: str,
    done: int,
    wanted: int,
) -> SweepResource:
    """A sweep of stored fronts, ``done`` of its ``wanted`` evaluations; ``doing`` is the state of its job."""
    if doing in ("", "failed") and done == wanted:
        return _resource(record, "done", done, wanted)  # another process may have done the rest
    return _resource(record, doing or "incomplete", done, wanted, message)


def _resource(record: SweepRecord, state: State, done: int, wanted: int, message: str = "") -> SweepResource:
    return SweepResource(
        sweep=record.id,
        study=record.study,
        mode=record.mode,
        over={path: list(values) for path, values in record.grid.items()},
        conditions=_count_conditions(record),
        state=state,
        done=done,
        wanted=wanted,
        message=message,
        created=moment(record.created),
        studies=dict(record.studies),
    )


def _count_conditions(record: SweepRecord) -> int:
    return math.prod(len(values) for values in record.grid.values())


def map_resource(sweep_id: int, found: VerdictMap) -> VerdictMapResource:
    """All verdicts, in numbers and in words."""
    from dashboards.content.comparison.verdict_map import criterion_title, map_note, map_sentences, map_table
    from service.app.comparison_view import table_resource

    sentences = map_sentences(found)
    return VerdictMapResource(
        sweep=sweep_id,
        study=found.study,
        mode=found.mode,
        complete=found.complete,
        parameters=[
            SweptParameterResource(path=own.path, label=own.label, unit=own.unit, values=list(own.values))
            for own in found.parameters
        ],
        layouts=list(found.layouts),
        seeds=found.seeds,
        criteria=[
            MapCriterionResource(
                name=each.name,
                unit=each.unit,
                better="maximize" if each.better == "maximize" else "minimize",
                meaning=each.meaning,
                title=criterion_title(each),
                sentences=sentences[each.name],
            )
            for each in found.criteria
        ],
        conditions=[_condition(each) for each in found.conditions],
        note=map_note(found),
        table=table_resource(map_table(found)),
    )


def _condition(found: ConditionVerdicts) -> MapConditionResource:
    return MapConditionResource(
        number=found.condition.number,
        values=dict(found.condition.values),
        complete=found.complete,
        verdicts=[ConditionVerdictResource.model_validate(verdict) for verdict in found.verdicts],
        failed=found.failed,
        study=found.study,
    )
