"""What a study says, as one text: equal trees have equal texts, whatever the order of their tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast


def plain_text(tree: Any) -> str:
    """A tree of plain values as JSON with sorted names."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


def without_points(tree: Any) -> Any:
    """A tree whose floats without a fraction are whole numbers: ``1000.0`` is ``1000``."""
    if isinstance(tree, Mapping):
        table = cast("Mapping[str, Any]", tree)
        return {name: without_points(value) for name, value in table.items()}
    if isinstance(tree, list | tuple):
        return [without_points(value) for value in cast("Sequence[Any]", tree)]
    return int(tree) if isinstance(tree, float) and tree.is_integer() else tree
