"""Types of the fields of the parameter record, with their bounds, their groups, and the records inside it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from models.fields import quantity
from models.flexible_arm.ground import MOST_POINTS
from models.parameters import Parameters

MOST_LINKS = 100
MOST_MODES = 20

ModeSet = Literal["ss", "cc", "sc", "cs", "cf", "ff", "rigid"]
Length = Annotated[float, Field(ge=1e-2, le=100)]
Side = Annotated[float, Field(ge=1e-4, le=10)]
Modes = Annotated[int, Field(ge=1, le=MOST_MODES)]
Turn = Annotated[float, Field(ge=-4 * math.pi, le=4 * math.pi)]
Coordinate = Annotated[float, Field(ge=-1e3, le=1e3)]
Speed = Annotated[float, Field(ge=1e-6, le=10)]
Place = tuple[Coordinate, Coordinate]
Speeds = tuple[Speed, Speed]

Lengths = Annotated[tuple[Length, ...], Field(min_length=1, max_length=MOST_LINKS)]
Sides = Annotated[tuple[Side, ...], Field(min_length=1, max_length=MOST_LINKS)]
ModeCounts = Annotated[tuple[Modes, ...], Field(min_length=1, max_length=MOST_LINKS)]
ModeSets = Annotated[tuple[ModeSet, ...], Field(min_length=1, max_length=MOST_LINKS)]
Turns = Annotated[tuple[Turn, ...], Field(min_length=1, max_length=MOST_LINKS)]


EITHER = (
    ("link_length", "link_lengths"), ("section_width", "section_widths"),
    ("section_height", "section_heights"), ("modes", "link_modes"), ("density", "line_density"),
    ("drop_height", "base_position"),
)  # fmt: skip
"""Fields that replace each other."""
LISTS = ("link_lengths", "section_widths", "section_heights", "link_modes", "initial_angles", "mode_sets")
"""Fields with an item per link."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Links": (
        "links", "link_length", "link_lengths", "section_width", "section_widths", "section_height",
        "section_heights", "second_moment",
    ),
    "Material and damping": (
        "youngs_modulus", "shear_modulus", "shear_factor", "density", "line_density", "rotary_inertia",
        "structural_damping", "air_damping",
    ),
    "Modes": ("mode_sets", "modes", "link_modes"),
    "Start": (
        "drop_height", "base_position", "initial_angles", "angle_convention", "tilt", "pinned",
        "gravity", "duration",
    ),
    "Impact": ("contact_law", "restitution", "contact_stiffness", "ground"),
    "Friction": (
        "friction_law", "friction_coefficient", "static_friction_coefficient", "stribeck_velocity",
        "friction_velocities",
    ),
    "Computation": ("method", "rtol", "output_interval", "early_time", "ensemble"),
}  # fmt: skip
"""Fields that belong together, under titles."""


class GroundPoint(BaseModel):
    """A point of the ground's profile."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    x: Coordinate = quantity(..., unit="m", description="where, along the ground")
    height: Coordinate = quantity(..., unit="m", description="height of the ground there")


Profile = Annotated[tuple[GroundPoint, ...], Field(max_length=MOST_POINTS)]


class Ensemble(Parameters):
    """Motions of almost the same arm: what is chaotic is known as statistics over them."""

    runs: int = quantity(
        16, unit="1", description="motions over which statistics are taken", numerical=True, ge=2, le=1000
    )
    jitter: float = quantity(
        1e-6,
        unit="1",
        description="greatest relative change of Young's modulus, density, restitution, contact stiffness "
        "and friction coefficient among the motions; changes are drawn uniformly",
        numerical=True,
        ge=0,
        le=0.1,
    )
