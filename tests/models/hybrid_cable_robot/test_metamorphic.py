"""Laws that every metric of the cable robot obeys when robot, space, loads and task change together.

A new metric needs its powers of length and force in ``POWERS``: without them these tests fail.
"""

import math
from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from models import Evaluation
from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.trajectory import QUINTIC_4S

POWERS = {  # of length and of force; torques are length times force, stiffnesses force over length
    "workspace_volume": (3, 0),
    "disconnected_volume": (3, 0),
    "workspace_volume_lower": (3, 0),
    "workspace_volume_upper": (3, 0),
    "F1": (-3, 0),
    "F2": (-1.5, 0),
    "F3": (-1.5, 0),
    "stiffness_index": (0, 0),
    "stiffness_index.task": (0, 0),
    "dexterity_index": (0, 0),
    "dexterity_index.task": (0, 0),
    "capacity_margin.q05": (0, 1),
    "capacity_margin.box": (0, 1),
    "capacity_margin.task": (0, 1),
    "capacity_margin_mean": (0, 1),
    "capacity_margin": (0, 1),
    "interference_margin.q05": (1, 0),
    "interference_margin.box": (1, 0),
    "interference_margin.task": (1, 0),
    "interference_margin": (1, 0),
    **{
        f"{name}{part}": (1, 0)
        for name in ("obstacle_margin", "arm_margin")
        for part in (".q05", ".box", ".task", "")
    },
    **{f"displacement_under_load{part}": (1, 0) for part in (".q95", ".box", ".task", "")},
    **{f"rotation_sensitivity{part}": (-1, 0) for part in (".q95", ".box", ".task", "")},
    **{f"point_sensitivity{part}": (0, 0) for part in (".q95", ".box", ".task", "")},
    **{f"natural_frequency{part}": (-0.5, 0) for part in (".q05", ".box", ".task", "")},
    **{f"sag_max{part}": (1, 0) for part in (".q95", ".box", ".task", "")},
    **{f"sag_error{part}": (0, 1) for part in (".q95", ".box", ".task", "")},
    **{f"platform_speed{part}": (0.5, 0) for part in (".q05", ".box", ".task", "")},
    **{f"task_power{part}": (0.5, 1) for part in (".q95", ".box", ".task", "")},
    "stiffness_index_translation": (0, 0),
    "stiffness_index_rotation": (0, 0),
    "dexterity_index_translation": (0, 0),
    "dexterity_index_rotation": (0, 0),
    "inscribed_box": (3, 0),
    "max_tension.task": (0, 1),
    "max_tension": (0, 1),
    "tension_spread": (0, 1),
    "power_mean": (0.5, 1),  # accelerations stay, so times grow with the root of lengths
    "power_peak": (0.5, 1),
    "energy": (1, 1),
    "path_interference_margin": (1, 0),
    "peak_tension": (0, 1),
    "slack_share": (0, 0),
    "path_error": (1, 0),
    "path_error_rms": (1, 0),
    "settling_time": (0.5, 0),
    "energy_error": (1, 1),
    "hybrid_reach": (3, 0),
    "total_orientation": (0, 0),
    "total_orientation.task": (0, 0),
    "mass": (0, 1),
}
MIRROR = np.diag([1.0, -1.0, 1.0])  # the plane in which the arm's own mirror image is an arm like it
QUARTER = Rotation.from_rotvec([0, 0, math.pi / 2]).as_matrix()
ARM_MIRRORS = [np.diag([1.0, y, -y]) for y in (-1, 1, 1, -1, 1, -1)]  # of the links' frames, by their twists
MIRRORED_JOINTS = np.array([-1, 1, 1, -1, 1, -1])
UNEVEN = np.random.default_rng(4).uniform(-0.004, 0.004, (2, 8, 3))  # leaves the robot no symmetry


