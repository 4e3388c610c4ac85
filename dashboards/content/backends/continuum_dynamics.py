"""Drawings of a robot with driven cables for reports: tensions, shapes, paths, energies and the motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dashboards.content.drawing import Drawing
from dashboards.figures.configurations import Pose, Sweep, configurations_figure
from dashboards.figures.motion import MotionFrame, motion_figure, time_labels
from dashboards.figures.three_views import thinned, three_views_figure
from dashboards.figures.time_series import TimeCurve, TimeMark, TimePanel, time_series_figure
from dashboards.figures.up_axis import camera_across, upright
from dashboards.formatting import counted, number, percent, quantity, scale_of
from models.arrays import FloatArray
from models.continuum.gravity import upwards
from models.continuum_dynamics import ContinuumDynamics, Motion, simulate, static_solution, wound
from models.continuum_dynamics.drives import Samples
from models.continuum_dynamics.formulation import last_pulls
from models.continuum_dynamics.load_stepping import StaticSolution
from models.continuum_dynamics.measured import trajectory_errors
from models.continuum_dynamics.response import Settling, settling
from models.continuum_dynamics.scene import MOMENTS, MOVING_RING, backbone, robot_lines
from models.scene import Line, Points, Up

MOST_SHAPES = 13
MOST_DISKS = 4
MOST_MEASURED = 6  # disks whose errors are drawn
_PATH = 300  # points of a disk's path


@dataclass(frozen=True, slots=True)
class Simulation:
    """A design with its motion, the drives at the motion's instants, and how the tip settles."""

    parameters: ContinuumDynamics
    motion: Motion
    drives: Samples
    rest: StaticSolution
    settling: Settling

    @property
    def drives_end(self) -> float | None:
        """Time [s] when the last cable is wound; None without a drive that moves."""
        moving = np.flatnonzero((self.drives.speeds != 0.0).any(axis=0))
        return float(self.motion.times[moving[-1]]) if len(moving) else None

    @property
    def marks(self) -> tuple[TimeMark, ...]:
        """The end of the drives, and when the tip has settled."""
        end, settled = self.drives_end, self.settling
        marks = [] if end is None else [TimeMark(end, "drives stop")]
        if settled.arrival is not None and settled.time:
            marks.append(TimeMark(settled.arrival, "tip has settled"))
        return tuple(marks)


def simulated(parameters: ContinuumDynamics) -> Simulation:
    """The motion of a design, computed once; raises ``InputError`` where it cannot begin."""
    return _simulated(parameters.model_dump_json())


@lru_cache(maxsize=8)
def _simulated(document: str) -> Simulation:
    parameters = ContinuumDynamics.model_validate_json(document)
    motion = simulate(parameters)
    drives = wound(parameters, motion.times)
    rest = static_solution(parameters, last_pulls(parameters))
    settled = Settling(0.0, 0.0, None, None, None)
    if motion.completed and rest.exists:
        settled = settling(motion, drives, rest, parameters.length)
    return Simulation(parameters, motion, drives, rest, settled)


# ---------------------------------------------------------------- tensions and drives


def tensions_drawing(found: Simulation) -> Drawing:
    """Tension and wound length of each cable that is there over time, as figures 6 and 10 of the paper."""
    motion, cables = found.motion, _cables(found.parameters)
    tensions = [TimeCurve(name, motion.times, motion.tensions[:, place]) for place, name in cables]
    lengths = [
        TimeCurve(name, motion.times, found.drives.pulls[place])
        for place, name in cables
        if found.drives.held[place]
    ]
    panels = [
        TimePanel("tension", "N", tuple(tensions)),
        TimePanel("wound length", "m", tuple(lengths)),
    ]
    figure = time_series_figure(panels, found.marks)
    caption = " ".join([*(_cable_words(found, *cable) for cable in cables), *_reason(found)])
    return Drawing("Tensions and drives", caption, figure, "tall")


def _cables(parameters: ContinuumDynamics) -> list[tuple[int, str]]:
    """Place and name of each cable that is there."""
    return [
        (place, f"cable {place + 1}")
        for place, drive in enumerate(parameters.drives)
        if drive.state != "absent"
    ]


