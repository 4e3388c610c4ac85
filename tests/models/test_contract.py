"""Stages of an evaluation: which ones a cost class runs, how they are merged, and what is refused."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

from errors import OutcomeError, UnknownNameError
from models import Evaluation, Infeasible, Metric, Model, Parameters, Preset, load, quantity
from models.scene import Line, Moment, Points, Scene
from models.testing import ModelContract


class Beam(Parameters):
    """A beam."""

    length: float = quantity(1.0, unit="m", description="length", gt=0, le=10)


def metric(name, *classes, **more):
    return Metric(name, "1", name, "minimize", classes, **more)


def stage(name, **metrics):
    return lambda beam: Evaluation({"length": beam.length, **metrics}, {"steps": 2, name: 1}, (name, "both"))


def model(**changed):
    given = {
        "name": "beam", "version": 1, "summary": "A beam.", "source": "none", "parameters": Beam,
        "presets": {"metre": Preset("one metre", "none", {})},
        "metrics": (
            metric("length"), metric("mass", "quick", "slow"), metric("mode", "slow"),
            metric("sag", "other", absent=9.0),
        ),
        "stages": {
            "other": stage("other", sag=None), "quick": stage("quick", mass=2.0), "slow": stage("slow", mode=3.0),
        },
        "classes": {"quick": ("quick",), "slow": ("slow", "quick"), "other": ("other",)},
        "scene": lambda beam: Scene((), ""), "reference_cases": list,
    }  # fmt: skip
    return Model(**{**given, **changed})


def test_all_runs_the_stages_of_the_classes_that_no_other_one_holds():
    assert model().cost_classes == ("quick", "slow", "other", "all")
    assert model().stages_of == {
        "quick": ("quick",),
        "slow": ("quick", "slow"),
        "other": ("other",),
        "all": ("other", "quick", "slow"),
    }
    hybrid, statics = load("hybrid-cable-robot"), load("continuum-statics")
    assert hybrid.stages_of["all"] == (
        "bodies",
        "motion",
        "task",
        "detail",
        "vibration",
        "sag",
        "speed",
        "winch_motion",
        "clearance",
        "reach",
        "orientation",
    )  # detail does what workspace does
    assert statics.stages_of["all"] == ("pose", "sweep", "payload", "workspace", "volume")


def test_classes_that_compute_the_same_metrics_run_once():
    metrics = (metric("length"),)
    stages = {"one": stage("one"), "two": stage("two")}
    assert model(metrics=metrics, stages=stages, classes={}).stages_of["all"] == ("one",)


def test_each_stage_is_a_class_where_none_are_named():
    alone = model(metrics=(metric("length"),), stages={"any": stage("any")}, classes={})
    assert alone.cost_classes == ("any",)
    assert alone.cost_classes_of(alone.metrics[0]) == ("any",)
    assert alone.evaluate(Beam(length=2.0), "any", 0).metrics == {"length": 2.0}


def test_metrics_are_those_of_the_class_and_notes_those_of_its_stages():
    outcome = model().evaluate(Beam(), "slow", 0)
    assert outcome == Evaluation(
        {"length": 1.0, "mass": 2.0, "mode": 3.0},
        {"steps": 4, "quick": 1, "slow": 1},
        ("quick", "both", "slow"),
    )
    whole = model().evaluate(Beam(), "all", 0)
    assert whole.metrics == {**outcome.metrics, "sag": None}
    assert whole.warnings == ("other", "both", "quick", "slow")


def test_the_first_infeasible_stage_ends_the_evaluation():
    def slow(beam):
        return Infeasible("too slow", 1, {"steps": 1}, ("late", "both"))

    stages = {**model().stages, "slow": slow}
    outcome = model(stages=stages).evaluate(Beam(), "all", 0)
    assert outcome == Infeasible(
        "too slow", 1.0, {"steps": 5, "other": 1, "quick": 1}, ("other", "both", "quick", "late")
    )
    stages = {**stages, "quick": lambda beam: pytest.fail("ran after an infeasible stage"), "other": slow}
    assert isinstance(model(stages=stages).evaluate(Beam(), "all", 0), Infeasible)


def test_the_stages_of_one_evaluation_share_a_subject_of_their_own():
    def stage_of(name):
        return lambda seen: seen.append(name) or Evaluation({"length": len(seen)})

    shared = model(
        metrics=(metric("length"),), classes={"both": ("one", "two")},
        stages={"one": stage_of("one"), "two": stage_of("two")}, subject=lambda beam: [beam],
    )  # fmt: skip
    assert [shared.evaluate(Beam(), "both", 0).metrics for _ in range(2)] == [{"length": 3.0}] * 2


def test_cautions_are_told_in_the_order_of_the_table_and_only_of_what_is_asked_for():
    metrics = (metric("length", caution="a guess"), metric("mass"), metric("mode", caution="chaotic"))
    found = model(metrics=metrics, stages={"quick": stage("quick", mass=2.0, mode=3.0)}, classes={})
    assert found.cautions(["mode", "mass", "length"]) == ["length: a guess", "mode: chaotic"]
    assert found.cautions({"mode": 3.0, "other": 1.0}) == ["mode: chaotic"]
    assert found.cautions(["mass"]) == []


def test_an_objective_that_repeats_another_one_is_cautioned():
    robots = load("hybrid-cable-robot")
    (told,) = robots.objective_cautions(["workspace_volume", "F1"], [])
    assert told.startswith("F1: is computed from workspace_volume and no other metric")
    assert robots.objective_cautions(["workspace_volume", "F2"], []) == []


@pytest.mark.parametrize(
    ("metrics", "cost_class", "stages"),
    [
        (["tip_compliance"], "pose", ("pose",)),
        (["tip_compliance", "stable_workspace_area"], "pose+workspace", ("pose", "workspace")),
        (["snap_tension", "workspace_mu_min"], "sweep+workspace", ("pose", "sweep", "workspace")),
        (["reachable_volume", "stable_workspace_area"], "volume", ("workspace", "volume")),
    ],
)
def test_only_the_stages_that_are_asked_for_run(metrics, cost_class, stages):
    statics = load("continuum-statics")
    assert statics.cost_class_for(metrics) == cost_class
    assert statics.stages_run(cost_class) == stages
    assert {*metrics} <= {metric.name for metric in statics.metrics_of(cost_class)}
    every = [metric.name for metric in statics.metrics]
    assert statics.cost_class_for(every) == "all"


def test_joined_classes_give_what_each_of_them_gives():
    statics = load("continuum-statics")
    design = statics.resolve(None, {"rays": 3, "tension_steps": 21})
    joined = statics.evaluate(design, "pose+workspace").metrics
    assert joined == {
        **statics.evaluate(design, "workspace").metrics,
        **statics.evaluate(design, "pose").metrics,
    }
    with pytest.raises(UnknownNameError, match="pose"):
        statics.evaluate(design, "pose+work")


def test_stages_of_a_stochastic_model_are_given_the_seed():
    stages = {"any": lambda beam, seed: Evaluation({"length": float(seed)})}
    chance = model(metrics=(metric("length"),), stages=stages, classes={}, stochastic=True)
    assert chance.evaluate(Beam(), "any", 7).metrics == {"length": 7.0}


@pytest.mark.parametrize(
    ("returned", "kind", "words"),
    [
        (None, "model_error", "returned a NoneType"),
        (Evaluation({}), "model_error", "left out the metric 'length'"),
        (Evaluation({"length": None}), "model_error", "no value for 'length'"),
        (Evaluation({"length": "long"}), "model_error", "length as str"),
        (Evaluation({"length": np.zeros((2, 2))}), "model_error", r"array of shape \(2, 2\)"),
        (Evaluation({"length": 1.0, "lenght": 1.0}), "model_error", "'lenght'.*not in its table"),
        (Evaluation({"length": math.nan}), "non_finite", "length = nan"),
        (Evaluation({"length": -math.inf}), "non_finite", "length = -inf"),
        (Infeasible("no", math.nan), "non_finite", "violation nan"),
        (Infeasible("no", -1.0), "non_finite", "violation -1.0"),
    ],
)
def test_what_the_tables_do_not_allow_is_refused_with_the_notes_so_far(returned, kind, words):
    def bad(beam):
        return returned

    stages = {"first": lambda beam: Evaluation({}, {"steps": 1}, ("careful",)), "bad": bad}
    wrong = model(metrics=(metric("length"),), stages=stages, classes={"any": ("first", "bad")})
    with pytest.raises(OutcomeError, match=words) as caught:
        wrong.evaluate(Beam(), "any", 0)
    assert caught.value.kind == kind
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert (str(copy), copy.kind, copy.warnings) == (str(caught.value), kind, caught.value.warnings)
    if returned is not None:
        assert caught.value.counters == {"steps": 1}
        assert caught.value.warnings == ("careful",)


def test_numbers_of_other_types_become_floats():
    given = model(
        metrics=(metric("length"),),
        stages={"any": lambda _: Evaluation({"length": np.float64(2)})},
        classes={},
    )
    assert type(given.evaluate(Beam(), "any", 0).metrics["length"]) is float


@pytest.mark.parametrize(
    "changed",
    [
        {"classes": {"quick": ("fast",)}},
        {"classes": {"quick": ("quick",), "all": ("slow",)}},
        {"metrics": (metric("length", "fast"),)},
    ],
)
def test_unknown_stages_and_classes_are_refused(changed):
    with pytest.raises(ValueError, match="no stage or cost class"):
        model(**changed)
    with pytest.raises(UnknownNameError, match="did you mean 'quick'"):
        model().evaluate(Beam(), "quik", 0)


@pytest.mark.parametrize(
    "name", ["hybrid-cable-robot", "continuum-statics", "zdt1", "bnh", "mixed", "faulty"]
)
def test_notes_of_every_stage_arrive_in_every_class(name):
    class Suite(ModelContract):
        model = load(name)

    Suite().test_notes_of_every_stage_arrive()
    Suite().test_metrics_and_cost_classes_name_each_other()


def test_a_stage_whose_warnings_are_lost_is_noticed():
    """The suite fails for a model that merges in its own way."""

    class Losing(Model):
        def evaluate(self, parameters, cost_class, seed):
            return replace(super().evaluate(parameters, cost_class, seed), warnings=())

    given = model()
    fields = ("name", "version", "summary", "source", "parameters", "presets", "metrics", "stages", "scene")

    class Suite(ModelContract):
        model = Losing(
            **{field: getattr(given, field) for field in fields}, reference_cases=list, classes=given.classes
        )

    with pytest.raises(AssertionError):
        Suite().test_notes_of_every_stage_arrive()


@pytest.mark.parametrize("values", [[0.1], [0.1, float("nan")], [0.1, 0.2]])
def test_the_suite_notices_points_whose_values_are_not_theirs(values):
    name = "" if values == [0.1, 0.2] else "share"
    shape = Points("reached", np.ones((2, 3)), None, np.array(values), name)

    class Suite(ModelContract):
        model = replace(model(), scene=lambda beam: Scene((shape,), "a caption"))

    with pytest.raises(AssertionError, match="reached"):
        Suite().test_scene_holds_finite_arrays_of_the_stated_shapes()


def test_the_suite_notices_moments_out_of_order():
    line = Line("beam", np.zeros((2, 3)))

    class Suite(ModelContract):
        model = replace(
            model(),
            scene=lambda beam: Scene(
                (line,), "a caption", moments=(Moment(1.0, (line,)), Moment(0.0, (line,)))
            ),
        )

    with pytest.raises(AssertionError, match="each later than the one before"):
        Suite().test_scene_holds_finite_arrays_of_the_stated_shapes()


def test_an_objective_over_a_set_that_nothing_keeps_is_cautioned():
    kept = metric("stiffness", kept_by=("volume", "task_box"))
    volume = replace(metric("volume"), sense="maximize")
    alone = model(metrics=(kept, volume), stages={"any": stage("any")}, classes={})
    (told,) = alone.objective_cautions(["stiffness"], ["cells"])
    assert told.startswith("stiffness: ")
    assert "add one of volume, task_box; as a limit, half the volume of the design" in told
    assert (
        alone.objective_cautions(["stiffness"], ["task_box"])
        == alone.objective_cautions(["stiffness", "volume"], [])
        == []
    )
    assert alone.objective_cautions(["volume"], ["stiffness"]) == []


def test_an_objective_that_jumps_is_cautioned():
    jumping = metric("steps", jumps="one step more is counted")
    alone = model(metrics=(jumping, metric("volume")), stages={"any": stage("any")}, classes={})
    (told,) = alone.objective_cautions(["steps", "volume"], [])
    assert told == (
        "steps: jumps where one step more is counted; compare a design with its neighbours before you choose it"
    )
    assert alone.objective_cautions(["volume"], ["steps"]) == []
