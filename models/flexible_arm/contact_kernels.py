"""Compiled contact forces; ``tests/oracles/contact_forces.py`` is the definition."""

from __future__ import annotations

import math

from models.flexible_arm.contact import AMBROSIO, LEAST_ENTRY_SPEED, STRIBECK, Contact, Friction
from models.flexible_arm.ground_kernels import gap_of, ground_at
from models.jit import inner

Forces = tuple[float, float, float, float, float, float]
"""Force along x and y, normal force, tangential force [N], power of the normal force and of friction [W]."""


@inner
def normal_force(stiffness: float, chi: float, depth: float, rate: float, entry_speed: float) -> float:
    """Force [N] on a point at a depth [m] that grows at a rate [m/s], after it entered at a speed [m/s]."""
    if not depth > 0.0:
        return 0.0
    damping = chi * rate / max(entry_speed, LEAST_ENTRY_SPEED)
    return max(stiffness * depth * math.sqrt(depth) * (1 + damping), 0.0)


@inner
def friction_force(friction: Friction, normal: float, speed: float) -> float:
    """Force [N] along the tangent on a point that slides at a speed [m/s], pressed by a force [N]."""
    size = abs(speed)
    if friction.law == AMBROSIO:
        ramp = (size - friction.v0) / (friction.v1 - friction.v0)
    else:
        ramp = size / friction.v0
    if not (ramp > 0.0 and normal > 0.0):
        return 0.0
    coefficient = friction.kinetic
    if friction.law == STRIBECK:
        part = size / friction.stribeck_speed
        coefficient += (friction.static - friction.kinetic) * math.exp(-part * part)
    return -math.copysign(coefficient * min(ramp, 1.0) * normal, speed)


@inner
def friction_slope(friction: Friction, normal: float, speed: float) -> float:
    """Derivative [N s/m] of :func:`friction_force` by the sliding speed [m/s]."""
    size = abs(speed)
    start, width = (
        (friction.v0, friction.v1 - friction.v0) if friction.law == AMBROSIO else (0.0, friction.v0)
    )
    ramp = (size - start) / width
    if not (ramp >= 0.0 and normal > 0.0):
        return 0.0
    coefficient, fall = friction.kinetic, 0.0
    if friction.law == STRIBECK:
        part = size / friction.stribeck_speed
        extra = (friction.static - friction.kinetic) * math.exp(-part * part)
        coefficient, fall = coefficient + extra, -2 * part / friction.stribeck_speed * extra
    rise = 1 / width if ramp < 1.0 else 0.0
    return -normal * (coefficient * rise + fall * min(ramp, 1.0))


@inner
def contact_forces(
    contact: Contact, px: float, py: float, vx: float, vy: float, entry_speed: float
) -> Forces:
    """Forces on a point at (px, py) [m] with the velocity (vx, vy) [m/s]; see :data:`Forces`.

    ``entry_speed`` [m/s] is that at which it went into the ground, along its normal.
    """
    gap, gx, cosine = gap_of(contact.ground, px, py)
    sine = ground_at(contact.ground, px)[1] * cosine
    into, along = -vx * gx - vy * cosine, vx * cosine + vy * sine
    normal = normal_force(contact.stiffness, contact.chi, -gap, into, entry_speed)
    tangential = friction_force(contact.friction, normal, along)
    fx, fy = tangential * cosine + normal * gx, normal * cosine + tangential * sine
    return fx, fy, normal, tangential, -normal * into, tangential * along


@inner
def contact_slopes(
    contact: Contact, px: float, py: float, vx: float, vy: float, entry_speed: float
) -> tuple[float, float, float]:
    """Derivatives [N s/m] of the forces of :func:`contact_forces` by the speeds along the ground and up."""
    gap, gx, cosine = gap_of(contact.ground, px, py)
    sine = ground_at(contact.ground, px)[1] * cosine
    into, along = -vx * gx - vy * cosine, vx * cosine + vy * sine
    normal = normal_force(contact.stiffness, contact.chi, -gap, into, entry_speed)
    if not normal > 0.0:
        return 0.0, 0.0, 0.0
    up = contact.stiffness * gap * math.sqrt(-gap) * contact.chi / max(entry_speed, LEAST_ENTRY_SPEED)
    share = friction_force(contact.friction, normal, along) / normal
    return friction_slope(contact.friction, normal, along), share * up, up
