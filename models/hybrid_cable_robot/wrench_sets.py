"""The suspended mass, and the boxes of external wrenches that a record's ``wrench_set`` stands for."""

from __future__ import annotations

import math

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.weight_moments import box_corners, first_moments, moments_at
from models.hybrid_cable_robot.bodies import ARM_LINKS, GRAVITY, PLATFORM_BODY
from models.hybrid_cable_robot.parameter_types import WrenchBox
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.trajectory_sampling import Samples, reaction_box, sample_of
from models.numerics.rotations import cross, turn


def suspended_mass(parameters: HybridCableRobot) -> float:
    """Mass [kg] of platform and arm."""
    return parameters.platform_body.mass + math.fsum(link.mass for link in parameters.arm_links)


def weight(parameters: HybridCableRobot) -> float:
    """Weight [N] of platform and arm."""
    return -float(GRAVITY[2]) * suspended_mass(parameters)


def body_warnings(parameters: HybridCableRobot) -> tuple[str, ...]:
    """A sentence for each inertia tensor that no body can have.

    The paper's own are used as printed, without a word: those of the platform and of link 5 are of
    no body.
    """
    names = ["platform_body", *(f"arm_links.{i}" for i in range(len(parameters.arm_links)))]
    bodies = (parameters.platform_body, *parameters.arm_links)
    printed = {body.inertia for body in (PLATFORM_BODY, *ARM_LINKS)}
    return tuple(
        f"'{name}.inertia' {body.fault}: no real body has this inertia; it is used as given"
        for name, body in zip(names, bodies, strict=True)
        if body.inertia not in printed and body.fault
    )


SIDEWAYS = (4.0, 4.0, 0.0, 0.3, 0.3, 0.1)  # [N, N m], half range of the set "box"
EXTREME = (-4.0, -4.0, -21.0, -3.0, -3.0, -1.0)  # [N, N m], the paper's largest reaction of the arm


def wrench_box(parameters: HybridCableRobot) -> tuple[FloatArray, FloatArray]:
    """Centre and half range, (6,) N and N m each, about the platform's origin in world axes.

    ``gravity`` and ``box`` hold the weight of platform and arm, ``trajectory`` the weight and the wrenches of
    inertia along the record's trajectory: all without the moment of the weight, which turns with the
    platform (:func:`turning_moments`). Where the arm cannot follow its tool's path, the last one is that
    of the arm at rest: :func:`path_fault` tells so to those who report results.
    """
    chosen = parameters.wrench_set
    if isinstance(chosen, WrenchBox):
        return np.array(chosen.center), np.array(chosen.half_range)
    if chosen == "trajectory":
        path = sample_of(parameters)
        moments = moments_at(parameters, path.arm.angles)
        turned = turn(path.platform.rotation, moments)
        return reaction_box(parameters, path, cross(turned, GRAVITY))
    if chosen == "paper-extreme":
        return np.array(EXTREME), np.zeros(6)
    center = np.array([0.0, 0.0, -weight(parameters), 0.0, 0.0, 0.0])
    half_range = np.array(SIDEWAYS) if chosen == "box" else np.zeros(6)
    return center, half_range + inertia_range(parameters)


def inertia_range(parameters: HybridCableRobot) -> FloatArray:
    """Half range (6,) N and N m of the inertia at ``acceleration`` in any direction."""
    if not parameters.acceleration:
        return np.zeros(6)
    arms = np.linalg.norm(first_moments(parameters), axis=1).max()
    force, torque = suspended_mass(parameters) * parameters.acceleration, arms * parameters.acceleration
    return np.array([force, force, force, torque, torque, torque])


def turning_moments(parameters: HybridCableRobot) -> FloatArray:
    """First moments (p, 3) kg m whose weight adds a torque to the centre, one per posture of the arm.

    Along a trajectory the corners of the box around those of its postures. A row of zeros where the wrench
    set is as given, or the weight's moment is ignored.
    """
    chosen = parameters.wrench_set
    if parameters.weight_moment == "ignored" or chosen not in ("gravity", "box", "trajectory"):
        return np.zeros((1, 3))
    if chosen != "trajectory":
        return first_moments(parameters)
    angles = sample_of(parameters).arm.angles
    return box_corners(moments_at(parameters, angles))


def path_fault(parameters: HybridCableRobot) -> Samples | None:
    """The sampled trajectory when the wrench set needs it and the arm cannot follow it."""
    if parameters.wrench_set != "trajectory" or parameters.path.tool_positions is None:
        return None
    path = sample_of(parameters)
    return path if path.fault else None


def require_wrench_set(parameters: HybridCableRobot) -> None:
    """Raise ``InputError`` when the wrench set is that of a trajectory that the arm cannot follow."""
    fault = path_fault(parameters)
    if fault is not None:
        raise InputError(f"{fault.fault}, so there is no wrench set", ("trajectory",))
