"""Tables that a notebook shows of records: escaped HTML without pandas."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

MOST_ROWS = 20
"""Rows that a notebook shows of a record."""


def html_table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[Any]], notes: Sequence[str] = ()
) -> str:
    """A table with a title, at most :data:`MOST_ROWS` of its rows, and paragraphs of ``notes`` below."""
    left = len(rows) - MOST_ROWS
    below = [*([f"and {left} more"] if left > 0 else []), *notes]
    cells = "".join(_row("td", row) for row in rows[:MOST_ROWS])
    table = f"<table><thead>{_row('th', head)}</thead><tbody>{cells}</tbody></table>" if rows else ""
    return f"<p><strong>{escape(title)}</strong></p>{table}{html_notes(below)}"


def html_notes(notes: Sequence[str]) -> str:
    """A paragraph of HTML for each text."""
    return "".join(f"<p>{escape(note)}</p>" for note in notes)


def without_value(names: Sequence[str]) -> str:
    """A sentence on metrics that a table leaves out, because no design in it has them."""
    return f"Without a value, and left out: {', '.join(names)}." if names else ""


def _row(tag: str, values: Sequence[Any]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(_text(value))}</{tag}>' for value in values)}</tr>"


def _text(value: Any) -> str:
    if value is None:
        return "\N{EN DASH}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
