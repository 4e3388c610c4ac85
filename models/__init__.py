"""Physics back-ends: pure functions from parameters to metrics.

``models.load(name)`` gives a :class:`Model`; ``models.names()`` lists them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from models.kernel_cache import set_kernel_cache

if TYPE_CHECKING:
    from models.command import command_model
    from models.contract import Evaluation, Infeasible, Model, Outcome, Preset, ReferenceCase
    from models.fields import quantity
    from models.function_model import model
    from models.mechanism import Joint, Mechanism, RigidLink, StraightCable
    from models.messages import excluded
    from models.metrics import Metric
    from models.parameters import Parameters
    from models.registry import load, names
    from models.scalar_grid import GridField, GridQuantity, ScalarGrid
    from models.scene import PostureCoordinate

__all__ = [
    "Evaluation",
    "GridField",
    "GridQuantity",
    "Infeasible",
    "Joint",
    "Mechanism",
    "Metric",
    "Model",
    "Outcome",
    "Parameters",
    "PostureCoordinate",
    "Preset",
    "ReferenceCase",
    "RigidLink",
    "ScalarGrid",
    "StraightCable",
    "command_model",
    "excluded",
    "load",
    "model",
    "names",
    "quantity",
]
_MODULES = {
    "GridField": "scalar_grid",
    "GridQuantity": "scalar_grid",
    "Joint": "mechanism",
    "Mechanism": "mechanism",
    "Metric": "metrics",
    "Parameters": "parameters",
    "PostureCoordinate": "scene",
    "RigidLink": "mechanism",
    "ScalarGrid": "scalar_grid",
    "StraightCable": "mechanism",
    "command_model": "command",
    "load": "registry",
    "model": "function_model",
    "names": "registry",
    "quantity": "fields",
}

set_kernel_cache()  # before any back-end imports numba


def __getattr__(name: str) -> object:
    """Import what is asked for: ``tautline --help`` needs no numpy, and starts 0.09 s sooner without it."""
    if name not in __all__:
        raise AttributeError(f"module 'models' has no attribute '{name}'")
    return getattr(import_module(f"models.{_MODULES.get(name, 'contract')}"), name)
