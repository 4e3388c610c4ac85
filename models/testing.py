"""Contract of every back-end, as a test class: subclass it and set ``model``.

::

    class TestMyModel(ModelContract):
        model = MODEL
        settings = {"cells": 8}          # keeps the evaluations short
        infeasible = ({"f_max": 0.1},)   # designs that have no metrics

Needs pytest.
"""

from __future__ import annotations

import math
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import pint
import pytest
from pydantic import ValidationError

import models
from errors import InputError, UnknownNameError
from models.arrays import FloatArray
from models.conformance import boundary_faults
from models.continuity import DesignSpace, jumps
from models.contract import Evaluation, Infeasible, Model, Outcome, Stage
from models.fields import is_numerical
from models.mechanism import mechanism_fault
from models.parameters import Parameters
from models.scalar_grid import grid_fault
from models.scene import Box, Line, Points, Surface, motion_fault, posture_fault, value_fault
from models.series import series_fault
from models.single_objective import Search, winner_faults

_NUMERICAL = re.compile(
    r"(^|_)(cells|grid|steps|samples|rays|refinements|iterations|tolerance|orientations|block)(_|$)"
)
"""Names that settings of the computation have."""


class Law(NamedTuple):
    """Law of metrics under a change of a design, such as a mirror image, another order, or a longer cable.

    Attributes
    ----------
    change : str
        What changes, for the message.
    before, after : mapping
        Settings of the two designs.
    metrics : tuple of str
        Which metrics the law is about; all if empty.
    relation : {"same", "grows", "falls"}
    tolerance : float
        Share of a value within which metrics are the same.
    but : tuple of str
        Metrics that the law leaves out.
    """

    change: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    metrics: tuple[str, ...] = ()
    relation: Literal["same", "grows", "falls"] = "same"
    tolerance: float = 1e-6
    but: tuple[str, ...] = ()


