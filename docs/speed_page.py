"""Writes the page of speed from measured figures: ``python -m docs.speed_page``.

``make bench`` and ``make bench-peers`` write the figures; their last whole runs on a quiet machine stand beside the page.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "reference"
PAGE, FIGURES, PEERS = HERE / "speed.md", HERE / "bench.json", HERE / "bench-peers.json"

ROWS = {
    "Cable robot": {
        "one design, 8 000 cells, nine orientations": "constrained, 20^3 cells, 9 orientations, box: one design",
        "one design, a million cells": "constrained, 100^3 cells, 9 orientations, box: one design",
        "all tests of a cell, compiled for eight cables": "constrained, 100^3 cells, SIMD",
        "the same, batches in numpy": "constrained, 8000 cells, batched numpy",
        "a second process until its first result": "constrained, second process until its first result, 20^3 cells",
    },
    "Continuum robots": {
        "stable equilibria, six segments": "6 segments: stable equilibria with mu_min along rays",
        "inverse kinematics, three sections": "3 sections of 6-8 m, 90 deg: random poses solved",
        "the paper's iteration (39 % within limits)": "3 sections of 6-8 m, 90 deg, the paper's iteration: solved",
    },
    "Arm of elastic links": {
        "the paper's drop, 1.5 s with 30 contacts": "drop of 1.5 s, ss, dop853, rtol 1e-9",
        "the same by scipy and numpy": "drop of 1.5 s, ss, DOP853 of scipy on the numpy definition, rtol 1e-9",
    },
    "Searches and the store": {
        "what a search adds to a design": "NSGA-II 100 x 30, model of 0 ms, beside the driver",
        "replay of a stored design": "replay of NSGA-II 100 x 30",
        "Review with 20 000 designs, all loaded": "Review, 20000 designs: all loaded",
    },
}
"""Rows of the page, and the figure that each shows."""

UNITS = {"1": "", "1/s": "per second"}

HEAD = """# Speed

<!-- Written by `python -m docs.speed_page`. Do not edit. -->

`make bench` measures Tautline on your machine in 11 minutes and writes `bench.json`. Other work makes figures worse:
before you compare two files, look at their loads. Figures here are from {machine}.
"""
AGAINST = """
## Beside other programs

`make bench-peers` installs these programs in an environment of its own and runs the same work there and here
(`benchmarks/peers.py`). Times are seconds of processor, for Optuna of the clock; the load was
{load}. Ratio: their time over ours. Below 1, the other program is faster.
"""
HOW = """
## How it is reached

1. numba compiles the physics once per machine and version.
2. Cells are tested in blocks that fit the caches, on vector units.
3. The cheapest rejecting test comes first; one cell stands for its mirror images.
4. Bodies too far apart to touch at any orientation are tested once.
5. Equilibria continue from neighbours, by Newton's method with exact Hessians.
6. Arms: a recursion over links.
7. Contacts are events of the integrator, not small steps.
8. No design is computed twice: the store finds it by its key.
9. Workers take designs in chunks; results are stored a generation at a time.
10. Pages draw what is looked at.
"""


def machine(told: Mapping[str, Any]) -> str:
    """Processor and Python of a file of figures."""
    return f"{told['cores']} cores of {told['processor']} with Python {told['python']}"


def figures(told: Mapping[str, Any]) -> Iterable[str]:
    """One table; a figure that ``make bench`` no longer has raises ``KeyError``."""
    known = {row["what"]: row for row in told["figures"]}
    yield "| | |"
    yield "|---|---:|"
    for group, rows in ROWS.items():
        yield f"| **{group}** | |"
        for words, what in rows.items():
            unit = UNITS.get(known[what]["unit"], known[what]["unit"])
            yield f"| {words} | {number(known[what]['figure'])} {unit} |"


def number(value: float) -> str:
    """Three digits, thousands apart."""
    return f"{float(f'{value:.3g}'):,.10g}".replace(",", " ")


def peers(told: Mapping[str, Any]) -> Iterable[str]:
    """The table of other programs."""
    yield "| program | work | ours | theirs | ratio | error |"
    yield "|---|---|---:|---:|---:|---|"
    for row in told["comparisons"]:
        errors = [row["our_error"]]
        if row["our_error"] != row["their_error"]:
            errors = [f"ours {row['our_error']}", f"theirs {row['their_error']}"]
        truth = f" ({row['truth']})" if row["truth"] not in {"", "each other"} else ""
        ours, theirs = (f"{number(row[key])} s" for key in ("ours", "theirs"))
        name = f"{row['peer']} {row['version']}"
        yield f"| {name} | {row['work']} | {ours} | {theirs} | {number(row['ratio'])} | {'; '.join(errors)}{truth} |"
    for name in told["absent"]:
        yield f"| {name} | not installed on this machine | | | | |"


def page() -> str:
    """The page as Markdown."""
    told, beside = (json.loads(path.read_text(encoding="utf-8")) for path in (FIGURES, PEERS))
    against = AGAINST.format(load=number(beside["load_before"][0]))
    parts = [HEAD.format(machine=machine(told)), *figures(told), against, *peers(beside), HOW]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
