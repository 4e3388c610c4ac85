"""Certified orientations: never contradicted by an orientation within the limit, and close to the truth."""

import itertools
import math

import numpy as np
import pytest

from errors import InputError
from models.contract import Evaluation, Infeasible
from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.cell_results import PASSED, UNPROVED
from models.hybrid_cable_robot.robot import changed_robot, robot_of, rotation_matrix, rotation_spans
from models.hybrid_cable_robot.workspace_grid.cell_evaluation import evaluate_cells
from models.hybrid_cable_robot.workspace_grid.workspace import workspace
from tests.models.hybrid_cable_robot.robots import BAR, BODY, CRANE

SUSPENDED = {"wrench_set": "gravity", "weight_moment": "ignored", "cells": 20}
ROBOTS = {
    "suspended": ("suspended", SUSPENDED),
    "constrained": ("constrained", {"wrench_set": "gravity", "cells": 14}),
    "box": ("constrained", {"cells": 10}),
    "postures": (
        "constrained",
        {"wrench_set": "gravity", "arm_postures": [[0.0] * 6, [0.5, -1.5, 1.5, 0.2, 0.1, 0.0]], "cells": 8},
    ),
    "limits": (
        "suspended",
        {
            **SUSPENDED, "cells": 12, "length_min": 0.3, "length_max": 1.1, "max_cable_speed": 1.45,
            "task_speed": 1.0, "f_max": [23.0, 24.0, 22.0, 23.0, 21.0, 25.0, 23.0, 26.0],
            "cable_diameter": [0.002, 0.004, 0.003, 0.002, 0.002, 0.002, 0.002, 0.002],
        },
    ),
    "plane": (None, {**BODY, "rotation_limit": 0.3}),
}  # fmt: skip
SOAK = (pytest.mark.soak, pytest.mark.timeout(3600))


def resolved(preset, settings, **more):
    return MODEL.resolve(preset, {"orientations": "certified", **settings, **more})


def volume(preset, settings, **more):
    return workspace(resolved(preset, settings, **more)).volume


def failures(parameters, points, vectors):
    """Positions (k, 3) m that fail at their rotation vector (k, 3) rad, by the tests of a cell."""
    robot = robot_of(parameters.model_copy(update={"orientations": "nominal"}))
    failed = []
    for point, vector in zip(points, vectors, strict=True):
        turned = changed_robot(robot, rotations=rotation_matrix(vector)[None], bases=robot.bases)
        found = evaluate_cells(turned, np.ascontiguousarray(point[None]), every_index=False).verdicts[0]
        if found != PASSED:
            failed.append((point, vector, found))
    return failed


def random_vectors(parameters, count, rng):
    """Rotation vectors (count, 3) rad within the limit, a third of their shares at the ends."""
    spans = rotation_spans(parameters)
    shares = rng.uniform(-1, 1, (count, len(spans)))
    ends = rng.random(shares.shape) < 1 / 3
    shares[ends] = np.sign(shares[ends])
    return shares @ spans


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("count", [2000, pytest.param(170_000, marks=SOAK)])
def test_no_orientation_within_the_limit_fails_in_a_certified_cell(name, count):
    preset, settings = ROBOTS[name]
    parameters = resolved(preset, settings)
    points = workspace(parameters).points
    assert len(points) > 5
    rng = np.random.default_rng(40)
    chosen = points[rng.integers(0, len(points), count)]
    assert failures(parameters, chosen, random_vectors(parameters, count, rng)) == []


@pytest.mark.parametrize("name", ROBOTS)
def test_certified_cells_are_some_of_those_of_the_samples_and_few_stay_open(name):
    preset, settings = ROBOTS[name]
    found = {each: workspace(resolved(preset, settings, orientations=each)) for each in ("corners", "grid27")}
    certified = workspace(resolved(preset, settings))
    assert not (certified.feasible & ~found["grid27"].feasible).any()
    assert not (found["grid27"].feasible & ~found["corners"].feasible).any()
    undecided = np.count_nonzero(certified.verdicts == UNPROVED)
    assert undecided == certified.counters.get("failed_proof", 0)
    assert undecided <= 0.15 * np.count_nonzero(certified.feasible)


def test_volumes_of_the_amendment():
    """The suspended preset under the weight alone, its moment ignored, on 20 cells per axis, 10 degrees."""
    cells = {
        each: workspace(resolved("suspended", SUSPENDED, orientations=each))
        for each in ("corners", "grid27", "certified")
    }
    assert cells["corners"].volume == pytest.approx(0.2535, abs=1e-12)
    assert cells["grid27"].volume == pytest.approx(0.2215, abs=1e-12)
    proved = cells["certified"]
    undecided = np.count_nonzero(proved.verdicts == UNPROVED) * proved.grid.cell_volume
    assert 0.18 < proved.volume < proved.volume + undecided < 0.192  # what 600 random orientations leave
    error = proved.indices["workspace_volume_error"]
    assert error >= undecided > 0


