"""Forces between points and the ground of ``flexible-arm``, in plain numpy; see ``contact.py`` for the laws."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, Numbers
from models.flexible_arm.contact import AMBROSIO, LEAST_ENTRY_SPEED, STRIBECK, Contact, Friction
from models.flexible_arm.ground import Ground, gap_of, ground_at


class ContactForces(NamedTuple):
    """Forces on points, and the power that they feed into the arm.

    Attributes
    ----------
    force : (..., 2) float, N
    normal : (...) float, N
        Along the normal, never negative.
    tangential : (...) float, N
        Along the tangent, which points towards +x.
    power_normal : (...) float, W
        Negative while a point goes into the ground; over an impact its sum is the loss.
    power_friction : (...) float, W
        Never positive.
    """

    force: FloatArray
    normal: FloatArray
    tangential: FloatArray
    power_normal: FloatArray
    power_friction: FloatArray


def gap_gradient(ground: Ground, x: Numbers, y: Numbers) -> FloatArray:
    """Gradient (..., 2) [1] of :func:`gap_of` by x and y; the unit normal where the gap is 0."""
    surface = ground_at(ground, x)
    above = np.asarray(y, dtype=float) - surface.height
    bend = surface.slope * surface.curvature * surface.cosine**3
    return np.stack([-surface.sine - above * bend, surface.cosine], axis=-1)


def normal_force(
    stiffness: float, chi: float, depth: Numbers, rate: Numbers, entry_speed: Numbers
) -> FloatArray:
    """Force (...) [N] on points at a depth [m] that grows at a rate [m/s], entered at a speed [m/s]."""
    spring = stiffness * np.maximum(depth, 0.0) ** 1.5
    damping = chi * np.asarray(rate, dtype=float) / np.maximum(entry_speed, LEAST_ENTRY_SPEED)
    return np.maximum(spring * (1 + damping), 0.0)


def friction_force(friction: Friction, normal: Numbers, speed: Numbers) -> FloatArray:
    """Force (...) [N] along the tangent on points that slide at a speed [m/s], pressed by a force [N]."""
    speed = np.asarray(speed, dtype=float)
    size = np.abs(speed)
    if friction.law == AMBROSIO:
        ramp = np.clip((size - friction.v0) / (friction.v1 - friction.v0), 0.0, 1.0)
    else:
        ramp = np.minimum(size / friction.v0, 1.0)
    coefficient = np.full(size.shape, friction.kinetic)
    if friction.law == STRIBECK:
        coefficient += (friction.static - friction.kinetic) * np.exp(-((size / friction.stribeck_speed) ** 2))
    return -coefficient * ramp * np.asarray(normal, dtype=float) * np.sign(speed)


def friction_slope(friction: Friction, normal: Numbers, speed: Numbers) -> FloatArray:
    """Derivative (...) [N s/m] of :func:`friction_force` by the sliding speed; at an edge, that beyond it."""
    size = np.abs(np.asarray(speed, dtype=float))
    start, width = (
        (friction.v0, friction.v1 - friction.v0) if friction.law == AMBROSIO else (0.0, friction.v0)
    )
    ramp = np.clip((size - start) / width, 0.0, 1.0)
    rise = np.where((size >= start) & (ramp < 1.0), 1 / width, 0.0)
    extra = np.zeros(size.shape)
    if friction.law == STRIBECK:
        extra = (friction.static - friction.kinetic) * np.exp(-((size / friction.stribeck_speed) ** 2))
    fall = -2 * size / friction.stribeck_speed**2 * extra
    return -((friction.kinetic + extra) * rise + fall * ramp) * np.maximum(
        np.asarray(normal, dtype=float), 0.0
    )


def contact_slopes(
    contact: Contact, positions: Numbers, velocities: Numbers, entry_speeds: Numbers
) -> FloatArray:
    """Derivatives (..., 3) [N s/m] of the forces of :func:`contact_forces` by the velocity.

    Of the tangential force by the speed along the ground and by the speed up, which is along the gradient of
    the gap; of the normal force by the speed up. Faster sliding does not change the normal force.
    """
    at, v = np.asarray(positions, dtype=float), np.asarray(velocities, dtype=float)
    surface = ground_at(contact.ground, at[..., 0])
    depth = np.maximum(-gap_of(contact.ground, at[..., 0], at[..., 1]), 0.0)
    along = v[..., 0] * surface.cosine + v[..., 1] * surface.sine
    found = contact_forces(contact, at, v, entry_speeds)
    pressed = found.normal > 0.0
    damping = contact.stiffness * depth**1.5 * contact.chi / np.maximum(entry_speeds, LEAST_ENTRY_SPEED)
    up = np.where(pressed, -damping, 0.0)
    share = found.tangential / np.where(pressed, found.normal, 1.0)
    return np.stack([friction_slope(contact.friction, found.normal, along), share * up, up], axis=-1)


def contact_forces(
    contact: Contact, positions: Numbers, velocities: Numbers, entry_speeds: Numbers
) -> ContactForces:
    """Forces on points at ``positions`` (..., 2) [m] with ``velocities`` (..., 2) [m/s].

    ``entry_speeds`` (...) [m/s] are those at which the points went into the ground, along its normal. The
    normal force acts along the gradient of the gap, so that an elastic impact on curved ground keeps energy.
    """
    at, v = np.asarray(positions, dtype=float), np.asarray(velocities, dtype=float)
    surface = ground_at(contact.ground, at[..., 0])
    up = gap_gradient(contact.ground, at[..., 0], at[..., 1])
    into = -(v * up).sum(axis=-1)
    along = v[..., 0] * surface.cosine + v[..., 1] * surface.sine
    depth = -gap_of(contact.ground, at[..., 0], at[..., 1])
    normal = normal_force(contact.stiffness, contact.chi, depth, into, entry_speeds)
    tangential = friction_force(contact.friction, normal, along)
    force = np.stack(
        [
            tangential * surface.cosine + normal * up[..., 0],
            tangential * surface.sine + normal * up[..., 1],
        ],
        axis=-1,
    )
    return ContactForces(force, normal, tangential, -normal * into, tangential * along)
