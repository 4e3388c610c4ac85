"""Published numbers beside ours."""

from __future__ import annotations

from models.contract import ReferenceCase


def reference_cases() -> list[ReferenceCase]:
    """The paper's table 4 beside what exact mechanics gives."""
    return []
