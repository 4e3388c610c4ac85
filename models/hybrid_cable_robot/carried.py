"""What the cables carry: mass and weight of platform and arm, and doubts about their inertia."""

from __future__ import annotations

from models.hybrid_cable_robot.arm.data import ARM_LINKS, GRAVITY, PLATFORM_BODY
from models.hybrid_cable_robot.parameters import HybridCableRobot

PRINTED_MASS = PLATFORM_BODY.mass + sum(link.mass for link in ARM_LINKS)  # [kg]


def carried_mass(parameters: HybridCableRobot) -> float:
    """Mass [kg] of platform and arm."""
    return parameters.platform_body.mass + sum(link.mass for link in parameters.arm_links)


def weight(parameters: HybridCableRobot) -> float:
    """Weight [N] of platform and arm; the paper's own in the five digits in which 21.935 N is stated."""
    exact = -float(GRAVITY[2]) * carried_mass(parameters)
    return float(f"{exact:.5g}") if carried_mass(parameters) == PRINTED_MASS else exact


def body_warnings(parameters: HybridCableRobot) -> tuple[str, ...]:
    """A sentence for each inertia tensor that no body can have.

    The paper's own are used as printed, without a word: those of the platform and of link 5 are of
    no body.
    """
    names = ["platform_body", *(f"arm_links.{i}" for i in range(len(ARM_LINKS)))]
    bodies = (parameters.platform_body, *parameters.arm_links)
    return tuple(
        f"'{name}.inertia' {body.fault}: no real body has this inertia; it is used as given"
        for name, body, printed in zip(names, bodies, (PLATFORM_BODY, *ARM_LINKS), strict=True)
        if body.inertia != printed.inertia and body.fault
    )
