"""Physics back-ends: pure functions from parameters to metrics.

``models.load(name)`` gives a :class:`Model`; ``models.names()`` lists them.
"""

from models.kernel_cache import point_numba_at_cache

point_numba_at_cache()  # before any back-end imports numba

from models.contract import (  # noqa: E402
    Evaluation,
    Infeasible,
    Metric,
    Model,
    Outcome,
    Preset,
    ReferenceCase,
)
from models.fields import quantity  # noqa: E402
from models.messages import excluded  # noqa: E402
from models.parameters import Parameters  # noqa: E402
from models.registry import load, names  # noqa: E402

__all__ = [
    "Evaluation",
    "Infeasible",
    "Metric",
    "Model",
    "Outcome",
    "Parameters",
    "Preset",
    "ReferenceCase",
    "excluded",
    "load",
    "names",
    "quantity",
]
