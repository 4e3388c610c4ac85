"""Drawings of ``flexible-arm``: its links and the ground, and the contact law."""

from __future__ import annotations

import math

import numpy as np

from docs.drawings.canvas import FloatArray, Picture, Plot, View, draw_frame, fitted
from models.flexible_arm import FlexibleArm, simulate
from models.flexible_arm.contact import damping_factor, effective_restitution
from models.flexible_arm.scene import bent_links
from models.scene import Line, Scene

LOSSES = (0.9, 0.5)
"""Coefficients of restitution of the drawn impacts."""
RIGID = {
    "links": 1, "mode_sets": ("rigid",), "initial_angles": (0.0,), "drop_height": 0.459, "duration": 0.307,
    "output_interval": 5e-6, "friction_coefficient": 0.0, "static_friction_coefficient": 0.0,
}  # fmt: skip
"""A rigid link that falls flat, so that each end bears half of it and hits the ground with 3 m/s."""
PLACES = 60
LANDING = 0.4351
"""Instant of the drawn arm [s]."""
ENLARGED = 8.0
"""Deflections of the drawn arm by those of the motion."""


LOOK = {"links": "cables", "start": "faint", "ground": "faint"}


def shapes() -> list[FloatArray]:
    """Points (2, s, 3) m along each link, at the start and while the arm lands, then enlarged."""
    parameters = FlexibleArm(modes=2, duration=0.5)
    found = simulate(parameters)
    place = int(np.searchsorted(found.times, LANDING))
    states = found.states[[0, place]].copy()
    states[1, 2 + parameters.links : states.shape[1] // 2] *= ENLARGED
    return [np.pad(link, ((0, 0), (0, 0), (0, 1))) for link in bent_links(parameters, states)]


def fall() -> Scene:
    """The arm at its start and while it lands, over the ground."""
    links = [Line("link", link[place], ("start", "links")[place]) for place in (0, 1) for link in shapes()]
    return Scene((*links, Line("ground", np.array([[-1.7, 0, 0], [1.7, 0, 0]]), "ground")))


def robot() -> str:
    """The default arm while it lands, its deflections enlarged, over the arm at its start."""
    links = shapes()
    picture = Picture(620, 370, "Links, ends and angles of an arm that falls on the ground")
    view = fitted(
        np.array([[1.0, 0], [0, -1.0], [0, 0]]),
        np.concatenate([np.concatenate(link) for link in links] + [[[0, 0, 0]]]),
        (60, 40, 560, 280),
    )
    ground = view((0, 0, 0))[1]
    picture.line([(20, ground), (600, ground)], "faint", 2)
    picture.line(
        [(20, ground), (600, ground), (600, ground + 14), (20, ground + 14)],
        "faint",
        0,
        closed=True,
        fill="faint",
        opacity=0.25,
    )
    for link in links:
        picture.line(view(link[0]), "faint", 1.5, dashed=True)
        picture.line(view(link[1]), "cables", 4)
        picture.line(view(link[1][[0, -1]]), "faint", 1)
    ends = view(np.array([links[0][1][0], *(link[1][-1] for link in links)]))
    for number, end in enumerate(ends):
        picture.dot(end, "platform", 6)
        picture.text(
            end + ([-30, 34] if number == 0 else [0, -14]), f"end {number}", anchor="middle", size=15
        )
    _labels(picture, view, links, ground)
    return picture.svg()


def _labels(picture: Picture, view: View, links: list[FloatArray], ground: float) -> None:
    draw_frame(picture, view, (0, 0, 0), 0.4, names=("x", "y", ""))
    picture.text(view((0, 0, 0)) + [-6, 14], "{O}", anchor="end")
    start, middle = view(links[0][0][0]), view(links[1][1])
    picture.arrow((start[0] - 30, ground), (start[0] - 30, start[1]), "other", 1.8)
    picture.text((start[0] - 22, start[1] + 14), "drop_height", "other", size=15)
    picture.text(view(links[2][0][0]) + [30, -10], "at the start", "faint", size=15)
    place = len(middle) // 3
    picture.label(
        middle[place], middle[place] + [-50, -50], "link 2: {w}({\u03b7}, {t})", "cables", anchor="middle"
    )
    hit = view(links[0][1])[0]
    picture.arrow(hit + [0, 70], hit + [0, 8], "load", 2.5)
    picture.text(hit + [8, 70], "{F_N}", "load")
    picture.arrow(hit + [4, 26], hit + [64, 26], "load", 2.5)
    picture.text(hit + [70, 32], "{F_T}", "load")
    _angle(picture, hit, view(links[0][1])[-1])


def _angle(picture: Picture, at: FloatArray, to: FloatArray) -> None:
    slope = math.atan2(at[1] - to[1], to[0] - at[0])
    turns = np.linspace(0.0, slope, 12)
    picture.line([at, at + [110, 0]], "faint", 1, dashed=True)
    picture.line(at + 84 * np.column_stack([np.cos(turns), -np.sin(turns)]), "other", 1.5)
    picture.text(at + [92, -12], "{\u03c6_1}", "other")


def impact(restitution: float) -> tuple[FloatArray, FloatArray]:
    """Depths (n,) m and forces (n,) N of an end of a rigid link that falls flat on the ground."""
    found = simulate(FlexibleArm(**RIGID, restitution=restitution))
    depths, forces = -found.points[:, 0, 1], found.normal_forces[:, 0]
    touching = np.flatnonzero(depths > 0)
    times = found.times[touching]
    wanted = np.linspace(times[0], times[-1], PLACES)
    return np.interp(wanted, times, depths[touching]), np.interp(wanted, times, forces[touching])


def contact() -> str:
    """Force over depth of two impacts that lose little and much energy."""
    picture = Picture(600, 330, "Contact force over depth, in and out; the loop is the energy that is lost")
    plot = Plot(picture, (70, 40, 400, 270), (0, 1.2), (0, 6))
    plot.axes("depth {D} in the ground [mm]", "normal force {F_N} [kN]", (0, 0.4, 0.8, 1.2), (0, 2, 4, 6))
    for number, (value, colour) in enumerate(zip(LOSSES, ("cables", "backbone"), strict=True)):
        depths, forces = impact(value)
        curve = plot(np.column_stack([1e3 * depths, 1e-3 * forces]))
        picture.line(curve, colour, 2.5, closed=True, fill=colour, opacity=0.2)
        for place in (14, 44):
            picture.arrow(curve[place], curve[place + 1], colour, 2.5)
        speed = effective_restitution(damping_factor("hu-guo", value))
        picture.line([(430, 90 + 70 * number), (454, 90 + 70 * number)], colour, 3)
        picture.text((462, 95 + 70 * number), f"{{c}} = {value:g}", colour)
        picture.text((430, 115 + 70 * number), f"leaves with {speed:.2f} of", size=15)
        picture.text((430, 132 + 70 * number), "its speed", size=15)
    picture.text((430, 250), "area = energy lost", "faint", size=15)
    return picture.svg()
