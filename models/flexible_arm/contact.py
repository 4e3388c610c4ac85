"""Forces between a point and the ground: a hysteretic Hertz law along the normal, friction along the tangent.

``F = K D^1.5 (1 + chi D' / D'-)``, never less than 0, where D [m] is the depth of the point in the ground, D'
its rate and D'- the rate at which the point entered (equations 20 to 23 of the paper). The laws differ in
chi, which they make of a coefficient c (Hunt and Crossley 1975; Lankarani and Nikravesh 1990; Flores and
others 2011; Hu and Guo 2015, the paper's). A mass that hits the ground with nothing else acting on it leaves
with e times its speed: ``chi (1 + e) = ln[(1 + chi) / (1 - chi e)]``, whatever its mass, its speed and K are.
Only the first two laws come close to e = c:

=================== ==================== ========== ========== ==========
law                 chi                  e, c = 0.9 e, c = 0.8 e, c = 0.5
=================== ==================== ========== ========== ==========
hu-guo              1.5 (1 - c) / c      0.900      0.799      0.488
flores              1.6 (1 - c) / c      0.894      0.789      0.470
hunt-crossley       1.5 (1 - c)          0.909      0.833      0.663
lankarani-nikravesh 0.75 (1 - c^2)       0.913      0.847      0.725
=================== ==================== ========== ========== ==========

Friction is ``-mu F`` times a ramp in the sliding speed V, which takes the jump at V = 0 away; equation 24 of
the paper lacks the minus sign:

* ``ambrosio`` (the paper's): no friction up to v0, rising to mu_k at v1. A point at rest creeps on a slope.
* ``coulomb``: mu_k, rising from 0 at V = 0 to mu_k at v0.
* ``stribeck``: ``mu_k + (mu_s - mu_k) exp(-(V / vs)^2)``, on the same ramp up to v0.

``contact_kernels.py`` computes the forces; ``tests/oracles/contact_forces.py`` is their definition.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, cast, get_args

from errors import InputError, UnknownNameError
from models.flexible_arm.ground import LEVEL, Ground

ContactLaw = Literal["hu-guo", "flores", "hunt-crossley", "lankarani-nikravesh"]
FrictionLaw = Literal["ambrosio", "coulomb", "stribeck"]

CONTACT_LAWS = cast("tuple[ContactLaw, ...]", get_args(ContactLaw))
FRICTION_LAWS = cast("tuple[FrictionLaw, ...]", get_args(FrictionLaw))
AMBROSIO, COULOMB, STRIBECK = range(3)
"""Numbers of the friction laws, as kernels know them."""

LEAST_ENTRY_SPEED = 1e-6
"""[m/s]; a point that enters more slowly is damped as if it had entered at this speed."""


class Friction(NamedTuple):
    """A friction law and its numbers.

    Attributes
    ----------
    law : int
        ``AMBROSIO``, ``COULOMB`` or ``STRIBECK``.
    kinetic, static : float
        Coefficients; the static one counts in Stribeck's law only.
    stribeck_speed : float, m/s
    v0, v1 : float, m/s
        Ends of the ramp: from v0 to v1 in Ambrosio's law, from 0 to v0 in the others.
    """

    law: int
    kinetic: float
    static: float
    stribeck_speed: float
    v0: float
    v1: float


class Contact(NamedTuple):
    """Laws of contact between ends of links and the ground.

    Attributes
    ----------
    stiffness : float, N/m^1.5
    chi : float
        Damping factor of the contact law.
    friction : Friction
    ground : Ground
    """

    stiffness: float
    chi: float
    friction: Friction
    ground: Ground


def damping_factor(law: ContactLaw, restitution: float) -> float:
    """Damping factor chi of a contact law for a coefficient of restitution.

    Raises
    ------
    UnknownNameError
        When there is no such law.
    InputError
        When the coefficient is not in 0 to 1, or is 0 where the law divides by it.
    """
    if law not in CONTACT_LAWS:
        raise UnknownNameError("contact law", law, CONTACT_LAWS, ("contact_law",))
    c, divides = restitution, law in ("hu-guo", "flores")
    if not (0.0 < c <= 1.0 or (c == 0.0 and not divides)):
        allowed = "more than 0 and at most 1" if divides else "from 0 to 1"
        raise InputError(f"{c:g} is not possible with the law {law}; give {allowed}", ("restitution",))
    if law == "lankarani-nikravesh":
        return 0.75 * (1 - c * c)
    factor = 1.6 if law == "flores" else 1.5
    return factor * (1 - c) / c if divides else factor * (1 - c)


def effective_restitution(chi: float) -> float:
    """Speed after over speed before an impact of a free mass: ``chi (1 + e) = ln[(1 + chi) / (1 - chi e)]``.

    With y = 1 - chi e that is ``y exp(-y) = (1 + chi) exp(-1 - chi)``: the principal branch of Lambert's W.
    """
    from scipy.optimize import brentq
    from scipy.special import lambertw

    if chi < 1e-4:  # the logarithms cancel; the next term is of the order chi^3
        return 1 - 2 / 3 * chi + 4 / 9 * chi * chi
    if chi < 0.9:  # Lambert's function loses half of the digits near its branch point

        def misfit(e: float) -> float:
            return chi * (1 + e) - math.log1p(chi) + math.log1p(-chi * e)

        return float(cast("float", brentq(misfit, 0.0, 1.0, xtol=1e-15)))
    branch = complex(lambertw(-(1 + chi) * math.exp(-1 - chi)))
    return (1 + branch.real) / chi


def restitution(law: ContactLaw, coefficient: float) -> float:
    """The effective coefficient of restitution that a contact law makes of a nominal one."""
    return effective_restitution(damping_factor(law, coefficient))


def friction_of(
    law: FrictionLaw = "ambrosio",
    kinetic: float = 0.1,
    static: float = 0.15,
    stribeck_speed: float = 0.01,
    velocities: tuple[float, float] = (1e-4, 1e-3),
) -> Friction:
    """The record of a friction law.

    Raises
    ------
    UnknownNameError
        When there is no such law.
    InputError
        When a coefficient is negative, or the law needs other speeds.
    """
    if law not in FRICTION_LAWS:
        raise UnknownNameError("friction law", law, FRICTION_LAWS, ("friction_law",))
    for name, value in (("friction_coefficient", kinetic), ("static_friction_coefficient", static)):
        if not (math.isfinite(value) and value >= 0):
            raise InputError(f"a coefficient of {value:g} is not possible; give 0 or more", (name,))
    if law == "stribeck" and static < kinetic:
        message = f"{static:g} is less than the kinetic coefficient, {kinetic:g}; give as much or more"
        raise InputError(message, ("static_friction_coefficient",))
    if not (math.isfinite(stribeck_speed) and stribeck_speed > 0):
        raise InputError(f"{stribeck_speed:g} m/s is not possible; give more than 0", ("stribeck_velocity",))
    v0, v1 = velocities
    if not 0 < v0 < v1 < math.inf:
        message = f"{v0:g} and {v1:g} m/s are not possible; give two increasing speeds of more than 0"
        raise InputError(message, ("friction_velocities",))
    number = FRICTION_LAWS.index(law)
    return Friction(number, float(kinetic), float(static), float(stribeck_speed), float(v0), float(v1))


def contact_of(
    law: ContactLaw, restitution: float, stiffness: float, friction: Friction, ground: Ground = LEVEL
) -> Contact:
    """The record of a contact; raises what :func:`damping_factor` raises, and refuses a stiffness of 0."""
    if not (math.isfinite(stiffness) and stiffness > 0):
        message = f"{stiffness:g} N/m^1.5 is not possible; give more than 0"
        raise InputError(message, ("contact_stiffness",))
    return Contact(float(stiffness), float(damping_factor(law, restitution)), friction, ground)
