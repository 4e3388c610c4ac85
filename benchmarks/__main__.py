"""``make bench``: every figure that Tautline states about its speed, as a table and as JSON.

Figures, not tests: nothing here passes or fails.
"""

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import (
    continuum_dynamics,
    continuum_kinematics,
    continuum_statics,
    engine,
    flexible_arm,
    hybrid_cable_robot,
    large_store,
    many_workers,
    pages,
    paper_search,
    store,
    surrogates,
)
from benchmarks.machine import machine
from benchmarks.timing import Figure

OUTPUT = Path("bench.json")
GROUPS: dict[str, Callable[[bool], list[Figure]]] = {
    "model": hybrid_cable_robot.figures,
    "statics": continuum_statics.figures,
    "kinematics": continuum_kinematics.figures,
    "dynamics": continuum_dynamics.figures,
    "arm": flexible_arm.figures,
    "engine": engine.figures,
    "workers": many_workers.figures,
    "store": store.figures,
    "large-store": large_store.figures,
    "surrogates": surrogates.figures,
    "pages": pages.figures,
    "paper-100": paper_search.figures,
}
LONG = {"surrogates", "paper-100"}
"""Groups that take longer than all others together; they run when they are named."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, default=OUTPUT, help=f"where the figures go (default {OUTPUT})")
    parser.add_argument("--only", choices=GROUPS, help="one group of figures")
    parser.add_argument(
        "--small", action="store_true", help="small sizes: does it run? The figures mean nothing"
    )
    options = parser.parse_args()
    before = os.getloadavg()
    names = [options.only] if options.only else [name for name in GROUPS if name not in LONG]
    rows = [row for name in names for row in GROUPS[name](options.small)]
    table = Table("what", "figure", "unit")
    for name, figure, unit in rows:
        table.add_row(name, f"{figure:.4g}", unit)
    Console().print(table)
    told = {
        **machine(),
        "load_before": before,
        "load_after": os.getloadavg(),
        "figures": [{"what": name, "figure": figure, "unit": unit} for name, figure, unit in rows],
    }
    options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(f"load {before[0]:.1f} before; wrote {options.json}")


if __name__ == "__main__":
    main()
