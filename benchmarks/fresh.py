"""A process of its own: one small design, then one of 10^6 cells; prints memory and time as JSON."""

import json
import resource
import sys
import time
from pathlib import Path

from models import load

UNIT = 1 if sys.platform == "darwin" else 1024  # ru_maxrss counts bytes there, KiB elsewhere
STATUS = Path("/proc/self/status")


def peak_mib() -> float:
    """Peak of this process; Linux hands the peak of the process that started it on to ru_maxrss."""
    lines = STATUS.read_text(encoding="ascii").splitlines() if STATUS.is_file() else []
    for line in lines:
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT / 2**20


def main() -> None:
    model = load("hybrid-cable-robot")
    imported = peak_mib()
    model.evaluate(model.resolve(sys.argv[1], {"cells": 20}), "workspace", 0)
    first = time.perf_counter()
    model.evaluate(model.resolve(sys.argv[1], {"cells": 100}), "workspace", 0)
    print(json.dumps({"imported": imported, "peak": peak_mib(), "after": time.perf_counter() - first}))


if __name__ == "__main__":
    main()
