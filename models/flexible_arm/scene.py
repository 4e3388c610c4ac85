"""Drawings of the arm: its links as they bend, the ground, and the 3D view of a design in motion.

World frame: x along level ground, y upwards; the arm moves in the plane z = 0.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import arm_of
from models.flexible_arm.ground import ground_at
from models.flexible_arm.integration import Motion
from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.simulation import simulate
from models.scene import MOST_MOVING_POINTS, Line, Moment, Points, Scene

MOMENTS = 151
MOST_PLACES = 300  # along all links of one moment
PLACES = (3, 21)  # along a link, at least and at most
PER_MODE = 4  # of them for each mode at least
RING = 9  # corners of the ring that shows an end of a link, and its first one again
RADIUS = 0.012  # of such a ring, by the length of the straight arm and the root of the number of links
BEYOND = 0.15  # of what moves, by which the drawn ground reaches further on both sides
GROUND_PLACES = 201


def bent_links(parameters: FlexibleArm, states: FloatArray) -> list[FloatArray]:
    """Points (k, s, 2) [m] along each link from its first end, at k states (k, 2 N) of the motion.

    They are ``r = O + R(phi) [eta, w(eta)]``, as the equations of motion see them.
    """
    arm, count = arm_of(parameters), parameters.links
    places = min(max(MOST_PLACES // count, PLACES[0]), PLACES[1])
    places = max(places, PER_MODE * max(parameters.modal_counts) + 1)
    first = states[:, None, :2]
    links: list[FloatArray] = []
    for i, modes in enumerate(parameters.beam_modes):
        eta = np.linspace(0.0, arm.lengths[i], places)
        w = np.zeros((len(states), places))
        if modes is not None:
            shapes = modes.shapes(eta)
            w = states[:, arm.offsets[i] : arm.offsets[i + 1]] @ (shapes - shapes[0]).T
        cosine, sine = np.cos(states[:, 2 + i, None]), np.sin(states[:, 2 + i, None])
        links.append(first + np.stack([cosine * eta - sine * w, sine * eta + cosine * w], axis=2))
        first = links[-1][:, -1:]
    return links


def scene(parameters: FlexibleArm) -> Scene:
    """The motion, with the arm at its end, the ground, and where ends of links touched it."""
    return scene_of(parameters, simulate(parameters))


def scene_of(parameters: FlexibleArm, motion: Motion) -> Scene:
    """The scene of a motion that is known."""
    moments = _moments(parameters, motion)
    shapes: list[Line | Points] = [*moments[-1].lines, _ground_line(parameters, motion)]
    if motion.contacts:
        x = np.array([hit.x for hit in motion.contacts])
        shapes.append(Points("contacts", in_space(np.stack([x, heights(parameters, x)], axis=1))))
    return Scene(tuple(shapes), _caption(motion), "y", moments if len(moments) > 1 else ())


def _caption(motion: Motion) -> str:
    count = len(motion.contacts)
    touched = f"ends of links touch the ground {count} times" if count > 1 else (
        "one end of a link touches the ground" if count else "no end of a link touches the ground"
    )  # fmt: skip
    found = "" if motion.completed else f" It was not found further: {motion.reason}."
    return (
        f"A motion of {motion.times[-1]:.4g} s, in which {touched}; the arm is shown at its end, or at a "
        f"chosen moment.{found}"
    )


def heights(parameters: FlexibleArm, x: FloatArray) -> FloatArray:
    """Height (k,) [m] of the ground at places ``x`` (k,) [m]."""
    return ground_at(parameters.profile, x).height


def _ground_line(parameters: FlexibleArm, motion: Motion) -> Line:
    low, high = float(motion.points[..., 0].min()), float(motion.points[..., 0].max())
    room = BEYOND * (high - low) + 1e-3
    if parameters.ground:
        x = np.linspace(low - room, high + room, GROUND_PLACES)
    else:
        x = np.array([low - room, high + room])
    return Line("ground", in_space(np.stack([x, heights(parameters, x)], axis=1)))


def _moments(parameters: FlexibleArm, motion: Motion) -> tuple[Moment, ...]:
    """Moments at almost equal distances in time, both ends among them, as many as a scene can have."""
    wanted = even_instants(motion.times, MOMENTS)
    links, rings = bent_links(parameters, motion.states[wanted]), _rings(parameters, motion.points[wanted])
    points = sum(link.shape[1] for link in links) + rings.shape[1] * rings.shape[2]
    most = MOST_MOVING_POINTS // points
    kept = range(len(wanted))
    if len(wanted) > most:
        kept = np.linspace(0, len(wanted) - 1, most).round().astype(int).tolist()
    return tuple(
        Moment(float(motion.times[wanted[place]]), _lines([link[place] for link in links], rings[place]))
        for place in kept
    )


def even_instants(times: FloatArray, most: int) -> list[int]:
    """Places of at most ``most`` of the times (k,), almost evenly spread over time, both ends among them."""
    wanted = np.linspace(times[0], times[-1], most)
    places = np.searchsorted(times, wanted).clip(1, max(len(times) - 1, 1))
    nearer = places - (wanted - times[places - 1] < times[places.clip(max=len(times) - 1)] - wanted)
    return np.unique(nearer.clip(0, len(times) - 1)).tolist()


def _lines(links: list[FloatArray], rings: FloatArray) -> tuple[Line, ...]:
    return (
        *(Line(f"link {number}", in_space(link), "links") for number, link in enumerate(links, 1)),
        *(Line(f"end {number}", in_space(ring), "ends of links") for number, ring in enumerate(rings)),
    )


def _rings(parameters: FlexibleArm, points: FloatArray) -> FloatArray:
    """Closed outlines (k, n + 1, RING, 2) [m] about ends of links at ``points`` (k, n + 1, 2) [m]."""
    turns = np.linspace(0.0, 2 * math.pi, RING)
    radius = RADIUS * sum(parameters.lengths) / math.sqrt(parameters.links)
    return points[:, :, None] + radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)


def in_space(points: FloatArray) -> FloatArray:
    """Points (k, 3) [m] of a plane's (k, 2)."""
    return np.concatenate([points, np.zeros((len(points), 1))], axis=1)
