"""Drawings of the robot: one state as lines, and the 3D view of a design."""

from __future__ import annotations

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.continuum.arc import arc
from models.continuum.gravity import upwards
from models.continuum_statics.equilibrium import Equilibrium, equilibrium
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.pose import StablePose, stable_equilibrium
from models.continuum_statics.records import Snap
from models.continuum_statics.robot import disks, frames, robot_of, whole_tensions
from models.continuum_statics.tension_sweep import stable_path
from models.continuum_statics.workspace import stable_workspace
from models.contract import Infeasible
from models.scene import Line, Points, Scene, Surface, Up, pulled

PER_ARC = 8
RING = 24
DISK = 1.1  # radius of a disk by that of its holes


def up_of(parameters: ContinuumStatics) -> Up:
    """The axis that points most nearly against gravity; the rod's own where there is none."""
    return upwards(parameters.gravity_vector)


def backbone(parameters: ContinuumStatics, q: FloatArray, per_arc: int = PER_ARC) -> FloatArray:
    """Points (n per_arc + 1, 3) [m] along the rod in a state ``q`` (n, 3) [rad].

    An arc's part has that part of its bending angles and length; the twist at its end does not move it.
    """
    length = robot_of(parameters).L
    ends = frames(parameters, q)
    shares = np.arange(1, per_arc + 1) / per_arc
    points = [np.zeros((1, 3))]
    for place, angles in enumerate(q):
        local = np.array([arc(share * angles, share * length).p for share in shares])
        points.append(ends.positions[place] + local @ ends.rotations[place].T)
    return np.concatenate(points)


def disk_rings(parameters: ContinuumStatics, q: FloatArray) -> list[FloatArray]:
    """Closed outlines (RING + 1, 3) [m] of the disks, the base first."""
    turns = np.linspace(0.0, 2 * np.pi, RING + 1)
    outline = DISK * parameters.hole_radius * np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
    where = disks(parameters, q)
    return [
        position + outline @ rotation.T
        for position, rotation in zip(where.positions, where.rotations, strict=True)
    ]


def cable_lines(parameters: ContinuumStatics, q: FloatArray) -> list[FloatArray]:
    """Holes (t + 1, 3) [m] that each cable runs through, from the base to its tie disk t."""
    where = disks(parameters, q)
    lines: list[FloatArray] = []
    for hole, tie in zip(robot_of(parameters).holes, parameters.ties, strict=True):
        offsets = where.rotations[: tie + 1] @ np.array([hole[0], hole[1], 0.0])
        lines.append(where.positions[: tie + 1] + offsets)
    return lines


def robot_lines(
    parameters: ContinuumStatics, q: FloatArray, tensions: FloatArray | None = None
) -> tuple[Line, ...]:
    """Backbone, cables and disks in a state ``q`` (n, 3) [rad]; ``tensions`` (m,) [N] colour the cables."""
    cables = [
        Line(f"cable {number}", points, "cables", number)
        for number, points in enumerate(cable_lines(parameters, q), 1)
    ]
    rings = enumerate(disk_rings(parameters, q))
    return (
        Line("backbone", backbone(parameters, q), "backbone"),
        *(cables if tensions is None else pulled(cables, tensions)),
        *(Line(f"disk {number}", points, "disks") for number, points in rings),
    )


MOST_RAYS, MOST_STEPS = 12, 81  # a picture needs no more


def scene(parameters: ContinuumStatics) -> Scene:
    """The robot under its tensions, the jump of its sweep, its stable workspace and its targets."""
    tensions = np.array(parameters.tensions)
    pose = stable_equilibrium(parameters, tensions)
    state = equilibrium(parameters, tensions) if isinstance(pose, Infeasible) else pose.state
    jump = _first_snap(parameters)
    shapes = (
        *robot_lines(parameters, state.q, whole_tensions(parameters, tensions) if state.exists else None),
        *([] if jump is None else _jump_lines(parameters, jump)),
        *_workspace(parameters),
    )
    return Scene(shapes, _caption(parameters, state, pose, jump), up_of(parameters))


def _first_snap(parameters: ContinuumStatics) -> Snap | None:
    try:
        path = stable_path(parameters)
    except InputError:  # no equilibrium with the swept cable slack
        return None
    return next((event.snap for event in path.events if event.snap is not None), None)


def _jump_lines(parameters: ContinuumStatics, jump: Snap) -> tuple[Line, Line]:
    return (
        Line(
            f"before the jump at {jump.tension:.3g} N", backbone(parameters, jump.before), "before the snap"
        ),
        Line(f"after the jump at {jump.tension:.3g} N", backbone(parameters, jump.after), "after the snap"),
    )


def _workspace(parameters: ContinuumStatics) -> tuple[Surface | Points, ...]:
    coarse = {
        "rays": min(parameters.rays, MOST_RAYS),
        "tension_steps": min(parameters.tension_steps, MOST_STEPS),
    }
    sampled = stable_workspace(parameters.model_copy(update=coarse))
    if not len(sampled.triangles):
        return ()
    used, corners = np.unique(sampled.triangles, return_inverse=True)
    vertices = sampled.vertices.tips[used]
    return (Surface("stable workspace", vertices, corners.reshape(-1, 3).astype(np.int64)),)


def _caption(
    parameters: ContinuumStatics, state: Equilibrium, pose: StablePose | Infeasible, jump: Snap | None
) -> str:
    pulled = ", ".join(f"{tension:.3g}" for tension in parameters.tensions)
    besides = f" and {parameters.pretension:.3g} N in every cable besides" if parameters.pretension else ""
    if isinstance(pose, StablePose):
        passed = "".join(f" {each[:1].upper()}{each[1:]}." for each in pose.warnings)
        text = f"Stable equilibrium under {pulled} N{besides}; mu_min is {state.mu_min:.3g}.{passed}"
    else:
        shown = "" if state.exists else ", up to where it ends"
        text = (
            f"{pose.reason[:1].upper()}{pose.reason[1:]}. The branch of the straight robot is shown{shown}."
        )
    if jump is None:
        return text
    return (
        f"{text} Pulled from 0, cable {parameters.sweep_cable} makes the robot jump at {jump.tension:.3g} N, "
        f"which releases {1e3 * jump.energy_released:.3g} mJ."
    )
