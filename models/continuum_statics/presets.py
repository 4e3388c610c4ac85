"""Named designs of the paper, and its numbers that are defaults."""

from __future__ import annotations

import math

from models.contract import Preset

SOURCE = "Hashemi-Pour Moosavi, Ehsani-Seresht, Amirkabir J. Mech. Eng. 53(4) 2021"

TARGETS = tuple(
    (round(0.2 * math.cos(math.radians(angle)), 4), round(0.2 * math.sin(math.radians(angle)), 4))
    for angle in range(30, 390, 60)
)

PRESETS = {
    "rod-1.5mm": Preset(
        "the paper's robot with a steel rod of 1.5 mm, which weighs besides the sections (density 0: no "
        "mass); the diameter is inferred: its J has the digits that the paper prints for I, and it bends as "
        "the paper's figures show",
        f"{SOURCE}, table 1 except I and J",
        {"backbone_diameter": 0.0015},
    ),
    "printed": Preset(
        "the paper's robot with I and J as printed; it is twenty times stiffer, bends far less than the "
        "paper's figures show and loses stability nowhere",
        f"{SOURCE}, table 1",
        {"bending_stiffness": 210e9 * 4.97e-12, "torsion_stiffness": 72e9 * 9.94e-12, "density": 0.0},
    ),
}
