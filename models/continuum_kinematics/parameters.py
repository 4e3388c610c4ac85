"""The parameter record of the multi-section robot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from models.continuum_kinematics.presets import PATH, POINTS, TARGET
from models.continuum_kinematics.processor_time import Sizes, seconds
from models.contract import MOST_SECONDS
from models.fields import quantity
from models.messages import excluded
from models.parameters import Parameters

MOST_SECTIONS = 12
GREATEST_BEND = 2 * math.pi  # [rad]

Length = Annotated[float, Field(ge=1e-4, le=10)]
Bend = Annotated[float, Field(gt=0, le=GREATEST_BEND)]
Coordinate = Annotated[float, Field(ge=-100, le=100)]
Angle = Annotated[float, Field(ge=-2 * math.pi, le=2 * math.pi)]


class TaskPose(BaseModel):
    """Wanted position and orientation of the tip, in the world frame."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    x: Coordinate = quantity(..., unit="m", description="x of the tip")
    y: Coordinate = quantity(..., unit="m", description="y of the tip")
    z: Coordinate = quantity(..., unit="m", description="z of the tip")
    rx: Angle = quantity(0.0, unit="rad", description="x of the rotation vector of the tip's frame")
    ry: Angle = quantity(0.0, unit="rad", description="y of the rotation vector of the tip's frame")
    rz: Angle = quantity(0.0, unit="rad", description="z of the rotation vector of the tip's frame")


