"""Laws of every metric for a robot that is mirrored, turned, scaled, or has its cables numbered anew.

A metric without a row in ``LAWS`` fails the first test: state its law when you add it.
"""

import functools
import math
from typing import NamedTuple

import numpy as np
import pytest

from models.continuum_statics import PRESETS
from models.continuum_statics.model import MODEL
from models.contract import Evaluation


class Law(NamedTuple):
    """Powers of length, force and mass that a metric goes with, and its axis if it is a part of a vector."""

    length: float = 0.0
    force: float = 0.0
    mass: float = 0.0
    axis: int | None = None


LAWS = {
    "tip_x": Law(length=1, axis=0),
    "tip_y": Law(length=1, axis=1),
    "tip_z": Law(length=1, axis=2),
    "lambda_min": Law(length=1, force=1),
    "mu_min": Law(),
    "tip_compliance": Law(length=1, force=-1),
    "max_payload": Law(mass=1),
    "snap_tension": Law(force=1),
    "first_loss_tension": Law(force=1),
    "lambda_min_path": Law(length=1, force=1),
    "stable_workspace_area": Law(length=2),
    "stable_fraction": Law(),
    "workspace_mu_min": Law(),
    "required_tension": Law(force=1),
    "target_miss": Law(length=1),
    "mass": Law(mass=1),
    "max_strain": Law(),
    "max_stress": Law(force=1, length=-2),
    "safety_factor": Law(),
    "workspace_max_strain": Law(),
    "workspace_max_stress": Law(force=1, length=-2),
    "workspace_safety_factor": Law(),
    "reachable_volume": Law(length=3),
    "reachable_volume_error": Law(length=3),
}
QUICK = {"rays": 5, "tension_steps": 21, "pretension_steps": 2, "refinements": 1}
TURN = 0.7  # [rad]
LENGTH, FORCE, MASS = 1.7, 0.6, 2.3
STEEL = {"youngs_modulus": 210e9, "stress_limit": 1.6e9}  # stated, so that they can be scaled
ROBOTS = {
    "three cables": {
        **STEEL, "shear_modulus": 72e9,
        "tip_mass": 0.06, "density": 7850.0, "hole_azimuths": (1.5, -0.6, 3.6), "tensions": (2.0, 1.0, 0.5),
        "gravity": (0.5, -9.6, 1.0), "targets": ((0.1, 0.15), (-0.2, 0.1)),
    },
    "two sections": {
        **STEEL, "shear_modulus": 72e9,
        "density": 7850.0, "disks": 4, "length": 0.4, "disk_mass": 0.008, "tip_mass": 0.02, "backbone_diameter": 0.0014,
        "hole_azimuths": (0.1, 2.0, 4.4, 1.0, 3.3, 5.2), "tie_disks": (2, 2, 2, 4, 4, 4), "gravity": "down",
        "tensions": (1.0, 0.0, 0.5, 0.0, 2.0, 1.0), "pretension": 0.1, "sweep_cable": 5, "max_tension": 8.0,
        "targets": ((0.05, -0.05),),
    },
    "sheets": {
        **STEEL, "density": 0.0, "disks": 2, "disk_spacing": 0.24, "bending_stiffness": 0.025751434297,
        "torsion_stiffness": 0.011747568796, "hole_radius": 0.0316885478, "tip_mass": 0.03,
        "disk_mass": 0.005, "hole_azimuths": (0.7615038308, 1.9717532244, 2.0331854941, 5.8509767104),
        "gravity": (-2.9935865782, -8.7704047653, -3.2178470522), "max_tension": 15.0,
        "tensions": (0.5, 0.0, 0.2, 0.1), "targets": ((0.05, -0.1),),
    },
}  # fmt: skip


def whole(robot):
    """All that the relations change, as a plain record."""
    parameters = MODEL.resolve(None, {**QUICK, **robot})
    record = parameters.model_dump()
    record["gravity"] = parameters.gravity_vector
    record["tie_disks"] = parameters.ties
    return record


