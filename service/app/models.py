"""What needs no store: models, one evaluation, the check of a study."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from errors import AbsentError, InputError, ModelLoadError, UnknownNameError
from models import load, names
from service.access.identity import HERE as SOMEBODY_HERE
from service.access.identity import Identity
from service.app import model_calls as work
from service.app.model_serializers import case_resource, evaluation_resource, model_resource, model_summary
from service.app.request_limits import NO_LIMITS, Allowance, refuse_excess
from service.resources.models import (
    EvaluationRequest,
    EvaluationResource,
    LayoutCheck,
    ModelResource,
    ModelSummary,
    ReferenceCaseResource,
    StudyCheck,
)
from studies.execution.evaluation import task_of

if TYPE_CHECKING:
    from models import Model
    from studies.definition import StudyDefinition
    from studies.problem import Problem


class Bench:
    """See :class:`service.operations.ModelOperations`.

    Parameters
    ----------
    identity : Identity
        The caller.
    allowance : Allowance
        What they may have going on.
    work : Work
        Where models compute.
    """

    def __init__(
        self,
        identity: Identity = SOMEBODY_HERE,
        allowance: Allowance = NO_LIMITS,
        work: work.Work = work.HERE,
    ) -> None:
        self._identity = identity
        self._allowance = allowance
        self._work = work

    def models(self) -> list[ModelSummary]:
        """The installed back-ends; of one that cannot be loaded, why."""
        return [_summary(name) for name in names()]

    def model(self, name: str) -> ModelResource:
        """A back-end with its parameters, presets and metrics."""
        return model_resource(_found(name))

    def check_model(self, name: str) -> list[ReferenceCaseResource]:
        """Published reference cases, computed now."""
        model = _found(name)
        with self._computing():
            cases = self._work.reference_cases(model.name)
        return [case_resource(model.name, case) for case in cases]

    def evaluate(self, model: str, request: EvaluationRequest) -> EvaluationResource:
        """Evaluate one design; nothing is stored. Faults are placed at the request's fields."""
        found = _found(model)
        for name in request.metrics:
            found.metric(name, ("metrics",))
        if request.preset is not None:
            found.preset(request.preset)
        parameters = found.resolve(
            request.preset, request.settings, ("settings",) if request.settings else ()
        )
        wanted = request.metrics
        cost_class = found.cost_class_for(wanted) if wanted else found.cost_classes[0]
        task = task_of(found, parameters.model_dump(mode="json"), cost_class, 0)
        with self._computing():
            record = self._work.evaluate(task)
        return evaluation_resource(record, wanted)

    @contextmanager
    def _computing(self) -> Generator[None]:
        """Around what is computed for the caller; raises for those who may not, or do already."""
        self._identity.require_writes()
        with self._allowance.computation(self._identity.account):
            yield

    def check(self, definition: StudyDefinition) -> StudyCheck:
        """Everything that can be known to be wrong with a study before it runs; nothing is stored."""
        return self._checked(definition, self.problems(definition))

    def _checked(
        self, definition: StudyDefinition, problems: Mapping[str, Problem], *, unequal: bool = True
    ) -> StudyCheck:
        """What is known of a sound study; ``unequal`` adds a remark on what else its layouts differ in."""
        from dashboards.content.confounders import unequal_told
        from studies.search import remarks

        search = definition.search
        stated = search.wall_time is None and search.stagnation is None
        layouts = [
            LayoutCheck(
                layout=layout,
                variables=len(problem.space),
                designs=problem.planned_designs(search),
                stated=stated,
            )
            for layout, problem in problems.items()
        ]
        different = unequal_told(problems) if unequal else ""
        advice = [f"{different}; fix it under parameters to compare the layouts alone"] if different else []
        odd = dict.fromkeys(remark for problem in problems.values() for remark in problem.remarks)
        return StudyCheck(
            name=definition.name,
            runs=len(problems) * len(definition.seeds),
            layouts=layouts,
            remarks=[*remarks(search, len(definition.objectives)), *advice, *odd],
        )

    def problems(self, definition: StudyDefinition) -> dict[str, Problem]:
        """The problems of a study that is sound and small enough; raises ``InputError``."""
        from studies.launch import check

        if self._allowance.designs is not None:
            refuse_excess(definition)
        problems = check(definition)
        most = self._allowance.designs
        asked = sum(problem.planned_designs(definition.search) for problem in problems.values())
        asked *= len(definition.seeds)
        if most is not None and asked > most:
            raise InputError(
                f"the runs of this study may evaluate {asked} designs in all; at most {most} are allowed "
                "here",
                ("search",),
            )
        return problems


def _summary(name: str) -> ModelSummary:
    try:
        return model_summary(load(name))
    except ModelLoadError as error:
        return ModelSummary(model=name, version=0, presets=[], metrics=0, summary="", fault=error.message)


def _found(name: str) -> Model:
    try:
        return load(name)
    except UnknownNameError as error:
        raise AbsentError(error.message, error.place) from None
