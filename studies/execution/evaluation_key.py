"""The key of an evaluation: equal keys mean equal results, so no design is evaluated twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from models import Model


def evaluation_key(
    model: Model,
    parameters: Mapping[str, Any],
    cost_class: str,
    seed: int,
    uncertainty: Mapping[str, Any] | None = None,
) -> str:
    """sha256 of everything that decides the result, with floats written exactly."""
    identity = [model.name, model.version, _exact(parameters), cost_class, seed]
    if model.digest:
        identity.append(model.digest)
    if uncertainty is not None:
        identity.append(_exact(uncertainty))
    return hashlib.sha256(_CANONICAL.encode(identity).encode()).hexdigest()


def imported_key(
    source: str, model: Model, parameters: Mapping[str, Any], metrics: Mapping[str, float | None]
) -> str:
    """sha256 of results from elsewhere with their source: no evaluation of ours ever has it."""
    identity = ["imported", source, model.name, _exact(parameters), _exact(metrics)]
    return hashlib.sha256(_CANONICAL.encode(identity).encode()).hexdigest()


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_LISTS, _SCALARS = (list, tuple), (str, int, type(None))


def _exact(value: Any) -> Any:
    """``value`` with floats as hex text, so that no rounding of decimals can join two designs.

    The most frequent types are tested first: every design of a search passes here.
    """
    if isinstance(value, float):
        return (value + 0.0).hex()  # -0.0 + 0.0 is 0.0
    if isinstance(value, _LISTS):
        return [(item + 0.0).hex() if isinstance(item, float) else _exact(item) for item in value]
    if not isinstance(value, _SCALARS) and isinstance(value, Mapping):
        return {str(name): _exact(item) for name, item in value.items()}
    return value


SHORT_KEY = 10
"""Characters of a key by which people name a design."""


def short_key(key: str) -> str:
    """A key as it is shown; commands take it in the place of the whole one."""
    return key[:SHORT_KEY]