@cache
def robot():
    """Settings of a robot without any symmetry whose every metric exists; SI numbers and arrays alone."""
    plain = MODEL.resolve("suspended", {}).model_dump()
    given = MODEL.resolve("suspended", {"cells": 9})
    from models.hybrid_cable_robot.robot import pulley_points

    bodies = [plain["platform_body"], *plain["arm_links"]]
    return {
        "pulleys": pulley_points(given) + UNEVEN[0],
        "attachments": np.array(plain["attachments"]) + UNEVEN[1],
        "platform_half_size": np.array([0.045, 0.043, 0.044]),
        "space": np.array([[-0.5, -0.47, -0.5], [0.48, 0.5, 0.5]]),
        "cells": 9,
        "orientations": "corners",
        "wrench": np.array([0.5, 0.3, -20.0, 0.05, 0.02, 0.01]),
        "half_range": np.array([2.0, 3.0, 1.0, 0.1, 0.15, 0.05]),
        "cable_stiffness": np.linspace(700, 1300, 8),
        "cable_density": np.linspace(0.02, 0.09, 8),
        "cable_damping": np.linspace(0.5, 1.2, 8),
        "settling_duration": 1.0,
        "settling_tolerance": 4e-6,
        "test_load": np.array([1.0, 2.0, -5.0, 0.1, 0.05, 0.02]),
        "f_min": 0.0,
        "f_max": 25.0,
        "cable_diameter": 0.002,
        "max_cable_speed": 3.0,
        "task_speed": 0.7,
        "pulley_radius": np.linspace(0.01, 0.03, 8),
        "pulley_axis": np.array([0.0, 0.0, 1.0]) + 30 * UNEVEN[0],
        "own_least": np.linspace(0.0, 0.5, 8),
        "own_greatest": np.linspace(22.0, 31.0, 8),
        "diameters": np.linspace(0.0005, 0.0012, 8),
        "longest": np.linspace(1.15, 1.3, 8),
        "masses": 1.01 * np.array([body["mass"] for body in bodies]),  # an arm that is not the paper's
        "centres": np.array([body["centre_of_mass"] for body in bodies]),
        "tensors": [tensor_of(body["inertia"]) for body in bodies],
        "arm_base_position": np.array(plain["arm_base_position"]),
        "arm_base": Rotation.from_rotvec(plain["arm_base_rotation"]).as_matrix(),
        "times": np.array(QUINTIC_4S.times),
        "path": np.array(QUINTIC_4S.platform_positions),
        "turns": np.array(QUINTIC_4S.platform_rotations),
        "joints": np.array(QUINTIC_4S.joints),
        "task_box": np.array([[-0.06, -0.04, -0.1], [0.05, 0.07, 0.02]]),
        "task_path": np.array([[0.0, 0.0, 0.0], [0.08, 0.03, 0.05], [0.02, -0.05, -0.1]]),
        "bounds_block": 1 / 8,
        "attachment_relief": 0.05,
        "sizes": np.array([0.03, 0.05, 0.04, 0.06]),
        "places": np.array([[0.3, 0.2, -0.36], [-0.3, 0.1, -0.4], [0.1, -0.3, -0.34], [-0.2, -0.2, -0.38]]),
        "frames": Rotation.from_rotvec(np.random.default_rng(8).normal(size=(4, 3))).as_matrix(),
        "corners": np.array([[0.0, 0.0, 0.1], [0.05, 0.0, -0.03], [-0.04, 0.06, 0.0], [-0.03, -0.05, -0.02]]),
        "stub": np.array([[0.0, 0.0, 0.0], [0.02, 0.01, 0.06]]),
        "stub_radius": 0.02,
    }


def tensor_of(moments):
    xx, yy, zz, xy, xz, yz = moments
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def settings_of(design):
    bodies = [
        {
            "mass": float(mass),
            "centre_of_mass": centre.tolist(),
            "inertia": tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist(),
        }
        for mass, centre, tensor in zip(design["masses"], design["centres"], design["tensors"], strict=True)
    ]
    plain = (
        "pulleys", "attachments", "platform_half_size", "space", "cable_stiffness", "cable_density",
        "cable_damping", "test_load", "arm_base_position", "task_box", "task_path",
    )  # fmt: skip
    same = (
        "cells", "orientations", "f_min", "f_max", "cable_diameter", "bounds_block", "settling_duration",
        "settling_tolerance", "attachment_relief",
    )  # fmt: skip
    settings = {name: design[name].tolist() for name in plain} | {name: design[name] for name in same}
    settings |= {
        "wrench_set": {"center": design["wrench"].tolist(), "half_range": design["half_range"].tolist()},
        "platform_body": bodies[0],
        "arm_links": bodies[1:],
        "arm_base_rotation": Rotation.from_matrix(design["arm_base"]).as_rotvec().tolist(),
        "trajectory": {
            "times": design["times"].tolist(),
            "platform_positions": design["path"].tolist(),
            "platform_rotations": design["turns"].tolist(),
            "joints": design["joints"].tolist(),
        },
        "trajectory_samples": 21,
        "bounds": True,
    }
    return settings


