"""Relative coordinates: the bends and the twist of each element, as exact arcs that do not stretch."""

from models.continuum_dynamics.relative.simulation import simulate
from models.continuum_dynamics.relative.statics import static_solution

__all__ = ["simulate", "static_solution"]
