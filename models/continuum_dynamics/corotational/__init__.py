"""The co-rotational form of the paper: positions and rotations of the disks, and beams that stretch."""

from models.continuum_dynamics.corotational.simulation import simulate
from models.continuum_dynamics.corotational.statics import static_solution

__all__ = ["simulate", "static_solution"]
