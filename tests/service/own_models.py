"""A model of a user's own that leaves a mark wherever its code is carried out."""

MODEL = """
from pathlib import Path

from models import Metric, Parameters, model, quantity

Path({mark!r}).touch()


class Bar(Parameters):
    length: float = quantity(1.0, unit="m", description="length", gt=0, le=10)


@model(metrics=[Metric("mass", "kg", "mass", "minimize"), Metric("sag", "m", "sag", "minimize")])
def own_bar(bar: Bar):
    \"\"\"A bar.\"\"\"
    print("computing")
    return {{"mass": 2 * bar.length, "sag": 1 / bar.length}}
"""

STUDY = """name = "own"
model = "own-bar"
[variables]
length = { lower = "20 cm", upper = "3 m" }
[objectives]
mass = "minimize"
sag = "minimize"
[search]
population = 8
generations = 2
"""


def write(folder, name="bar.py"):
    """The model and its study in a folder; the file that is there once the code was carried out."""
    mark = folder / "carried-out"
    (folder / name).write_text(MODEL.format(mark=str(mark)), encoding="utf-8")
    (folder / "own.toml").write_text(STUDY, encoding="utf-8")
    return mark
