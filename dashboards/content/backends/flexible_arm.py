"""Drawings of a chain of elastic links for reports: ends, forces, modes, energies, contacts, the motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dashboards.content.drawing import Drawing
from dashboards.content.tables import Table, listed, table
from dashboards.figures.configurations import Pose, Sweep, configurations_figure
from dashboards.figures.motion import MotionFrame, motion_figure, time_labels
from dashboards.figures.time_series import TimeCurve, TimeMark, TimePanel, time_series_figure
from dashboards.figures.up_axis import camera_across, upright
from dashboards.formatting import counted, number, quantity, scale_of
from models.arrays import FloatArray
from models.flexible_arm import FlexibleArm, Hit, Motion, simulate
from models.flexible_arm.arm import arm_of
from models.flexible_arm.response import FirstContact, deflections_of, first_contact
from models.flexible_arm.scene import bent_links, even_instants, in_space, scene_of
from models.scene import Line

MOST_ENDS = 6  # of links whose curves are drawn
MOST_WEIGHTS = 6  # modal weights that are drawn
MOST_HITS = 40  # rows of the table of contacts
MOST_SHAPES = 13
_LONGER = 1.5  # than until the end of the first contact, shapes are drawn
_NEARER = 0.75  # the camera, as an arm is flat and wide
_PATH = 300  # points of the path of the last end
_AROUND = 0.15  # of the first contact, that is drawn before and after it


@dataclass(frozen=True, slots=True)
class Simulation:
    """A design with its motion, its first contact and the greatest deflection over time."""

    parameters: FlexibleArm
    motion: Motion
    first: FirstContact
    deflections: FloatArray

    @property
    def ends(self) -> list[int]:
        """Numbers of the ends of links that are drawn, evenly spread, both outer ones among them."""
        last = self.motion.points.shape[1] - 1
        return np.unique(np.linspace(0, last, min(last + 1, MOST_ENDS)).round().astype(int)).tolist()

    @property
    def marks(self) -> tuple[TimeMark, ...]:
        """The time when the arm touches the ground for the first time."""
        return tuple(TimeMark(hit.entry, "first contact") for hit in self.first.hits[:1])


def simulated(parameters: FlexibleArm) -> Simulation:
    """The motion of a design, computed once."""
    return _simulated(parameters.model_dump_json())


@lru_cache(maxsize=8)
def _simulated(document: str) -> Simulation:
    parameters = FlexibleArm.model_validate_json(document)
    motion = simulate(parameters)
    arm = arm_of(parameters)
    shapes = deflections_of(arm, parameters.beam_modes)
    z = motion.states[:, : motion.states.shape[1] // 2]
    greatest = np.zeros(len(motion.times))
    for link in range(parameters.links):
        greatest = np.maximum(greatest, np.abs(shapes.of_link(arm, z, link)).max(axis=1, initial=0.0))
    return Simulation(parameters, motion, first_contact(motion.contacts), greatest)


# ---------------------------------------------------------------- ends of links


def positions_drawing(found: Simulation) -> Drawing:
    """Places of the ends of links over time, along the ground and upwards."""
    figure = time_series_figure(_end_panels(found, found.motion.points, ("x", "y"), "m"), found.marks)
    lowest = float(found.motion.points[..., 1].min())
    text = f"{_ends_words(found)} The lowest place of an end is at y = {quantity(lowest, 'm', 3)}."
    return Drawing("Ends of links over time", " ".join([text, *_reason(found)]), figure, "tall")


def velocities_drawing(found: Simulation) -> Drawing:
    """Velocities of the ends of links."""
    names = ("velocity in x", "velocity in y")
    panels = _end_panels(found, found.motion.velocities, names, "m/s")
    speed = float(np.linalg.norm(found.motion.velocities, axis=2).max())
    caption = f"{_ends_words(found)} The greatest speed is {quantity(speed, 'm/s', 3)}."
    return Drawing("Velocities of the ends", caption, time_series_figure(panels, found.marks), "tall")


def _end_panels(found: Simulation, values: FloatArray, names: Sequence[str], unit: str) -> list[TimePanel]:
    """One panel per component of ``values`` (k, n + 1, c), with a curve for each end that is drawn."""
    return [
        TimePanel(
            name,
            unit,
            tuple(TimeCurve(f"end {end}", found.motion.times, values[:, end, axis]) for end in found.ends),
        )
        for axis, name in enumerate(names)
    ]


def _ends_words(found: Simulation) -> str:
    links = found.parameters.links
    some = f" {len(found.ends)} of {links + 1} ends are drawn." if len(found.ends) <= links else ""
    return f"End 0 is the first end of link 1, end {links} the last one of the arm.{some}"


def _reason(found: Simulation) -> list[str]:
    """The reason, in a sentence, where the motion ends early."""
    return [] if found.motion.completed else [f"The motion was not found to its end: {found.motion.reason}."]


# ---------------------------------------------------------------- modes


def weights_drawing(found: Simulation) -> Drawing | None:
    """Modal weights over time, and the greatest deflection; None where all links are rigid."""
    parameters, motion = found.parameters, found.motion
    names = [
        f"link {link}, mode {mode}"
        for link, count in enumerate(parameters.modal_counts, 1)
        for mode in range(1, count + 1)
    ]
    if not names:
        return None
    first = 2 + parameters.links
    drawn = np.unique(np.linspace(0, len(names) - 1, min(len(names), MOST_WEIGHTS)).round().astype(int))
    curves = [TimeCurve(names[each], motion.times, motion.states[:, first + each]) for each in drawn]
    panels = [
        TimePanel("weight", "m", tuple(curves)),
        TimePanel("deflection", "m", (TimeCurve("any link", motion.times, found.deflections),)),
    ]
    place = int(found.deflections.argmax())
    some = f" {len(drawn)} of {len(names)} weights are drawn." if len(drawn) < len(names) else ""
    most = quantity(float(found.deflections[place]), "m", 3)
    caption = (
        f"A weight is the deflection where its mode has its greatest one.{some} Below, the greatest "
        f"deflection of any link: it is {most} at most, at {_seconds(motion.times[place])}."
    )
    return Drawing("Modal weights and deflection", caption, time_series_figure(panels, found.marks), "tall")


def _seconds(time: float) -> str:
    return quantity(round(float(time), 6), "s", 4)


# ---------------------------------------------------------------- forces


def forces_drawing(found: Simulation) -> Drawing | None:
    """Normal and friction forces on the ends of links; None where none touches the ground."""
    if not found.motion.contacts:
        return None
    figure = time_series_figure(_force_panels(found, slice(None), found.motion.contacts), found.marks)
    peak = max(found.motion.contacts, key=lambda hit: hit.peak_force)
    caption = (
        f"Ends of links touch the ground {_times(len(found.motion.contacts))}. The greatest normal force is "
        f"{quantity(peak.peak_force, 'N', 4)}, on end {peak.point} at {_seconds(peak.peak_time)}. "
        f"{_friction_words(found)}"
    )
    return Drawing("Forces of the ground", caption, figure, "tall")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _force_panels(found: Simulation, rows: slice, hits: Sequence[Hit]) -> list[TimePanel]:
    """Normal and friction forces at some instants, on the ends of links that these contacts concern."""
    motion, touched = found.motion, sorted({hit.point for hit in hits})
    shown = touched if len(touched) <= MOST_ENDS else [end for end in found.ends if end in touched]
    return [
        TimePanel(
            name,
            "N",
            tuple(TimeCurve(f"end {end}", motion.times[rows], values[rows, end]) for end in shown),
        )
        for name, values in (
            ("normal force", motion.normal_forces), ("friction force", motion.friction_forces)
        )
    ]  # fmt: skip


def _friction_words(found: Simulation) -> str:
    """The share of friction in the normal force, over the hits of the first contact, by end."""
    shares: dict[int, float] = {}
    for hit in found.first.hits:
        if hit.impulse > 0.0:
            shares.setdefault(hit.point, abs(hit.friction_impulse) / hit.impulse)
    words = [f"{number(share, 3)} on end {end}" for end, share in sorted(shares.items())]
    return f"In its first contact, the impulse of friction by that of the normal force is {listed(words)}."


def first_contact_drawing(found: Simulation) -> Drawing | None:
    """Forces in the first contact alone; None where there is none, or it has not ended."""
    first, times = found.first, found.motion.times
    if first.end is None:
        return None
    start = first.hits[0].entry
    room = _AROUND * (first.end - start)
    rows = slice(
        max(int(np.searchsorted(times, start - room)) - 1, 0),
        int(np.searchsorted(times, first.end + room)) + 1,
    )
    ends = [str(end) for end in sorted({hit.point for hit in first.hits})]
    caption = (
        f"All contacts that begin within 20 ms: {counted(len(first.hits), 'contact')} of "
        f"{'end' if len(ends) == 1 else 'ends'} {listed(ends)}, from {_seconds(start)} to "
        f"{_seconds(first.end)}. End {first.hits[0].point} touches the ground {_times(first.micro_impacts)}. "
        f"The greatest force on it is {quantity(first.peak_force, 'N', 4)}, the impulse "
        f"{number(first.impulse, 4)} N s."
    )
    figure = time_series_figure(_force_panels(found, rows, first.hits))
    return Drawing("The first contact", caption, figure, "tall")


# ---------------------------------------------------------------- energies


def energies_drawing(found: Simulation) -> Drawing:
    """Energies that the arm has, and those that it lost."""
    times, balance = found.motion.times, found.motion.energy_balance
    has = [("kinetic", balance.kinetic), ("gravity", balance.gravity), ("elastic", balance.elastic)]
    lost = [
        ("lost to contact", balance.contact), ("lost to friction", balance.friction),
        ("lost to the air", balance.air), ("lost inside the links", balance.structure),
    ]  # fmt: skip
    panels = [
        TimePanel("energy", "J", tuple(TimeCurve(name, times, values) for name, values in has)),
        TimePanel("energy lost", "J", tuple(TimeCurve(name, times, values) for name, values in lost)),
    ]
    scale = scale_of([float(balance.mechanical()[0])], "J")
    start, end, contact, friction, air, structure = (
        scale.show(float(each), 3)
        for each in (
            balance.mechanical()[0], balance.mechanical()[-1], balance.contact[-1], balance.friction[-1],
            balance.air[-1], balance.structure[-1],
        )
    )  # fmt: skip
    caption = (
        f"The arm has {start} at first and {end} at the end, heights counted from y = 0. Contact takes "
        f"{contact}, friction {friction}, the air {air} and the material of the links {structure}."
    )
    return Drawing("Energies", caption, time_series_figure(panels, found.marks), "tall")


def balance_drawing(found: Simulation) -> Drawing:
    """Error of the balance of energies, in per cent, as figure 4 of the paper."""
    balance = found.motion.energy_balance
    greatest = float(np.abs(np.stack([balance.kinetic, balance.gravity, balance.elastic])).max()) or 1.0
    missed = 100 * np.abs(balance.imbalance()) / greatest
    panel = TimePanel("error", "%", (TimeCurve("error", found.motion.times, missed),))
    mean = float(np.trapezoid(missed, found.motion.times) / np.ptp(found.motion.times))
    caption = (
        "Energy that was gained without a source or lost without a trace since the start, by the greatest "
        f"energy of the arm: {_percent(mean)} in the mean over time, and {_percent(float(missed.max()))} at "
        f"most. It is 0 for an exact motion; the tolerance is {number(found.parameters.rtol)}."
    )
    return Drawing("Error of the energy balance", caption, time_series_figure([panel], found.marks))


def _percent(value: float) -> str:
    return f"{number(value, 2)} %"


# ---------------------------------------------------------------- contacts


def design_tables(parameters: FlexibleArm) -> Sequence[Table]:
    """Contacts of the ends of links, one row each, in the order in which they begin."""
    hits = simulated(parameters).motion.contacts
    if not hits:
        return ()
    peaks = scale_of([hit.peak_force for hit in hits], "N")
    head = (
        "contact of", "entry [s]", "exit [s]", "approach speed [m/s]", "separation speed [m/s]",
        f"peak force [{peaks.unit}]", "impulse [N s]", "impulse of friction [N s]",
    )  # fmt: skip
    rows = [
        (
            f"end {hit.point}", _instant(hit.entry), _instant(hit.exit), _digits(hit.approach_speed),
            _digits(hit.separation_speed), peaks.bare(hit.peak_force), _digits(hit.impulse),
            _digits(hit.friction_impulse),
        )
        for hit in hits[:MOST_HITS]
    ]  # fmt: skip
    more = f", the first {MOST_HITS} of {len(hits)}" if len(hits) > MOST_HITS else ""
    caution = "" if len(hits) < 10 else "; late ones are chaotic: a change by a millionth makes others"
    return [table(f"Contacts of ends of links with the ground{more}{caution}", head, rows, range(1, 8))]


def _instant(time: float | None) -> str:
    return "not ended" if time is None else f"{time:.6f}"


def _digits(value: float | None) -> str:
    return "\N{EN DASH}" if value is None else number(value, 4, trim=False)


# ---------------------------------------------------------------- shapes and motion


def shapes_drawing(found: Simulation) -> Drawing:
    """The arm at several instants, evenly spread until half as much time again as the first contact."""
    motion, end = found.motion, found.first.end
    last = len(motion.times) if end is None else int(np.searchsorted(motion.times, _LONGER * end))
    places = even_instants(motion.times[:last], MOST_SHAPES)
    arms = np.concatenate(bent_links(found.parameters, motion.states[places]), axis=1)
    poses = [Pose(float(motion.times[place]), in_space(arm)) for place, arm in zip(places, arms, strict=True)]
    figure = configurations_figure(poses, "y", sweep=Sweep("time", "s", "arm"))
    caption = (
        f"{counted(len(poses), 'shape')} from {_seconds(poses[0].value)} to {_seconds(poses[-1].value)}, at "
        "almost equal distances in time, with the path of the last end. Deflections are to scale."
    )
    return Drawing("Shapes over time", caption, figure, "flat")


def motion_drawing(found: Simulation) -> Drawing:
    """The motion itself, with the path of the last end."""
    motion = found.motion
    view = scene_of(found.parameters, motion)
    times = [moment.time for moment in view.moments]
    frames = [
        MotionFrame(label, moment.lines)
        for label, moment in zip(time_labels(times), view.moments, strict=True)
    ]
    trail = in_space(motion.points[even_instants(motion.times, _PATH), -1])
    still = [shape for shape in view.shapes if isinstance(shape, Line) and shape.name == "ground"]
    camera = camera_across(upright(view.up), np.array([1.0, 0.0, 0.0]))
    eye = {axis: _NEARER * place for axis, place in camera["eye"].items()}
    figure = motion_figure(frames, trail, view.up, "time", still, times, {**camera, "eye": eye})
    caption = (
        "Press Play, or move the slider with the mouse or the arrow keys. Ends of links touch the ground "
        f"{_times(len(motion.contacts))}; deflections are to scale."
    )
    return Drawing("The motion of the arm", " ".join([caption, *_reason(found)]), figure, "motion")


# ---------------------------------------------------------------- all


def design_drawings(parameters: FlexibleArm) -> Sequence[Drawing]:
    """Drawings of one design for its report; none where the motion ends at once."""
    found = simulated(parameters)
    if len(found.motion.times) < 2:
        return ()
    drawings = (
        positions_drawing(found),
        velocities_drawing(found),
        forces_drawing(found),
        first_contact_drawing(found),
        weights_drawing(found),
        energies_drawing(found),
        balance_drawing(found),
        shapes_drawing(found),
        motion_drawing(found),
    )
    return [drawing for drawing in drawings if drawing is not None]


def designs_drawings(named: Mapping[str, FlexibleArm]) -> Sequence[Drawing]:
    """Drawings of several designs at once: their deflections, and the normal forces that they meet."""
    found = {name: simulated(parameters) for name, parameters in named.items()}
    bends = [TimeCurve(name, each.motion.times, each.deflections) for name, each in found.items()]
    pushes = [
        TimeCurve(name, each.motion.times, each.motion.normal_forces.max(axis=1))
        for name, each in found.items()
    ]
    panels = [
        TimePanel("greatest deflection", "m", tuple(bends)),
        TimePanel("greatest normal force", "N", tuple(pushes)),
    ]
    caption = " ".join(_design_words(name, each) for name, each in found.items())
    return [Drawing("Motions compared", caption, time_series_figure(panels), "tall")]


def _design_words(name: str, found: Simulation) -> str:
    bend = f"links bend by up to {quantity(float(found.deflections.max()), 'm', 3)}"
    if not found.first.hits:
        return f"{name}: {bend}, and no end touches the ground."
    peak = quantity(found.first.peak_force, "N", 3)
    return f"{name}: {bend}, and the first contact has up to {peak}."
