"""Margins of single designs that are past their limit of safety, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from dashboards.formatting import scale_of, title_of
from errors import InputError
from models.metrics import Metric
from studies.comparison.comparison import unsafe_margins
from studies.definition.derived_quantities import study_model
from studies.definition.stored_model import definition_of
from studies.records import StudyRecord


class SafetyJudge:
    """Judges the designs of a study as the scoreboard of a comparison does.

    A back-end of which neither code nor tables are here has no limits of safety.
    """

    def __init__(self, study: StudyRecord) -> None:
        definition = definition_of(study)
        try:
            metrics = study_model(definition).metrics
        except InputError:
            metrics = ()
        self._limited = [metric for metric in metrics if metric.safety_limit is not None]
        self._bounded = definition.constraints

    def __call__(self, values: Mapping[str, float | None]) -> list[str]:
        """Sentences on the margins of a design with these metrics that are past their limits."""
        return unsafe_sentences(self._limited, self._bounded, values)


def unsafe_sentences(
    metrics: Iterable[Metric], bounded: Collection[str], values: Mapping[str, float | None]
) -> list[str]:
    """``interference margin is -1 mm, below the limit of safety 0 mm``, for each margin past its limit."""
    return [_sentence(each, values[each.name]) for each in unsafe_margins(metrics, bounded, values)]


def _sentence(metric: Metric, value: float | None) -> str:
    scale = scale_of([value, metric.safety_limit], metric.unit)
    side = "below" if metric.sense == "maximize" else "above"
    name = title_of(metric.name, metric.label)
    return f"{name} is {scale.show(value)}, {side} the limit of safety {scale.show(metric.safety_limit)}"