def turned_about_z(record, matrix, azimuth):
    gravity = np.array(record["gravity"])
    gravity[:2] = matrix @ gravity[:2]
    return {
        **record,
        "gravity": tuple(gravity),
        "hole_azimuths": tuple(azimuth(each) for each in record["hole_azimuths"]),
        "targets": tuple(tuple(matrix @ np.array(target)) for target in record["targets"]),
    }


MIRROR = np.diag([-1.0, 1.0])
ROTATION = np.array([[math.cos(TURN), -math.sin(TURN)], [math.sin(TURN), math.cos(TURN)]])


def mirrored(record):
    return turned_about_z(record, MIRROR, lambda azimuth: math.pi - azimuth)


def rotated(record):
    return turned_about_z(record, ROTATION, lambda azimuth: azimuth + TURN)


def scaled(record):
    """Lengths, forces and masses each by a factor of their own, and gravity by force over mass."""
    powers = {
        "disk_spacing": Law(length=1), "length": Law(length=1), "backbone_diameter": Law(length=1),
        "hole_radius": Law(length=1), "targets": Law(length=1), "target_tolerance": Law(length=1),
        "bending_stiffness": Law(force=1, length=2), "torsion_stiffness": Law(force=1, length=2),
        "youngs_modulus": Law(force=1, length=-2), "shear_modulus": Law(force=1, length=-2),
        "density": Law(mass=1, length=-3), "disk_mass": Law(mass=1), "tip_mass": Law(mass=1),
        "payload_limit": Law(mass=1), "gravity": Law(force=1, mass=-1), "tensions": Law(force=1),
        "pretension": Law(force=1), "max_tension": Law(force=1), "stress_limit": Law(force=1, length=-2),
    }  # fmt: skip
    if record["bending_stiffness"] is not None:  # what it replaces keeps its default
        for name in ("backbone_diameter", "shear_modulus"):
            del powers[name]
    changed = {
        name: (np.array(record[name]) * factor(law)).tolist()
        for name, law in powers.items()
        if record[name] is not None
    }
    return {**record, **changed}


def renumbered(record):
    """The cables in another order, two at a time exchanged."""
    order = np.random.default_rng(4).permutation(len(record["tensions"]))
    moved = {
        name: tuple(record[name][k] for k in order) for name in ("tensions", "hole_azimuths", "tie_disks")
    }
    return {**record, **moved, "sweep_cable": int(np.flatnonzero(order == record["sweep_cable"] - 1)[0]) + 1}


RELATIONS = {"mirrored": mirrored, "rotated": rotated, "scaled": scaled, "renumbered": renumbered}


def factor(law):
    return LENGTH**law.length * FORCE**law.force * MASS**law.mass


COST_CLASS = {"sheets": "volume"}  # its straight path ends before any payload or sweep
CASES = [
    (robot, metric.name) for robot in ROBOTS for metric in MODEL.metrics_of(COST_CLASS.get(robot, "all"))
]


@functools.cache
def metrics_of(robot, relation):
    record = whole(ROBOTS[robot])
    changed = RELATIONS[relation](record) if relation else record
    outcome = MODEL.evaluate(MODEL.parameters.model_validate(changed), COST_CLASS.get(robot, "all"), 0)
    assert isinstance(outcome, Evaluation), outcome
    return outcome.metrics


def expected(metric, relation, plain):
    """Value of a metric of the changed robot by its law."""
    law, value = LAWS[metric], plain[metric]
    if value is None or relation == "renumbered":
        return value
    if relation == "scaled":
        return value * factor(law)
    if law.axis is None or law.axis == 2:
        return value
    matrix = MIRROR if relation == "mirrored" else ROTATION
    return float(matrix[law.axis] @ [plain["tip_x"], plain["tip_y"]])


def test_every_metric_has_its_law():
    assert {metric.name for metric in MODEL.metrics} == set(LAWS)
    assert "rod-1.5mm" in PRESETS


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(("robot", "metric"), CASES)
def test_a_metric_keeps_its_law(robot, relation, metric):
    wanted = expected(metric, relation, metrics_of(robot, ""))
    found = metrics_of(robot, relation)[metric]
    if wanted is None:
        assert found is None
    else:
        assert found == pytest.approx(wanted, rel=1e-6, abs=1e-9 * factor(LAWS[metric]))
