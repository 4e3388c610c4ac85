"""Setup of a study: its definition, read with its installed model.

A study that the installed version refuses is shown all the same, with a sentence on why it is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from errors import InputError, Place
from models import Model
from studies.definition.derived_quantities import study_model
from studies.definition.stored_model import StoredModel, definition_of
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import define
from studies.problem.layout import Layout, stated_layouts
from studies.problem.problem import Problem, build_problems
from studies.records import StudyRecord


@dataclass(frozen=True, slots=True)
class Setup:
    """A study with what each of its layouts searches."""

    study: StudyRecord
    definition: StudyDefinition
    model: Model
    problems: Mapping[str, Layout]
    refusal: str
    """Reason why the installed version of the model would not run the study; empty when it would."""

    @property
    def layouts(self) -> list[str]:
        """Layouts in the order of the study file."""
        return list(self.problems)

    def varied(self, layout: str) -> list[str]:
        """Varied paths of a layout: variables, and parameters that follow from them, with dots."""
        space, present = self.problems[layout].space, self.model.parameters.present_path
        return [*(present(variable.path) for variable in space.variables), *map(present, space.links.paths)]

    def fixed(self, layout: str) -> dict[str, Any]:
        """A layout's resolved parameters as plain values; its variables stand at mid-range."""
        return fixed_parameters(self.problems[layout])


def fixed_parameters(problem: Layout) -> dict[str, Any]:
    """A layout's resolved parameters as plain values; its variables stand at mid-range.

    Of values that the model refuses, those that it can read, and its defaults for the others.
    """
    middle = problem.space.middle()
    for settings in ({**problem.settings, **middle}, problem.settings):  # some only fit together elsewhere
        with suppress(InputError):
            return problem.model.resolve(problem.preset, settings).model_dump(mode="json")
    tree, _ = problem.model.value_faults(problem.preset, {**problem.settings, **middle})
    defaults = problem.model.parameters.model_construct().model_dump(mode="json")
    return {name: tree.get(name, default) for name, default in defaults.items()}


def without_varied(value: Any, path: str, varied: set[str]) -> Any:
    """A parameter without those of its parts that vary: where they stand on average says nothing."""
    if path in varied:
        return "varies"
    if isinstance(value, dict):
        tables: dict[str, Any] = value
        return {key: without_varied(part, f"{path}.{key}", varied) for key, part in tables.items()}
    if isinstance(value, list):
        items: list[Any] = value
        return [without_varied(part, f"{path}.{i}", varied) for i, part in enumerate(items)]
    return value


def setup_of(study: StudyRecord) -> Setup:
    """The setup of a stored study; raises ``InputError`` when neither its model nor the tables are here."""
    definition = definition_of(study)
    model = study_model(definition)
    try:
        return Setup(study, definition, model, build_problems(definition), "")
    except InputError as error:
        return Setup(study, definition, model, stated_layouts(definition), _refusal(study, model, error))


def _refusal(study: StudyRecord, model: Model, error: InputError) -> str:
    if isinstance(model, StoredModel):
        return (
            f"The code of the model {model.name} is not here: the results of study {study.name} are shown, "
            "and no robot is drawn and no design computed."
        )
    first = error.faults[0]
    more = f" (and {len(error.faults) - 1} more)" if len(error.faults) > 1 else ""
    return (
        f"Version {model.version} of {model.name}, which is installed, would not run study {study.name}: "
        f"{first.text}{more}. What is stored is shown."
    )


def check(definition: StudyDefinition) -> dict[str, Problem]:
    """Everything that can be known to be wrong before a run; the problems by layout."""
    return build_problems(definition)


def stored_definition(study: StudyRecord) -> StudyDefinition:
    """The definition that a study was stored with: the order of its tables counts too."""
    return define(dict(study.definition)).with_model(study.model or {})


def branched(old: StudyRecord, new: str, place: Place = ("name",)) -> StudyDefinition:
    """The definition of a study under a new name; raises ``InputError`` for the one that it has."""
    if new == old.name:
        raise InputError("a branch needs a name that differs from its study's", place)
    return define({**stored_definition(old).model_dump(mode="json", exclude_unset=True), "name": new})
