"""The stages of an evaluation, the cost classes that run them, and the preparation of their kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.continuation import sweep_loading
from models.continuum_statics.equilibrium import stable_rest
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.payload import Loss, max_payload
from models.continuum_statics.pose import stable_equilibrium
from models.continuum_statics.reachable_volume import reachable_volume
from models.continuum_statics.records import ENDINGS, Path
from models.continuum_statics.refinement import check_payload, check_sweep, losses_of
from models.continuum_statics.robot import robot_of, whole_tensions
from models.continuum_statics.strength import sentences, strains_and_stresses, strength
from models.continuum_statics.targets import reach
from models.continuum_statics.tension_sweep import slack_start, straight_and_taken
from models.continuum_statics.tip import tip_compliance
from models.continuum_statics.workspace import StableWorkspace, stable_workspace
from models.contract import LEAST_VIOLATION, Evaluation, Infeasible, Outcome
from models.kernel_cache import once

ROUNDING = 1e-12  # share of the length below which a coordinate of the tip is zero
UNDER_TENSIONS = "under the tensions"
COARSE = 0.25  # share of an area or a volume that fewer samples may change before a warning says so


def mass_of(parameters: ContinuumStatics) -> float:
    """Mass [kg] of disks and rod, without the tip mass."""
    return parameters.disks * parameters.disk_mass + parameters.rod_mass


def pose_stage(parameters: ContinuumStatics) -> Outcome:
    """Every metric at the record's tensions."""
    tensions = np.array(parameters.tensions)
    pose = stable_equilibrium(parameters, tensions)
    if isinstance(pose, Infeasible):
        return pose
    state = pose.state
    compliance = tip_compliance(robot_of(parameters), whole_tensions(parameters, tensions), state.q)
    rounding = ROUNDING * parameters.gap * parameters.disks
    x, y, z = (float(each) if abs(each) > rounding else 0.0 for each in state.tip)
    metrics = {
        "tip_x": x,
        "tip_y": y,
        "tip_z": z,
        "lambda_min": float(state.lambda_min),
        "mu_min": float(state.mu_min),
        "tip_compliance": compliance,
        "mass": mass_of(parameters),
    }
    whole = whole_tensions(parameters, tensions)
    bent = strains_and_stresses(parameters, robot_of(parameters), whole[None], state.q[None])
    return _with_strength(parameters, Evaluation(metrics, warnings=pose.warnings), bent, "", UNDER_TENSIONS)


def _with_strength(
    parameters: ContinuumStatics,
    found: Evaluation,
    strains: tuple[FloatArray, FloatArray],
    prefix: str,
    where: str,
) -> Outcome:
    """An evaluation with the strength of its states, or why their rod does not hold if that is asked for.

    ``strains`` hold equivalent strains (k,) [1] and stresses (k,) [Pa]; ``prefix`` begins the names of the
    metrics, ``where`` the sentences.
    """
    worst = strength(parameters, *strains)
    warnings = sentences(parameters, worst, where)
    factor = worst.safety_factor
    if parameters.enforce_material_limits and factor is not None and factor < 1.0:
        return Infeasible(warnings[0], max(1.0 - factor, LEAST_VIOLATION))
    names = ("max_strain", "max_stress", "safety_factor")
    metrics = {f"{prefix}{name}": value for name, value in zip(names, worst, strict=True)}
    return Evaluation({**found.metrics, **metrics}, found.counters, (*found.warnings, *warnings))


def sweep_stage(parameters: ContinuumStatics) -> Outcome:
    """Every metric along the sweep of one cable."""
    cable = parameters.sweep_cable
    slack = np.array(parameters.tensions)
    slack[cable - 1] = 0.0
    before = stable_equilibrium(parameters, slack)
    if isinstance(before, Infeasible):
        return before
    loading = sweep_loading(parameters, cable, parameters.max_tension)
    start = slack_start(parameters, loading, cable)
    if start is None:
        return Infeasible("the path of the swept cable cannot be started", 1.0)
    straight, taken = straight_and_taken(loading, cable, start)
    if not taken.complete and losses_of(taken).snap is None:
        return _cut_short(taken, parameters.max_tension)
    checked = check_sweep(parameters, straight, taken)
    metrics = {
        "snap_tension": checked.losses.snap,
        "first_loss_tension": checked.losses.first,
        "lambda_min_path": float(straight.lambda_min.min()),
    }
    counters = {"path_points": len(straight.tensions) + len(taken.tensions)}
    return Evaluation(metrics, counters, (*checked.warnings, *_path_warnings(straight, taken)))


def _cut_short(taken: Path, max_tension: float) -> Infeasible:
    """The outcome of a robot whose path ends before a jump or the greatest tension: both stay unknown."""
    missing = 1.0 - float(taken.tensions[-1]) / max_tension
    return Infeasible(f"{_ended(taken)}; it should reach {max_tension:.4g} N", max(missing, LEAST_VIOLATION))


def _ended(taken: Path) -> str:
    why = ENDINGS[taken.ending or "steps"]
    return f"the stable path of the swept cable ends at {taken.tensions[-1]:.4g} N: {why}"


def _path_warnings(straight: Path, taken: Path) -> tuple[str, ...]:
    warnings: list[str] = []
    if not straight.complete:
        warnings.append(
            f"lambda_min_path covers tensions up to {straight.tensions[-1]:.4g} N only: above that, disks "
            "would cut each other or the steps along the path became too small"
        )
    if not taken.complete:
        warnings.append(_ended(taken))
    return tuple(warnings)


