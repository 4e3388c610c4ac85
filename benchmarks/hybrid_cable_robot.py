"""Cells per second of the hybrid cable robot, all tests: every implementation, slowest first."""

import itertools
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from benchmarks import batched
from benchmarks.timing import Figure, best_seconds
from models import load
from models.hybrid_cable_robot import cell_test_kernels, follow_winches
from models.hybrid_cable_robot.cell_results import empty_results
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import load_case, robot_of
from models.hybrid_cable_robot.simd import driver, execution_plan
from models.hybrid_cable_robot.simd.code_generator import AXES, BLOCK_POSES
from models.hybrid_cable_robot.simd.kernels import kernels
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch
from tests.oracles.cable_robot_cells import evaluate_cells

CONDITIONS = {"wrench_set": "box", "orientations": "corners"}
NUMPY_CELLS = 200
UPPER = [[x, y, 1.0] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
PATTERNS: dict[str, dict[str, Any]] = {
    "crane on four cables (3T), 50^3 cells": {
        "freedoms": "3T", "pulleys": UPPER, "attachments": [[0, 0, 0]] * 4, "f_max": 100.0,
        "cells": 50, "space": [[-1, -1, -1], [1, 1, 1]], "wrench_set": "gravity",
    },
    "planar robot on four cables (1R2T), 350^2 cells, 3 orientations": {
        "freedoms": "1R2T", "pulleys": [[-1, 0, -1], [-1, 0, 1], [1, 0, 1], [1, 0, -1]], "cells": 350,
        "attachments": [[-0.1, 0, 0.05], [-0.1, 0, -0.05], [0.1, 0, -0.05], [0.1, 0, 0.05]],
        "space": [[-1, -0.1, -1], [1, 0.1, 1]], "f_min": 1.0, "f_max": 200.0, "check_interference": False,
    },
}  # fmt: skip
POSES = 400 * BLOCK_POSES


def figures(small: bool = False) -> list[Figure]:
    model = load("hybrid-cable-robot")
    model.prepare("workspace")
    rows: list[Figure] = []
    cells, poses = ((20, 8, 10), 4 * BLOCK_POSES) if small else ((20, 50, 100), POSES)
    fewer = {"cells": 8} if small else {}
    for preset in ("constrained",) if small else ("constrained", "suspended"):
        coarse, fine, million = (record(preset, **CONDITIONS, cells=n) for n in cells)
        seconds = best_seconds(lambda p=coarse: model.evaluate(p, "workspace", 0))
        rows.append((f"{preset}, 20^3 cells, 9 orientations, box: one design", 1e3 * seconds, "ms"))
        rows += _among_obstacles(preset, small)
        rows += _certified(preset, small)
        robot, grid = robot_of(coarse), grid_of(coarse)
        some = grid.centers()[:: 20**3 // NUMPY_CELLS]
        seconds = best_seconds(lambda r=robot, c=some: evaluate_cells(r, c, every_index=False), 1)
        rows.append((f"{preset}, {len(some)} cells, numpy definition", len(some) / seconds, "cells/s"))
        every = grid.centers()
        seconds = best_seconds(lambda r=robot, c=every: batched.evaluate_cells(r, c), 1)
        rows.append((f"{preset}, {len(every)} cells, batched numpy", len(every) / seconds, "cells/s"))
        rows.append(
            (
                f"{preset}, {cells[1]}^3 cells, scalar kernel",
                _rate(cell_test_kernels.test_cells, fine, 2),
                "cells/s",
            )
        )
        rows.append((f"{preset}, {cells[2]}^3 cells, SIMD", _rate(driver.test_cells, million, 6), "cells/s"))
        wheels = record(preset, **CONDITIONS, cells=cells[2], pulley_radius=0.02)
        rows.append(
            (f"{preset}, {cells[2]}^3 cells, SIMD, wheels", _rate(driver.test_cells, wheels, 6), "cells/s")
        )
        seconds = best_seconds(lambda p=million: model.evaluate(p, "workspace", 0), 12)
        rows.append((f"{preset}, {cells[2]}^3 cells, 9 orientations, box: one design", 1e3 * seconds, "ms"))
        rows.append((f"{preset}, box test of one pose, SIMD", _margins(fine, poses), "poses/s"))
        moved = record(preset, settling_duration=6.0)
        follow_winches(moved)
        seconds = best_seconds(lambda p=moved: follow_winches(p))
        rows.append((f"{preset}, 10 s of motion by its winches", 1e3 * seconds, "ms"))
        rows += _fresh(preset)
    for name, settings in PATTERNS.items():
        parameters = record(None, **{**settings, **fewer})
        rows.append((f"{name}, scalar kernel", _rate(cell_test_kernels.test_cells, parameters, 3), "cells/s"))
    return rows


def record(preset: str | None, **settings: object) -> HybridCableRobot:
    """A robot from a preset."""
    return cast("HybridCableRobot", load("hybrid-cable-robot").resolve(preset, settings))


def _certified(preset: str, small: bool) -> list[Figure]:
    """Seconds of processor for proofs at every orientation within 10 deg."""
    model = load("hybrid-cable-robot")
    rows: list[Figure] = []
    fewer = {"cells": 8} if small else {}
    for wrenches, moment in itertools.product(("gravity", "box"), ("included", "ignored")):
        settings: dict[str, object] = {
            "wrench_set": wrenches,
            "weight_moment": moment,
            "orientations": "certified",
        }
        settings |= fewer
        parameters = model.resolve(preset, settings)
        seconds = best_seconds(
            lambda p=parameters: model.evaluate(p, "workspace", 0), 2, clock=time.process_time
        )
        name = f"{preset}, 40^3 cells certified, {wrenches}, moment {moment}: one design"
        rows.append((name, seconds, "s of processor"))
    return rows


def _among_obstacles(preset: str, small: bool) -> list[Figure]:
    """One design beside a box, a ball of 1 280 triangles, and with its arm tested."""
    import trimesh

    model, place = load("hybrid-cable-robot"), [0.25, 0.1, 0.1]
    ball = trimesh.creation.icosphere(3, radius=0.1)
    mesh = {"vertices": ball.vertices.tolist(), "triangles": ball.faces.tolist()}
    settings: dict[str, dict[str, Any]] = {
        "no obstacle": {},
        "a box": {"obstacles": [{"kind": "box", "half_size": [0.1] * 3, "position": place}]},
        "1 280 triangles": {"obstacles": [{"kind": "mesh", "mesh": mesh, "position": place}]},
        "the arm": {"check_arm": True},
    }
    rows: list[Figure] = []
    fewer = {"cells": 8} if small else {}
    for name, more in settings.items():
        parameters = model.resolve(preset, {"wrench_set": "gravity", **more, **fewer})
        seconds = best_seconds(lambda p=parameters: model.evaluate(p, "workspace", 0))
        rows.append((f"{preset}, 40^3 cells, weight alone, {name}: one design", 1e3 * seconds, "ms"))
    return rows


def _fresh(preset: str) -> list[Figure]:
    """Time and memory of a second process, which finds the kernels compiled, up to 10^6 cells."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "benchmarks.fresh", preset]
    result = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - this file's own
    whole = time.perf_counter() - start
    told = json.loads(result.stdout)
    return [
        (f"{preset}, second process until its first result, 20^3 cells", whole - told["after"], "s"),
        (f"{preset}, its memory after importing the model", told["imported"], "MiB"),
        (f"{preset}, its peak memory, 100^3 cells", told["peak"], "MiB"),
    ]


def _rate(test_cells: Callable[..., object], parameters: HybridCableRobot, repeats: int) -> float:
    """Cells per second of one of the two kernels, block by block, without symmetry."""
    robot, grid = robot_of(parameters), grid_of(parameters)

    def run() -> None:
        for centers in grid.blocks():
            scratch = wrench_scratch(robot)
            test_cells(robot, False, centers, scratch, empty_results(len(centers)))

    return float(np.prod(grid.shape)) / best_seconds(run, repeats)


def _margins(parameters: HybridCableRobot, poses: int) -> float:
    """Poses per second of the wrench kernel, all facets, at the last orientation."""
    robot, kernel = robot_of(parameters), kernels().wrench
    load = load_case(robot, len(robot.rotations) - 1)
    numbers = execution_plan.wrench_constants(robot, load, robot.rotations[-1])
    io = kernel.workspace(poses)
    io[:, : len(AXES)] = np.random.default_rng(1).uniform(-0.4, 0.4, (len(io), len(AXES), BLOCK_POSES))
    return poses / best_seconds(lambda: kernel.run(io, numbers, len(io)), 10)
