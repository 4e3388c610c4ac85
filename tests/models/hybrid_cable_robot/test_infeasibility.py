"""The number of an empty workspace: that of all cells, found without a full look at each."""

import numpy as np
import pytest

from models import Infeasible
from models.hybrid_cable_robot import MODEL, cell_test_kernels
from models.hybrid_cable_robot.cell_results import WORST_MARGIN
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.simd.driver import better_cells
from models.hybrid_cable_robot.workspace_grid import cell_evaluation
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.grid_evaluation import distinct_blocks, distinct_sample, orbits
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch
from tests.repetition import repeated

SEVEN = [[np.cos(a), np.sin(a), (-1.0) ** i] for i, a in enumerate(np.arange(7) * 0.9)]
OWN = {"pulleys": SEVEN, "attachments": [[0.1 * x, 0.1 * y, 0.02] for x, y, _ in SEVEN]}
EMPTY = {
    "moment": ("suspended", {"cells": 20}),
    "weak": ("constrained", {"cells": 20, "f_max": 5.0}),
    "symmetric": ("suspended", {"cells": 20, "f_max": 5.0, "weight_moment": "ignored"}),
    "many orientations": ("robocab", {"cells": 14, "f_max": 10.0, "orientations": "grid27"}),
    "postures": ("suspended", {"cells": 12, "arm_postures": "range"}),
    "seven cables": (None, {**OWN, "cells": 6, "wrench_set": "gravity", "f_max": 3.0}),
}


def margins_of(robot, centers):
    """Capacity margin of each cell alone, by the scalar kernel."""
    scratch = wrench_scratch(robot)
    return np.array(
        [
            cell_test_kernels.best_margin(robot, centers[i : i + 1], WORST_MARGIN, scratch)
            for i in range(len(centers))
        ]
    )


def random_robot(seed):
    """Any eight cables, in a frame of .1 to 100 m, somewhere, with tensions of 1e-3 to 1e9 N."""
    rng = np.random.default_rng(seed)
    size, place = 10.0 ** rng.uniform(-1, 2), rng.uniform(-3, 3, 3) * (seed % 2)
    pulleys = rng.uniform(-1, 1, (8, 3))
    if seed % 3:  # four above, four below, about the corners of a box
        pulleys = np.sign(pulleys) * 0.7 + rng.normal(size=(8, 3)) * 0.1
    forces = 10.0 ** rng.uniform(-3, 9)
    settings = {
        "pulleys": (size * (pulleys + place)).tolist(),
        "attachments": (size * rng.uniform(-0.1, 0.1, (8, 3))).tolist(),
        "space": [(size * (place - 0.5)).tolist(), (size * (place + 0.5)).tolist()],
        "cable_stiffness": 1000.0,
        "f_max": forces,
        "wrench_set": {"center": [0.0, 0.0, -0.3 * forces, 0.0, 0.0, 0.0]},
        "orientations": "corners",
        "cells": 8,
    }
    return MODEL.resolve(None, settings)


@pytest.mark.parametrize("case", repeated(EMPTY, quick=["moment", "weak", "many orientations"]))
def test_the_violation_is_the_best_margin_of_all_cells(case):
    parameters = MODEL.resolve(*EMPTY[case])
    outcome = MODEL.evaluate(parameters, "workspace", 0)
    assert isinstance(outcome, Infeasible)
    assert outcome.counters["failed_wrench"] == outcome.counters["cells"]
    every = margins_of(robot_of(parameters), grid_of(parameters).centers())
    assert outcome.violation == pytest.approx(-every.max(), rel=1e-9)


@pytest.mark.parametrize("case", ["moment", "weak", "many orientations"])
def test_few_cells_are_left_to_the_scalar_kernel(case, monkeypatch):
    preset, settings = EMPTY[case]
    parameters = MODEL.resolve(preset, {**settings, "cells": 40})
    seen, whole = [], cell_test_kernels.best_margin

    def counted(robot, centers, best, scratch):
        seen.append(len(centers))
        return whole(robot, centers, best, scratch)

    monkeypatch.setattr(cell_test_kernels, "best_margin", counted)
    outcome = MODEL.evaluate(parameters, "workspace", 0)
    assert isinstance(outcome, Infeasible)
    assert sum(seen) < 0.05 * 40**3