PAYLOADS: Mapping[Loss, str] = {
    "steps": "max_payload was checked up to {:.4g} kg only: above that, the steps became too small or too "
    "many",
    "material": "max_payload is limited by the material: the rod reaches its limit at {:.4g} kg",
}


def payload_stage(parameters: ContinuumStatics) -> Outcome:
    """The payload that is carried under the record's tensions."""
    carried = max_payload(parameters)
    checked = check_payload(parameters, carried)
    wording, mass = PAYLOADS.get(carried.loss), checked.losses.first
    warnings = () if wording is None or mass is None else (wording.format(mass),)
    return Evaluation({"max_payload": mass}, warnings=(*checked.warnings, *warnings))


def workspace_stage(parameters: ContinuumStatics) -> Outcome:
    """Every metric of the stable workspace."""
    if parameters.cables < 2:
        return Infeasible("a workspace needs at least two cables", float(2 - parameters.cables))
    before = stable_rest(parameters)
    if isinstance(before, Infeasible):
        return before
    yielding = _yields_at_rest(parameters, before.q)
    if yielding is not None:
        return yielding
    sampled = stable_workspace(parameters)
    reaching = reach(parameters, sampled)
    metrics = {
        "stable_workspace_area": sampled.area,
        "stable_fraction": sampled.fraction,
        "workspace_mu_min": sampled.least_mu,
        "required_tension": reaching.required(parameters.target_tolerance),
        "target_miss": float(np.max(reaching.misses, initial=0.0)),
        "mass": mass_of(parameters),
    }
    counters = {
        "rays": sampled.rays,
        "lost_rays": int(np.isfinite(sampled.losses).sum()),
        "equilibria": int(sampled.stable.sum()),
        "dropped_triangles": sampled.dropped,
        "limited_rays": sampled.limited_rays,
    }
    places = np.concatenate([np.flatnonzero(sampled.stable), sampled.ends])
    whole = whole_tensions(parameters, sampled.vertices.tensions[places])
    bent = strains_and_stresses(parameters, robot_of(parameters), whole, sampled.vertices.states[places])
    found = Evaluation(metrics, counters, _workspace_warnings(sampled))
    return _with_strength(parameters, found, bent, "workspace_", "in the workspace")


def _yields_at_rest(parameters: ContinuumStatics, q: FloatArray) -> Infeasible | None:
    """The outcome of a robot whose rod exceeds enforced limits in its state (n, 3) [rad] without tensions."""
    pull = np.full((1, parameters.cables), parameters.pretension)
    bent = strains_and_stresses(parameters, robot_of(parameters), pull, q[None])
    found = _with_strength(parameters, Evaluation({}), bent, "", "without tensions")
    return found if isinstance(found, Infeasible) else None


def _workspace_warnings(sampled: StableWorkspace) -> tuple[str, ...]:
    warnings: list[str] = []
    missed = 1.0 - sampled.area_of_third / sampled.area if sampled.area > 0 else 0.0
    if missed > COARSE:
        warnings.append(
            f"a third of the rays gives a stable_workspace_area that is {100 * missed:.0f} % smaller: raise "
            "'rays' before you compare areas from different numbers of rays"
        )
    if sampled.limited_rays:
        warnings.append(
            f"the workspace ends at the limit of the rod's material on {sampled.limited_rays} of "
            f"{sampled.rays} rays: lower 'max_tension', or choose another rod"
        )
    if sampled.dropped:
        warnings.append(
            f"stable_workspace_area leaves out {sampled.dropped} triangles: neighbouring tensions lead to "
            "different sheets of the surface there"
        )
    return tuple(warnings)


def volume_stage(parameters: ContinuumStatics) -> Outcome:
    """The volume that a rising pretension spans."""
    found = reachable_volume(parameters)
    words = (
        f"the error of reachable_volume may be {found.error:.2g} of {found.volume:.2g} m^3: raise "
        "'pretension_steps', 'rays' and 'tension_steps' before you compare volumes"
    )
    warnings = (words,) if found.error > COARSE * found.volume else ()
    metrics = {"reachable_volume": found.volume, "reachable_volume_error": found.error}
    return Evaluation(metrics, warnings=warnings)


STAGES: Mapping[str, Callable[[ContinuumStatics], Outcome]] = {
    "pose": pose_stage,
    "sweep": sweep_stage,
    "payload": payload_stage,
    "workspace": workspace_stage,
    "volume": volume_stage,
}
CLASSES: Mapping[str, Sequence[str]] = {
    "pose": ("pose",),
    "payload": ("pose", "payload"),
    "sweep": ("pose", "sweep"),
    "workspace": ("workspace",),
    "volume": ("workspace", "volume"),
}


_SMALL = {"disks": 2, "rays": 2, "tension_steps": 5, "pretension_steps": 2, "max_tension": 2.0}
_PREPARED: tuple[Mapping[str, object], ...] = (
    {},
    {"tensions": (1.0, 0.0, 0.0)},
    {"gravity": "up", "tip_mass": 5.0},  # not stable, with the reason
)


def warm_up(cost_class: str, evaluate: Callable[[ContinuumStatics], Outcome]) -> None:
    """Compile the kernels of a cost class if they are new to this machine, and load the usual ones."""

    def evaluate_all() -> None:
        for settings in _PREPARED:
            evaluate(_small(settings))

    once(f"continuum-statics-{cost_class}", evaluate_all)
    evaluate(_small({}))


def _small(settings: Mapping[str, object]) -> ContinuumStatics:
    return ContinuumStatics.model_validate({**_SMALL, **settings})
