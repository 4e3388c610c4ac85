"""The stages of an evaluation, the cost classes that run them, and the preparation of their kernels.

The motion is chaotic after some contacts: a relative change of a parameter by 1e-6 changes their number. What
depends on it is given for one motion, and as statistics over an ensemble of motions with jittered parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from models.contract import LEAST_VIOLATION, Evaluation, Infeasible, Outcome
from models.ensemble import statistics, uniform_factors
from models.flexible_arm.arm import arm_of
from models.flexible_arm.ground import chord_depths, ground_at
from models.flexible_arm.integration import Hit, Motion
from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.response import (
    deflections_of,
    energy_error,
    energy_kept,
    first_contact,
    greatest_bend,
    hits_up_to,
    max_deflection,
    residual_vibration,
    symmetry_error,
)
from models.flexible_arm.simulation import simulate, simulate_first_contact
from models.progress import report_progress

JITTERED = ("youngs_modulus", "density", "restitution", "contact_stiffness", "friction_coefficient")
"""Parameters that differ from motion to motion of an ensemble, each by a factor of its own."""

WITHOUT_STATISTICS = ("mass", "symmetry_error", "energy_error")
"""Metrics that do not describe the motion: what is the same in all of an ensemble, and how exact each is."""

CONVERGED_MODES = 8
"""Modes per link from which more of them change the peak force by 6 % and the energy kept by 3 %."""

OF_THE_LANDING = (
    "first_contact_peak_force", "first_contact_impulse", "micro_impacts", "landing_peak_force", "energy_kept",
    "max_deflection", "symmetry_error",
)  # fmt: skip
AFTER_THE_LANDING = (
    "impacts", "peak_force", "loss_contact", "loss_friction", "loss_damping", "residual_vibration"
)  # fmt: skip
"""Metrics that do not exist for an arm that never lands; but for deflection, its damping and vibration of a
pinned arm, which swings."""

THROUGH_A_HILL = 0.02
"""Share of a link's length by which a hill may rise above the straight line through its ends."""

LARGE_BEND = 0.1
"""Share of its length by which a link bends, above which an evaluation warns."""

Metrics = dict[str, float | None]


def first_contact_stage(parameters: FlexibleArm, _seed: int) -> Outcome:
    """The motion up to the end of the landing."""
    motion = simulate_first_contact(parameters)
    if failure := _failure(parameters, motion):
        return failure
    return Evaluation(_early(parameters, motion), _counters(motion), _warnings(parameters, motion))


def motion_stage(parameters: FlexibleArm, _seed: int) -> Outcome:
    """The whole motion."""
    motion = simulate(parameters)
    if failure := _failure(parameters, motion):
        return failure
    metrics = _early(parameters, motion) | _late(parameters, motion)
    return Evaluation(metrics, _counters(motion), _warnings(parameters, motion))


def ensemble_stage(parameters: FlexibleArm, seed: int) -> Outcome:
    """Statistics over motions with jittered parameters."""
    runs = parameters.ensemble.runs
    values: dict[str, list[float | None]] = {}
    steps = 0
    for run, jittered in enumerate(ensemble(parameters, seed)):
        motion = simulate(jittered, _part(run, runs))
        if failure := _failure(jittered, motion):
            return failure
        for name, value in (_early(jittered, motion) | _late(jittered, motion)).items():
            if name not in WITHOUT_STATISTICS:
                values.setdefault(name, []).append(value)
        steps += motion.steps
    return Evaluation(statistics(values), {"runs": runs, "steps": steps})


def _part(run: int, runs: int) -> Callable[[float], None]:
    """Reports of one run, as those of a part of the whole."""
    return lambda share: report_progress((run + share) / runs)


def ensemble(parameters: FlexibleArm, seed: int) -> list[FlexibleArm]:
    """Records whose parameters of :data:`JITTERED` differ from these by up to the ensemble's jitter."""
    factors = uniform_factors(seed, parameters.ensemble.runs, len(JITTERED), parameters.ensemble.jitter)
    found: list[FlexibleArm] = []
    for row in factors:
        changes = {
            name: getattr(parameters, name) * float(factor)
            for name, factor in zip(JITTERED, row, strict=True)
        }
        changes["restitution"] = min(changes["restitution"], 1.0)
        if parameters.line_density is not None:
            changes["line_density"] = parameters.line_density * float(row[JITTERED.index("density")])
        found.append(parameters.model_copy(update=changes))
    return found


def _failure(parameters: FlexibleArm, motion: Motion) -> Infeasible | None:
    """A motion that was not found, or that is not possible; None for one that is."""
    if motion.completed:
        return _through_a_hill(parameters, motion)
    missing = 1.0 - float(motion.times[-1]) / parameters.duration
    reason = f"the motion was not found up to its end: {motion.reason}"
    return Infeasible(reason, max(missing, LEAST_VIOLATION), _counters(motion))


