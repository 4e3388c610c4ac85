"""Named designs, and numbers of the paper that are defaults."""

from __future__ import annotations

from models.contract import Preset

SOURCE = (
    "Yousefzadeh, Shafei, Modeling and simulation of contact and friction forces in flexible robotic arms, "
    "J. Applied and Computational Sciences in Mechanics, 2024"
)
WIDTH, HEIGHT = 30e-3, 12.5e-3  # [m]
LINE_DENSITY = 1.0  # [kg/m]
DENSITY = LINE_DENSITY / (WIDTH * HEIGHT)  # [kg/m^3]
POISSON = 0.3  # G = E / 2.6, with which table 2 was computed

PRESETS = {
    "converged": Preset(
        "the arm of the preset paper with eight modes per link instead of one, with which contact forces "
        "converge",
        f"{SOURCE}, tables 1 to 3",
        {},
    ),
    "paper": Preset(
        "three links of 1 m, joined to an arch, fall 0.9 m at rest; shear modulus, second moment and rotary "
        "inertia with which table 2 was computed",
        f"{SOURCE}, tables 1 to 3",
        {"modes": 1},
    ),
    "as-printed": Preset(
        "the same arm with the rounded numbers of table 3, whose rotary inertia contradicts table 2: it "
        "counts in the integrals, not in the modes; they stay as they are if the section changes",
        f"{SOURCE}, table 3",
        {
            "modes": 1,
            "line_density": LINE_DENSITY,
            "second_moment": 4.883e-9,
            "shear_modulus": 7.7e10,
            "rotary_inertia": 2.9473e-5,
        },
    ),
}
