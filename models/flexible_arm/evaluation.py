"""The stages of an evaluation, the cost classes that run them, and the preparation of their kernels.

The motion is chaotic after some contacts: a relative change of a parameter by 1e-6 changes their number. What
depends on it is given for one motion, and as statistics over an ensemble of motions with jittered parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from models.contract import LEAST_VIOLATION, Evaluation, Infeasible, Outcome
from models.ensemble import statistics, uniform_factors
from models.flexible_arm.integration import Motion
from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.response import (
    deflections_of,
    energy_error,
    energy_kept,
    first_contact,
    greatest_bend,
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

LARGE_BEND = 0.1
"""Share of its length by which a link bends, above which an evaluation warns."""

Metrics = dict[str, float | None]


def first_contact_stage(parameters: FlexibleArm, _seed: int) -> Outcome:
    """The motion up to the end of the first contact."""
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
    """A motion that was not found; None for one that was."""
    if motion.completed:
        return None
    missing = 1.0 - float(motion.times[-1]) / parameters.duration
    reason = f"the motion was not found up to its end: {motion.reason}"
    return Infeasible(reason, max(missing, LEAST_VIOLATION), _counters(motion))


def _early(parameters: FlexibleArm, motion: Motion) -> Metrics:
    arm, until = parameters.arm, min(parameters.early_time, parameters.duration)
    contact = first_contact(motion.contacts)
    deflections = deflections_of(arm, parameters.beam_modes)
    return {
        "mass": float(arm.m0.sum()),
        "first_contact_peak_force": contact.peak_force,
        "first_contact_impulse": contact.impulse,
        "micro_impacts": float(contact.micro_impacts),
        "energy_kept": energy_kept(motion, contact),
        "max_deflection": max_deflection(arm, deflections, motion, until),
        "symmetry_error": symmetry_error(motion, until) if parameters.is_symmetric else None,
    }


def _late(parameters: FlexibleArm, motion: Motion) -> Metrics:
    balance = motion.energy_balance
    return {
        "impacts": float(len(motion.contacts)),
        "peak_force": max((hit.peak_force for hit in motion.contacts), default=0.0),
        "loss_contact": float(balance.contact[-1]),
        "loss_friction": float(balance.friction[-1]),
        "loss_damping": float(balance.air[-1] + balance.structure[-1]),
        "energy_error": energy_error(motion),
        "residual_vibration": residual_vibration(
            parameters.arm, deflections_of(parameters.arm, parameters.beam_modes), motion
        ),
    }


def _counters(motion: Motion) -> dict[str, int]:
    return {"steps": motion.steps, "contacts": len(motion.contacts)}


def _warnings(parameters: FlexibleArm, motion: Motion) -> tuple[str, ...]:
    contact = first_contact(motion.contacts)
    found: list[str] = []
    if not contact.hits:
        found.append(f"no link end touches the ground within {parameters.duration:g} s")
    elif contact.end is None:
        found.append(f"the first contact has not ended at {parameters.duration:g} s; raise 'duration'")
    if contact.hits and contact.hits[0].entry > parameters.early_time:
        found.append(
            f"the first contact begins at {contact.hits[0].entry:.3g} s, after 'early_time' "
            f"({parameters.early_time:g} s): max_deflection is that before it"
        )
    if contact.hits and max(parameters.modal_counts) == 1:
        found.append(
            "links of one mode: the peak of the contact force depends strongly on the number of modes, which "
            "'modes' raises"
        )
    bend = greatest_bend(parameters.arm, parameters.beam_modes, motion)
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
