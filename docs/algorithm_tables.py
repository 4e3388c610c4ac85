"""Tables of ``reference/algorithms.md``: ``python -m docs.algorithm_tables`` writes those of the registry.

``docs.compare_algorithms`` and ``docs.compare_originals`` measure the others, some minutes each.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from studies.search.algorithm import Algorithm, Setting
from studies.search.registry import OURS

PAGE = Path(__file__).resolve().parent / "reference" / "algorithms.md"
_TABLE = r"(<!-- table {}, written by `python -m docs\.\w+` -->\n).*?(<!-- end of table {} -->)"


def sources() -> Iterable[str]:
    """Yield each algorithm with its summary, which ends with its source."""
    yield "| algorithm | what it is |"
    yield "|---|---|"
    yield from (f"| `{algorithm.name}` | {algorithm.summary} |" for algorithm in OURS.values())


def limits() -> Iterable[str]:
    """Yield the limits of each algorithm."""
    columns = "objectives", "variables", "population", "designs", "constraints", "steady state", "extends"
    yield f"| algorithm | {' | '.join(columns)} |"
    yield "|---|---|---:|---:|---:|---|---|---|"
    for algorithm in OURS.values():
        least, most = algorithm.objectives
        can = algorithm.constraints, algorithm.asynchronous, not algorithm.fixed
        cells = (
            f"`{algorithm.name}`", f"{least}" if least == most else f"{least} to {most}",
            *(f"{n:,}".replace(",", " ") for n in _most(algorithm)),
            *("yes" if each else "no" for each in can),
        )  # fmt: skip
        yield f"| {' | '.join(cells)} |"


def _most(algorithm: Algorithm) -> tuple[int, int, int]:
    return algorithm.most_variables, algorithm.most_population, algorithm.most_designs


def settings() -> Iterable[str]:
    """Yield what ``[search.settings]`` may set; equal settings of several algorithms are one row."""
    yield "| setting | of | means | may be | default |"
    yield "|---|---|---|---|---|"
    found: dict[tuple[str, str, str], list[tuple[str, Setting]]] = {}
    for algorithm in OURS.values():
        for setting in algorithm.settings:
            key = setting.name, setting.meaning, setting.allowed
            found.setdefault(key, []).append((f"`{algorithm.name}`", setting))
    for (name, meaning, allowed), owners in found.items():
        by_default: dict[str, list[str]] = {}
        for owner, setting in owners:
            by_default.setdefault(setting.default, []).append(owner)
        defaults = [f"{default} ({', '.join(of)})" for default, of in by_default.items()]
        default = "; ".join(defaults if len(defaults) > 1 else by_default)
        yield f"| `{name}` | {', '.join(owner for owner, _ in owners)} | {meaning} | {allowed} | {default} |"


def put(text: str, name: str, lines: Iterable[str]) -> str:
    """Return the page with the table between its markers; exit where it has no place for it."""
    table = "\n".join(lines)
    text, places = re.subn(
        _TABLE.format(name, name), lambda m: f"{m[1]}\n{table}\n\n{m[2]}", text, flags=re.DOTALL
    )
    if places != 1:
        raise SystemExit(f"{PAGE.name} has {places} places for the table '{name}', and needs one")
    return text


def write(**measured: Iterable[str]) -> None:
    """Put these tables, and those that follow from the registry, between their markers."""
    text = PAGE.read_text(encoding="utf-8")
    tables = {"sources": sources(), "limits": limits(), "settings": settings(), **measured}
    for name, lines in tables.items():
        text = put(text, name, lines)
    PAGE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(write())
