"""Planar chain of elastic links, free or pinned, whose link ends may hit the ground and rub on it.

After Yousefzadeh and Shafei, "Modeling and simulation of contact and friction forces in flexible robotic
arms", Journal of Applied and Computational Sciences in Mechanics, 2024. Each link bends as a Timoshenko beam
in assumed modes.
"""

from models.flexible_arm.beam import BeamModes, Section, beam_modes
from models.flexible_arm.contact import restitution
from models.flexible_arm.integration import EnergyBalance, Hit, Motion
from models.flexible_arm.model import MODEL
from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.presets import PRESETS
from models.flexible_arm.response import FirstContact, first_contact
from models.flexible_arm.simulation import simulate

__all__ = [
    "MODEL",
    "PRESETS",
    "BeamModes",
    "EnergyBalance",
    "FirstContact",
    "FlexibleArm",
    "Hit",
    "Motion",
    "Section",
    "beam_modes",
    "first_contact",
    "restitution",
    "simulate",
]
