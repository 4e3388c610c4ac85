"""Studies that are still being written: what is wrong with a draft, and what it would run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import ValidationError

from dashboards.content.robot.study_file import tree_toml
from errors import AbsentError, Fault, FaultsError, InputError, Place
from service.app.context import Context
from service.app.models import ModelService
from service.app.study_checks import StudyCheckService
from service.examples import examples
from service.problem_types import pointer
from service.resources.drafts import (
    DraftFault,
    DraftLayout,
    EditedDraft,
    EqualChoice,
    ExampleResource,
    NewStudyRequest,
    ReadRobot,
    StudyDraft,
    UnequalParameter,
)
from service.resources.models import Page, SettingsRequest
from service.resources.parameters import ReplacedName
from studies.definition.documents import continues, flattened, refuse_depth
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import TomlError, TomlLines, check_tree, line_of, read_toml
from studies.problem.problem import Problem
from studies.results.warm_start import earlier_remarks

_SHOWABLE = frozenset({
    "missing", "string_pattern_mismatch", "string_too_long", "too_short", "too_long", "value_error",
    "greater_than", "greater_than_equal", "less_than", "less_than_equal",
})  # fmt: skip
"""pydantic's names for faults of trees that have the shape of a study all the same."""


def is_showable(flat: dict[str, Any]) -> bool:
    """True if a flat tree has a study's shape, sound or not."""
    try:
        StudyDefinition.model_validate(flat)
    except ValidationError as error:
        return all(detail["type"] in _SHOWABLE for detail in error.errors(include_url=False))
    return True


def strange_values(tree: Any, place: Place = ()) -> Iterator[Fault]:
    """Values that JSON and study files do not have: dates, null, nan and infinity."""
    if isinstance(tree, (dict, list)):
        holder: Mapping[Any, Any] | list[Any] = tree
        items = holder.items() if isinstance(holder, Mapping) else enumerate(holder)
        for key, value in items:
            if not isinstance(value, str | int):  # there may be very many
                yield from strange_values(value, (*place, key))
    elif not isinstance(tree, str | int | float) or (isinstance(tree, float) and not math.isfinite(tree)):
        yield Fault(place, f"{tree} cannot be used in a study; write a number, a text, true or false")


MOST_FAULTS = 20
_OPTIONS: Mapping[Place, Place] = {
    ("from",): ("sources",), ("from_csv",): ("tables",), ("from_file",): ("files",)
}  # fmt: skip


def _of_request(fault: Fault) -> Fault:
    """A fault of what a study begins with, at the field of the request instead of the option."""
    return fault._replace(place=_OPTIONS.get(fault.place, fault.place))


