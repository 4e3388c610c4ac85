"""The map of a sweep, as the resource that faces view."""

from __future__ import annotations

from dashboards.content.verdict_map import criterion_title, map_note, map_sentences, map_table
from service.app.comparison_view import table_resource
from service.resources.sweeps import (
    ConditionVerdictResource,
    MapConditionResource,
    MapCriterionResource,
    SweptParameterResource,
    VerdictMapResource,
)
from studies.verdict_map import ConditionVerdicts, VerdictMap


def map_resource(sweep_id: int, found: VerdictMap) -> VerdictMapResource:
    """All verdicts, in numbers and in words."""
    sentences = map_sentences(found)
    return VerdictMapResource(
        sweep=sweep_id,
        study=found.study,
        mode=found.mode,
        complete=found.complete,
        parameters=[
            SweptParameterResource(path=own.path, unit=own.unit, values=list(own.values))
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
