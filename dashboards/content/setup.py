"""How a study was set up: its definition, checked against its model again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models import Model, load
from models.errors import InputError
from studies.definition import StudyDefinition
from studies.problem import Problem, build_problems
from studies.records import StudyRecord


@dataclass(frozen=True, slots=True)
class Setup:
    """A study with what each of its layouts searches."""

    study: StudyRecord
    definition: StudyDefinition
    model: Model
    problems: Mapping[str, Problem]

    @property
    def layouts(self) -> list[str]:
        """Layouts in the order of the study file."""
        return list(self.problems)

    def fixed(self, layout: str) -> dict[str, Any]:
        """A layout's resolved parameters as plain values; its variables stand at mid-range."""
        return fixed_parameters(self.problems[layout])


def fixed_parameters(problem: Problem) -> dict[str, Any]:
    """A layout's resolved parameters as plain values; its variables stand at mid-range."""
    middle = {variable.path: variable.decode(0.5) for variable in problem.space.variables}
    try:
        record = problem.model.resolve(problem.preset, {**problem.settings, **middle})
    except InputError:  # values that only fit together elsewhere in the space
        record = problem.model.resolve(problem.preset, problem.settings)
    return record.model_dump(mode="json")


def setup_of(study: StudyRecord) -> Setup:
    """The setup of a stored study; raises ``InputError`` when the installed model no longer accepts it."""
    definition = StudyDefinition.model_validate(study.definition)
    return Setup(study, definition, load(definition.model), build_problems(definition))
