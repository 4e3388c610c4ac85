"""Data as a table, JSON or CSV on stdout; messages, with remedies as commands, on stderr."""

from __future__ import annotations

import csv
import json
import re
import shlex
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from threading import Timer
from typing import Any, Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dashboards.formatting import number
from errors import Remedy, TautlineError

Format = Literal["table", "json", "csv"]
_WORDY = frozenset(
    {
        "meaning",
        "answers",
        "summary",
        "description",
        "remark",
        "source",
        "settings",
        "reason",
        "default",
        "allowed",
        "over",
    }
)
SLOW = 2.0  # [s]
_ROOM_FOR_MEANINGS = 120
_FILE_WIDTH = 160
_WORDY_WIDTH = 24
_WIDEST = 100_000
_HEAD_WIDTH = 10
Row = Mapping[str, Any]


class NumberText(str):
    """A number as text for people; a table aligns it like a number."""

    __slots__ = ()


def typed(number_text: str) -> str:
    """A number with the minus of the keyboard and without gaps, as people copy it from a terminal."""
    return number_text.replace("\N{MINUS SIGN}", "-").replace("\N{NARROW NO-BREAK SPACE}", "")


def say(message: str) -> None:
    """A message for the person, on stderr."""
    print(message, file=sys.stderr, flush=True)  # noqa: T201


@contextmanager
def message_if_slow(message: str) -> Generator[None]:
    """Print a message when the block takes longer than ``SLOW`` seconds."""
    timer = Timer(SLOW, say, (message,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def emit(rows: Sequence[Row], kind: Format, title: str = "", spare: Sequence[str] = ()) -> None:
    """Rows on stdout, under every column that one of them has.

    A terminal that is too narrow for a table goes without columns of ``spare``, the last of them first.
    """
    if rows:
        names = list(dict.fromkeys(name for row in rows for name in row))
        rows = [{name: row.get(name) for name in names} for row in rows]
    if kind == "json":
        emit_json(list(rows))
    elif kind == "csv":
        names = list(rows[0]) if rows else []
        writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _cell(row[name], exact=True) for name in names} for row in rows)
    else:
        _print_table(rows, title, spare)


def emit_version() -> None:
    """The version on stdout."""
    print(f"tautline {version('tautline')}")  # noqa: T201


def emit_json(value: Any) -> None:
    """One JSON value on stdout."""
    print(json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False, default=_moment))  # noqa: T201


def _moment(value: Any) -> str:
    """A moment for programs; raises ``TypeError`` for anything else, as the encoder wants."""
    if not isinstance(value, datetime):
        raise TypeError(f"{type(value).__name__} cannot be JSON")
    return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def minute(time: datetime) -> str:
    """A moment for people, in UTC."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M}"


def _print_table(rows: Sequence[Row], title: str, spare: Sequence[str]) -> None:
    """A table where it fits; one block per row where the terminal is too narrow for it.

    Before that, heads are stacked with their units below, and what can be spared is left out.
    """
    if not rows:
        say("nothing to show")
        return
    moments = {name for row in rows for name, value in row.items() if isinstance(value, datetime)}
    rows = [{f"{name} [UTC]" if name in moments else name: row[name] for name in row} for row in rows]
    console = Console(highlight=False)
    if console.width < _ROOM_FOR_MEANINGS:
        rows = [{name: row[name] for name in row if name != "meaning"} for row in rows]
    table = _table(rows, title)
    needed = console.measure(table, options=console.options.update(max_width=_WIDEST)).minimum
    if not console.is_terminal:
        console.width = max(needed, _FILE_WIDTH)
    if needed <= console.width:
        console.print(table)
        return
    for count in range(len(spare) + 1):
        left_out = list(spare)[len(spare) - count :]
        some = [{name: row[name] for name in row if name not in left_out} for row in rows]
        table = _table(some, title, stacked=True)
        if console.measure(table, options=console.options.update(max_width=_WIDEST)).minimum <= console.width:
            console.print(table)
            if left_out:
                names = ", ".join(name.partition(" [")[0] for name in left_out)
                say(f"the terminal is too narrow for {names}; a wider one or --format csv shows all columns")
            return
    width = max(len(name) for name in rows[0])
    for row in rows:
        lines = [f"{name:{width}}  {_cell(value)}" for name, value in row.items()]
        console.print("\n".join([*lines, ""]), markup=False, soft_wrap=True)


def _table(rows: Sequence[Row], title: str, *, stacked: bool = False) -> Table:
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD)
    for name in rows[0]:
        numeric = all(_is_number(row[name]) or row[name] is None for row in rows)
        wordy = name in _WORDY
        head = _stack(name) if stacked else name
        cells = (_cell(row[name]) for row in rows)
        table.add_column(
            Text(head),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=not wordy,
            # rich takes a line for as narrow as its longest word, and crops it to that
            min_width=_WORDY_WIDTH if wordy else max(_width(text) for text in (head, *cells)),
        )
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row.values()))
    return table


def _width(text: str) -> int:
    """Cells of its longest line."""
    return max((cell_len(line) for line in text.splitlines()), default=0)


def _stack(name: str) -> str:
    """The name of a column over several short lines, its unit on the last one."""
    words, bracket, unit = name.partition(" [")
    lines = [""]
    for part in re.split(r"(?<=[_. ])", words):
        if lines[-1] and len(lines[-1]) + len(part) > _HEAD_WIDTH:
            lines.append("")
        lines[-1] += part
    return "\n".join([*lines, f"[{unit}"] if bracket else lines)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | NumberText) and not isinstance(value, bool)


def _exact(value: datetime | float) -> str:
    return _moment(value) if isinstance(value, datetime) else repr(value)


def _rounded(value: datetime | float) -> str:
    if isinstance(value, datetime):
        return minute(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return typed(number(value))


def _cell(value: Any, *, exact: bool = False) -> str:
    """A value as text: as pages show it for people, every digit for programs."""
    if value is None:
        return "" if exact else "-"
    if isinstance(value, datetime | float) or value is True or value is False:
        return _exact(value) if exact else _rounded(value)
    if isinstance(value, (list, tuple)):
        items: Sequence[Any] = value
        return " ".join(_cell(item, exact=exact) for item in items)
    if isinstance(value, Mapping):
        return json.dumps(value)
    return str(value)


REMEDIES: Mapping[tuple[str, str], str] = {
    ("store", "upgrade"): "tautline store upgrade",
    ("store", "check"): "tautline store check",
    ("store", "dump"): "pg_dump {} --format custom",
    ("models", "use"): "--model {}, or the variable TAUTLINE_MODEL",
    ("studies", "create"): "tautline study run {}",
    ("studies", "pause"): "tautline study pause {}",
    ("studies", "extend"): "tautline study extend {}",
    ("studies", "branch"): "tautline study resume {} --branch NEW-NAME",
    ("fronts", "list"): "tautline study front {}",
}
"""Commands by noun and verb, with places for the names."""


def command_of(remedy: Remedy) -> str:
    """The line that applies a remedy; empty for a verb that is no command."""
    command = REMEDIES.get((remedy.noun, remedy.verb), "")
    names = [shlex.quote(name) for name in remedy.names]
    given = [f"--{name.replace('_', '-')} {shlex.quote(value)}" for name, value in remedy.given.items()]
    return " ".join([command.format(*names), *given]) if command else ""


def with_remedy(text: str, error: TautlineError) -> str:
    """The text of an error, and the command that mends it."""
    command = command_of(error.remedy) if error.remedy is not None else ""
    return f"{text}: {command}" if command else text
