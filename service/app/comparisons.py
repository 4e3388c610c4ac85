"""Studies, and layouts of a study, against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from dashboards.content.comparison.margins import title
from dashboards.content.comparison.not_optimised import not_optimised_sentences
from dashboards.content.report.verdict import shared_quantity_sentences
from errors import InputError
from models.scene import Scene
from models.scene_view import AS_DESIGNED
from service.app.cache import study_stamp
from service.app.context import Context
from service.app.designs import require_same_model
from service.app.scenes import kept_scene
from service.resources.comparison import (
    ComparisonResource,
    ContestResource,
    CriterionResource,
    HeadlineResource,
    NotOptimisedResource,
    ObjectiveScoreResource,
    SafetyScoreResource,
    SeedTestResource,
    SharedQuantityResource,
    SpreadResource,
)
from service.resources.figures import FigureResource
from service.resources.parameters import MOST_COMPARED, AcrossConditions, ComparedNames, ShortName, StudyName
from studies.comparison.comparison import (
    Comparison,
    Criterion,
    NotOptimised,
    compare_layouts,
    compare_studies,
)
from studies.comparison.conditions import check_comparable, version_remarks
from studies.comparison.scoreboard import scoreboard
from studies.records import StudyRecord

if TYPE_CHECKING:
    from service.app.comparison_view import ComparisonView

T = TypeVar("T")


class ComparisonService:
    """Studies, and layouts of a study, against each other."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def layouts(self, name: StudyName) -> ComparisonResource:
        """The layouts compared: winner and margin for every criterion."""
        study = self._context.authorization.study(name)
        remarks = [*_unequal_layouts(study), *version_remarks(self._store, study)]
        return comparison_resource(compared_layouts(self._context, study), remarks)

    def studies(
        self, names: ComparedNames, *, across_conditions: AcrossConditions = False
    ) -> ContestResource:
        """Fronts, criteria and conditions of studies, in the objectives that all of them have."""
        from service.app.comparison_view import contest_resource

        studies = self._read(names)
        comparison = self._comparison(studies, across_conditions)
        return self._cached(
            "comparison resource", studies, lambda: contest_resource(self._view(studies, comparison))
        )

    def figure(
        self, names: ComparedNames, figure: ShortName, *, across_conditions: AcrossConditions = False
    ) -> FigureResource:
        """A figure of the comparison as Plotly draws it."""
        from service.app.comparison_view import figure_resource

        studies = self._read(names)
        comparison = self._comparison(studies, across_conditions)
        return self._cached(
            f"comparison figure {figure}",
            studies,
            lambda: figure_resource(self._view(studies, comparison), figure),
        )

    def _comparison(self, studies: Sequence[StudyRecord], across_conditions: bool) -> Comparison:
        """The comparison; it is refused after it was kept, too, unless it is asked for across conditions."""
        found = self._cached(
            "comparison", studies, lambda: compare_studies(self._store, studies, across_conditions=True)
        )
        if not across_conditions:
            check_comparable(found.across)
        return found

    def _view(self, studies: Sequence[StudyRecord], comparison: Comparison) -> ComparisonView:
        """The view of a comparison; all figures share one read of setups, conditions and versions."""
        from dashboards.content.comparison.data import read_comparison_data
        from service.app.comparison_view import comparison_view

        return self._cached(
            "comparison view",
            studies,
            lambda: comparison_view(self._store, read_comparison_data(self._store, comparison), self._scene),
        )

    def _scene(self, study: str, key: str) -> Scene:
        """The scene of a design, kept for the pictures of robots."""
        task = self._context.authorization.design(key, study).task
        return kept_scene(self._context, require_same_model(task, "view"), task, AS_DESIGNED)

    def _read(self, names: Sequence[str]) -> list[StudyRecord]:
        wanted = list(dict.fromkeys(names))
        if not wanted:
            raise InputError("is missing: name one study or more", ("of",))
        if len(wanted) > MOST_COMPARED:
            raise InputError(f"names {len(wanted)} studies; at most {MOST_COMPARED} can be compared", ("of",))
        return [self._context.authorization.study(name) for name in wanted]

    def _cached(self, what: str, studies: Sequence[StudyRecord], compute: Callable[[], T]) -> T:
        """Kept as long as these studies are as they are, and their runs in the states that they are in."""
        stamp = tuple(
            (
                study_stamp(study, self._store.trial_counts(study.runs)),
                tuple(run.state for run in study.runs),
            )
            for study in studies
        )
        return self._context.cache.get((what, *(study.name for study in studies)), stamp, compute)


def compared_layouts(context: Context, study: StudyRecord) -> Comparison:
    """The comparison of the layouts of a study, as it is now."""
    return context.cached("comparison", study, study.runs, lambda: compare_layouts(context.store, study))


def _criterion(criterion: Criterion, labels: Mapping[str, str]) -> CriterionResource:
    found = CriterionResource.model_validate(criterion)
    return found.model_copy(update={"title": title(criterion.name, labels)})


def _unequal_layouts(study: StudyRecord) -> list[str]:
    """Differences between layouts other than geometry, and the refusal of the installed version."""
    from dashboards.content.comparison.confounders import confounder_sentences
    from studies.problem.problem import setup_of

    setup = setup_of(study)
    return [*confounder_sentences({study.name: setup}), *([setup.refusal] if setup.refusal else [])]


def comparison_resource(comparison: Comparison, unequal: Sequence[str]) -> ComparisonResource:
    """Layouts against each other, without the designs of their fronts."""
    from dashboards.content.comparison.headline import headline

    board = scoreboard(comparison)
    point = dict(zip(comparison.objectives, comparison.reference_point, strict=True))
    return ComparisonResource(
        study=comparison.study,
        objectives=list(comparison.objectives),
        units=list(comparison.units),
        senses=list(comparison.senses),
        reference_point=point,
        seed_hypervolumes={label: dict(by_seed) for label, by_seed in comparison.seed_hypervolumes.items()},
        seed_tests=[SeedTestResource.model_validate(test) for test in comparison.seed_tests],
        criteria=[_criterion(criterion, comparison.labels) for criterion in comparison.criteria],
        headline=HeadlineResource.model_validate(headline(comparison, board)),
        scores=[ObjectiveScoreResource.model_validate(score) for score in board.objectives],
        safety=[SafetyScoreResource.model_validate(score) for score in board.safety],
        unequal=list(unequal),
        shared=[SharedQuantityResource.model_validate(shared) for shared in comparison.shared],
        not_optimised=[_not_optimised(each) for each in comparison.not_optimised],
        remarks=[*shared_quantity_sentences(comparison), *not_optimised_sentences(comparison)],
    )


def _not_optimised(metric: NotOptimised) -> NotOptimisedResource:
    return NotOptimisedResource(
        metric=metric.name,
        unit=metric.unit,
        meaning=metric.meaning,
        better=metric.better,
        safety_limit=metric.safety_limit,
        spreads={
            label: None if spread is None else SpreadResource.model_validate(spread)
            for label, spread in metric.spreads.items()
        },
    )
