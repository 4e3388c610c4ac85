"""Everything about a study that a report is made of, read from the store once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.figures.history import History, hypervolume_histories
from models import Model, load
from models.errors import InputError
from models.parameters import Parameters
from studies.comparison import Comparison, compare_layouts
from studies.definition import StudyDefinition
from studies.problem import Problem, build_problems
from studies.records import FrontDesign, GenerationRecord, RunRecord, StudyRecord
from studies.store import Member, Store


@dataclass(frozen=True, slots=True)
class RunMaterial:
    """A run with its progress, everything it asked for, and what it ran on."""

    run: RunRecord
    generations: Sequence[GenerationRecord]
    history: Sequence[Member]
    provenance: Sequence[Mapping[str, Any]]

    @property
    def finished(self) -> bool:
        """Whether the search came to its end."""
        return self.run.state == "done"


@dataclass(frozen=True, slots=True)
class Material:
    """A study as stored, checked against its model again."""

    study: StudyRecord
    definition: StudyDefinition
    model: Model
    problems: Mapping[str, Problem]
    comparison: Comparison
    histories: Sequence[History]
    runs: Sequence[RunMaterial]

    @property
    def layouts(self) -> list[str]:
        """Layouts in the order of the study file."""
        return list(self.problems)

    @property
    def unfinished(self) -> list[RunMaterial]:
        """Runs whose search did not come to its end."""
        return [run for run in self.runs if not run.finished]

    @property
    def asked(self) -> int:
        """Designs that all runs asked for."""
        return sum(len(run.history) for run in self.runs)

    def parameters_of(self, design: FrontDesign) -> Parameters | None:
        """The full parameter record of a design; None when the model no longer accepts it."""
        for run in self.runs:
            for member in run.history:
                if member.evaluation.key == design.key:
                    return self._validated(member)
        return None

    def _validated(self, member: Member) -> Parameters | None:
        task = member.evaluation.task
        if task.model_version != self.model.version:
            return None
        return self.model.parameters.model_validate(task.parameters)

    def fixed(self, layout: str) -> dict[str, Any]:
        """A layout's resolved parameters as plain values; its variables stand at mid-range."""
        problem = self.problems[layout]
        middle = {variable.path: variable.decode(0.5) for variable in problem.space.variables}
        try:
            record = self.model.resolve(problem.preset, {**problem.settings, **middle})
        except InputError:  # values that only fit together elsewhere in the space
            record = self.model.resolve(problem.preset, problem.settings)
        return record.model_dump(mode="json")


def gather(store: Store, name: str) -> Material:
    """Read a study; raises ``UnknownNameError`` when the store does not hold it."""
    study = store.study(name)
    definition = StudyDefinition.model_validate(study.definition)
    comparison = compare_layouts(store, study)
    return Material(
        study,
        definition,
        load(definition.model),
        build_problems(definition),
        comparison,
        hypervolume_histories(store, study, comparison),
        [
            RunMaterial(run, store.generations(run), store.history(run), store.provenance(run))
            for run in study.runs
        ],
    )
