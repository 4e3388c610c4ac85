"""Materials of the rod: moduli, and the limits of stress and strain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

MaterialName = Literal["spring-steel", "nitinol", "custom"]


class Material(NamedTuple):
    """A material of the rod.

    Attributes
    ----------
    young_modulus, shear_modulus : float, Pa
    stress_limit : float or None, Pa
        Greatest equivalent stress; None where strain is what counts, or nothing is known.
    strain_limit : float or None
        Greatest equivalent strain.
    linear_strain : float or None
        Strain up to which stress is proportional to it, where that is less than the limit.
    source : str
    """

    young_modulus: float
    shear_modulus: float
    stress_limit: float | None
    strain_limit: float | None
    linear_strain: float | None
    source: str


MATERIALS: Mapping[MaterialName, Material] = {
    "spring-steel": Material(
        210e9,
        72e9,
        1626e6,
        None,
        None,
        "moduli of the paper's table 1; yield strength in bending of music wire of 1.5 mm, 0.78 of its "
        "tensile strength 2211 MPa / (d / mm)^0.145: typical handbook values, not checked against one; give "
        "your own",
    ),
    "nitinol": Material(
        60e9,
        23e9,
        None,
        0.06,
        0.008,
        "superelastic Ni-Ti above its austenite finish temperature: recoverable strain 6 % to 8 %, the "
        "lower; loading plateau near 500 MPa, where the linear law ends (Special Metals Corporation, Shape "
        "Memory Alloys, publication SMC-017, 1999: 482 MPa, 8 %, and 0.1 % of set after 6 %); modulus and a "
        "Poisson's ratio of 0.3 are typical values; give your own",
    ),
    "custom": Material(210e9, 72e9, None, None, None, "the moduli of the paper; no limit but those given"),
}
