"""The parameter record of the cable-driven robot whose cable lengths are driven."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from errors import InputError, place_text
from models.arrays import FloatArray, finite_array
from models.continuum.gravity import GRAVITIES
from models.continuum_dynamics.drives import Drive, State, greatest_pulls, rise_time, sampled
from models.continuum_dynamics.presets import DRIVES
from models.continuum_dynamics.processor_time import MOST_VALUES, Sizes, seconds, values
from models.contract import MOST_SECONDS
from models.fields import quantity
from models.messages import excluded
from models.parameters import Parameters

MOST_ELEMENTS = 100
MOST_CABLES = 8
GREATEST_TIME = 3600.0  # [s]

FormulationName = Literal["relative", "corotational"]
STEPS: Mapping[FormulationName, float] = {"relative": 5e-3, "corotational": 2e-3}
"""Step [s] of each formulation, at most."""
PER_RAMP = 20  # steps in the fastest ramp, at least
LEAST_STEP = 1e-4  # [s]; shorter ones must be given

Acceleration = Annotated[float, Field(ge=-1e3, le=1e3)]
Azimuth = Annotated[float, Field(ge=-4 * math.pi, le=4 * math.pi)]
Disk = Annotated[int, Field(ge=1, le=MOST_ELEMENTS)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class DriveRow(_Record):
    """A row of a table: the length that the motor has wound at an instant."""

    time: float = quantity(..., unit="s", description="instant", ge=0, le=GREATEST_TIME)
    length: float = quantity(..., unit="m", description="wound length; negative if paid out", ge=-10, le=10)


class CableDrive(_Record):
    """Drive of one cable."""

    state: State = Field(
        "driven",
        description="driven: a motor winds it; locked: it is held at its length along the straight robot; "
        "slack: it is paid out so far that it never pulls; absent: it is not there",
    )
    pull: float = quantity(
        0.0, unit="m", description="length that a ramp winds; negative to pay out", ge=-10, le=10
    )
    start: float = quantity(0.0, unit="s", description="start of the ramp", ge=0, le=GREATEST_TIME)
    end: float | None = quantity(
        None, unit="s", description="end of the ramp; if not set, drive_time", ge=0, le=GREATEST_TIME
    )
    table: tuple[DriveRow, ...] = Field(
        default=(),
        description="wound lengths over time instead of a ramp, joined by monotone cubics; the drive begins "
        "and ends at rest",
        max_length=10_000,
        json_schema_extra={"item": "row {}"},
    )

    def drive(self, drive_time: float) -> Drive:
        """The drive of the equations of motion; ``drive_time`` [s] is the end of a ramp that gives none."""
        end = drive_time if self.end is None else self.end
        if not self.table:
            return Drive(self.state, self.pull, self.start, end)
        times, lengths = zip(*((row.time, row.length) for row in self.table), strict=True)
        return Drive(self.state, self.pull, self.start, end, times, lengths)


class MeasuredPosition(_Record):
    """Measured position of a disk at an instant, in the base frame."""

    time: float = quantity(..., unit="s", description="instant", ge=0, le=GREATEST_TIME)
    disk: Disk = quantity(..., unit="1", description="number of the disk; the base is 0")
    x: float = quantity(..., unit="m", description="x of its centre", ge=-100, le=100)
    y: float = quantity(..., unit="m", description="y of its centre", ge=-100, le=100)
    z: float = quantity(..., unit="m", description="z of its centre", ge=-100, le=100)


class ContinuumDynamics(Parameters):
    """A backbone with rigid disks, moved by motors that wind cables up to eight in number.

    Base frame: disk 0, fixed; z along the straight backbone, azimuths about z counted from x towards y. Every
    cable runs through the holes at its azimuth of all disks and is tied to the last one.
    """

    renamed: ClassVar[Mapping[str, str]] = {"elements": "disks"}
    geometry: ClassVar[frozenset[str]] = frozenset({
        "disks", "length", "hole_radius", "hole_azimuths", "drives",
    })  # fmt: skip
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "Backbone": (
            "disks", "length", "backbone_diameter", "youngs_modulus", "poisson_ratio", "density",
        ),
        "Disks and holes": (
            "disk_mass", "disk_radius", "disk_thickness", "hole_radius", "hole_azimuths",
        ),
        "Drives": ("drives", "drive_time", "duration"),
        "Loads and damping": ("gravity", "mass_damping", "stiffness_damping"),
        "Measured motion": ("measured",),
        "Computation": ("formulation", "bowing", "step", "smoothing_window"),
    }  # fmt: skip

    formulation: FormulationName = Field(
        "relative",
        description="coordinates of the equations of motion; relative: bends and twist of exact arcs, which "
        "do not stretch (fast); corotational: positions and rotations of the disks, and beams that stretch "
        "(the paper's)",
        json_schema_extra={"numerical": True},
    )
    bowing: bool = Field(
        default=True,
        description="whether the beams of the co-rotational form become shorter as they bow; without it, the "
        "element is that of the paper, 4 % off in angle",
        json_schema_extra={"numerical": True},
    )
    disks: int = quantity(
        10,
        unit="1",
        description="disks without the base; an element of the backbone ends at each",
        ge=1,
        le=MOST_ELEMENTS,
    )
    length: float = quantity(
        0.636,
        unit="m",
        description="length of the backbone (assumed: from the paper's errors in mm and in per cent)",
        ge=1e-3,
        le=100,
    )
    backbone_diameter: float = quantity(
        1e-3, unit="m", description="diameter of the round backbone (assumed)", ge=1e-5, le=0.1
    )
    youngs_modulus: float = quantity(
        65e9, unit="Pa", description="Young's modulus of the backbone (assumed)", ge=1e3, le=1e13
    )
    poisson_ratio: float = quantity(
        0.33, unit="1", description="Poisson's ratio of the backbone (assumed)", gt=-1, le=0.5
    )
    density: float = quantity(
        6450.0, unit="kg/m**3", description="density of the backbone (assumed)", ge=0, le=1e5
    )
    disk_mass: float = quantity(3e-3, unit="kg", description="mass of a disk (assumed)", gt=0, le=100)
    disk_radius: float = quantity(15e-3, unit="m", description="radius of the disks", ge=1e-5, le=1)
    disk_thickness: float = quantity(
        3e-3, unit="m", description="thickness of the disks (assumed)", ge=1e-6, le=1
    )
    hole_radius: float = quantity(
        12.5e-3,
        unit="m",
        description="distance of the holes from the centre of the disks (assumed)",
        ge=1e-6,
        le=1,
    )
    hole_azimuths: tuple[Azimuth, ...] | None = quantity(
        None,
        unit="rad",
        description="for each cable, the azimuth of its holes; if not set, they are evenly spaced from 0",
        max_length=MOST_CABLES,
        item="cable {}, hole azimuth",
    )
    drives: tuple[CableDrive, ...] = Field(
        default=tuple(CableDrive.model_validate(each) for each in DRIVES),
        description="what is done with each cable",
        max_length=MOST_CABLES,
        json_schema_extra={"item": "cable {}"},
    )
    drive_time: float = quantity(
        5.0,
        unit="s",
        description="end of the ramps of drives that give no end of their own",
        ge=0,
        le=GREATEST_TIME,
    )
    duration: float = quantity(
        8.0, unit="s", description="how long the motion is computed", gt=0, le=GREATEST_TIME
    )
    gravity: Literal["horizontal", "down", "up"] | tuple[Acceleration, Acceleration, Acceleration] = quantity(
        (0.0, 0.0, 0.0),
        unit="m/s**2",
        description="gravity in the base frame: the robot lies with y upwards (horizontal), hangs (down) or "
        "stands (up); or any vector",
    )
    mass_damping: float = quantity(
        1.0, unit="1/s", description="damping forces per momentum (assumed)", ge=0, le=1e5
    )
    stiffness_damping: float = quantity(
        0.0,
        unit="s",
        usual=(0.0, 0.01),
        description="damping moments per rate of the elastic moments of bending and torsion (assumed)",
        ge=0,
        le=1e3,
    )
    measured: tuple[MeasuredPosition, ...] = Field(
        default=(),
        description="measured positions of disks, with which the motion is compared",
        max_length=10_000,
        json_schema_extra={"item": "measured position {}"},
    )
    step: float | None = quantity(
        None,
        unit="s",
        description="step of the integration; if not set, 5 ms with the relative formulation and 2 ms with "
        "the co-rotational one, or less, down to 0.1 ms, so that the fastest drive takes 20 steps",
        numerical=True,
        ge=1e-6,
        le=1,
    )
    smoothing_window: float | None = quantity(
        None,
        unit="s",
        description="time over which the looseness of cables is averaged; if not set, the step",
        numerical=True,
        ge=1e-6,
        le=1,
    )

    @property
    def cables(self) -> int:
        """Number of cables, also of those that are absent."""
        return len(self.drives)

    @property
    def azimuths(self) -> tuple[float, ...]:
        """Azimuth [rad] of the holes of each cable."""
        if self.hole_azimuths is not None:
            return self.hole_azimuths
        return tuple(2 * math.pi * cable / self.cables for cable in range(self.cables))

    @property
    def holes(self) -> FloatArray:
        """Places (m, 2) [m] of the holes of each cable in a disk's frame."""
        azimuths = finite_array(self.azimuths, (None,), "hole_azimuths", "one per cable")
        return self.hole_radius * np.stack([np.cos(azimuths), np.sin(azimuths)], axis=1)

    @property
    def gravity_vector(self) -> tuple[float, float, float]:
        """Gravity [m/s^2] in the base frame, also when it is given by name."""
        return GRAVITIES[self.gravity] if isinstance(self.gravity, str) else self.gravity

    @property
    def time_step(self) -> float:
        """Step [s] of the integration; unless it is given, the fastest drive takes 20 at least."""
        if self.step is not None:
            return self.step
        longest, fastest = STEPS[self.formulation], min(map(rise_time, self.motors), default=math.inf)
        return longest / max(1, math.ceil(longest / max(fastest / PER_RAMP, LEAST_STEP) - 1e-9))

    @property
    def motors(self) -> tuple[Drive, ...]:
        """The drives as the equations of motion take them."""
        return tuple(each.drive(self.drive_time) for each in self.drives)

    @classmethod
    def assumed_for(cls, given: Mapping[str, Any]) -> Sequence[str]:
        """The drives of the paper's robot, for a robot of other sizes."""
        own = any(name in given for name in ("disks", "length", "hole_radius", "hole_azimuths"))
        return ["drives"] if own and "drives" not in given else []

    @model_validator(mode="after")
    def _one_azimuth_per_cable(self) -> Self:
        if len(self.azimuths) != self.cables:
            raise excluded(
                f"'hole_azimuths' has {len(self.azimuths)} items, but there are {self.cables} drives; give "
                "one per cable",
                "hole_azimuths",
                "drives",
            )
        return self

    @model_validator(mode="after")
    def _robot_can_be_driven(self) -> Self:
        """Check the holes and the drives."""
        if self.hole_radius > self.disk_radius:
            raise excluded(
                f"'hole_radius': holes at {self.hole_radius:g} m lie outside disks of "
                f"{self.disk_radius:g} m; set them nearer",
                "hole_radius",
            )
        try:
            reach = greatest_pulls(self.length / self.disks, self.disks, self.holes)
            sampled(reach, self.motors, np.zeros(1))
        except InputError as error:
            names = [name for name in map(str, error.place[:1]) if name in type(self).model_fields]
            raise excluded(f"'{place_text(error.place)}': {error.message}", *names) from None
        return self

    @model_validator(mode="after")
    def _measured_within_motion(self) -> Self:
        for row, found in enumerate(self.measured):
            if found.disk > self.disks:
                raise excluded(
                    f"'measured[{row}].disk' is {found.disk}, but there are {self.disks} disks",
                    "measured",
                    "disks",
                )
            if found.time > self.duration:
                raise excluded(
                    f"'measured[{row}].time' is {found.time:g} s, but the motion ends at "
                    f"{self.duration:g} s; raise 'duration'",
                    "measured",
                    "duration",
                )
        return self

    @model_validator(mode="after")
    def _can_be_afforded(self) -> Self:
        sizes = Sizes(self.formulation, self.disks, self.cables, self.duration / self.time_step)
        total = seconds(sizes)
        if total > MOST_SECONDS:
            raise excluded(
                f"an evaluation may take about {total / 60:.3g} minutes of processor time, but at most "
                f"{MOST_SECONDS / 60:g} are allowed; lower 'duration' or 'disks', or raise 'step'",
                "duration",
                "disks",
                "step",
            )
        if values(sizes) > MOST_VALUES:
            raise excluded(
                f"the motion has {sizes.steps:.3g} steps of {self.disks} elements, more than fit in "
                "memory; lower 'duration' or 'disks', or raise 'step'",
                "duration",
                "disks",
                "step",
            )
        return self
