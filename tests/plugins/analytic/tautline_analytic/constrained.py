"""Two problems with constraints: BNH and OSY."""

from collections.abc import Mapping
from typing import ClassVar

from models import Evaluation, Model, Outcome, Parameters, Preset, quantity
from tautline_analytic.shared import cases, constraint, no_scene, objective


class BnhParameters(Parameters):
    """Decision variables of BNH."""

    x1: float = quantity(0.0, unit="1", description="first variable", ge=0, le=5)
    x2: float = quantity(0.0, unit="1", description="second variable", ge=0, le=3)


def _bnh(parameters: BnhParameters) -> Outcome:
    x, y = parameters.x1, parameters.x2
    return Evaluation(
        {
            "f1": 4 * x**2 + 4 * y**2,
            "f2": (x - 5) ** 2 + (y - 5) ** 2,
            "c1": 25 - (x - 5) ** 2 - y**2,
            "c2": (x - 8) ** 2 + (y + 3) ** 2 - 7.7,
        }
    )


BNH_SOURCE = "Binh, Korn, Proc. MENDEL 1997"
BNH = Model(
    "bnh", 1, "Two objectives, two constraints.", BNH_SOURCE, BnhParameters,
    {"origin": Preset("both variables zero", BNH_SOURCE, {})},
    (objective("f1"), objective("f2"), constraint("c1"), constraint("c2")), {"plain": _bnh}, no_scene,
    lambda: cases(BNH, {"x1": 5, "x2": 3}, {"f1": 136, "f2": 4}, BNH_SOURCE), test_problem=True,
    title="Test problem BNH: two constraints",
)  # fmt: skip


class OsyParameters(Parameters):
    """Decision variables of OSY."""

    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "Outer terms": ("x2", "x1"),
        "Middle terms": ("x3", "x4", "x5"),
    }

    x1: float = quantity(5.0, unit="1", description="first variable", ge=0, le=10)
    x2: float = quantity(1.0, unit="1", description="second variable", ge=0, le=10)
    x3: float = quantity(2.0, unit="1", description="third variable", ge=1, le=5)
    x4: float = quantity(0.0, unit="1", description="fourth variable", ge=0, le=6)
    x5: float = quantity(5.0, unit="1", description="fifth variable", ge=1, le=5)
    x6: float = quantity(10.0, unit="1", description="sixth variable", ge=0, le=10)


def _osy(parameters: OsyParameters) -> Outcome:
    p = parameters
    return Evaluation(
        {
            "f1": -(
                25 * (p.x1 - 2) ** 2 + (p.x2 - 2) ** 2 + (p.x3 - 1) ** 2 + (p.x4 - 4) ** 2 + (p.x5 - 1) ** 2
            ),
            "f2": p.x1**2 + p.x2**2 + p.x3**2 + p.x4**2 + p.x5**2 + p.x6**2,
            "c1": p.x1 + p.x2 - 2,
            "c2": 6 - p.x1 - p.x2,
            "c3": 2 - p.x2 + p.x1,
            "c4": 2 - p.x1 + 3 * p.x2,
            "c5": 4 - (p.x3 - 3) ** 2 - p.x4,
            "c6": (p.x5 - 3) ** 2 + p.x6 - 4,
        }
    )


OSY_SOURCE = "Osyczka, Kundu, Structural Optimization 10 1995"
OSY = Model(
    "osy", 1, "Two objectives, six constraints.", OSY_SOURCE, OsyParameters,
    {"corner": Preset("a design of the front's first segment", OSY_SOURCE, {})},
    (objective("f1"), objective("f2"), *(constraint(f"c{i}") for i in range(1, 7))), {"plain": _osy}, no_scene,
    lambda: cases(OSY, {"x3": 1, "x5": 5, "x6": 0}, {"f1": -258, "f2": 52}, OSY_SOURCE), test_problem=True,
    title="Test problem OSY: six constraints",
)  # fmt: skip
