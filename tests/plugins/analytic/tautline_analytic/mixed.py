"""A problem with real, whole and listed variables whose front is known.

The place on the front is ``t = (turns + slide) / 9``. Each third of it has a material of its own;
another one costs 1, and so does every ninth part of ``slack``. Without such costs
``f2 = 1 - sqrt(f1)`` with ``f1 = t``, which is the front of ZDT1: whole, so a search that keeps to
one whole number or one option finds a ninth or a third of it.
"""

from typing import Literal

from pydantic import Field

from models import Evaluation, Model, Outcome, Parameters, Preset, quantity
from tautline_analytic.shared import cases, no_scene, objective

MATERIALS = ("steel", "brass", "nylon")
"""In the order of the thirds of the front that they are right for."""


class MixedParameters(Parameters):
    """One whole number, two real ones and an option."""

    turns: int = quantity(0, unit="1", description="ninth of the front", ge=0, le=8)
    slide: float = quantity(0.0, unit="1", description="place within the ninth", ge=0, le=1)
    slack: float = quantity(0.0, unit="1", description="distance from the front", ge=0, le=1)
    material: Literal["nylon", "steel", "brass"] = Field("steel", description="right for one third")


def _mixed(parameters: MixedParameters) -> Outcome:
    t = (parameters.turns + parameters.slide) / 9
    right = MATERIALS[min(int(3 * t), 2)]
    g = 1 + 9 * parameters.slack + (parameters.material != right)
    return Evaluation({"f1": t, "f2": g * (1 - (t / g) ** 0.5)})


SOURCE = "Tautline; the front is that of ZDT1"
MIXED = Model(
    "mixed", 1, "Real, whole and listed variables, front f2 = 1 - sqrt(f1).", SOURCE, MixedParameters,
    {"start": Preset("the front's first end", SOURCE, {})},
    (objective("f1"), objective("f2")), {"plain": _mixed}, no_scene,
    lambda: cases(MIXED, {"turns": 4, "material": "brass"}, {"f1": 4 / 9, "f2": 1 / 3}, SOURCE), test_problem=True,
    title="Test problem: mixed variables",
)  # fmt: skip
