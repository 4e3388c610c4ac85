"""The figures of Yousefzadeh and Shafei (2024), drawn again, with both statements.

Statements of the paper are in our words; its curves exist only as pictures. Its joints O1 to O4 are our ends
0 to 3. Most figures show the four sets of mode shapes, one in each panel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dashboards.content.backends.flexible_arm import Simulation, simulated
from dashboards.content.drawing import Drawing
from dashboards.figures.axes import axis, frame
from dashboards.figures.time_series import TimeCurve, TimePanel, time_series_figure
from dashboards.formatting import number, quantity
from dashboards.palette import style_of
from dashboards.templating import plotly_text, rounded
from docs.paper_figure import PaperFigure
from models.arrays import FloatArray
from models.flexible_arm import PRESETS, FlexibleArm
from models.flexible_arm.reference import MODE_SETS
from models.flexible_arm.response import symmetry_error
from models.flexible_arm.scene import bent_links

BENT_AT = 0.7
"""The instant of figure 4 [s]."""
ENLARGED = 10.0
"""Deflections in figure 4; the paper's factor is not printed."""
ZOOM = (0.5, 0.6)
"""The time that the paper enlarges in figure 6 [s]."""
REGULAR = 0.9
"""Instant [s] before which all motions of an ensemble have equally many contacts."""
MOTIONS = tuple(MODE_SETS)


def motion(robot: str) -> Simulation:
    """The fall with one of the paper's sets of mode shapes."""
    settings = {**PRESETS["paper"].settings, "mode_sets": MODE_SETS[robot]}
    return simulated(FlexibleArm.model_validate(settings))


