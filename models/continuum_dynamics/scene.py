"""Drawings of the robot: its lines in one state, and the 3D view of a design."""

from __future__ import annotations

import math

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.continuum.gravity import upwards
from models.continuum_dynamics.formulation import last_pulls, natural_frequencies, simulate, static_solution
from models.continuum_dynamics.integration import Motion
from models.continuum_dynamics.parameters import ContinuumDynamics
from models.continuum_dynamics.robot import robot_of
from models.scene import MOST_MOVING_POINTS, Line, Moment, Scene, pulled

PER_ELEMENT = 6
RING, MOVING_RING = 24, 12  # corners of a disk's outline; fewer where it is drawn at many moments
MOMENTS = 121
SWAY = 0.1  # of the length; how far a vibration is drawn


def robot_lines(
    parameters: ContinuumDynamics,
    positions: FloatArray,
    rotations: FloatArray,
    prefix: str = "",
    ring: int = RING,
    tensions: FloatArray | None = None,
) -> list[Line]:
    """Backbone, disks and cables with the disks at ``positions`` (n + 1, 3) [m], ``rotations`` (n + 1, 3, 3).

    Cables that are absent are not drawn. ``tensions`` (m,) [N] colour the others.
    """
    lines = [Line(f"{prefix}backbone", backbone(positions, rotations), "backbone")]
    for disk, outline in enumerate(_rings(parameters, positions, rotations, ring)):
        lines.append(Line(f"{prefix}disk {disk}", outline, "disks"))
    for cable, drive in enumerate(parameters.drives, 1):
        if drive.state != "absent":
            azimuth = parameters.azimuths[cable - 1]
            hole = parameters.hole_radius * np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
            line = Line(f"{prefix}cable {cable}", positions + rotations @ hole, "cables", cable)
            lines += [line] if tensions is None else pulled([line], [tensions[cable - 1]])
    return lines


def backbone(positions: FloatArray, rotations: FloatArray) -> FloatArray:
    """Points (k, 3) [m] along the backbone: cubics that meet the disks with their normals.

    Between disks of one arc that bends by a, they are a^4/384 of its length from it at most.
    """
    shares = np.arange(PER_ELEMENT) / PER_ELEMENT
    parts: list[FloatArray] = []
    for k in range(len(positions) - 1):
        begin, end = positions[k], positions[k + 1]
        chord = float(np.linalg.norm(end - begin))
        slopes = chord * rotations[k : k + 2, :, 2]
        h = shares[:, None]
        parts.append(
            (1 + 2 * h) * (1 - h) ** 2 * begin + h * (1 - h) ** 2 * slopes[0]
            + h**2 * (3 - 2 * h) * end - h**2 * (1 - h) * slopes[1]
        )  # fmt: skip
    return np.concatenate([*parts, positions[-1:]])


def _rings(
    parameters: ContinuumDynamics, positions: FloatArray, rotations: FloatArray, ring: int
) -> list[FloatArray]:
    """Closed outlines (ring + 1, 3) [m] of the disks, the base first."""
    turns = np.linspace(0.0, 2 * np.pi, ring + 1)
    outline = parameters.disk_radius * np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
    return [position + outline @ rotation.T for position, rotation in zip(positions, rotations, strict=True)]


def scene(parameters: ContinuumDynamics) -> Scene:
    """The motion, and the robot at its end; without a motion, the robot at rest under its last lengths."""
    try:
        motion = simulate(parameters)
    except InputError:
        return _scene_at_rest(parameters)
    if len(motion.times) < 2:
        return _scene_at_rest(parameters)
    moments = _moments(parameters, motion)
    caption = f"A motion of {motion.times[-1]:.4g} s; the robot is shown at its end, or at a chosen moment."
    if not motion.completed:
        caption = f"{caption} It was not found further: {motion.reason}."
    mode, words = _first_mode(parameters)
    last = robot_lines(
        parameters, motion.positions[-1], motion.rotations[-1], "", MOVING_RING, motion.tensions[-1]
    )
    shapes = (*last, *mode)
    return Scene(shapes, f"{caption}{words}", upwards(parameters.gravity_vector), moments)


def _moments(parameters: ContinuumDynamics, motion: Motion) -> tuple[Moment, ...]:
    """Moments at equal distances in time, both ends among them, as many as a scene can have."""

    def lines_at(place: int) -> tuple[Line, ...]:
        lines = robot_lines(parameters, motion.positions[place], motion.rotations[place], ring=MOVING_RING)
        return tuple(lines)

    points = sum(len(line.points) for line in lines_at(0))
    count = min(MOMENTS, MOST_MOVING_POINTS // points, len(motion.times))
    places = np.linspace(0, len(motion.times) - 1, count).round().astype(int)
    return tuple(Moment(float(motion.times[place]), lines_at(place)) for place in places)


def _first_mode(parameters: ContinuumDynamics) -> tuple[list[Line], str]:
    """The ends of the slowest vibration about the last state at rest, not to scale, and a sentence on it."""
    rest = static_solution(parameters, last_pulls(parameters))
    if not (rest.exists and rest.stable):
        return [], ""
    modes = natural_frequencies(robot_of(parameters), rest, 1)
    if not len(modes.frequencies):
        return [], ""
    away = SWAY * parameters.length * modes.displacements[0]
    lines = [
        Line(f"first mode, {way}", _smooth(rest.positions + sign * away), "first mode")
        for way, sign in (("one way", 1.0), ("the other way", -1.0))
    ]
    words = f" About its rest, the robot vibrates with {modes.frequencies[0]:.3g} Hz at least (first mode)."
    return lines, words


def _smooth(positions: FloatArray) -> FloatArray:
    """Points (k, 3) [m] of a smooth curve through the disks at ``positions`` (n + 1, 3) [m]."""
    from scipy.interpolate import make_interp_spline

    count = len(positions) - 1
    curve = make_interp_spline(np.arange(count + 1), positions, min(3, count))
    return np.asarray(curve(np.linspace(0, count, PER_ELEMENT * count)))


def _scene_at_rest(parameters: ContinuumDynamics) -> Scene:
    rest = static_solution(parameters, last_pulls(parameters))
    caption = (
        "At rest under the last lengths of the cables."
        if rest.exists
        else f"The last state that was found: {rest.reason}."
    )
    tensions = rest.tensions if rest.exists else None
    lines = robot_lines(parameters, rest.positions, rest.rotations, tensions=tensions)
    return Scene(tuple(lines), caption, upwards(parameters.gravity_vector))