def _through_a_hill(parameters: FlexibleArm, motion: Motion) -> Infeasible | None:
    """Refuse a motion in which a link goes through a hill between its ends, where it feels no ground."""
    depths = chord_depths(parameters.profile, motion.points)
    excess = depths - THROUGH_A_HILL * arm_of(parameters).lengths
    instant, link = np.unravel_index(int(excess.argmax()), excess.shape)
    if excess[instant, link] <= 0.0:
        return None
    reason = (
        f"link {link + 1} goes {depths[instant, link]:.3g} m through a hill at {motion.times[instant]:.3g} "
        "s, since only ends feel the ground: make the hill flatter or the links shorter"
    )
    return Infeasible(reason, max(float(excess[instant, link]), LEAST_VIOLATION), _counters(motion))


def _landing(parameters: FlexibleArm, motion: Motion) -> tuple[tuple[Hit, ...], float] | None:
    """Contacts of the landing, and the instant [s] at which it ends; None without that much of a motion.

    An arm that touches the ground just before the end is not better for what was not computed of it.
    """
    if not motion.contacts:
        return None
    until = motion.contacts[0].entry + parameters.early_time
    return None if until > parameters.duration else (hits_up_to(motion, until), until)


def _early(parameters: FlexibleArm, motion: Motion) -> Metrics:
    found: Metrics = {"mass": float(arm_of(parameters).m0.sum()), **dict.fromkeys(OF_THE_LANDING)}
    landing = _landing(parameters, motion)
    if landing is not None:
        hits, until = landing
        contact = first_contact(hits)
        found |= {
            "first_contact_peak_force": contact.peak_force,
            "first_contact_impulse": contact.impulse,
            "micro_impacts": float(contact.micro_impacts),
            "landing_peak_force": max(hit.peak_force for hit in hits),
            "energy_kept": energy_kept(motion, until, _energy_on_the_ground(parameters, hits[0].x)),
            "symmetry_error": symmetry_error(motion, until) if parameters.is_symmetric else None,
        }
    if landing is not None or parameters.pinned:
        until = parameters.duration if landing is None else landing[1]
        deflections = deflections_of(arm_of(parameters), parameters.beam_modes)
        found["max_deflection"] = max_deflection(arm_of(parameters), deflections, motion, until)
    return found


def _energy_on_the_ground(parameters: FlexibleArm, x: float) -> float:
    """Energy of height [J] of the arm's mass on the ground at a place [m]."""
    height = float(ground_at(parameters.profile, x).height)
    return parameters.gravity * float(arm_of(parameters).m0.sum()) * height


def _late(parameters: FlexibleArm, motion: Motion) -> Metrics:
    balance = motion.energy_balance
    found: Metrics = {"energy_error": energy_error(motion), **dict.fromkeys(AFTER_THE_LANDING)}
    lands = _landing(parameters, motion) is not None
    if lands:
        found |= {
            "impacts": float(len(motion.contacts)),
            "peak_force": max(hit.peak_force for hit in motion.contacts),
            "loss_contact": float(balance.contact[-1]),
            "loss_friction": float(balance.friction[-1]),
        }
    if lands or parameters.pinned:
        deflections = deflections_of(arm_of(parameters), parameters.beam_modes)
        found["loss_damping"] = float(balance.air[-1] + balance.structure[-1])
        found["residual_vibration"] = residual_vibration(arm_of(parameters), deflections, motion)
    return found


def _counters(motion: Motion) -> dict[str, int]:
    return {"steps": motion.steps, "contacts": len(motion.contacts)}


def _warnings(parameters: FlexibleArm, motion: Motion) -> tuple[str, ...]:
    contact = first_contact(motion.contacts)
    found: list[str] = []
    if contact.start is None:
        found.append(f"no link end touches the ground within {parameters.duration:g} s")
    elif _landing(parameters, motion) is None:
        found.append(
            f"the motion ends {parameters.duration - contact.start:.3g} s after the first touch, less than "
            f"'early_time' ({parameters.early_time:g} s): metrics of the landing are absent; raise 'duration'"
        )
    fewest = min((count for count in parameters.modal_counts if count), default=CONVERGED_MODES)
    if contact.hits and fewest < CONVERGED_MODES:
        found.append(
            f"links of fewer than {CONVERGED_MODES} modes: contact forces are too high, by 130 % with one "
            "mode, 60 % with two and 15 % with four on the paper's arm; raise 'modes'"
        )
    bend = greatest_bend(arm_of(parameters), parameters.beam_modes, motion)
    if bend > LARGE_BEND:
        instead = ", or take 'ss' or 'ff' instead of 'cf'" if "cf" in parameters.sets else ""
        found.append(
            f"a link bends by {100 * bend:.2g} % of its length against the frame of its modes; the equations "
            f"hold up to about {100 * LARGE_BEND:g} %: make the links stiffer or shorter{instead}"
        )
    return tuple(found)


STAGES: Mapping[str, Callable[[FlexibleArm, int], Outcome]] = {
    "first-contact": first_contact_stage,
    "motion": motion_stage,
    "ensemble": ensemble_stage,
}
CLASSES: Mapping[str, Sequence[str]] = {name: (name,) for name in STAGES}


def warm_up(_cost_class: str, evaluate: Callable[[FlexibleArm], Outcome]) -> None:
    """Compile the kernels if they are new to this machine, else load them."""
    evaluate(FlexibleArm.model_validate({"duration": 0.01, "ensemble": {"runs": 2}}))