def _cable_words(found: Simulation, place: int, name: str) -> str:
    """Motion and tensions of a cable, in a sentence."""
    motion, state = found.motion, found.parameters.drives[place].state
    if state == "slack":
        return f"{name.capitalize()} is slack."
    tensions, pulls = motion.tensions[:, place], found.drives.pulls[place]
    peak = int(tensions.argmax())
    does = "is locked" if state == "locked" else f"is wound by up to {quantity(float(pulls.max()), 'm', 3)}"
    slack = float((tensions <= 0.0).mean())
    loose = f", and is slack for {percent(slack)} of the time" if slack >= 0.01 else ""
    scale = scale_of([float(tensions[peak])], "N")
    most, last = (scale.show(float(tensions[each]), 3) for each in (peak, -1))
    when = _seconds(float(motion.times[peak]))
    pulls_words = f"it pulls with at most {most}, at {when}, and with {last} at the end{loose}"
    return f"{name.capitalize()} {does}; {pulls_words}."


def _seconds(time: float) -> str:
    return quantity(round(time, 6), "s", 3)


def _reason(found: Simulation) -> list[str]:
    """The reason, in a sentence, where the motion ends early."""
    return [] if found.motion.completed else [f"The motion was not found to its end: {found.motion.reason}."]


# ---------------------------------------------------------------- shapes


def shapes_drawing(found: Simulation) -> Drawing:
    """Backbones at several instants, evenly spaced until the tip has settled: figures 7 and 11."""
    motion, last = found.motion, _last_shape(found)
    poses = [
        Pose(float(motion.times[place]), backbone(motion.positions[place], motion.rotations[place]))
        for place in thinned(motion.times[: last + 1], MOST_SHAPES)
    ]
    figure = configurations_figure(poses, _up(found), sweep=Sweep("time", "s", "backbone"))
    tip = motion.positions[:, -1]
    way = float(np.linalg.norm(np.diff(tip, axis=0), axis=1).sum())
    caption = (
        f"{counted(len(poses), 'shape')} from {_seconds(poses[0].value)} to {_seconds(poses[-1].value)}, at "
        f"equal distances in time. The tip travels {quantity(way, 'm', 3)} in all. {_settling_words(found)}"
    )
    return Drawing("Shapes over time", caption, figure, "tall" if "yaxis2" in figure["layout"] else "flat")


def _last_shape(found: Simulation) -> int:
    """Place of the last instant at which shapes differ: later, the robot is at rest."""
    times, arrival = found.motion.times, found.settling.arrival
    return len(times) - 1 if arrival is None else max(int(np.searchsorted(times, arrival)), 1)


def _settling_words(found: Simulation) -> str:
    settled = found.settling
    if settled.time is None or settled.arrival is None:
        return "The tip has not settled at the end of the motion."
    way, band = (quantity(each, "m", 3) for each in (settled.way, settled.band))
    band = f"{band} (2 % of its way of {way})" if settled.overshoot is not None else band
    if settled.time == 0.0:
        return f"When the drives stop, the tip is within {band} of where it rests, and stays there."
    text = (
        f"The tip stays within {band} of where it rests from {_seconds(settled.arrival)} on, "
        f"{_seconds(settled.time)} after the drives stop."
    )
    if settled.overshoot is None:
        return text
    return f"{text} Before, it swings away again by {percent(settled.overshoot)} of its way at most."


def _up(found: Simulation) -> Up:
    return upwards(found.parameters.gravity_vector)


# ---------------------------------------------------------------- paths of disks


def tip_drawing(found: Simulation) -> Drawing:
    """The place of the tip over time, with what was measured of it."""
    motion, disk = found.motion, found.parameters.disks
    measured = _measured(found.parameters).get(disk)
    panels: list[TimePanel] = []
    for axis, letter in enumerate("xyz"):
        curves = [TimeCurve("computed", motion.times, motion.positions[:, -1, axis])]
        if measured is not None:
            curves.append(TimeCurve("measured", measured[:, 0], measured[:, 1 + axis], dots=True))
        panels.append(TimePanel(letter, "m", tuple(curves)))
    start, end = (_place(motion.positions[place, -1]) for place in (0, -1))
    caption = f"The centre of the last disk goes from {start} to {end}. {_settling_words(found)}"
    return Drawing("The tip over time", caption, time_series_figure(panels, found.marks), "tall")


