"""DTLZ2: three objectives, a front that is an eighth of the unit sphere."""

from typing import Annotated

import numpy as np
from pydantic import Field

from models import Evaluation, Model, Outcome, Parameters, Preset, quantity
from tautline_analytic.shared import cases, no_scene, objective

Unit = Annotated[float, Field(ge=0, le=1)]


class Dtlz2Parameters(Parameters):
    """Decision variables: two angles along the front, the others across it."""

    x: list[Unit] = quantity(
        [0.5] * 12, unit="1", description="decision variables", min_length=3, max_length=100
    )


def _dtlz2(parameters: Dtlz2Parameters) -> Outcome:
    x = np.array(parameters.x)
    radius = 1 + ((x[2:] - 0.5) ** 2).sum()
    (c1, c2), (s1, s2) = np.cos(0.5 * np.pi * x[:2]), np.sin(0.5 * np.pi * x[:2])
    f = radius * np.array([c1 * c2, c1 * s2, s1])
    return Evaluation({"f1": float(f[0]), "f2": float(f[1]), "f3": float(f[2])})


SOURCE = "Deb, Thiele, Laumanns, Zitzler, Proc. CEC 2002"
DTLZ2 = Model(
    "dtlz2", 1, "Three objectives, front f1^2 + f2^2 + f3^2 = 1.", SOURCE, Dtlz2Parameters,
    {"middle": Preset("all variables one half", SOURCE, {})},
    (objective("f1"), objective("f2"), objective("f3")), {"plain": _dtlz2}, no_scene,
    lambda: cases(DTLZ2, {}, {"f1": 0.5, "f2": 0.5, "f3": 0.5**0.5}, SOURCE), test_problem=True,
    title="Test problem DTLZ2: eighth of a sphere",
)  # fmt: skip
