"""The state of an arm in motion and its rates, in plain numpy: the definition of ``motion_kernels.py``.

A state is ``[z, z', losses, impulses, friction impulses]``: N coordinates and N rates (see
:mod:`models.flexible_arm.arm`), the energies [J] lost to normal contact, friction, air and structure, and for
each of P link ends the normal and the tangential impulse [N s]. Losses and impulses are integrated with the
motion, so that they are as exact as it is.

A link end feels the ground from the instant at which it enters to that at which it leaves, which are found as
events of the integration: in between the rates are as smooth as the laws of contact and friction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.chain import accelerations, dissipation, end_velocities, link_ends
from models.flexible_arm.contact import Contact, contact_forces
from models.flexible_arm.ground import gap_of

LOSSES = 4


class Touch(NamedTuple):
    """Link ends that touch the ground, and their approach speeds.

    Attributes
    ----------
    active : (P,) int
        1 for a link end whose contact began and has not ended.
    speeds : (P,) float, m/s
        Approach speed at the beginning of that contact.
    """

    active: IntArray
    speeds: FloatArray


def state_size(arm: Arm) -> int:
    """Numbers of a state."""
    return 2 * int(arm.offsets[-1]) + LOSSES + 2 * (len(arm.lengths) + 1)


def state_rates(arm: Arm, contact: Contact, touch: Touch, y: FloatArray) -> FloatArray:
    """Rates of the state y."""
    N = int(arm.offsets[-1])
    z, v = y[:N], y[N : 2 * N]
    found = contact_forces(contact, link_ends(arm, z), end_velocities(arm, z, v), touch.speeds)
    active = touch.active == 1
    air, structure = dissipation(arm, v)
    normal, friction = (-power[active].sum() for power in (found.power_normal, found.power_friction))
    return np.concatenate([
        v,
        accelerations(arm, z, v, np.where(active[:, None], found.force, 0.0)),
        [normal, friction, air, structure],
        np.where(active, found.normal, 0.0),
        np.where(active, found.tangential, 0.0),
    ])  # fmt: skip


def gaps(arm: Arm, contact: Contact, y: FloatArray) -> FloatArray:
    """Distance (P,) [m] of each link end above the ground."""
    points = link_ends(arm, y[: int(arm.offsets[-1])])
    return gap_of(contact.ground, points[:, 0], points[:, 1])