class ContinuumKinematics(Parameters):
    """Sections of constant curvature one after the other, each moved by three cables.

    World frame: its origin is the base. A standing robot rises along z where it is straight. A hanging one
    points down; its pose is that of the standing robot turned by 180 degrees about x, and so is the tip's
    frame: the tool's z is minus the tip's tangent.
    """

    supersedes: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "section_lengths": ("length_range", "length_ranges"),
        "length_ranges": ("length_range", "section_lengths"),
        "length_range": ("section_lengths", "length_ranges"),
        "bend_limits": ("bend_limit",),
        "bend_limit": ("bend_limits",),
    }
    geometry: ClassVar[frozenset[str]] = frozenset({
        "sections", "section_lengths", "length_range", "length_ranges", "bend_limit", "bend_limits", "guides",
        "guide_radius", "mounting",
    })  # fmt: skip
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "Sections": (
            "sections", "section_lengths", "length_range", "length_ranges", "bend_limit", "bend_limits",
            "mounting",
        ),
        "Cables and guides": ("guides", "guide_radius"),
        "Tasks": ("task_points", "task_poses", "path", "task_mode"),
        "Sampling": ("samples", "cells", "directions", "starts"),
    }  # fmt: skip
    option_names: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "task_mode": {
            "pose": "position and rotation", "axis": "position and tool axis", "position": "position alone",
        },
    }  # fmt: skip

    sections: int = quantity(3, unit="1", description="number of sections", ge=1, le=MOST_SECTIONS)
    section_lengths: tuple[Length, ...] | None = quantity(
        None,
        unit="m",
        description="length of each section from the base, if the lengths cannot change; instead of "
        "length_range",
        min_length=1,
        max_length=MOST_SECTIONS,
        item="section {}, length",
    )
    length_range: tuple[Length, Length] = quantity(
        (0.06, 0.08),
        unit="m",
        description="least and greatest length of every section",
        item=("least length", "greatest length"),
    )
    length_ranges: tuple[tuple[Length, Length], ...] | None = quantity(
        None,
        unit="m",
        description="least and greatest length of each section from the base; instead of length_range",
        min_length=1,
        max_length=MOST_SECTIONS,
        item="section {}",
        parts=("least length", "greatest length"),
    )
    bend_limit: Bend = quantity(
        0.75 * math.pi, unit="rad", description="greatest angle by which a section bends"
    )
    bend_limits: tuple[Bend, ...] | None = quantity(
        None,
        unit="rad",
        description="greatest angle by which each section bends, from the base; instead of bend_limit",
        min_length=1,
        max_length=MOST_SECTIONS,
        item="section {}, bend limit",
    )
    mounting: Literal["standing", "hanging"] = Field(
        "hanging", description="whether the straight robot points up or down"
    )
    guides: int = quantity(
        10,
        unit="1",
        description="guides of the cables in each section; the cables are straight between them (assumed)",
        ge=1,
        le=1000,
    )
    guide_radius: float = quantity(
        0.01, unit="m", description="distance of the cables from the backbone (assumed)", ge=1e-5, le=1
    )
    task_points: tuple[tuple[Coordinate, Coordinate, Coordinate], ...] = quantity(
        POINTS,
        unit="m",
        description="points, in the world frame, at which the dexterity is computed",
        max_length=100,
        item="task point {}",
    )
    task_poses: tuple[TaskPose, ...] = Field(
        default=(TaskPose(**TARGET),),
        description="poses, in the world frame, that the tip must reach one by one",
        max_length=1000,
        json_schema_extra={"item": "task pose {}"},
    )
    path: tuple[TaskPose, ...] = Field(
        default=tuple(TaskPose(**pose) for pose in PATH),
        description="poses, in the world frame, through which the tip moves in this order (the six of the "
        "default are assumed)",
        max_length=1000,
        json_schema_extra={"item": "path, pose {}"},
    )
    task_mode: Literal["pose", "axis", "position"] = Field(
        "pose",
        description="what counts of the poses of task_poses and path: position and rotation, position and "
        "direction of the tool's z, or the position alone",
    )
    samples: int = quantity(
        10_000,
        unit="1",
        description="random states from which the search for the reachable volume begins",
        numerical=True,
        ge=1,
        le=100_000_000,
    )
    cells: int = quantity(
        50,
        unit="1",
        description="rings of the reachable volume along the robot at its greatest length",
        numerical=True,
        ge=10,
        le=400,
    )
    directions: int = quantity(
        500,
        unit="1",
        description="directions of the tool, spread evenly, that are tried at each task point",
        numerical=True,
        ge=1,
        le=100_000,
    )
    starts: int = quantity(
        20,
        unit="1",
        description="starts of inverse kinematics that are tried for each pose before it counts as missed",
        numerical=True,
        ge=1,
        le=1000,
    )

    @classmethod
    def defaults_for(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """As many sections as lengths or limits are listed."""
        for name in ("section_lengths", "length_ranges", "bend_limits"):
            if isinstance(given.get(name), (list, tuple)):
                return {"sections": len(given[name])}
        return {}

    @classmethod
    def assumed_for(cls, given: Mapping[str, Any]) -> Sequence[str]:
        """The tasks of the paper, of a robot with other sections."""
        own = any(given.get(name) is not None for name in cls.supersedes)
        return [name for name in ("task_points", "task_poses", "path") if own and name not in given]

    @model_validator(mode="after")
    def _one_per_section(self) -> Self:
        for name in ("section_lengths", "length_ranges", "bend_limits"):
            listed = getattr(self, name)
            if listed is not None and len(listed) != self.sections:
                raise excluded(
                    f"'{name}' has {len(listed)} items, but there are {self.sections} sections; give one per "
                    "section",
                    name,
                    "sections",
                )
        return self

    @model_validator(mode="after")
    def _lengths_in_order(self) -> Self:
        name = "length_range" if self.length_ranges is None else "length_ranges"
        for low, high in self.lengths:
            if low > high:
                raise excluded(
                    f"'{name}' goes from {low:g} m to {high:g} m; give the least length first", name
                )
        return self

    @model_validator(mode="after")
    def _can_be_afforded(self) -> Self:
        sizes = Sizes(
            self.sections, self.samples, self.cells, len(self.task_points) * self.directions,
            len(self.task_poses) + len(self.path), self.starts,
        )  # fmt: skip
        parts = seconds(sizes)
        total = sum(parts.values())
        if total > MOST_SECONDS:
            names = max(parts, key=lambda each: parts[each])
            listed = " or ".join(f"'{name}'" for name in names)
            raise excluded(
                f"an evaluation may take about {total / 60:.3g} minutes of processor time, but at most "
                f"{MOST_SECONDS / 60:g} are allowed; lower {listed}",
                *names,
            )
        return self

    @property
    def lengths(self) -> tuple[tuple[float, float], ...]:
        """Least and greatest length [m] of each section."""
        if self.section_lengths is not None:
            return tuple((length, length) for length in self.section_lengths)
        return (self.length_range,) * self.sections if self.length_ranges is None else self.length_ranges

    @property
    def bends(self) -> tuple[float, ...]:
        """Greatest bend [rad] of each section."""
        return (self.bend_limit,) * self.sections if self.bend_limits is None else self.bend_limits
