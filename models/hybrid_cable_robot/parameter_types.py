"""Types of the fields of the parameter record, with their bounds, and the box of wrenches."""

from __future__ import annotations

import math
from typing import Annotated, Literal, get_args

from pydantic import Field

from models.fields import quantity
from models.parameters import Parameters

Coordinate = Annotated[float, Field(ge=-1e4, le=1e4)]
Point = tuple[Coordinate, Coordinate, Coordinate]
Path = Annotated[tuple[Point, ...], Field(min_length=1, max_length=1000)]
Turn = Annotated[float, Field(ge=-4 * math.pi, le=4 * math.pi)]
GREATEST_LOAD = 1e9  # [N, N m]
Load = Annotated[float, Field(ge=-GREATEST_LOAD, le=GREATEST_LOAD)]
LoadRange = Annotated[float, Field(ge=0, le=GREATEST_LOAD)]
HalfSize = Annotated[float, Field(gt=0, le=1e3)]
Stiffness = Annotated[float, Field(ge=1e-9, le=1e12)]
CableDensity = Annotated[float, Field(ge=1e-9, le=1e3)]
Tension = Annotated[float, Field(ge=0, le=1e9)]
GreatestTension = Annotated[float, Field(ge=1e-9, le=1e9)]
Diameter = Annotated[float, Field(ge=0, le=1)]
WheelRadius = Annotated[float, Field(ge=0, le=10)]
Length = Annotated[float, Field(ge=0, le=1e5)]
JointValue = Annotated[float, Field(ge=-1e3, le=1e3)]
Angle = Annotated[float, Field(ge=0, le=math.pi / 2)]
PulleyNumber = Annotated[int, Field(ge=1, le=16)]
Damping = Annotated[float, Field(ge=0, le=1e9)]
MOST_JOINTS = 8
Posture = Annotated[tuple[JointValue, ...], Field(max_length=MOST_JOINTS)]
Postures = Annotated[tuple[Posture, ...], Field(min_length=1, max_length=64)]

TensionRule = Literal["minimum-norm", "centroid", "closed-form", "paper"]
TENSION_RULES: tuple[TensionRule, ...] = get_args(TensionRule)

WRENCH_UNITS = ["N", "N", "N", "N m", "N m", "N m"]
WRENCH_PARTS = ("force x", "force y", "force z", "moment x", "moment y", "moment z")


class WrenchBox(Parameters):
    """A box of external wrenches on the platform: centre and half range, force first.

    Forces in N and torques in N m about the platform's origin, in world axes.
    """

    center: tuple[Load, Load, Load, Load, Load, Load] = quantity(
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        unit=WRENCH_UNITS,
        description="centre of the wrench box",
        parts=WRENCH_PARTS,
    )
    half_range: tuple[LoadRange, LoadRange, LoadRange, LoadRange, LoadRange, LoadRange] = quantity(
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        unit=WRENCH_UNITS,
        description="half range of the wrench box",
        parts=WRENCH_PARTS,
    )
