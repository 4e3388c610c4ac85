"""``make bench``: every figure that Tautline states about its speed, as a table and as JSON.

Figures, not tests: nothing here passes or fails.
"""

import json
import os
import platform
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import engine, hybrid_cable_robot

OUTPUT = Path("bench.json")


def main() -> None:
    rows = [*hybrid_cable_robot.figures(), *engine.figures()]
    table = Table("what", "figure", "unit")
    for name, figure, unit in rows:
        table.add_row(name, f"{figure:.4g}", unit)
    Console().print(table)
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    figures = [{"what": name, "figure": figure, "unit": unit} for name, figure, unit in rows]
    OUTPUT.write_text(json.dumps({**machine, "figures": figures}, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {OUTPUT}")


if __name__ == "__main__":
    main()
