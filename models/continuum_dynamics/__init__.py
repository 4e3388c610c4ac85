"""Cable-driven continuum robot in position-force actuation: cable lengths are driven, tensions follow.

After Liu, Cai, Peng, Wang, Zhang and Wu, "Dynamic modeling and experimental validation of cable-driven
continuum robots actuated in position-force mode", ROBOT 44(4), 2022. In two forms with the same results:
relative coordinates, the bends and the twist of each element, with exact arcs, which is what this module
exports; and the paper's co-rotational elements, which can also be compressed
(:mod:`models.continuum_dynamics.corotational_statics` and ``corotational_simulation``).
"""

from models.continuum_dynamics.drives import Drive
from models.continuum_dynamics.formulation import simulate, static_solution, wound
from models.continuum_dynamics.integration import Ledger, Motion
from models.continuum_dynamics.load_stepping import StaticSolution
from models.continuum_dynamics.model import MODEL
from models.continuum_dynamics.parameters import CableDrive, ContinuumDynamics, DriveRow, MeasuredPosition
from models.continuum_dynamics.presets import PRESETS
from models.continuum_dynamics.robot import Robot, greatest_pull, robot_of

__all__ = [
    "MODEL",
    "PRESETS",
    "CableDrive",
    "ContinuumDynamics",
    "Drive",
    "DriveRow",
    "Ledger",
    "MeasuredPosition",
    "Motion",
    "Robot",
    "StaticSolution",
    "greatest_pull",
    "robot_of",
    "simulate",
    "static_solution",
    "wound",
]
