"""Sections of the validation page on the kinematics of multi-section robots."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from docs.cable_robot_paper import rows
from docs.paper_figures import drawn_again
from models.arrays import FloatArray
from models.continuum_kinematics import forward, lengths_from_arc
from models.continuum_kinematics.dexterity import dexterity
from models.continuum_kinematics.inverse import inverse_batch
from models.continuum_kinematics.reachable_volume import random_states, reachable_points, reachable_volume
from models.continuum_kinematics.reference import tip_by_equation_8
from models.continuum_kinematics.robot import Robot, robot_from_limits
from models.continuum_kinematics.sections import forward_batch
from models.continuum_kinematics.tasks import TURNED

GUIDES, RADIUS = 10, 0.01  # nothing here depends on them
SETS = {
    "7 cm, up to 90 deg": (0.07, 0.07, 90.0),
    "6 to 8 cm, up to 90 deg": (0.06, 0.08, 90.0),
    "7 cm, up to 150 deg": (0.07, 0.07, 150.0),
    "6 to 8 cm, up to 150 deg": (0.06, 0.08, 150.0),
}
"""Lengths [m] and bends of three sections."""
EXTENSIBLE = (0.06, 0.08, 135.0)
POSES, SEED = 1000, 11
STARTS = (1, 5, 20)
SAMPLES = (1_000, 10_000, 100_000)
CELLS = (25, 50, 100, 200)
DIRECTIONS = (100, 500, 2000)
COUNTS = (1, 2, 3, 4)  # of sections
POINTS = ((0.03, 0.0, 0.14), (0.03, 0.0, 0.15))
"""Points of section 4.2, as a standing robot sees them."""
BEND = (0.07, math.pi / 2)
"""Length [m] and bend [rad] of the section that shows the axes."""
PHIS = (-90.0, 0.0, 90.0, 180.0)  # [deg]


def sections() -> Iterator[str]:
    """All of them, as lines of Markdown."""
    yield from axes()
    yield from workspaces()
    yield from random_poses()
    yield from sampling()


def robot(low: float, high: float, degrees: float, sections: int = 3) -> Robot:
    """Sections with these limits."""
    return robot_from_limits([[low, high]] * sections, [math.radians(degrees)] * sections, GUIDES, RADIUS)


def axes() -> Iterator[str]:
    """The paper's axes and signs against ours, with a section bent by a right angle."""
    lowest = 100 * float(reachable_points(robot(*EXTENSIBLE), SAMPLES[-1])[:, 2].min())
    yield "### Axes and signs\n"
    yield (
        "In the paper's equations 7 and 8, a straight section lies along +z, as in our base frame, and bends "
        "away from the direction phi: with phi = 0 towards -x. The targets of its tests lie at z = -19.55 "
        "(equation 23), -14 and -15 (section 4.2.3). So that robot hangs, which the paper does not say: "
        f"standing, the tip of ours comes down to {lowest:.1f} cm. Ours hangs turned by 180 degrees about x; "
        "turned about y, it would reach the same points. Cables lie at -90, 30 and 150 degrees, as equation "
        "12 says once its fraction is corrected. The table shows a section of 7 cm that is bent by 90 "
        "degrees.\n"
    )
    yield from rows(
        [
            "phi [deg]",
            "equation 8 [cm]",
            "ours, standing [cm]",
            "ours, hanging [cm]",
            "shortest cables",
        ],
        [_axes_row(math.radians(phi)) for phi in PHIS],
        5,
    )


def _axes_row(phi: float) -> list[str]:
    s, theta = BEND
    section = [[s, theta * math.cos(phi), theta * math.sin(phi)]]
    tip = forward(section)[:3, 3]
    lengths = lengths_from_arc(section, GUIDES, RADIUS)[0]
    shortest = [f"{cable + 1}" for cable in np.flatnonzero(lengths < lengths.min() + 1e-9)]
    places = [_centimetres(each) for each in (tip_by_equation_8(s, theta / s, phi), tip, TURNED @ tip)]
    return [f"{math.degrees(phi):.0f}", *places, " and ".join(shortest)]


def _centimetres(point: FloatArray) -> str:
    return "(" + ", ".join(f"{100 * float(each):.3f}" for each in point.round(7) + 0.0) + ")"


def workspaces() -> Iterator[str]:
    """The paper's views of workspaces, and how the volume grows with sections."""
    yield "### The workspaces of the paper\n"
    yield (
        "These are figures 5 to 7 and 10 to 12 of the paper, each group one workspace from three sides, "
        "drawn from our numbers with sections of 6 to 8 cm that bend by up to 135 degrees: the paper prints "
        "no limits. It says that more sections make the workspace larger; the table shows by how much.\n"
    )
    found = [reachable_volume(robot(*EXTENSIBLE, count)) for count in COUNTS]
    cells = [
        ["volume [cm^3]", *(f"{1e6 * each.volume:.0f}" for each in found)],
        ["error [cm^3]", *(f"{1e6 * each.error:.0f}" for each in found)],
    ]
    yield from rows(["sections", *(str(count) for count in COUNTS)], cells)
    yield from drawn_again("continuum-kinematics")


def random_poses() -> Iterator[str]:
    """Starts that random poses need."""
    yield "### Inverse kinematics of random poses\n"
    yield (
        f"The table shows the share of {POSES} random reachable poses that are met with up to so many "
        "starts, in position to 1e-8 m and in orientation to 1e-8 rad. The poses are those of random states "
        f"within the limits (seed {SEED}): lengths are uniform, and bends are uniform in their disk. The "
        "robot has three sections.\n"
    )
    body: list[list[str]] = []
    for name, limits in SETS.items():
        within = robot(*limits)
        draws = np.random.default_rng(SEED).random((POSES, 3, 3))
        poses = forward_batch(random_states(within, draws))
        shares = (
            np.mean([found.converged for found in inverse_batch(poses, within, starts=most)])
            for most in STARTS
        )
        body.append([name, *(f"{share:.1%}".replace("%", " %") for share in shares)])
    yield from rows(["sections", *(f"{most} starts" if most > 1 else "1 start" for most in STARTS)], body)


def sampling() -> Iterator[str]:
    """Volumes and dexterity with more samples and more directions."""
    yield "### Samples, rings and directions\n"
    yield (
        "The tables vary `samples`, `cells` and `directions` for the preset `extensible`. The error is "
        "`reachable_volume_error`.\n"
    )
    within = robot(*EXTENSIBLE)
    volumes = [f"{1e6 * reachable_volume(within, samples).volume:.0f}" for samples in SAMPLES]
    yield from rows(["samples", *(f"{samples:.0e}" for samples in SAMPLES)], [["volume [cm^3]", *volumes]])
    found = [reachable_volume(within, cells=cells) for cells in CELLS]
    body = [
        ["volume [cm^3]", *(f"{1e6 * each.volume:.0f}" for each in found)],
        ["error [cm^3]", *(f"{1e6 * each.error:.0f}" for each in found)],
    ]
    yield from rows(["cells", *(str(cells) for cells in CELLS)], body)
    means = [np.mean([dexterity(within, point, count).share for point in POINTS]) for count in DIRECTIONS]
    body = [["dexterity", *(f"{mean:.3f}" for mean in means)]]
    yield from rows(["directions", *(str(count) for count in DIRECTIONS)], body)