def frequency(found: Simulation, link: int) -> float:
    """Mean frequency [Hz] of a link's weight up to 0.9 s, from the changes of sign of its rate."""
    states, times = found.motion.states, found.motion.times
    start, last = found.first.hits[0].entry, int(np.searchsorted(times, REGULAR))
    rates = states[:last, states.shape[1] // 2 + 2 + found.parameters.links + link]
    turns = np.count_nonzero(np.diff(np.sign(rates[times[:last] >= start])))
    return float(turns) / (2 * (REGULAR - start))


def deflection(found: Simulation, start: float, end: float) -> float:
    """Greatest deflection [m] of any link between two instants [s]."""
    times = found.motion.times
    return float(found.deflections[(times >= start) & (times <= end)].max())


def early_contacts(found: Simulation) -> int:
    """Contacts that begin up to 0.9 s."""
    return sum(hit.entry <= REGULAR for hit in found.motion.contacts)


def energy_errors(found: Simulation) -> FloatArray:
    """Error (k,) [%] of the balance of energy, by the energy at the start."""
    balance = found.motion.energy_balance
    return 100 * np.abs(balance.imbalance()) / balance.mechanical()[0]


def _at_most(value: float, bound: float, unit: str) -> str:
    """The bound if the value is below it, as values near rounding differ between processors."""
    return quantity(max(value, bound), unit, 2)


# ---------------------------------------------------------------- panels


def _panels(
    figure: PaperFigure, unit: str, curves: Callable[[Simulation], Sequence[tuple[str, FloatArray]]]
) -> dict[str, Any]:
    """One panel for each set of mode shapes."""
    panels: list[TimePanel] = []
    for robot in figure.robots:
        found = motion(robot)
        drawn = tuple(TimeCurve(name, found.motion.times, values) for name, values in curves(found))
        panels.append(TimePanel(robot, unit, drawn))
    return time_series_figure(panels)


def _by_joint(values: FloatArray) -> list[tuple[str, FloatArray]]:
    """Curves of values (k, 4) of the four joints."""
    return [(f"O{joint}", values[:, joint - 1]) for joint in range(1, 5)]


def _listed(figure: PaperFigure, value: Callable[[Simulation], str]) -> str:
    """A value of each motion, by its set of mode shapes."""
    return ", ".join(f"{value(motion(robot))} ({robot})" for robot in figure.robots)


def _joints(
    unit: str, values: Callable[[Simulation], FloatArray], words: Callable[[PaperFigure], str]
) -> Callable[[PaperFigure], Drawing]:
    """Make the drawer of values (k, 4) of the four joints: figures 5, 6, 8 and 9."""

    def draw(figure: PaperFigure) -> Drawing:
        drawn = _panels(figure, unit, lambda found: _by_joint(values(found)))
        return Drawing("", words(figure), drawn, "tall")

    return draw


def _symmetry_words(figure: PaperFigure) -> str:
    early = max(symmetry_error(motion(robot).motion, REGULAR) for robot in figure.robots)
    return (
        f"Up to {REGULAR:g} s, joints are mirror images of each other to {_at_most(early, 1e-8, 'm')} in all "
        "four motions."
    )


def _zoom_words(figure: PaperFigure) -> str:
    greatest = _listed(figure, lambda found: quantity(deflection(found, *ZOOM), "m", 3))
    return f"From {ZOOM[0]:g} to {ZOOM[1]:g} s, links bend by up to {greatest}."


def _inner_words(figure: PaperFigure) -> str:
    def greatest(robot: str) -> float:
        found = motion(robot).motion
        return float(np.abs(found.velocities[found.times <= REGULAR, 1:3, 0]).max())

    speed = max(greatest(robot) for robot in figure.robots)
    return (
        f"Up to {REGULAR:g} s, O2 and O3 move along the ground with at most {_at_most(speed, 1e-8, 'm/s')}."
    )


def _frequency_words(figure: PaperFigure) -> str:
    found = _listed(figure, lambda found: quantity(frequency(found, 0), "Hz", 3))
    return f"From the first contact to {REGULAR:g} s, the weight of link 1 vibrates with {found} in the mean."


# ---------------------------------------------------------------- figures of their own


def bent(figure: PaperFigure) -> Drawing:
    """Figure 4: the arm at one instant, with enlarged deflections."""
    data: list[dict[str, Any]] = []
    for place, robot in enumerate(figure.robots):
        found, look = motion(robot), style_of(place)
        points = np.concatenate(_enlarged(found), axis=0)
        data.append({
            "type": "scatter", "mode": "lines", "name": plotly_text(robot),
            "x": rounded(points[:, 0].tolist(), 4), "y": rounded(points[:, 1].tolist(), 4),
            "line": {"color": look.colour, "dash": look.dash, "width": 2},
        })  # fmt: skip
    axes = {"xaxis": axis("X1 [m]"), "yaxis": axis("X2 [m]", scaleanchor="x", scaleratio=1)}
    # One digit: after the contacts, processors that round differently differ by 4 % here.
    words = _listed(figure, lambda found: quantity(deflection(found, BENT_AT, BENT_AT + 1e-3), "m", 1))
    caption = f"Deflections are {ENLARGED:g} times as large as they are; the greatest one is about {words}."
    return Drawing("", caption, {"data": data, "layout": frame(**axes, showlegend=True)}, "flat")


def _enlarged(found: Simulation) -> list[FloatArray]:
    """Points (s, 2) m of each link in figure 4. The modes of all sets leave the joints where they are."""
    place = int(np.searchsorted(found.motion.times, BENT_AT))
    states = found.motion.states[place : place + 1].copy()
    states[:, 2 + found.parameters.links : states.shape[1] // 2] *= ENLARGED
    return [link[0] for link in bent_links(found.parameters, states)]


def contacts(figure: PaperFigure) -> Drawing:
    """Figure 7: heights of the joints, and how many contacts began."""
    found = motion(figure.robots[0])
    times, hits = found.motion.times, found.motion.contacts
    counts = np.searchsorted([hit.entry for hit in hits], times, side="right").astype(float)
    panels = [
        TimePanel(
            "X2",
            "m",
            tuple(TimeCurve(name, times, each) for name, each in _by_joint(found.motion.points[..., 1])),
        ),
        TimePanel("contacts", "1", (TimeCurve("contacts that began", times, counts),)),
    ]
    first = ", ".join(
        f"{hit.entry:.6f}" for hit in found.first.hits if hit.point == found.first.hits[0].point
    )
    caption = (
        f"O1 and O4 touch the ground at {first} s in the first contact. {early_contacts(found)} contacts "
        f"begin up to {REGULAR:g} s; how many follow is chance, as the motion is chaotic."
    )
    return Drawing("", caption, time_series_figure(panels), "tall")


def weights(figure: PaperFigure) -> Drawing:
    """Figure 10: weights of the modes of the three links."""

    def curves(found: Simulation) -> list[tuple[str, FloatArray]]:
        first = 2 + found.parameters.links
        return [(f"link {link + 1}", found.motion.states[:, first + link]) for link in range(3)]

    def greatest(found: Simulation) -> str:
        early = found.motion.times <= REGULAR
        return quantity(max(float(np.abs(values[early]).max()) for _, values in curves(found)), "m", 3)

    caption = (
        f"The greatest weight up to {REGULAR:g} s is {_listed(figure, greatest)}. These differ less than the "
        "root mean squares over the whole motion, which the reference cases compare."
    )
    return Drawing("", caption, _panels(figure, "m", curves), "tall")


def normal_forces(figure: PaperFigure) -> Drawing:
    """Figure 11: normal forces on the joints."""
    drawn = _panels(figure, "N", lambda found: _by_joint(found.motion.normal_forces))
    first = _listed(figure, lambda found: quantity(found.first.peak_force, "N", 4))
    forces = motion(figure.robots[0]).first
    caption = (
        f"With {figure.robots[0]}, O1 meets {forces.micro_impacts} separate forces in its first contact. The "
        f"greatest force on it in its first contact is {first}."
    )
    return Drawing("", caption, drawn, "tall")


def friction_forces(figure: PaperFigure) -> Drawing:
    """Figure 12: friction on the joints."""
    drawn = _panels(figure, "N", lambda found: _by_joint(found.motion.friction_forces))

    def signs(robot: str) -> tuple[float, float]:
        hits = [hit for hit in motion(robot).first.hits if hit.point in (0, 3)]
        one, other = (sum(hit.friction_impulse for hit in hits if hit.point == point) for point in (0, 3))
        return one, other

    one, other = signs(figure.robots[0])
    caption = (
        f"With {figure.robots[0]}, friction has the impulse {number(one, 4)} N s on O1 in its first contact "
        f"and {number(other, 4)} N s on O4. Its share in the normal impulse is a reference case."
    )
    return Drawing("", caption, drawn, "tall")


def energies(figure: PaperFigure) -> Drawing:
    """Figure 13: energies, losses and their sum."""

    def curves(found: Simulation) -> list[tuple[str, FloatArray]]:
        has = found.motion.energy_balance
        parts = {
            "kinetic": has.kinetic, "potential": has.gravity + has.elastic, "lost to contact": has.contact,
            "lost to friction": has.friction, "lost to damping": has.air + has.structure,
        }  # fmt: skip
        return [*parts.items(), ("sum", np.sum(list(parts.values()), axis=0))]

    def spread(robot: str) -> float:
        return float(np.ptp(curves(motion(robot))[-1][1]))

    sums = max(spread(robot) for robot in figure.robots)
    caption = f"The sum is constant to {_at_most(sums, 1e-6, 'J')} in all four motions."
    return Drawing("", caption, _panels(figure, "J", curves), "tall")


def errors(figure: PaperFigure) -> Drawing:
    """Figure 14: error of the balance of energy."""
    drawn = _panels(figure, "%", lambda found: [("error", energy_errors(found))])
    greatest = max(float(energy_errors(motion(robot)).max()) for robot in figure.robots)
    caption = f"At most {number(max(greatest, 1e-6), 2)} % in all four motions; means are reference cases."
    return Drawing("", caption, drawn, "tall")


FIGURES = (
    PaperFigure(
        4, "deflections at 0.7 s", MOTIONS,
        "links as they bend at 0.7 s, enlarged by a factor that is not printed.", bent,
    ),
    PaperFigure(
        5, "places of the joints along the ground", MOTIONS,
        "O1 and O4 are mirror images of each other, and so are O2 and O3.",
        _joints("m", lambda found: found.motion.points[..., 0], _symmetry_words),
    ),
    PaperFigure(
        6, "heights of the joints", MOTIONS,
        "O1 and O4 are equally high, and so are O2 and O3; enlarged from 0.5 to 0.6 s, links vibrate more "
        "widely with ss-ss-ss and cs-ss-sc than with cc-cc-cc and sc-cc-cs.",
        _joints("m", lambda found: found.motion.points[..., 1], _zoom_words),
    ),
    PaperFigure(
        7, "contacts with ss-ss-ss", ("ss-ss-ss",),
        "eleven pairs of contacts, 22 in all; in their first contact, O1 and O4 touch the ground "
        "three times.", contacts,
    ),
    PaperFigure(
        8, "velocities of the joints along the ground", MOTIONS,
        "O2 and O3 do not move along the ground; the velocities of O1 and O4 are opposite.",
        _joints("m/s", lambda found: found.motion.velocities[..., 0], _inner_words),
    ),
    PaperFigure(
        9, "velocities of the joints upwards", MOTIONS,
        "those of O1 and O4 are equal, and those of O2 and O3; vibrations are faster with cc-cc-cc and "
        "sc-cc-cs than with ss-ss-ss and cs-ss-sc, as in figure 8.",
        _joints("m/s", lambda found: found.motion.velocities[..., 1], _frequency_words),
    ),
    PaperFigure(
        10, "weights of the modes", MOTIONS,
        "the weights of links 1 and 3 are equal; amplitudes with ss-ss-ss and cs-ss-sc are almost three "
        "times those with cc-cc-cc and sc-cc-cs.", weights,
    ),
    PaperFigure(
        11, "normal forces", MOTIONS,
        "O1 and O4 meet equal forces, and so do O2 and O3; the first contact with ss-ss-ss has three "
        "separate peaks, whose size is only drawn.", normal_forces,
    ),
    PaperFigure(
        12, "friction", MOTIONS,
        "friction on O1 and O4 is a tenth of the normal force, equal and of opposite signs; there is none on "
        "O2 and O3.", friction_forces,
    ),
    PaperFigure(
        13, "energies", MOTIONS, "the sum of all energies and losses is almost a straight line.", energies
    ),
    PaperFigure(
        14, "error of the balance of energy", MOTIONS,
        "0.75 % at most, with ss-ss-ss; 0.18, 0.13, 0.06 and 0.04 % in the mean with ss-ss-ss, cs-ss-sc, "
        "sc-cc-cs and cc-cc-cc.", errors,
    ),
)  # fmt: skip
