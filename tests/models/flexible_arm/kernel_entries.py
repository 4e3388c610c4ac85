"""Entries to kernels that the model only calls from other kernels."""

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.chain_kernels import Scratch, accelerations_into, dissipation_of, end_states
from models.flexible_arm.contact import Contact
from models.flexible_arm.contact_kernels import contact_forces
from models.flexible_arm.ground_kernels import gap_of
from models.jit import entry


@entry
def evaluate_chain(
    arm: Arm, z: FloatArray, v: FloatArray, forces: FloatArray, scratch: Scratch, points: FloatArray,
    velocities: FloatArray, accelerations: FloatArray,
) -> tuple[float, float]:  # fmt: skip
    """All kernels of one state: fill the three last; returns two powers [W]."""
    end_states(arm, z, v, points, velocities)
    accelerations_into(arm, z, v, forces, scratch, accelerations)
    return dissipation_of(arm, v)


@entry
def fill_contact_forces(
    contact: Contact,
    points: FloatArray,
    velocities: FloatArray,
    entry_speeds: FloatArray,
    gaps: FloatArray,
    out: FloatArray,
) -> None:
    """Fill ``gaps`` (k,) [m] and ``out`` (k, 6), a row of :data:`Forces` for each point.

    Points (k, 2) [m], velocities (k, 2) and entry speeds (k,) [m/s].
    """
    for k in range(len(points)):
        x, y = points[k, 0], points[k, 1]
        gaps[k] = gap_of(contact.ground, x, y)[0]
        found = contact_forces(contact, x, y, velocities[k, 0], velocities[k, 1], entry_speeds[k])
        for i in range(6):
            out[k, i] = found[i]
