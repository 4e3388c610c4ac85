"""Cable-driven continuum robot: equilibrium, stability, snap-through and stable workspace.

After Hashemi-Pour Moosavi and Ehsani-Seresht (2021).
"""

from models.continuum_statics.chain import Frames, disks, frames
from models.continuum_statics.equilibrium import Equilibrium, equilibrium, rest
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.potential import Potential, potential
from models.continuum_statics.presets import PRESETS
from models.continuum_statics.robot import Robot, robot

__all__ = [
    "PRESETS",
    "ContinuumStatics",
    "Equilibrium",
    "Frames",
    "Potential",
    "Robot",
    "disks",
    "equilibrium",
    "frames",
    "potential",
    "rest",
    "robot",
]