class DraftService:
    """Studies that are still being written, and what helps to write one. Nothing is stored."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._authorization = context.authorization
        self._checks = StudyCheckService(context)
        self._models = ModelService(context)

    def read(self, toml: str, replaces: ReplacedName = "") -> StudyDraft:
        """A study file as a tree, with all its faults; the name of the draft that it ``replaces`` is free."""
        try:
            tree = read_toml(toml)
            refuse_depth(tree)
        except TomlError as error:
            return unreadable(toml, f"is not TOML: {error}", error.line)
        except InputError as error:
            return unreadable(toml, error.message, None)
        return self._draft(tree, toml, replaces)

    def check(self, tree: dict[str, Any], replaces: ReplacedName = "") -> StudyDraft:
        """A tree as a study file, with all its faults; raises ``InputError`` for values that no file has."""
        return self._draft(plain(tree), tree_toml(tree), replaces)

    def edit(self, edited: EditedDraft, replaces: ReplacedName = "") -> StudyDraft:
        """A tree whose values are put into a file: comments and order stay if they can."""
        from dashboards.content.robot.study_file import comments_of, edited_toml

        tree = plain(edited.definition)
        toml = edited_toml(edited.toml, tree)
        lost = max(comments_of(edited.toml) - comments_of(toml), 0)
        return self._draft(tree, toml, replaces).model_copy(update={"comments_lost": lost})

    def _draft(self, tree: dict[str, Any], toml: str, replaces: str) -> StudyDraft:
        """A draft as a tree of plain values, with its file; no fault is raised."""
        try:
            flat = flattened(tree)
        except InputError as error:
            return StudyDraft(definition=None, toml=toml, faults=_with_places(error.faults, None, tree, toml))
        faults = list(strange_values(flat))
        showable = not faults and is_showable(flat)
        plan: dict[str, Any] = {}
        if not faults:
            definition, checked, faults = check_tree(flat, self._checked)
            faults = [*self._name_faults(flat, replaces), *faults]
            plan = {} if definition is None or faults else self._plan(definition, *checked)
        shown = flat if showable else None
        return StudyDraft(definition=shown, toml=toml, faults=_with_places(faults, shown, tree, toml), **plan)

    def begin(self, wanted: NewStudyRequest) -> StudyDraft:
        """A commented study to begin with: of an example, of presets, or of cable robots in files.

        The server opens no file: texts are sent, of CSV tables with a row for each cable, and of robots in
        URDF, SDF, CASPR, WireX, cdpyr, YAML of Gazebo and JSON of Tautline. ``robots`` says what was read of
        these, assumed and left out.
        """
        from service.new_studies import begin_study, begin_study_of_tables
        from studies.exchange.robot_files import read_robots

        for field in ("tables", "files"):
            if wanted.sources and getattr(wanted, field):
                raise InputError("cannot be given together with sources; give one of the two", (field,))
        try:
            robots = read_robots(wanted.files)
            if wanted.tables or robots:
                with self._context.limits.computation(self._context.identity.account):
                    calls = self._context.sandbox
                    begun = begin_study_of_tables(wanted.tables, wanted.name, robots, calls)
            else:
                begun = begin_study(wanted.sources, name=wanted.name, model=wanted.model)
        except InputError as error:
            raise FaultsError([_of_request(fault) for fault in error.faults]) from None
        read = [
            ReadRobot(**report._asdict(), verdict=begun.verdicts[layout])
            for layout, report in begun.reports.items()
        ]
        return self.read(begun.text).model_copy(update={"robots": read})

    def examples(self) -> Page[ExampleResource]:
        """Study files to begin with, of installed models; the answer has all of them."""
        known = {model.model for model in self._models.list().items if not model.fault}
        return Page(items=[example for example in examples() if example.model in known])

    def _name_faults(self, flat: dict[str, Any], replaces: str) -> list[Fault]:
        """A fault where a visible study has this name and the server would refuse to store this one."""
        try:
            definition = StudyDefinition.model_validate(flat)
            study = self._authorization.study(definition.name)
        except (AbsentError, ValidationError):
            return []
        if definition.name == replaces:
            return []
        given = definition.model_dump(mode="json")
        alike = definition.is_same(study.digest, study.definition) or continues(study.definition, given)
        if alike and self._authorization.may_change(study):
            return []
        return [Fault(("name",), f"there is already a study named '{study.name}'; choose another name")]

    def _checked(self, definition: StudyDefinition) -> tuple[Mapping[str, Problem], list[str]]:
        """The problems of a sound study, and what is said of the designs that it begins with."""
        problems = self._checks.problems(definition)
        return problems, earlier_remarks(self._context.store, definition, problems, self._authorization.study)

    def _plan(
        self, definition: StudyDefinition, problems: Mapping[str, Problem], begins: Sequence[str]
    ) -> dict[str, Any]:
        """List the runs and layouts of a sound study, and the designs at the ends of all ranges."""
        whole = self._checks.checked(definition, problems, confounders=False)
        layouts = [
            DraftLayout(
                **layout.model_dump(),
                lower=_at(problems[layout.layout], 0.0),
                upper=_at(problems[layout.layout], 1.0),
            )
            for layout in whole.layouts
        ]
        return {
            "runs": whole.runs, "layouts": layouts, "remarks": [*whole.warnings, *whole.remarks, *begins],
            "unequal": _unequal(problems),
        }  # fmt: skip


def _unequal(problems: Mapping[str, Problem]) -> list[UnequalParameter]:
    """Differences between layouts other than geometry, with each of their values once to choose from."""
    from dashboards.content.comparison.conditions import confounder_values, confounders

    texts, values = confounders(problems), confounder_values(problems)
    found: list[UnequalParameter] = []
    for name, by_layout in texts.items():
        choices = {text: values[name][layout] for layout, text in by_layout.items()}
        possible = [EqualChoice(text=text, value=v) for text, v in choices.items() if v is not None]
        found.append(UnequalParameter(parameter=name, values=by_layout, choices=possible))
    return found


def plain(tree: dict[str, Any]) -> dict[str, Any]:
    """The tree; raises ``InputError`` for a value that no study file has."""
    for fault in strange_values(tree):
        raise InputError.of(fault)
    return tree


def read_table(text: str, place: Place = ("body",)) -> dict[str, Any]:
    """The tree of a TOML text; raises ``InputError``, also for great depth."""
    try:
        tree = read_toml(text)
    except TomlError as error:
        raise InputError(f"is not TOML: {error}", place) from None
    refuse_depth(tree)
    return tree


def unreadable(toml: str, message: str, line: int | None) -> StudyDraft:
    """A draft whose text is no TOML; ``line`` is where it stops to be."""
    fault = DraftFault(detail=message, pointer="", line=line)
    return StudyDraft(definition=None, toml=toml, faults=[fault])


def _at(problem: Problem, share: float) -> SettingsRequest:
    """The design at this share of all ranges, from 0 at their lower ends to 1 at their upper ends."""
    varied = problem.space.decode(np.full(len(problem.space), share))
    return SettingsRequest(preset=problem.preset, settings={**problem.settings, **varied})


def _with_places(
    faults: Sequence[Fault], definition: dict[str, Any] | None, tree: dict[str, Any], toml: str
) -> list[DraftFault]:
    """Faults with their pointers into the definition, and their lines in the file."""
    if not faults:
        return []
    lines = TomlLines(toml, tree)
    return [
        DraftFault(
            detail=fault.message,
            pointer=pointer(fault.place, definition),
            line=line_of(fault, lines, tree),
        )
        for fault in faults[:MOST_FAULTS]
    ]
