"""Which objectives are computed from the same quantity, and therefore do not judge independently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models import Model


@dataclass(frozen=True, slots=True)
class SharedQuantity:
    """A metric that two or more objectives contain; it may be one of them itself."""

    quantity: str
    objectives: tuple[str, ...]


def shared_quantities(model: Model, objectives: Sequence[str]) -> tuple[SharedQuantity, ...]:
    """What ``objectives`` have in common, by ``Metric.contains``, followed to its end.

    A quantity that only repeats another one is left out: when F3 contains F2 and F2 the volume, F2 and F3
    share F2.
    """
    contents = {metric.name: _contents(model, metric.name) for metric in model.metrics}
    holders = {
        name: tuple(each for each in objectives if each == name or name in contents.get(each, frozenset()))
        for name in contents
    }
    shared = {name: found for name, found in holders.items() if len(found) > 1}
    return tuple(
        SharedQuantity(name, found)
        for name, found in shared.items()
        if not any(found == other and name in contents[whole] for whole, other in shared.items())
    )


def _contents(model: Model, name: str) -> frozenset[str]:
    """Every metric from which ``name`` is computed, directly or not, without itself."""
    known = {metric.name: metric.contains for metric in model.metrics}
    found: set[str] = set()
    left = list(known.get(name, ()))
    while left:
        one = left.pop()
        if one not in found and one != name:
            found.add(one)
            left.extend(known.get(one, ()))
    return frozenset(found)
