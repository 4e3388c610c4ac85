"""Drawings of a continuum robot for reports and documents: shapes, stability, workspace, motion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dashboards.content.drawing import Drawing
from dashboards.figures.axes import Figure
from dashboards.figures.configurations import Pose, configurations_figure
from dashboards.figures.motion import MotionFrame, motion_figure
from dashboards.figures.stability import Curve, Mark, eigenvalue_figure
from dashboards.figures.workspaces import WorkspaceSurface, workspaces_figure
from dashboards.formatting import number, percent, quantity
from models.arrays import FloatArray, IntArray
from models.continuum_statics import (
    ContinuumStatics,
    Event,
    Path,
    Snap,
    StableWorkspace,
    equilibrium_path,
    stable_path,
    stable_workspace,
)
from models.continuum_statics.scene import backbone, robot_lines, up_of

MOST_FRAMES = 121
JUMP_FRAMES = 12
_RAYS, _TENSIONS = 24, 41
_RIMS = 7


# ---------------------------------------------------------------- shapes


def poses_of(parameters: ContinuumStatics, path: Path, start: float = 0.0) -> list[Pose]:
    """The shapes of a path from the tension ``start`` [N] on."""
    return [
        Pose(float(tension), backbone(parameters, state), bool(stable))
        for tension, state, stable in zip(path.tensions, path.states, path.stable, strict=True)
        if tension >= start
    ]


def jump_of(parameters: ContinuumStatics, path: Path) -> tuple[Pose, ...]:
    """The shapes before and after the first snap of a path; none without one."""
    snap = first_snap(path)
    if snap is None:
        return ()
    return tuple(Pose(snap.tension, backbone(parameters, state)) for state in (snap.before, snap.after))


def first_snap(path: Path) -> Snap | None:
    """The first jump along a path."""
    return next((event.snap for event in path.events if event.snap is not None), None)


def shapes_figure(parameters: ContinuumStatics, states: Iterable[tuple[float, FloatArray, bool]]) -> Figure:
    """Shapes of states, each with its tension [N], its angles (n, 3) [rad] and whether it is stable."""
    poses = [Pose(tension, backbone(parameters, q), stable) for tension, q, stable in states]
    return configurations_figure(poses, up_of(parameters))


def configurations(parameters: ContinuumStatics, path: Path, start: float = 0.0) -> Drawing:
    """Shapes under rising tension along a path."""
    figure = configurations_figure(
        poses_of(parameters, path, start), up_of(parameters), jump_of(parameters, path)
    )
    kind = "tall" if "yaxis2" in figure["layout"] else "flat"
    return Drawing("Shapes under rising tension", f"{pulled_text(path)} {events_text(path)}", figure, kind)


def pulled_text(path: Path) -> str:
    """A sentence on the cable that is pulled, with its range of tensions."""
    return (
        f"Cable {path.cable} is pulled from {newtons(path.tensions.min())} to {newtons(path.tensions.max())}."
    )


def newtons(tension: float, digits: int = 4) -> str:
    """A tension [N] in words, without what rounding leaves of nothing."""
    return f"{number(round(float(tension), 6), digits)} N"


# ---------------------------------------------------------------- balance


def curve_of(name: str, path: Path) -> Curve:
    """The smallest eigenvalue along a path, with its events."""
    return Curve(
        name,
        path.tensions,
        path.lambda_min,
        path.stable,
        tuple(mark_of(path, event) for event in path.events),
    )


def robot_curve(taken: Path, name: str = "as a robot moves") -> Curve:
    """The smallest eigenvalue along the path of a robot, as a band next to the path that is followed."""
    return Curve(name, taken.tensions, taken.lambda_min, taken.stable, broad=True)


def mark_of(path: Path, event: Event) -> Mark:
    """An event of a path in a few words."""
    return Mark(event.kind, event.tension, _words(event), float(path.lambda_min[event.index]))


def _words(event: Event) -> str:
    if event.snap is not None:
        return f"stability is lost, {_jump_words(event.snap)}"
    if event.loses_stability:
        return "stability passes to a branch without a jump" if event.supercritical else "stability is lost"
    return "the path turns" if event.kind == "fold" else "a branch meets the path"


def _jump_words(snap: Snap) -> str:
    way = quantity(float(np.linalg.norm(snap.tip_after - snap.tip_before)), "m", 3)
    return f"the tip jumps {way} and {quantity(snap.energy_released, 'J', 3)} are released"


def events_text(path: Path) -> str:
    """Events along a path, in a sentence or two."""
    if not path.events:
        least = int(np.argmin(path.lambda_min))
        place = f"{number(float(path.lambda_min[least]), 3)} N·m at {newtons(path.tensions[least], 3)}"
        return f"Stable throughout; the smallest eigenvalue is least, {place}."
    texts = "; ".join(f"{event.kind} at {newtons(event.tension)}: {_words(event)}" for event in path.events)
    return f"{texts[:1].upper()}{texts[1:]}."


def stability_drawing(path: Path, taken: Path) -> Drawing:
    """The smallest eigenvalue along the path that is followed and, where it differs, that a robot takes."""
    curves = [curve_of("equilibria", path)]
    if path.events:
        curves.append(robot_curve(taken))
    caption = (
        "Below zero the equilibrium does not hold: dotted. Crosses are folds, where the path turns back; "
        f"diamonds are bifurcations. {events_text(path)}"
    )
    figure = eigenvalue_figure(curves)
    kind = "tall" if "yaxis2" in figure["layout"] else "flat"
    return Drawing("Smallest eigenvalue against tension", caption, figure, kind)


# ---------------------------------------------------------------- motion


def motion(parameters: ContinuumStatics, taken: Path) -> Drawing:
    """The path that a robot takes, moment by moment, jumps included."""
    figure = motion_figure(
        motion_frames(parameters, taken), taken.tips, up_of(parameters), f"tension of cable {taken.cable}"
    )
    how = "Press Play, or move the slider with the mouse or the arrow keys."
    caption = f"{pulled_text(taken)} {how} {events_text(taken)}"
    return Drawing("The motion of the robot", caption, figure, "motion")


def motion_frames(parameters: ContinuumStatics, taken: Path) -> list[MotionFrame]:
    """Moments along a path, and between them those of its jumps."""
    jumps = {event.index: event.snap for event in taken.events if event.snap is not None}
    chosen = evenly(len(taken.tensions), MOST_FRAMES - JUMP_FRAMES * len(jumps), jumps)
    moments: list[MotionFrame] = []
    for place in chosen:
        label = newtons(taken.tensions[place], 3)
        if place not in jumps:
            moments.append(MotionFrame(label, robot_lines(parameters, taken.states[place])))
            continue
        flow = jumps[place].flow
        moments += [
            MotionFrame(f"{label}, jump", robot_lines(parameters, flow[step]))
            for step in evenly(len(flow), JUMP_FRAMES)
        ]
    return moments


def evenly(count: int, most: int, needed: Iterable[int] = ()) -> list[int]:
    """At most about ``most`` of ``count`` places, evenly spread, both ends and the needed ones among them."""
    spread = np.linspace(0, count - 1, min(count, max(most, 2))).round().astype(int) if count else []
    return sorted({*(int(place) for place in spread), *needed})


# ---------------------------------------------------------------- reach


def workspace_surface(name: str, workspace: StableWorkspace) -> WorkspaceSurface:
    """A stable workspace as a surface, with rims along every few rays and across them."""
    tips, (rays, steps) = workspace.tips, workspace.tips.shape[:2]
    along = [tips[ray] for ray in evenly(rays, _RIMS * len(np.unique(workspace.sectors)))]
    across = [
        tips[workspace.sectors == sector, step]
        for sector in np.unique(workspace.sectors)
        for step in evenly(steps, _RIMS)
    ]
    rims = tuple(part for rim in (*along, *across) for part in _unbroken(rim))
    vertices, triangles = _compact(workspace.vertices.tips, workspace.triangles)
    return WorkspaceSurface(name, vertices, triangles, _lost_tips(workspace), rims)


def _unbroken(rim: FloatArray) -> list[FloatArray]:
    """The stretches of a rim (k, 3) m that were reached, of two points or more."""
    held = np.isfinite(rim[:, 0])
    edges = np.flatnonzero(np.diff(held.astype(int))) + 1
    parts = zip(np.split(rim, edges), np.split(held, edges), strict=True)
    return [part for part, reached in parts if len(part) > 1 and reached[0]]


def _compact(vertices: FloatArray, triangles: IntArray) -> tuple[FloatArray, IntArray]:
    """Only the vertices that triangles use."""
    used, places = np.unique(triangles, return_inverse=True)
    return vertices[used], places.reshape(-1, 3)


def _lost_tips(workspace: StableWorkspace) -> FloatArray:
    """The last stable tip of every ray that loses its balance, (k, 3) m."""
    tips: list[FloatArray] = []
    for ray, stable, loss in zip(workspace.tips, workspace.stable, workspace.losses, strict=True):
        held = np.flatnonzero(stable)
        if np.isfinite(loss) and len(held):
            tips.append(ray[held[-1]])
    return np.array(tips).reshape(-1, 3)


def workspaces_drawing(named: Mapping[str, ContinuumStatics]) -> Drawing:
    """Stable workspaces of several robots in one frame; the numbers are of the records' own rays."""
    drawn = [
        workspace_surface(name, stable_workspace(_coarse(parameters))) for name, parameters in named.items()
    ]
    texts = [_area_words(name, stable_workspace(parameters)) for name, parameters in named.items()]
    net = " One is drawn as a surface, the others as nets." if len(named) > 1 else ""
    caption = (
        "Where the tip can be while two neighbouring cables pull and the robot stays stable from rest "
        f"on.{net} {' '.join(texts)} Areas that overlap count twice."
    )
    figure = workspaces_figure(drawn, up_of(next(iter(named.values()))))
    return Drawing("Stable workspaces compared", caption, figure, "space")


def _coarse(parameters: ContinuumStatics) -> ContinuumStatics:
    """The robot with no more rays and tensions than a picture shows."""
    fewer = {"rays": min(parameters.rays, _RAYS), "tension_steps": min(parameters.tension_steps, _TENSIONS)}
    return parameters.model_copy(update=fewer)


def _area_words(name: str, workspace: StableWorkspace) -> str:
    lost = int(np.isfinite(workspace.losses).sum())
    area = quantity(workspace.area, "m**2", 3)
    rays = f"{lost} of {workspace.rays} rays lose stability" if lost else "no ray loses stability"
    return f"{name}: {area}, {percent(workspace.fraction)} of the points are stable, {rays}."


# ---------------------------------------------------------------- all


def design_drawings(parameters: ContinuumStatics) -> Sequence[Drawing]:
    """Drawings of one design for its report."""
    path, taken = equilibrium_path(parameters), stable_path(parameters)
    return [
        configurations(parameters, taken),
        stability_drawing(path, taken),
        motion(parameters, taken),
    ]


def designs_drawings(named: Mapping[str, ContinuumStatics]) -> Sequence[Drawing]:
    """Drawings of several designs at once for a report."""
    return [workspaces_drawing(named)]
