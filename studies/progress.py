"""What a run reports while it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Phase = Literal["waiting", "compiling", "starting", "replaying", "searching", "left"]


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of one run.

    ``asked`` of ``planned`` designs are finished, ``share`` (0 to 1) of the budget is
    spent; ``hypervolume`` is None until a design is feasible. ``state`` and ``message`` are set in the
    phase ``left``, ``message`` also in ``waiting``.
    """

    layout: str
    seed: int
    phase: Phase
    asked: int = 0
    planned: int = 0
    share: float = 0.0
    generation: int = 0
    front_size: int = 0
    hypervolume: float | None = None
    failed: int = 0
    study: str = ""
    state: str = ""
    message: str = ""


Report = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Report to nobody."""
