"""Motion of a design: whole, or up to the end of its landing."""

from __future__ import annotations

from collections.abc import Callable

from models.contract import MOST_SECONDS
from models.flexible_arm.arm import arm_of
from models.flexible_arm.integration import Integration, Motion
from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.processor_time import least_spacing, step_seconds
from models.progress import report_progress


def simulate(parameters: FlexibleArm, report: Callable[[float], None] = report_progress) -> Motion:
    """The motion of a design; ``report`` gets the share of it that is done.

    Returns
    -------
    Motion
        Times, states, contacts and the energy balance, up to the duration, or up to where it could be
        found: see ``completed``.
    """
    integration = _landed(parameters, report)
    integration.advance_to(parameters.duration, lambda time: report(time / parameters.duration))
    return integration.motion()


def simulate_first_contact(parameters: FlexibleArm) -> Motion:
    """The beginning of the same motion: up to ``early_time`` after the first touch of the ground."""
    return _landed(parameters, report_progress).motion()


def _landed(parameters: FlexibleArm, report: Callable[[float], None]) -> Integration:
    state, sizes = parameters.initial_state, parameters.sizes
    integration = Integration(
        arm_of(parameters), parameters.contact, state, 0.0 * state, rtol=parameters.rtol,
        method=parameters.method, interval=parameters.output_interval, spacing=least_spacing(sizes),
        most_steps=int(MOST_SECONDS / step_seconds(sizes)),
    )  # fmt: skip
    time = 0.0
    while time < parameters.duration and not integration.reason:
        contacts = integration.contacts()
        start = contacts[0].entry if contacts else time
        if start + parameters.early_time <= time:
            break
        time = min(start + parameters.early_time, parameters.duration)
        integration.advance_to(time, lambda reached: report(reached / parameters.duration))
    return integration
