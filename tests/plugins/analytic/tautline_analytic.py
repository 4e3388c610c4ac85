"""Analytic test problems and a back-end that fails in every known way, as a plug-in package."""

import os
import signal
import time
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from models import Evaluation, Infeasible, Metric, Model, Outcome, Parameters, Preset, ReferenceCase, quantity
from models.scene import Points, Scene

Unit = Annotated[float, Field(ge=0, le=1)]


def _objective(name: str, meaning: str = "objective of the test problem") -> Metric:
    return Metric(name, "1", meaning, "minimize", ("plain",))


def _constraint(name: str) -> Metric:
    return Metric(name, "1", "constraint of the test problem, satisfied when >= 0", "maximize", ("plain",))


def _scene(_: Parameters) -> Scene:
    return Scene((Points("origin", np.zeros((1, 3))),), "an analytic problem has no shape")


def _cases(
    problem: "Model", settings: Mapping[str, object], optimum: Mapping[str, float], source: str
) -> list[ReferenceCase]:
    outcome = problem.evaluate(problem.resolve(None, settings), "plain", 0)
    assert isinstance(outcome, Evaluation)
    return [
        ReferenceCase(name, "1", value, outcome.metrics[name] or 0.0, 1e-9, source)
        for name, value in optimum.items()
    ]


class Zdt1Parameters(Parameters):
    """Decision variables of ZDT1 and the time one evaluation takes."""

    x: list[Unit] = quantity(
        [0.0] * 30, unit="1", description="decision variables", min_length=2, max_length=100
    )
    delay: float = quantity(0.0, unit="s", description="time that one evaluation sleeps", ge=0, le=60)


def _zdt1(parameters: Zdt1Parameters, cost_class: str, seed: int) -> Outcome:
    time.sleep(parameters.delay)
    x = np.array(parameters.x)
    g = 1 + 9 * x[1:].mean()
    return Evaluation({"f1": float(x[0]), "f2": float(g * (1 - np.sqrt(x[0] / g)))})


ZDT1_SOURCE = "Zitzler, Deb, Thiele, Evolutionary Computation 8(2) 2000"
ZDT1 = Model(
    "zdt1", 1, "Two objectives, a convex front f2 = 1 - sqrt(f1).", ZDT1_SOURCE, Zdt1Parameters,
    {"origin": Preset("all variables zero", ZDT1_SOURCE, {})}, ("plain",),
    (_objective("f1"), _objective("f2")), _zdt1, _scene,
    lambda: _cases(ZDT1, {"x.0": 0.25}, {"f1": 0.25, "f2": 0.5}, ZDT1_SOURCE),
)  # fmt: skip


class BnhParameters(Parameters):
    """Decision variables of BNH."""

    x1: float = quantity(0.0, unit="1", description="first variable", ge=0, le=5)
    x2: float = quantity(0.0, unit="1", description="second variable", ge=0, le=3)


def _bnh(parameters: BnhParameters, cost_class: str, seed: int) -> Outcome:
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
    {"origin": Preset("both variables zero", BNH_SOURCE, {})}, ("plain",),
    (_objective("f1"), _objective("f2"), _constraint("c1"), _constraint("c2")), _bnh, _scene,
    lambda: _cases(BNH, {"x1": 5, "x2": 3}, {"f1": 136, "f2": 4}, BNH_SOURCE),
)  # fmt: skip


class OsyParameters(Parameters):
    """Decision variables of OSY."""

    x1: float = quantity(5.0, unit="1", description="first variable", ge=0, le=10)
    x2: float = quantity(1.0, unit="1", description="second variable", ge=0, le=10)
    x3: float = quantity(2.0, unit="1", description="third variable", ge=1, le=5)
    x4: float = quantity(0.0, unit="1", description="fourth variable", ge=0, le=6)
    x5: float = quantity(5.0, unit="1", description="fifth variable", ge=1, le=5)
    x6: float = quantity(10.0, unit="1", description="sixth variable", ge=0, le=10)


def _osy(parameters: OsyParameters, cost_class: str, seed: int) -> Outcome:
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
    {"corner": Preset("a design of the front's first segment", OSY_SOURCE, {})}, ("plain",),
    (_objective("f1"), _objective("f2"), *(_constraint(f"c{i}") for i in range(1, 7))), _osy, _scene,
    lambda: _cases(OSY, {"x3": 1, "x5": 5, "x6": 0}, {"f1": -258, "f2": 52}, OSY_SOURCE),
)  # fmt: skip


class FaultyParameters(Parameters):
    """Where and how the back-end fails: designs with ``x`` above ``threshold`` do."""

    x: float = quantity(0.0, unit="1", description="position", ge=0, le=1)
    y: float = quantity(0.0, unit="1", description="trade-off", ge=0, le=1)
    threshold: float = quantity(2.0, unit="1", description="designs above it fail", ge=0, le=2)
    fault: Literal["raise", "nan", "inf", "missing", "infeasible", "crash", "sleep"] = Field(
        "raise", description="how designs above the threshold fail"
    )
    size: int = quantity(1, unit="1", description="a whole number to vary", ge=1, le=9)
    shape: Literal["round", "square", "flat"] = Field("round", description="an option to vary")


def _plain(parameters: FaultyParameters) -> Evaluation:
    offset = {"round": 0.0, "square": 0.25, "flat": 0.5}[parameters.shape]
    absent = None if parameters.x < 0.05 else parameters.x
    f2 = 1 - parameters.x + parameters.y / parameters.size
    return Evaluation({"f1": parameters.x + parameters.y + offset, "f2": f2, "sometimes": absent})


def _raise() -> Outcome:
    raise RuntimeError("the back-end gave up <img src=x onerror=alert(1)>")


def _crash() -> Outcome:
    os.kill(os.getpid(), signal.SIGKILL)
    return _raise()


def _sleep() -> Outcome:
    time.sleep(3600)
    return _raise()


FAULTS: dict[str, Callable[[], Outcome]] = {
    "raise": _raise,
    "nan": lambda: Evaluation({"f1": float("nan"), "f2": 0.0, "sometimes": None}),
    "inf": lambda: Evaluation({"f1": float("-inf"), "f2": 0.0, "sometimes": None}),
    "missing": lambda: Evaluation({"f1": 0.0}),
    "infeasible": lambda: Infeasible("too far right", 1.0),
    "crash": _crash,
    "sleep": _sleep,
}


def _faulty(parameters: FaultyParameters, cost_class: str, seed: int) -> Outcome:
    if parameters.x > parameters.threshold:
        return FAULTS[parameters.fault]()
    return _plain(parameters)


FAULTY = Model(
    "faulty", 1, "Fails on request.", "none", FaultyParameters,
    {"sound": Preset("never fails", "none", {})}, ("plain",),
    (_objective("f1"), _objective("f2"), Metric("sometimes", "m", "absent below x = 0.05", "minimize", ("plain",), 9.0)),
    _faulty, _scene, list,
)  # fmt: skip
