"""ZDT1 to ZDT4: two objectives, one variable along the front and the others across it."""

import time
from typing import Annotated

import numpy as np
from pydantic import Field, field_validator

from models import Evaluation, Model, Outcome, Parameters, Preset, quantity
from tautline_analytic.shared import cases, no_scene, objective

Unit = Annotated[float, Field(ge=0, le=1)]
Wide = Annotated[float, Field(ge=-5, le=5)]


class ZdtParameters(Parameters):
    """Decision variables of ZDT1, ZDT2 and ZDT3 and the time one evaluation takes."""

    x: list[Unit] = quantity(
        [0.0] * 30, unit="1", description="decision variables", min_length=2, max_length=100
    )
    delay: float = quantity(0.0, unit="s", description="time that one evaluation sleeps", ge=0, le=60)


class Zdt4Parameters(Parameters):
    """Decision variables of ZDT4: the first lies in [0, 1], the others in [-5, 5]."""

    x: list[Wide] = quantity(
        [0.0] * 10, unit="1", description="decision variables", min_length=2, max_length=100
    )

    @field_validator("x")
    @classmethod
    def _first_in_unit(cls, x: list[float]) -> list[float]:
        if not 0 <= x[0] <= 1:
            raise ValueError(f"the first variable is {x[0]:g}; it must lie between 0 and 1")
        return x


def _linear(parameters: ZdtParameters) -> tuple[float, float]:
    """``f1`` and the distance function ``g`` of ZDT1 to ZDT3."""
    if parameters.delay > 0:  # even no sleep at all would take a tenth of a millisecond
        time.sleep(parameters.delay)
    x = np.array(parameters.x)
    return float(x[0]), float(1 + 9 * x[1:].mean())


def _zdt1(parameters: ZdtParameters) -> Outcome:
    f1, g = _linear(parameters)
    return Evaluation({"f1": f1, "f2": float(g * (1 - np.sqrt(f1 / g)))})


def _zdt2(parameters: ZdtParameters) -> Outcome:
    f1, g = _linear(parameters)
    return Evaluation({"f1": f1, "f2": g * (1 - (f1 / g) ** 2)})


def _zdt3(parameters: ZdtParameters) -> Outcome:
    f1, g = _linear(parameters)
    return Evaluation({"f1": f1, "f2": float(g * (1 - np.sqrt(f1 / g) - f1 / g * np.sin(10 * np.pi * f1)))})


def _zdt4(parameters: Zdt4Parameters) -> Outcome:
    rest = np.array(parameters.x[1:])
    f1, g = parameters.x[0], float(1 + 10 * len(rest) + (rest**2 - 10 * np.cos(4 * np.pi * rest)).sum())
    return Evaluation({"f1": f1, "f2": float(g * (1 - np.sqrt(f1 / g)))})


SOURCE = "Zitzler, Deb, Thiele, Evolutionary Computation 8(2) 2000"
OBJECTIVES = (objective("f1"), objective("f2"))
ORIGIN = {"origin": Preset("all variables zero", SOURCE, {})}

ZDT1 = Model(
    "zdt1", 1, "Two objectives, a convex front f2 = 1 - sqrt(f1).", SOURCE, ZdtParameters,
    ORIGIN, OBJECTIVES, {"plain": _zdt1}, no_scene,
    lambda: cases(ZDT1, {"x.0": 0.25}, {"f1": 0.25, "f2": 0.5}, SOURCE), test_problem=True,
    title="Test problem ZDT1: convex front",
)  # fmt: skip
ZDT2 = Model(
    "zdt2", 1, "Two objectives, a concave front f2 = 1 - f1^2.", SOURCE, ZdtParameters,
    ORIGIN, OBJECTIVES, {"plain": _zdt2}, no_scene,
    lambda: cases(ZDT2, {"x.0": 0.5}, {"f1": 0.5, "f2": 0.75}, SOURCE), test_problem=True,
    title="Test problem ZDT2: concave front",
)  # fmt: skip
ZDT3 = Model(
    "zdt3", 1, "Two objectives, a front of five pieces.", SOURCE, ZdtParameters,
    ORIGIN, OBJECTIVES, {"plain": _zdt3}, no_scene,
    lambda: cases(ZDT3, {"x.0": 0.25}, {"f1": 0.25, "f2": 0.25}, SOURCE), test_problem=True,
    title="Test problem ZDT3: front in five pieces",
)  # fmt: skip
ZDT4 = Model(
    "zdt4", 1, "Two objectives, a convex front behind 21^9 local ones.", SOURCE, Zdt4Parameters,
    ORIGIN, OBJECTIVES, {"plain": _zdt4}, no_scene,
    lambda: cases(ZDT4, {"x.0": 0.25}, {"f1": 0.25, "f2": 0.5}, SOURCE), test_problem=True,
    title="Test problem ZDT4: many local fronts",
)  # fmt: skip
