"""Tables of text that a template only has to print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Mark = Literal["", "best", "differs", "good", "bad", "unsure"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: text, a smaller note below it, what it is marked as (never by colour alone), and a tooltip."""

    text: str
    note: str = ""
    mark: Mark = ""
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one heading per column; the first column heads the rows.

    ``numeric`` are the columns that are aligned to the right, ``tooltips`` what headings mean.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numeric: frozenset[int] = frozenset()
    tooltips: Mapping[str, str] = field(default_factory=dict[str, str])


def table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[Sequence[Cell | str]],
    numeric: Iterable[int] = (),
    tooltips: Mapping[str, str] | None = None,
) -> Table:
    """A table from cells or plain text."""
    cells = tuple(tuple(item if isinstance(item, Cell) else Cell(item) for item in row) for row in rows)
    return Table(caption, tuple(head), cells, frozenset(numeric), tooltips or {})


def listed(items: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
