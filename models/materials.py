"""Materials of the rod: moduli, and the limits of stress and strain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

MaterialName = Literal["spring-steel", "nitinol", "custom"]
SIZES = (0.1e-3, 6.5e-3)  # [m] diameters for which the handbook's law of drawn wire holds


class Material(NamedTuple):
    """A material of the rod.

    Attributes
    ----------
    youngs_modulus, shear_modulus : float, Pa
    density : float, kg/m^3
    stress_limit : float or None, Pa
        Greatest equivalent stress of a rod of 1 mm; None where strain is what counts, or nothing is known.
    strain_limit : float or None
        Greatest equivalent strain.
    linear_strain : float or None
        Strain up to which stress is proportional to it, where that is less than the limit.
    source : str
    size_exponent : float
        The stress limit falls with the power -``size_exponent`` of the diameter, within ``SIZES``.
    """

    youngs_modulus: float
    shear_modulus: float
    density: float
    stress_limit: float | None
    strain_limit: float | None
    linear_strain: float | None
    source: str
    size_exponent: float = 0.0

    def stress_limit_at(self, diameter: float) -> float | None:
        """Greatest equivalent stress [Pa] of a rod of that diameter [m]; None without a limit."""
        if self.stress_limit is None:
            return None
        bounded = min(max(diameter, SIZES[0]), SIZES[1])
        return self.stress_limit * (bounded / 1e-3) ** -self.size_exponent


MATERIALS: Mapping[MaterialName, Material] = {
    "spring-steel": Material(
        210e9,
        72e9,
        7850.0,
        0.78 * 2211e6,
        None,
        None,
        "moduli of the paper's table 1; yield strength in bending of music wire, 0.78 of its tensile "
        "strength 2211 MPa / (d / mm)^0.145, d from 0.1 mm to 6.5 mm: typical handbook values, not checked "
        "against one; give your own",
        0.145,
    ),
    "nitinol": Material(
        60e9,
        23e9,
        6450.0,
        None,
        0.06,
        0.008,
        "superelastic Ni-Ti above its austenite finish temperature: recoverable strain 6 % to 8 %, the "
        "lower; loading plateau near 500 MPa, where the linear law ends (Special Metals Corporation, Shape "
        "Memory Alloys, publication SMC-017, 1999: 482 MPa, 8 %, and 0.1 % of set after 6 %); modulus and a "
        "Poisson's ratio of 0.3 are typical values; give your own",
    ),
    "custom": Material(
        210e9,
        72e9,
        7850.0,
        None,
        None,
        None,
        "moduli of the paper, density of steel; no limit but those given",
    ),
}
