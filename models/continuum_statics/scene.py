"""What a 3D view shows of a design."""

from __future__ import annotations

import numpy as np

from models.continuum_statics.balance.equilibrium import Equilibrium, equilibrium
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.paths.path import Snap
from models.continuum_statics.paths.pose import StablePose, stable_equilibrium
from models.continuum_statics.paths.real import stable_path
from models.continuum_statics.reach.workspace import stable_workspace
from models.continuum_statics.shapes import backbone, robot_lines, up_of
from models.contract import Infeasible
from models.errors import InputError
from models.scene import Line, Points, Scene, Surface

MOST_RAYS, MOST_STEPS = 12, 81  # a picture needs no more


def scene(parameters: ContinuumStatics) -> Scene:
    """The robot under its tensions, the jump of its sweep, its stable workspace and its targets."""
    tensions = np.array(parameters.tensions)
    pose = stable_equilibrium(parameters, tensions)
    state = equilibrium(parameters, tensions) if isinstance(pose, Infeasible) else pose.state
    jump = _first_snap(parameters)
    shapes = (
        *robot_lines(parameters, state.q),
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
        told = f"Stable equilibrium under {pulled} N{besides}; mu_min is {state.mu_min:.3g}.{passed}"
    else:
        shown = "" if state.exists else ", up to where it ends"
        told = (
            f"{pose.reason[:1].upper()}{pose.reason[1:]}. The branch of the straight robot is shown{shown}."
        )
    if jump is None:
        return told
    return (
        f"{told} Pulled from 0, cable {parameters.sweep_cable} makes the robot jump at {jump.tension:.3g} N, "
        f"which releases {1e3 * jump.energy_released:.3g} mJ."
    )
