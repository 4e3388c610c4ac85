"""A figure of a paper, drawn again from our numbers, with both statements in its caption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dashboards.content.drawing import Drawing


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """A figure of the paper: its number, what it shows of which robots, and what the paper says of it.

    ``last`` is the number of the last figure where several are views of one thing.
    """

    number: int
    title: str
    robots: tuple[str, ...]
    statement: str
    draw: Callable[[PaperFigure], Drawing]
    last: int | None = None

    @property
    def drawing(self) -> Drawing:
        """Ours, with both statements in its caption."""
        found = self.draw(self)
        caption = f"Paper: {self.statement} Ours: {found.caption}"
        numbers = f"Figure {self.number}" if self.last is None else f"Figures {self.number} to {self.last}"
        return replace(found, title=f"{numbers}: {self.title}", caption=caption)
