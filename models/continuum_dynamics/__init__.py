"""Cable-driven continuum robot in position-force actuation: cable lengths are driven, tensions follow.

After Liu, Cai, Peng, Wang, Zhang and Wu, "Dynamic modeling and experimental validation of cable-driven
continuum robots actuated in position-force mode", ROBOT 44(4), 2022. In two formulations with the same
results: relative coordinates, which are the bends and the twist of each element, with exact arcs; and the
paper's co-rotational elements, which can also be compressed.
"""

from models.continuum_dynamics.drives import Drive
from models.continuum_dynamics.fit import Fit, fit_measured
from models.continuum_dynamics.formulation import Modes, natural_frequencies, simulate, static_solution, wound
from models.continuum_dynamics.integration import EnergyBalance, Motion
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
    "EnergyBalance",
    "Fit",
    "MeasuredPosition",
    "Modes",
    "Motion",
    "Robot",
    "StaticSolution",
    "fit_measured",
    "greatest_pull",
    "natural_frequencies",
    "robot_of",
    "simulate",
    "static_solution",
    "wound",
]
