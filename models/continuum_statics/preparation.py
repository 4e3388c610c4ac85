"""Compiles or loads the kernels before they are needed, by evaluating small designs."""

from __future__ import annotations

from collections.abc import Mapping

from models.compilation import once
from models.continuum_statics.outcomes import OUTCOMES
from models.continuum_statics.parameters import ContinuumStatics

_SMALL = {"segments": 2, "rays": 2, "tension_steps": 5, "pretension_steps": 2, "max_tension": 2.0}
_PREPARED: tuple[Mapping[str, object], ...] = (
    {},
    {"tensions": (1.0, 0.0, 0.0)},
    {"gravity": "up", "tip_mass": 5.0},  # not stable, with the reason
)


def prepare(cost_class: str) -> None:
    """Compile the kernels of a cost class if they are new to this machine, and load the usual ones."""
    once(f"continuum-statics-{cost_class}", lambda: _evaluate_all(cost_class))
    OUTCOMES[cost_class](_small({}))


def _evaluate_all(cost_class: str) -> None:
    for settings in _PREPARED:
        OUTCOMES[cost_class](_small(settings))


def _small(settings: Mapping[str, object]) -> ContinuumStatics:
    return ContinuumStatics.model_validate({**_SMALL, **settings})