def evaluated(design):
    settings = settings_of(design)
    among = {name: value for name, value in settings.items() if not name.startswith("bounds")}
    speeds = {name: design[name] for name in ("max_cable_speed", "task_speed")}
    return {
        **metrics(settings, "all"),
        **{
            k: v
            for k, v in metrics({**among, **speeds}, "speed").items()
            if k.startswith(("platform_s", "task_"))
        },
        **{
            name: value
            for name, value in metrics({**among, **surroundings(design)}, "clearance").items()
            if "_margin" in name and (name.startswith(("obstacle", "arm")))
        },
    }


def evaluated_as_built(design):
    """With wheels, limits of each cable, and speeds."""
    among = {k: v for k, v in settings_of(design).items() if not k.startswith("bounds")}
    own = ("pulley_radius", "pulley_axis", "own_least", "own_greatest", "diameters", "longest")
    names = ("pulley_radius", "pulley_axis", "f_min", "f_max", "cable_diameter", "length_max")
    built = {name: design[key].tolist() for name, key in zip(names, own, strict=True)}
    speeds = {name: design[name] for name in ("max_cable_speed", "task_speed")}
    return metrics({**among, **built, **speeds}, "all")


def metrics(settings, cost_class):
    outcome = MODEL.evaluate(MODEL.resolve(None, settings), cost_class, 0)
    assert isinstance(outcome, Evaluation), outcome
    return outcome.metrics


def surroundings(design):
    """One obstacle of each kind, and a stub of an arm, in the frame of its base."""
    a, b, c, d = design["sizes"].tolist()
    faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]
    shapes = [
        {"kind": "box", "half_size": [a, b, c]},
        {"kind": "cylinder", "radius": b, "length": d},
        {"kind": "capsule", "radius": a, "length": c},
        {"kind": "mesh", "mesh": {"vertices": design["corners"].tolist(), "triangles": faces}},
    ]
    placed = [
        {**shape, "position": place.tolist(), "rotation": Rotation.from_matrix(frame).as_rotvec().tolist()}
        for shape, place, frame in zip(shapes, design["places"], design["frames"], strict=True)
    ]
    start, end = design["stub"].tolist()
    stub = {"link": 0, "start": start, "end": end, "radius": design["stub_radius"]}
    return {"obstacles": placed, "arm_capsules": [stub], "check_arm": True}


def turned(design, T):
    """The design with the world, the platform's frame and the arm's base turned or mirrored by T (3, 3)."""
    hand = round(np.linalg.det(T))

    def wrench(values):
        return np.concatenate([T @ values[:3], hand * (T @ values[3:])])

    def box(corners):
        return np.sort(corners @ T.T, axis=0)

    frames = [T, *(ARM_MIRRORS if hand < 0 else [np.eye(3)] * 6)]
    base = T @ design["arm_base"] @ (MIRROR if hand < 0 else np.eye(3))
    return {
        **design,
        **{
            name: design[name] @ T.T
            for name in ("pulleys", "attachments", "path", "task_path", "pulley_axis")
        },
        **{name: box(design[name]) for name in ("space", "task_box")},
        "platform_half_size": np.abs(T) @ design["platform_half_size"],
        "wrench": wrench(design["wrench"]),
        "half_range": np.concatenate([np.abs(T) @ part for part in np.split(design["half_range"], 2)]),
        "test_load": wrench(design["test_load"]),
        "centres": np.array([S @ c for S, c in zip(frames, design["centres"], strict=True)]),
        "tensors": [S @ tensor @ S.T for S, tensor in zip(frames, design["tensors"], strict=True)],
        "arm_base_position": T @ design["arm_base_position"],
        "arm_base": base,
        "turns": hand * design["turns"] @ T.T,
        "joints": design["joints"] * (MIRRORED_JOINTS if hand < 0 else 1),
        "places": design["places"] @ T.T,
        "frames": T @ design["frames"] @ (MIRROR if hand < 0 else np.eye(3)),
        "corners": design["corners"] @ (MIRROR if hand < 0 else np.eye(3)),
        "stub": design["stub"] @ (MIRROR if hand < 0 else np.eye(3)),
    }


NUMBERED = (
    "pulleys", "attachments", "cable_stiffness", "cable_density", "cable_damping", "pulley_radius", "pulley_axis",
    "own_least", "own_greatest", "diameters", "longest",
)  # fmt: skip


def renumbered(design):
    order = np.random.default_rng(2).permutation(8)
    return {**design, **{name: design[name][order] for name in NUMBERED}}