def test_no_cell_of_a_random_robot_that_is_better_is_dropped():
    dropped = 0
    for seed in range(20):
        robot, grid = robot_of(parameters := random_robot(seed)), grid_of(parameters)
        centers = np.ascontiguousarray(grid.centers())
        planned = cell_evaluation.plan_of(robot, every_index=False)
        every = margins_of(robot, centers)
        best = float(np.quantile(every, 0.9))
        kept = better_cells(planned, centers, best)
        assert set(np.flatnonzero(every > best).tolist()) <= set(kept.tolist())
        dropped += len(centers) - len(kept)
    assert dropped > 0.5 * 20 * len(centers)


@pytest.mark.parametrize("settings", [{"clearance": 1.0}, {"platform_half_size": (0.5, 0.5, 0.5)}], ids=str)
def test_the_least_deficit_is_that_of_each_cell_alone(settings):
    parameters = MODEL.resolve("constrained", {"cells": 16, **settings})
    outcome = MODEL.evaluate(parameters, "workspace", 0)
    assert isinstance(outcome, Infeasible)
    robot, centers = robot_of(parameters), grid_of(parameters).centers()
    held = ~np.isnan(cell_evaluation.evaluate_cells(robot, centers, every_index=False).margins)
    assert held.any()
    alone = [cell_evaluation.least_deficit(robot, centers[i : i + 1], np.inf) for i in np.flatnonzero(held)]
    assert outcome.violation == min(alone)


@pytest.mark.parametrize("cells", [6, 10, 24, 31])
def test_the_sample_has_cells_of_every_level(cells):
    parameters = MODEL.resolve("suspended", {"cells": cells})
    grid = grid_of(parameters)
    columns = orbits(robot_of(parameters), grid)
    sample = distinct_sample(grid, columns, 100)
    every = np.concatenate(list(distinct_blocks(grid, columns)))
    assert 100 <= len(sample) <= len(every)
    assert {tuple(point) for point in sample.tolist()} <= {tuple(point) for point in every.tolist()}
    assert set(sample[:, 2].tolist()) == set(grid.axes[2].tolist())


def test_attachments_inside_the_platform_are_named():
    settings = {"cells": 6, "wrench_set": "gravity", "platform_half_size": [0.09, 0.09, 0.09]}
    outcome = MODEL.evaluate(MODEL.resolve("constrained", settings), "workspace", 0)
    assert isinstance(outcome, Infeasible)
    assert "attachments 1, 2, 3, 4, 5, 6, 7, 8 lie inside the platform's box" in outcome.reason
    assert outcome.violation > 0


@pytest.mark.parametrize(("radii", "cables"), [(3.0, "1, 2, 3, 4, 5, 6, 7, 8"), ([0.02] * 7 + [3.0], "8")])
def test_wheels_that_hold_attachments_everywhere_are_named(radii, cables):
    outcome = MODEL.evaluate(MODEL.resolve("constrained", {"cells": 6, "pulley_radius": radii}), "workspace")
    assert isinstance(outcome, Infeasible)
    assert outcome.reason.startswith("in every cell an attachment lies in the wheel of its cable")
    assert f"that of cable {cables}): choose a smaller pulley_radius" in outcome.reason
    assert outcome.violation == -WORST_MARGIN


def test_freedoms_without_a_cable_are_named():
    """Cables that end in one point turn a body about no axis; those of a plane pull along two axes."""
    corners = [[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    for pulleys, told in (
        (corners, "no cable turns it about x or turns it about y or turns it about z in any of them"),
        ([[x, y, 0.0] for x, y, _ in corners], "no cable pulls along z or turns it about x or"),
    ):
        flat = told.startswith("no cable pulls")
        space = [[-0.5, -0.5, -1e-7 if flat else -0.5], [0.5, 0.5, 1e-6 if flat else 0.5]]
        settings = {"pulleys": pulleys, "attachments": [[0.0, 0.0, 0.0]] * 8, "cells": 3, "space": space}
        outcome = MODEL.evaluate(MODEL.resolve(None, {**settings, "check_interference": False}), "workspace")
        assert isinstance(outcome, Infeasible)
        assert told in outcome.reason