def _place(point: FloatArray) -> str:
    """A point (3,) m in words."""
    return "(" + ", ".join(number(round(float(each), 6), 3) for each in point) + ") m"


def paths_drawing(found: Simulation) -> Drawing:
    """Paths of some disks from three sides, with the robot at both ends of the motion: figures 8 and 12."""
    parameters, motion = found.parameters, found.motion
    measured = _measured(parameters)
    disks = list(measured)[:MOST_MEASURED] or _spread_disks(parameters.disks)
    kept = thinned(motion.times, _PATH)
    lines = [
        Line("robot at both ends", backbone(motion.positions[place], motion.rotations[place]))
        for place in (0, -1)
    ]
    lines += [Line(f"disk {disk}, path", motion.positions[kept, disk]) for disk in disks]
    points = [rows[:, 1:] for disk, rows in measured.items() if disk in disks]
    clouds = [Points("measured", np.concatenate(points))] if points else []
    names = ", ".join(map(str, disks))
    caption = f"Paths of the centres of disks {names}; the last disk, {parameters.disks}, is the tip."
    figure = three_views_figure(clouds, lines, ["robot at both ends"], _up(found))
    return Drawing("Paths of disks from three sides", caption, figure, "wide")


def _spread_disks(count: int) -> list[int]:
    """Some disks up to the last one, evenly spread."""
    return sorted({round(count * share / MOST_DISKS) for share in range(1, MOST_DISKS + 1)} - {0})


def _measured(parameters: ContinuumDynamics) -> dict[int, FloatArray]:
    """Rows (k, 4) of time [s] and place [m] by disk, in the order of the times."""
    found: dict[int, list[tuple[float, float, float, float]]] = {}
    for row in parameters.measured:
        found.setdefault(row.disk, []).append((row.time, row.x, row.y, row.z))
    return {disk: np.array(sorted(rows)) for disk, rows in sorted(found.items())}


def errors_drawing(found: Simulation) -> Drawing | None:
    """Computed less measured places of disks, by axis, over time; None where nothing was measured."""
    motion, parameters = found.motion, found.parameters
    rows = [(row.time, row.disk, row.x, row.y, row.z) for row in parameters.measured]
    kept = np.array(sorted(row for row in rows if row[0] <= motion.times[-1]))
    if not len(kept):
        return None
    errors = trajectory_errors(kept, motion.times, motion.positions, parameters.length)
    disks = np.unique(kept[:, 1]).astype(int).tolist()
    own = {f"disk {disk}": kept[:, 1] == disk for disk in disks[:MOST_MEASURED]}
    panels = [
        TimePanel(
            f"error in {letter}",
            "m",
            tuple(
                TimeCurve(name, kept[rows, 0], errors.differences[rows, axis], dots=int(rows.sum()) < 3)
                for name, rows in own.items()
            ),
        )
        for axis, letter in enumerate("xyz")
    ]
    caption = _error_words(len(disks), np.nanmax(errors.disks, axis=0))
    figure = time_series_figure(panels, found.marks)
    return Drawing("Errors against the measured motion", caption, figure, "tall")


def _error_words(disks: int, greatest: FloatArray) -> str:
    """The greatest errors (3,) by axis, as equation 41 of the paper measures them."""
    x, y, z = (percent(round(float(each), 4)) for each in greatest)
    more = f" The first {MOST_MEASURED} of them are shown." if disks > MOST_MEASURED else ""
    return (
        f"Computed less measured places of {counted(disks, 'disk')}.{more} By the length from the base to "
        f"the disk, the greatest errors are {x} in x, {y} in y and {z} in z."
    )


# ---------------------------------------------------------------- energies


