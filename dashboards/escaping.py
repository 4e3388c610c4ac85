"""Text from users and back-ends on its way into places that would read it as markup."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

_PLOTLY = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_SCRIPT = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)

SIGNIFICANT = 6
"""Digits of numbers in figures: finer than any screen, and a third of the bytes."""


def plotly_text(text: str) -> str:
    """Text for titles, labels and hover boxes, which Plotly reads as a subset of HTML."""
    return text.translate(_PLOTLY)


def script_json(value: Any) -> str:
    """JSON that is safe inside a ``<script>`` element, whatever its strings hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_SCRIPT)


def rounded(values: Iterable[float | None], digits: int = SIGNIFICANT) -> list[float | None]:
    """Numbers with few digits for figures; what is missing or not finite is null."""
    return [None if v is None or not math.isfinite(v) else float(f"{v:.{digits}g}") for v in values]