def test_smaller_limits_never_shrink_the_workspace():
    limits = [0.0, 0.02, 0.06, 0.12, 0.2, (0.02, 0.06, 0.12), (0.06, 0.06, 0.2)]
    found = {
        limit: workspace(
            resolved("constrained", {"wrench_set": "gravity", "cells": 14}, rotation_limit=limit)
        )
        for limit in limits
    }
    for one, other in itertools.permutations(limits, 2):
        if (np.broadcast_to(one, 3) <= np.broadcast_to(other, 3)).all():
            assert not (found[other].feasible & ~found[one].feasible).any()
    assert len({cells.volume for cells in found.values()}) > 4


@pytest.mark.parametrize(
    ("preset", "settings"), [("constrained", {}), ("suspended", SUSPENDED), (None, CRANE)]
)
def test_without_a_limit_only_the_nominal_orientation_counts(preset, settings):
    nominal = workspace(resolved(preset, settings, orientations="nominal"))
    certified = workspace(resolved(preset, settings, rotation_limit=0.0))
    assert (certified.verdicts == nominal.verdicts).all()
    assert nominal.volume > 0
    nearly = workspace(resolved(preset, settings, rotation_limit=1e-9))
    assert np.count_nonzero(nearly.feasible ^ nominal.feasible) <= 2


def test_mirrored_turned_scaled_and_renumbered_robots_have_the_same_volume():
    from tests.models.hybrid_cable_robot import test_metamorphic as laws

    def found(design):
        settings = {
            name: value for name, value in laws.settings_of(design).items() if not name.startswith("bounds")
        }
        limits = (0.04, 0.04, 0.1)
        return workspace(
            MODEL.resolve(None, {**settings, "orientations": "certified", "rotation_limit": limits})
        )

    plain = found(laws.robot())
    assert plain.volume > 0
    assert np.count_nonzero(plain.verdicts == UNPROVED) < 0.05 * np.count_nonzero(plain.feasible)
    changes = {
        "mirror": laws.turned(laws.robot(), laws.MIRROR),
        "quarter turn": laws.turned(laws.robot(), laws.QUARTER),
        "renumber": laws.renumbered(laws.robot()),
    }
    for name, design in changes.items():
        assert found(design).volume == pytest.approx(plain.volume, rel=1e-12), name
    light = found(laws.light(laws.robot())).volume
    assert found(laws.scaled(laws.light(laws.robot()), 2.0, 8.0)).volume == pytest.approx(
        8 * light, rel=1e-12
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"pulley_radius": 0.02}, "wheels ('pulley_radius')"),
        ({"floor": -1.0}, "a floor ('floor')"),
        ({"check_arm": True}, "the arm ('check_arm')"),
        ({"bounds": True}, "blocks of positions ('bounds')"),
        (
            {"obstacles": [{"kind": "box", "half_size": [0.1] * 3, "position": [0.3, 0, 0]}]},
            "obstacles ('obstacles')",
        ),
    ],
)
def test_options_without_a_proof_are_refused(settings, words):
    with pytest.raises(InputError) as refusal:
        resolved("constrained", settings)
    assert words in str(refusal.value)
    assert "choose grid27" in str(refusal.value)


def test_bars_are_refused_and_what_is_not_tested_is_not():
    with pytest.raises(InputError, match="2R3T"):
        resolved(None, BAR)
    assert resolved("constrained", {"floor": -1.0, "check_obstacles": False}).orientations == "certified"


def test_a_point_has_one_orientation_and_is_certified_as_it_is():
    nominal, certified = (
        workspace(resolved(None, CRANE, orientations=each)) for each in ("nominal", "certified")
    )
    assert (nominal.verdicts == certified.verdicts).all()


def test_metrics_and_reasons_name_the_proof():
    outcome = MODEL.evaluate(resolved("constrained", {"wrench_set": "gravity", "cells": 12}), "workspace", 0)
    assert isinstance(outcome, Evaluation)
    assert outcome.counters["feasible_cells"] > 0
    hopeless = resolved("constrained", {"cells": 4, "rotation_limit": math.radians(60)})
    outcome = MODEL.evaluate(hopeless, "workspace", 0)
    assert isinstance(outcome, Infeasible)
    task = resolved("constrained", {"wrench_set": "gravity", "cells": 6, "task_path": [[0.3, 0.0, 0.0]]})
    assert isinstance(MODEL.evaluate(task, "workspace", 0), Infeasible)
