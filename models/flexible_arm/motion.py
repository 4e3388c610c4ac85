"""State of an arm in motion; ``motion_kernels.py`` computes its rates.

A state is ``[z, z', losses, impulses, friction impulses]``: N coordinates and N rates (see
:mod:`models.flexible_arm.arm`), the energies [J] lost to normal contact, friction, air and structure, and for
each of P link ends the normal and the tangential impulse [N s]. Losses and impulses are integrated with the
motion, so that they are as exact as it is.

A link end feels the ground from the instant at which it enters to that at which it leaves, which are found as
events of the integration: in between the rates are as smooth as the laws of contact and friction.
"""

from __future__ import annotations

from typing import NamedTuple

from models.arrays import FloatArray, IntArray
from models.flexible_arm.arm import Arm

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
