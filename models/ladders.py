"""Ladders of back-ends: settings of fewer cells, samples or modes, which cost less and are less exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from models.parameters import Parameters


def fewer(parameters: Parameters, divisors: Sequence[int], **least: int) -> list[dict[str, Any]]:
    """Settings with whole numbers divided by each divisor in turn, but not below the least of each.

    A rung on which nothing would differ from the parameters or from the rung before is left out.
    """
    rungs: list[dict[str, Any]] = []
    full = {name: getattr(parameters, name) for name in least}
    for divisor in divisors:
        rung = {name: min(count, max(count // divisor, least[name])) for name, count in full.items()}
        if rung != full and rung not in rungs:
            rungs.append(rung)
    return rungs