class ModelContract:
    """The conformance suite.

    Attributes
    ----------
    model : Model
        The back-end under test.
    settings : mapping
        Set on top of every preset, so that evaluations are short.
    infeasible : sequence of mappings
        Settings of designs whose evaluation must be ``Infeasible``.
    laws : sequence of Law
        Invariance, and monotony where physics has it.
    finer : mapping
        Settings of a finer computation, whose metrics the stated errors must enclose.
    spaces : sequence of DesignSpace
        Geometric parameters that vary continuously; metrics are continuous along random lines through them.
    lines, more_lines : int
        Number of lines through each space, and of further ones that are marked as soak.
    searches, more_searches : sequence of Search
        Short searches for one metric alone, whose winners are sensible in the finer computation, and further
        ones that are marked as soak.
    """

    model: ClassVar[Model]
    settings: ClassVar[Mapping[str, Any]] = {}
    infeasible: ClassVar[Sequence[Mapping[str, Any]]] = ()
    laws: ClassVar[Sequence[Law]] = ()
    finer: ClassVar[Mapping[str, Any]] = {}
    spaces: ClassVar[Sequence[DesignSpace]] = ()
    lines: ClassVar[int] = 1
    more_lines: ClassVar[int] = 0
    searches: ClassVar[Sequence[Search]] = ()
    more_searches: ClassVar[Sequence[Search]] = ()
    _known: ClassVar[dict[tuple[str, str], Outcome]]

    def __init_subclass__(cls) -> None:
        """Each back-end has outcomes of its own."""
        super().__init_subclass__()
        cls._known = {}

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each line and each search."""
        if "line" in metafunc.fixturenames:
            metafunc.parametrize("line", [*self._lines()] or [None])
        if "search" in metafunc.fixturenames:
            quick = [pytest.param(each, id=each.metric) for each in self.searches]
            slow = [pytest.param(each, id=each.metric, marks=pytest.mark.soak) for each in self.more_searches]
            metafunc.parametrize("search", [*quick, *slow] or [None])

    def _lines(self) -> Iterator[Any]:
        """Spaces with both ends (2, n) of each line through them, as arguments of a test."""
        rng = np.random.default_rng(0)
        for number, space in enumerate(self.spaces, 1):
            for line in range(self.lines + self.more_lines):
                marks = pytest.mark.soak if line >= self.lines else ()
                ends = rng.random((2, len(space.bounds)))
                yield pytest.param((space, ends), id=f"{number}-{line + 1}", marks=marks)

    def designs(self) -> Iterator[Parameters]:
        """Every preset with the short settings."""
        for name in self.model.presets:
            yield self.model.resolve(name, self.settings)

    def outcomes(self) -> Iterator[tuple[Parameters, str, Outcome]]:
        """Every design in every cost class; the tests of a class evaluate each once."""
        known = self._known
        for parameters in self.designs():
            for cost_class in self.model.cost_classes:
                design = parameters.model_dump_json(), cost_class
                if design not in known:
                    known[design] = self.model.evaluate(parameters, cost_class, 0)
                yield parameters, cost_class, known[design]

    # ------------------------------------------------------------ tables

    def test_model_is_found_by_its_name(self) -> None:
        """Workers load models by name."""
        assert re.fullmatch(r"[a-z0-9-]{1,64}", self.model.name)
        assert models.load(self.model.name) is self.model

    def test_metrics_have_unique_names_units_and_meanings(self) -> None:
        """Names are unique words, units are Pint's, meanings are there."""
        names = [metric.name for metric in self.model.metrics]
        assert len(set(names)) == len(names)
        for metric in self.model.metrics:
            assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,63}(\.[a-z][a-z0-9_]{0,15})?", metric.name)
            assert metric.meaning
            for words in (metric.caution, metric.jumps):
                assert words == words.strip().rstrip(".")
            if isinstance(metric.absent, str):
                assert self.model.parameters.model_fields[metric.absent].annotation is float
            assert metric.absent is None or isinstance(metric.absent, str) or math.isfinite(metric.absent)
            assert set(metric.needed) <= set(self.model.parameters.model_fields)
            _assert_unit(metric.unit)

    def test_metrics_refer_to_metrics_of_the_table(self) -> None:
        """An error has its metric's unit and its classes; what a metric contains comes with it."""
        table = {metric.name: metric for metric in self.model.metrics}
        for metric in self.model.metrics:
            for other in (*filter(None, [metric.error]), *metric.contains):
                assert other in table, f"{metric.name} names '{other}'"
                classes = self.model.cost_classes_of
                assert set(classes(metric)) <= set(classes(table[other]))
            assert not metric.error or table[metric.error].unit == metric.unit
            assert set(metric.kept_by[:1]) <= set(table)
            assert metric.safety_limit is None or math.isfinite(metric.safety_limit)

    def test_metrics_and_cost_classes_name_each_other(self) -> None:
        """Every metric has a class, every class a metric and a stage; every stage is run by some class."""
        assert self.model.cost_classes
        for metric in self.model.metrics:
            assert self.model.cost_classes_of(metric)
        for cost_class in self.model.cost_classes:
            assert self.model.metrics_of(cost_class)
            assert self.model.stages_of[cost_class]
        assert {name for names in self.model.stages_of.values() for name in names} == set(self.model.stages)
        assert set(self.model.metrics_of(self.model.cost_classes[-1])) == set(self.model.metrics)

    def test_notes_of_every_stage_arrive(self) -> None:
        """Counters are added and warnings joined until a stage is infeasible. No stage really runs."""
        values = dict.fromkeys((metric.name for metric in self.model.metrics), 1.0)

        def counting(name: str, last: str) -> Stage:
            notes: Any = ({"stages": 1}, (f"warning of {name}", "warning of all"))
            found = Infeasible("ends here", 1.0, *notes) if name == last else Evaluation(values, *notes)

            def stage(*_: object) -> Evaluation | Infeasible:
                return found

            return stage

        for cost_class, names in self.model.stages_of.items():
            for count, last in enumerate((*names, ""), 1):
                model = replace(self.model, stages={name: counting(name, last) for name in self.model.stages})
                outcome = model.evaluate(self.model.parameters(), cost_class, 0)
                assert isinstance(outcome, Infeasible) == (last != "")
                run = names[:count]
                assert outcome.counters == {"stages": len(run)}
                assert set(outcome.warnings) == {*(f"warning of {name}" for name in run), "warning of all"}
                assert len(outcome.warnings) == len(run) + 1

    def test_first_preset_is_what_the_record_describes(self) -> None:
        """The defaults are a named design."""
        assert self.model.resolve(next(iter(self.model.presets)), {}) == self.model.parameters()

    def test_every_parameter_has_a_description_and_numbers_have_a_unit(self) -> None:
        """The schema is all that a form or a study file needs to know."""
        schema = self.model.parameters.model_json_schema()
        for table in (schema, *schema.get("$defs", {}).values()):
            for name, entry in table.get("properties", {}).items():
                assert entry.get("description"), name
                if _is_numeric(entry):
                    units = entry.get("unit")
                    assert units, f"{name} has no unit"
                    for unit in [units] if isinstance(units, str) else units:
                        _assert_unit(unit)

    def test_settings_of_the_computation_are_marked(self) -> None:
        """Grids, steps, samples and tolerances have ``numerical=True``; a search would coarsen them."""
        record = self.model.parameters
        numerical = {name for name, field in record.model_fields.items() if is_numerical(field)}
        unmarked = [name for name in record.model_fields if _NUMERICAL.search(name) and name not in numerical]
        assert not unmarked, f"not marked as numerical: {', '.join(unmarked)}"
        assert not numerical & record.geometry, "what makes a layout is no setting of the computation"

    def test_names_of_options_name_options(self) -> None:
        """Every name for people belongs to an option of its field, and no two options share one."""
        schema = self.model.parameters.model_json_schema()
        for field, names in self.model.parameters.option_names.items():
            known = str(schema["properties"][field])
            assert all(f"'{option}'" in known for option in names), f"{field} has no such option"
            assert len({*names.values()}) == len(names), f"two options of {field} have one name"

    def test_groups_name_fields_once(self) -> None:
        """A form shows every field in one place, and the schema names the groups."""
        record = self.model.parameters
        grouped = [name for names in record.groups.values() for name in names]
        unknown = set(grouped) - record.model_fields.keys()
        assert not unknown, f"groups name what is no field: {', '.join(sorted(unknown))}"
        assert len(grouped) == len(set(grouped)), "a field is in two groups"
        stated = record.model_json_schema().get("groups", [])
        assert stated == [[title, list(names)] for title, names in record.groups.items()]

    # ------------------------------------------------------------ evaluation

    def test_evaluation_holds_exactly_the_metrics_of_its_class(self) -> None:
        """Each a finite number, or None where the table says what a search is told instead."""
        for _, cost_class, outcome in self.outcomes():
            if isinstance(outcome, Infeasible):
                _assert_infeasible(outcome)
                continue
            table = {metric.name: metric for metric in self.model.metrics_of(cost_class)}
            assert set(outcome.metrics) == set(table)
            for name, value in outcome.metrics.items():
                if value is None:
                    assert table[name].absent is not None, f"{name} is None but has no 'absent' value"
                else:
                    assert type(value) is float
                    assert math.isfinite(value), name

    def test_some_preset_is_feasible(self) -> None:
        """A back-end can evaluate its own designs."""
        assert any(isinstance(outcome, Evaluation) for *_, outcome in self.outcomes())

    def test_values_that_the_record_accepts_do_not_raise(self) -> None:
        """Designs at the bounds of each parameter give metrics or Infeasible, in the cheapest class."""
        faults = boundary_faults(self.model, self.model.cost_classes[0], self.settings)
        assert not faults, "\n".join(faults)

    def test_same_parameters_give_the_same_bits(self) -> None:
        """Another seed gives them too, unless the model is stochastic."""
        seed = 0 if self.model.stochastic else 1
        for parameters, cost_class, first in self.outcomes():
            assert self.model.evaluate(parameters, cost_class, seed) == first

    def test_infeasible_designs_say_how_far_they_are_off(self) -> None:
        """A sentence and a finite number >= 0."""
        for settings in self.infeasible:
            parameters = self.model.resolve(None, {**self.settings, **settings})
            for cost_class in self.model.cost_classes:
                outcome = self.model.evaluate(parameters, cost_class, 0)
                assert isinstance(outcome, Infeasible)
                _assert_infeasible(outcome)

    def test_metrics_obey_the_laws(self) -> None:
        """Each law, in the cheapest class that has its metrics."""
        for law in self.laws:
            names = [m.name for m in self.model.metrics if m.name in law.metrics or not law.metrics]
            cost_class = self.model.cost_class_for(names)
            before, after = (
                self.model.evaluate(self.model.resolve(None, {**self.settings, **each}), cost_class, 0)
                for each in (law.before, law.after)
            )
            assert isinstance(before, Evaluation), (law.change, before)
            assert isinstance(after, Evaluation), (law.change, after)
            for name in names:
                if name not in law.but:
                    _assert_law(law, name, before.metrics[name], after.metrics[name])

    def test_errors_enclose_a_finer_computation(self) -> None:
        """Compare metrics that have a numerical error with a finer computation, for every preset."""
        stated = {metric.name: metric.error for metric in self.model.metrics if metric.error}
        if not self.finer or not stated:
            return
        cost_class = self.model.cost_class_for([*stated, *stated.values()])
        for parameters in self.designs():
            fine = self.model.resolve_over(parameters.model_dump(), self.finer)
            one, two = (self.model.evaluate(each, cost_class, 0) for each in (parameters, fine))
            if isinstance(one, Infeasible) or isinstance(two, Infeasible):
                continue
            for name, error in stated.items():
                value, finer, allowed = one.metrics[name], two.metrics[name], one.metrics[error]
                if value is not None and finer is not None and allowed is not None:
                    assert abs(value - finer) <= allowed, (name, value, finer, allowed)

    def test_metrics_are_continuous_along_lines(self, line: tuple[DesignSpace, FloatArray] | None) -> None:
        """Bisect the greatest changes along a random line: each falls with its step, or a jump is stated."""
        found = jumps(self.model, *line) if line else []
        assert not found, "\n".join(map(str, found))

    def test_searches_for_one_metric_end_in_sensible_designs(self, search: Search | None) -> None:
        """Winners are safe, no worse than the beginning when computed finer, and keep what is stated."""
        faults = winner_faults(self.model, search, self.finer) if search else []
        assert not faults, "\n".join(faults)

    def test_reference_cases_agree(self) -> None:
        """Reference cases agree if they are expected to; a remark gives the reason if they are not."""
        for case in self.model.reference_cases():
            assert math.isfinite(case.published)
            assert math.isfinite(case.obtained)
            assert case.source
            _assert_unit(case.unit)
            if case.tolerance is None:
                assert case.remark, f"{case.name} is not expected to agree and does not say why"
            else:
                assert case.agrees, f"{case.name}: {case.published} published, {case.obtained} obtained"

    # ------------------------------------------------------------ records

    def test_parameters_travel_between_processes(self) -> None:
        """Pickle and JSON carry them without loss."""
        for parameters in self.designs():
            assert pickle.loads(pickle.dumps(parameters)) == parameters  # noqa: S301 - our own bytes
            assert self.model.parameters.model_validate_json(parameters.model_dump_json()) == parameters

    def test_parameters_are_frozen(self) -> None:
        """Nobody changes a design in place."""
        parameters = self.model.parameters()
        name = next(iter(self.model.parameters.model_fields))
        with pytest.raises(ValidationError):
            setattr(parameters, name, getattr(parameters, name))

    def test_unknown_names_are_refused(self) -> None:
        """The error lists the known ones."""
        with pytest.raises(UnknownNameError):
            self.model.resolve(None, {"no_such_parameter": 1.0})
        with pytest.raises(UnknownNameError):
            self.model.resolve("no-such-preset", {})
        with pytest.raises(UnknownNameError):
            self.model.metric("no_such_metric")

    def test_numbers_that_are_none_are_refused(self) -> None:
        """NaN, infinity, text without a number and another dimension."""
        for name, field in self.model.parameters.model_fields.items():
            if field.annotation is not float:
                continue
            for bad in (math.nan, math.inf, "much", "5 lightyear kelvin", True):
                with pytest.raises(InputError):
                    self.model.resolve(None, {name: bad})

    # ------------------------------------------------------------ series

    def test_series_are_finite_columns_over_time(self) -> None:
        """Every preset is tried, if the back-end has series."""
        if self.model.series is None:
            return
        for parameters in self.designs():
            found = self.model.series(parameters)
            assert not (fault := series_fault(found)), fault
            for column in found.columns:
                assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", column.name)
                _assert_unit(column.unit)

    # ------------------------------------------------------------ mechanism and grid

    def test_a_mechanism_is_a_tree_of_links(self) -> None:
        """Every preset is tried, if the back-end has mechanisms; the caption names the pose."""
        mechanism_of = self.model.mechanism
        if mechanism_of is None:
            return
        for parameters in self.designs():
            found = mechanism_of(parameters)
            assert not (fault := mechanism_fault(found)), fault
            assert found.caption

    def test_a_grid_has_fields_with_units_and_meanings(self) -> None:
        """Every preset is tried, if the back-end has grids."""
        grid_of = self.model.grid
        if grid_of is None:
            return
        for parameters in self.designs():
            found = grid_of(parameters)
            assert not (fault := grid_fault(found)), fault
            for field in found.fields:
                assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", field.name)
                assert field.meaning
                _assert_unit(field.unit)
            if stated := self.model.grid_quantities:
                assert [(each.name, each.unit, each.meaning, each.flags) for each in found.fields] == [
                    (each.name, each.unit, each.meaning, each.flags) for each in stated
                ]

    # ------------------------------------------------------------ scene

    def test_scene_holds_finite_arrays_of_the_stated_shapes(self) -> None:
        """Every preset is tried."""
        for parameters in self.designs():
            scene = self.model.scene(parameters)
            assert scene.shapes
            assert scene.caption
            for shape in scene.shapes:
                assert shape.name
                _assert_shape(shape)
            assert not (fault := motion_fault(scene)), fault

    def test_a_posture_moves_lines_of_the_scene_and_nothing_else(self) -> None:
        """Every preset is tried, if the back-end has postures."""
        posture_of = self.model.posture
        if posture_of is None:
            return
        for parameters in self.designs():
            posture = posture_of(parameters)
            assert not (fault := posture_fault(posture)), fault
            own, ends = (np.array([getattr(each, end) for each in posture]) for end in ("value", "lower"))
            scene, moved = self.model.scene(parameters, own), self.model.scene(parameters, ends)
            assert pickle.dumps(scene.shapes) == pickle.dumps(self.model.scene(parameters).shapes)
            assert [shape.name for shape in moved.shapes] == [shape.name for shape in scene.shapes]
            for shape, other in zip(moved.shapes, scene.shapes, strict=True):
                _assert_shape(shape)
                if not isinstance(shape, Line):
                    assert pickle.dumps(shape) == pickle.dumps(other)


