"""The machine and the versions of the libraries that figures were measured with."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

PACKAGES = (
    "tautline",
    "numpy",
    "scipy",
    "numba",
    "llvmlite",
    "pymoo",
    "optuna",
    "scikit-learn",
    "cma",
    "moocore",
    "distributed",
)


def processor() -> str:
    """The processor's own name where the system tells it."""
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def machine() -> dict[str, object]:
    return {
        "machine": platform.machine(),
        "processor": processor(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PACKAGES},
    }
