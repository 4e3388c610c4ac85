"""Published statements, closed forms, and ours. The paper prints no drive curve and loses its table 1."""

from __future__ import annotations

import math

from models.continuum_dynamics.formulation import static_solution
from models.continuum_dynamics.parameters import ContinuumDynamics
from models.continuum_dynamics.presets import PULL, SOURCE
from models.continuum_dynamics.response import bend
from models.contract import ReferenceCase

ARC = "closed form of inextensible arcs under one cable"


def reference_cases() -> list[ReferenceCase]:
    """The paper's bend, and the state at rest under one cable."""
    return [_printed_bend(), *_one_cable()]


def _printed_bend() -> ReferenceCase:
    parameters = ContinuumDynamics.model_validate({})
    found = bend(static_solution(parameters, [PULL, 0.0, 0.0]).rotations[-1])
    name = "greatest bend under one cable"
    remark = "the pull is ours: the paper draws its drive and prints the bend"
    source = f"{SOURCE}, section 5.2, figure 5"
    return ReferenceCase(name, "rad", math.radians(110.0), found, 1e-3, source, remark)


def _one_cable() -> list[ReferenceCase]:
    """A pull of 24 mm: every element bends by the angle a for which its cable has the chord that is left."""
    parameters = ContinuumDynamics.model_validate({})
    rest = static_solution(parameters, [24e-3, 0.0, 0.0])
    angle, tension = one_cable(parameters, 24e-3)
    return [
        ReferenceCase("bend under a pull of 24 mm", "rad", angle, bend(rest.rotations[-1]), 1e-9, ARC),
        ReferenceCase("tension under a pull of 24 mm", "N", tension, float(rest.tensions[0]), 1e-9, ARC),
    ]


def one_cable(parameters: ContinuumDynamics, pull: float) -> tuple[float, float]:
    """Bend [rad] and tension [N] with one cable pulled by ``pull`` [m], without gravity.

    An element of length L bends by a when its cable has the chord ``c = 2 (L/a - r) sin(a/2)``. The tension
    is where the work ``-T dc/da`` of a small change of a is that of the elastic moment, ``EI a / L``.
    """
    from scipy.optimize import root_scalar

    robot, r = parameters.robot, parameters.hole_radius
    L, n = robot.L, parameters.elements

    def missing(a: float) -> float:
        return n * (L - 2 * (L / a - r) * math.sin(a / 2)) - pull

    a = float(root_scalar(missing, bracket=(1e-9, math.pi), xtol=1e-15).root)
    slope = -2 * L / a**2 * math.sin(a / 2) + (L / a - r) * math.cos(a / 2)
    return n * a, -robot.EI * a / L / slope
