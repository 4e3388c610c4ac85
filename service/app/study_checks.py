"""Services that need no store: back-ends, search algorithms, and the check of a study before it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from errors import AbsentError, AlgorithmLoadError, FaultList, InputError, UnknownNameError
from models.parameter_names import parameter_words
from service.app.context import StorelessContext
from service.app.models import ModelService
from service.app.request_limits import refuse_excess
from service.resources.models import (
    AlgorithmResource,
    EvaluationRequest,
    LayoutCheck,
    Page,
    SettingResource,
    StudyCheck,
)
from service.resources.parameters import AlgorithmName
from studies.definition.robust_metrics import base_metric

if TYPE_CHECKING:
    from studies.definition.study_definition import SearchTable, StudyDefinition
    from studies.problem.problem import Problem
    from studies.search import Algorithm


class AlgorithmService:
    """Search algorithms."""

    def list(self) -> Page[AlgorithmResource]:
        """Search algorithms with their settings, Tautline's own first; the answer has all of them."""
        from studies.search import names

        return Page(items=[_listed(name) for name in names()])

    def get(self, name: AlgorithmName) -> AlgorithmResource:
        """A search algorithm with its limits and settings."""
        from studies.search import load

        try:
            return _resource(load(name))
        except UnknownNameError as error:
            raise AbsentError(error.message, ("algorithm",)) from None


def _listed(name: str) -> AlgorithmResource:
    """An algorithm in a list; of one that cannot be loaded, why."""
    from studies.search import load, package_of

    try:
        return _resource(load(name))
    except AlgorithmLoadError as error:
        return AlgorithmResource(
            algorithm=name, summary="", suits="", objectives=[0, 0], constraints=False, budget=[],
            most_population=0, most_designs=0, most_variables=0, fixed="", settings=[],
            package=package_of(name), fault=error.message,
        )  # fmt: skip


def _resource(found: Algorithm) -> AlgorithmResource:
    from studies.search import package_of

    settings = [
        SettingResource(setting=each.name, meaning=each.meaning, default=each.default, allowed=each.allowed)
        for each in found.settings
    ]
    return AlgorithmResource(
        algorithm=found.name,
        summary=found.summary,
        suits=found.suits,
        objectives=list(found.objectives),
        constraints=found.constraints,
        budget=list(found.budget),
        most_population=found.most_population,
        most_designs=found.most_designs,
        most_variables=found.most_variables,
        fixed=found.fixed,
        settings=settings,
        package=package_of(found.name),
    )


class StudyCheckService:
    """Checks that need no stored study."""

    def __init__(self, context: StorelessContext) -> None:
        self._context = context

    def check(self, definition: StudyDefinition) -> StudyCheck:
        """Everything that can be known to be wrong with a study before it runs; nothing is stored."""
        return self.checked(definition, self.problems(definition))

    def checked(
        self, definition: StudyDefinition, problems: Mapping[str, Problem], *, confounders: bool = True
    ) -> StudyCheck:
        """Describe a sound study; ``confounders`` adds differences of its layouts beyond the geometry."""
        from dashboards.content.comparison.conditions import confounder_text
        from studies.definition.derived_quantities import study_model
        from studies.definition.objectives import check_metrics
        from studies.search import remarks

        search = definition.search
        wanted = check_metrics(definition, study_model(definition), FaultList())
        layouts = [_layout_check(layout, problem, search, wanted) for layout, problem in problems.items()]
        different = confounder_text(problems) if confounders else ""
        advice = [f"{different}; fix it under parameters to compare the layouts alone"] if different else []
        odd = dict.fromkeys(remark for problem in problems.values() for remark in problem.remarks)
        model = next(iter(problems.values())).model
        return StudyCheck(
            name=definition.name,
            runs=len(problems) * len(definition.seeds),
            layouts=layouts,
            warnings=[
                *model.cautions([*definition.objectives, *definition.constraints]),
                *model.objective_cautions(
                    definition.objectives, [*definition.constraints, *_set_parameters(definition)]
                ),
            ],
            remarks=[*remarks(search, len(definition.objectives)), *advice, *odd],
        )

    def problems(self, definition: StudyDefinition) -> dict[str, Problem]:
        """The problems of a study that is sound and small enough; raises ``InputError``."""
        from studies.problem.problem import check

        if self._context.limits.designs is not None:
            refuse_excess(definition)
        problems = check(definition)
        most = self._context.limits.designs
        asked = sum(problem.planned_designs(definition.search) for problem in problems.values())
        asked *= len(definition.seeds)
        if most is not None and asked > most:
            raise InputError(
                f"the runs of this study may evaluate {asked} designs in all; at most {most} are allowed "
                "here",
                ("search",),
            )
        return problems


def _layout_check(layout: str, problem: Problem, search: SearchTable, wanted: Sequence[str]) -> LayoutCheck:
    varied = [parameter_words(problem.model.parameters, each.path) for each in problem.space.variables]
    return LayoutCheck(
        layout=layout,
        variables=len(problem.space),
        varied=varied,
        designs=problem.planned_designs(search),
        stated=search.wall_time is None and search.stagnation is None,
        stages=list(problem.model.stages_run(problem.cost_class)),
        robots=1 if problem.uncertainty is None else 1 + problem.uncertainty.samples,
        middle=_middle(problem, wanted),
    )


def _middle(problem: Problem, wanted: Sequence[str]) -> EvaluationRequest:
    """The request for the design in the middle of all ranges, as it is built without deviations."""
    known = {metric.name for metric in problem.model.metrics}
    asked = dict.fromkeys(base_metric(name) or name for name in wanted)
    metrics = [name for name in asked if name in known]
    settings = {**problem.settings, **problem.space.middle()}
    seed = problem.evaluation_seed if problem.model.stochastic else None
    return EvaluationRequest(preset=problem.preset, settings=settings, metrics=metrics, seed=seed)


def _set_parameters(definition: StudyDefinition) -> Iterator[str]:
    """First steps of the paths of all parameters that a study sets or varies."""
    for holder in (definition, *definition.layouts.values()):
        for path in (*holder.parameters, *(holder.variables or ())):
            yield path.partition(".")[0]


class StorelessServices:
    """Services that need no store."""

    def __init__(self, context: StorelessContext | None = None) -> None:
        shared = context or StorelessContext()
        self.models = ModelService(shared)
        self.algorithms = AlgorithmService()
        self.studies = StudyCheckService(shared)