def _assert_unit(unit: str) -> None:
    assert unit == "1" or pint.Unit(unit).dimensionality is not None


def _assert_law(law: Law, name: str, before: float | None, after: float | None) -> None:
    told = f"{name} under {law.change}: {before} before, {after} after"
    if law.relation == "same" and before is None:
        assert after is None, told
        return
    if law.relation == "same":
        assert after == pytest.approx(before, rel=law.tolerance, abs=law.tolerance * 1e-3), told
        return
    assert before is not None, told
    assert after is not None, told
    assert after > before if law.relation == "grows" else after < before, told


def _assert_infeasible(outcome: Infeasible) -> None:
    assert outcome.reason
    assert math.isfinite(outcome.violation)
    assert outcome.violation >= 0


def _is_numeric(entry: Mapping[str, Any]) -> bool:
    """True if a JSON schema allows numbers, itself or in lists."""
    if entry.get("type") in {"number", "integer"}:
        return True
    inner = [*entry.get("anyOf", ()), *entry.get("prefixItems", ())]
    if isinstance(entry.get("items"), Mapping):
        inner.append(entry["items"])
    return any(_is_numeric(part) for part in inner)


def _assert_shape(shape: Line | Box | Surface | Points) -> None:
    wanted: dict[str, tuple[int | None, ...]] = {
        "points": (None, 3),
        "vertices": (None, 3),
        "triangles": (None, 3),
        "center": (3,),
        "rotation": (3, 3),
        "half_size": (3,),
        "cell_size": (3,),
    }
    for field in fields(shape):
        value = getattr(shape, field.name)
        if field.name in wanted and value is not None:
            size = wanted[field.name]
            assert value.ndim == len(size)
            assert all(length is None or length == got for length, got in zip(size, value.shape, strict=True))
            assert np.isfinite(value).all()
    assert not isinstance(shape, Points | Line) or not (fault := value_fault(shape)), fault