def energies_drawing(found: Simulation) -> Drawing:
    """Energies that the work of the cables becomes, and the error of their balance."""
    times, balance = found.motion.times, found.motion.energy_balance
    curves = [("kinetic", balance.kinetic), ("elastic", balance.elastic)]
    if balance.gravity.any():
        curves.append(("gravity, from the start on", balance.gravity - balance.gravity[0]))
    curves += [("work of the cables", balance.work), ("dissipated", balance.dissipated)]
    missed = balance.imbalance()
    panels = [
        TimePanel("energy", "J", tuple(TimeCurve(name, times, values) for name, values in curves)),
        TimePanel("balance error", "J", (TimeCurve("balance error", times, missed),)),
    ]
    scale = scale_of([float(values.max()) for _, values in curves], "J")
    work, lost, moving = (
        scale.show(float(each), 3)
        for each in (balance.work[-1], balance.dissipated[-1], balance.kinetic.max())
    )
    caption = (
        f"The cables do work of {work} in all, damping takes {lost}, and the kinetic energy is at most "
        f"{moving}. The balance error is work less dissipation less gain of energy, 0 for an exact motion; "
        f"here it is at most {quantity(float(np.abs(missed).max()), 'J', 2)}."
    )
    return Drawing("Energies", caption, time_series_figure(panels, found.marks), "tall")


# ---------------------------------------------------------------- motion


def motion_drawing(found: Simulation) -> Drawing:
    """The motion itself, with the path of the tip."""
    motion, chosen = found.motion, thinned(found.motion.times, MOMENTS)
    times = motion.times[chosen].tolist()
    frames: list[MotionFrame] = []
    for label, place in zip(time_labels(times), chosen, strict=True):
        lines = robot_lines(
            found.parameters, motion.positions[place], motion.rotations[place], ring=MOVING_RING
        )
        frames.append(MotionFrame(label, tuple(lines)))
    trail = motion.positions[thinned(motion.times, _PATH), -1]
    way = trail[int(np.linalg.norm(trail - trail[0], axis=1).argmax())] - trail[0]
    camera = camera_across(upright(_up(found)), way)
    figure = motion_figure(frames, trail, _up(found), "time", times=times, camera=camera)
    how = "Press Play, or move the slider with the mouse or the arrow keys."
    caption = " ".join([f"{how} {_settling_words(found)}", *_reason(found)])
    return Drawing("The motion of the robot", caption, figure, "motion")


# ---------------------------------------------------------------- all


def design_drawings(parameters: ContinuumDynamics) -> Sequence[Drawing]:
    """Drawings of one design for its report; none where the motion ends at once."""
    found = simulated(parameters)
    if len(found.motion.times) < 2:
        return ()
    errors = errors_drawing(found)
    return [
        tensions_drawing(found),
        energies_drawing(found),
        tip_drawing(found),
        *([] if errors is None else [errors]),
        shapes_drawing(found),
        paths_drawing(found),
        motion_drawing(found),
    ]


def designs_drawings(named: Mapping[str, ContinuumDynamics]) -> Sequence[Drawing]:
    """Drawings of several designs at once: the rest of their tips, and the tensions of their cables."""
    found = {name: simulated(parameters) for name, parameters in named.items()}
    away = [
        TimeCurve(
            name,
            each.motion.times,
            np.linalg.norm(each.motion.positions[:, -1] - each.rest.positions[-1], axis=1),
        )
        for name, each in found.items()
        if each.rest.exists
    ]
    pulls = [
        TimeCurve(name, each.motion.times, each.motion.tensions.max(axis=1)) for name, each in found.items()
    ]
    panels = [
        TimePanel("tip from where it rests", "m", tuple(away)),
        TimePanel("greatest tension", "N", tuple(pulls)),
    ]
    caption = " ".join(_design_words(name, each) for name, each in found.items())
    return [Drawing("Motions compared", caption, time_series_figure(panels), "tall")]


def _design_words(name: str, found: Simulation) -> str:
    most = quantity(float(found.motion.tensions.max(initial=0.0)), "N", 3)
    arrival = found.settling.arrival
    settled = "does not settle" if arrival is None else f"has settled at {_seconds(arrival)}"
    return f"{name}: the tip {settled}, and cables pull with up to {most}."