def light(design):
    """With an arm that weighs nothing: its links have their lengths from the paper and cannot be scaled."""
    weights = np.array([1.0, 0, 0, 0, 0, 0, 0])
    tensors = [tensor * weight for tensor, weight in zip(design["tensors"], weights, strict=True)]
    return {**design, "masses": design["masses"] * weights + weights * 1.9, "tensors": tensors}


def scaled(design, length, force):
    lengths = (
        "pulleys", "attachments", "platform_half_size", "space", "cable_diameter", "path", "task_box",
        "task_path", "bounds_block", "centres", "settling_tolerance", "sizes", "places", "corners", "stub",
        "stub_radius", "arm_base_position", "attachment_relief", "pulley_radius", "diameters", "longest",
    )  # fmt: skip
    wrenches = force * np.array([1.0, 1.0, 1.0, length, length, length])
    return {
        **design,
        **{name: design[name] * length for name in lengths},
        **{name: design[name] * wrenches for name in ("wrench", "half_range", "test_load")},
        **{name: design[name] * force for name in ("f_min", "f_max", "masses", "own_least", "own_greatest")},
        **{name: design[name] * force / length for name in ("cable_stiffness", "cable_density")},
        "tensors": [tensor * force * length**2 for tensor in design["tensors"]],
        "cable_damping": design["cable_damping"] * force / math.sqrt(length),
        **{name: design[name] * math.sqrt(length) for name in ("times", "settling_duration")},
        **{name: design[name] * math.sqrt(length) for name in ("max_cable_speed", "task_speed")},
    }


@cache
def metrics_of(change, evaluate=evaluated):
    changes = {
        "none": lambda: robot(),
        "mirror": lambda: turned(robot(), MIRROR),
        "quarter turn": lambda: turned(robot(), QUARTER),
        "renumber": lambda: renumbered(robot()),
        "light": lambda: light(robot()),
        "lengths": lambda: scaled(light(robot()), 2.0, 1.0),
        "forces": lambda: scaled(light(robot()), 1.0, 8.0),
    }
    return evaluate(changes[change]())


def test_every_metric_has_a_law():
    errors = {metric.error: POWERS[metric.name] for metric in MODEL.metrics if metric.error}
    assert [*POWERS, *errors] == [metric.name for metric in MODEL.metrics]


def differences(metric, of):
    """Changes under which the metric does not obey its laws."""
    same, light_one = of("none")[metric], of("light")[metric]
    assert same is not None
    length, force = POWERS.get(metric) or POWERS[metric.removesuffix("_error")]
    expected = dict.fromkeys(("mirror", "quarter turn", "renumber"), same)
    expected |= {"lengths": 2.0**length * light_one, "forces": 8.0**force * light_one}
    # the places of the tool of a mirrored arm are sampled from the other end of each joint's range
    sampled = 0.1 * of("none")["hybrid_reach"] if metric.startswith("hybrid_reach") else 0.0
    return [
        change
        for change, value in expected.items()
        if of(change)[metric] != pytest.approx(value, rel=1e-8, abs=max(1e-11, sampled))
    ]


@pytest.mark.parametrize("metric", [metric.name for metric in MODEL.metrics])
def test_metric_obeys_its_laws(metric):
    assert differences(metric, metrics_of) == []


@pytest.mark.parametrize("cost_class", ["detail", "motion", "vibration", "sag", "speed", "winch_motion"])
def test_metrics_of_a_robot_with_wheels_and_limits_of_each_cable_obey_their_laws(cost_class):
    def of(change):
        return metrics_of(change, evaluated_as_built)

    names = [metric.name for metric in MODEL.metrics if cost_class in metric.cost_classes]
    given = [name for name in names if of("none")[name] is not None]
    assert given
    assert {name: found for name in given if (found := differences(name, of))} == {}


def test_the_robot_has_no_symmetry_and_its_changes_are_changes():
    """Laws of a robot that is its own mirror image would say nothing."""
    from models.hybrid_cable_robot.robot import robot_of
    from models.hybrid_cable_robot.workspace_grid.grid import grid_of
    from models.hybrid_cable_robot.workspace_grid.symmetry import symmetries

    settings = {name: robot()[name].tolist() for name in ("pulleys", "attachments", "space")}
    parameters = MODEL.resolve(None, {**settings, "cells": 9})
    assert len(symmetries(robot_of(parameters), grid_of(parameters))) == 1
    assert metrics_of("none")["workspace_volume_error"] > 0
    assert metrics_of("lengths")["power_mean"] != metrics_of("light")["power_mean"]
