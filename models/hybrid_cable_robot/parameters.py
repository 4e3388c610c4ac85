"""The parameter record of the cable robot."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self, cast

from pydantic import Field, model_validator

from models.contract import MOST_SECONDS
from models.fields import quantity
from models.hybrid_cable_robot.bodies import ARM_LINKS, PLATFORM_BODY, Body
from models.hybrid_cable_robot.processor_time import (
    bound_seconds,
    cell_seconds,
    motion_seconds,
    task_seconds,
    tension_seconds,
)
from models.hybrid_cable_robot.trajectory import TRAJECTORIES, Trajectory
from models.messages import excluded
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
PulleyNumber = Annotated[int, Field(ge=1, le=12)]
Posture = tuple[Turn, Turn, Turn, Turn, Turn, Turn]
Postures = Annotated[tuple[Posture, ...], Field(min_length=1, max_length=64)]

WRENCH_UNITS = ["N", "N", "N", "N m", "N m", "N m"]
SMALLEST_EXTENT = 1e-6  # [m], keeps cell volumes away from underflow
ORIENTATIONS = {"nominal": 1, "corners": 9, "grid27": 27}  # in each set
CABLES = 8  # of the paper's robots
ASSUMED_STIFFNESS = 1000.0  # [N/m]
TASK = ("task_box", "task_path")  # the fields that name positions which the user needs
FINEST_BLOCK = 512  # smallest blocks along the space's longest side

CONSTRAINED_ATTACHMENTS: tuple[Point, ...] = (
    (0.0, 0.07, -0.05),
    (0.0, 0.07, -0.05),
    (0.0, -0.07, -0.05),
    (0.0, -0.07, -0.05),
    (0.07, 0.0, 0.05),
    (-0.07, 0.0, 0.05),
    (-0.07, 0.0, 0.05),
    (0.07, 0.0, 0.05),
)


class WrenchBox(Parameters):
    """A box of external wrenches on the platform: centre and half range, force first.

    Forces in N and torques in N m about the platform's origin, in world axes.
    """

    center: tuple[Load, Load, Load, Load, Load, Load] = quantity(
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), unit=WRENCH_UNITS, description="centre of the wrench box"
    )
    half_range: tuple[LoadRange, LoadRange, LoadRange, LoadRange, LoadRange, LoadRange] = quantity(
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), unit=WRENCH_UNITS, description="half range of the wrench box"
    )


class HybridCableRobot(Parameters):
    """A platform on six to twelve cables, and the conditions under which it must work.

    World frame: z up, origin in the middle of the frame. The platform frame has its origin at the
    platform's reference point and coincides with the world's at the nominal orientation. Cable
    ``i`` runs straight from ``pulleys[i]`` (world frame) to ``attachments[i]`` (platform frame).

    The pulleys follow from ``arrangement``, ``beta1``, ``beta2``, ``frame_radius``,
    ``upper_height`` and ``lower_height`` unless ``pulleys`` lists them; ``cable_order`` says which
    cable runs from which of them.
    """

    supersedes: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pulleys": ("arrangement", "beta1", "beta2", "frame_radius", "upper_height", "lower_height"),
        "axial_stiffness": ("cable_stiffness",),
        "arm_postures": ("arm_posture",),
    }
    geometry: ClassVar[frozenset[str]] = frozenset({
        "arrangement", "beta1", "beta2", "frame_radius", "upper_height", "lower_height", "pulleys",
        "cable_order", "attachments", "platform_half_size",
    })  # fmt: skip
    complete: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pulleys": ("attachments", "platform_half_size", "cable_stiffness")
    }
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "Frame and pulleys": (
            "arrangement", "beta1", "beta2", "frame_radius", "upper_height", "lower_height", "pulleys",
            "cable_order",
        ),
        "Platform": ("attachments", "platform_half_size", "platform_body"),
        "Task": ("task_box", "task_path"),
        "Workspace grid": (
            "space", "cells", "orientations", "rotation_limit", "index_domain", "bounds", "bounds_block",
        ),
        "Loads and tensions": (
            "wrench_set", "weight_moment", "arm_posture", "arm_postures", "arm_joint_limits", "f_min",
            "f_max", "tension_rule",
        ),
        "Cables and collisions": (
            "cable_diameter", "clearance", "attachment_relief", "check_interference", "check_platform",
        ),
        "Stiffness": (
            "cable_stiffness", "axial_stiffness", "geometric_stiffness", "test_load", "characteristic_length",
        ),
        "Arm and motion": (
            "arm_links", "arm_base_position", "arm_base_rotation", "trajectory", "trajectory_samples",
            "winch_radius", "winch_inertia", "winch_friction",
        ),
    }  # fmt: skip

    arrangement: Literal["constrained", "suspended"] = Field(
        "constrained",
        description="positions of the eight pulleys: those of cables 1-4 above and those of cables 5-8 "
        "below, each group mirrored into the four quadrants (constrained); or all above, in two groups "
        "whose pulleys are a quarter turn apart (suspended)",
    )
    beta1: float = quantity(
        0.7366,
        unit="rad",
        description="azimuth of the first pulley of cables 1-4, from +x towards +y",
        ge=-4 * math.pi,
        le=4 * math.pi,
    )
    beta2: float = quantity(
        0.8937,
        unit="rad",
        description="azimuth of the first pulley of cables 5-8; from +x towards +y in the constrained "
        "arrangement, from +y towards +x in the suspended arrangement",
        ge=-4 * math.pi,
        le=4 * math.pi,
    )
    frame_radius: float = quantity(
        math.sqrt(0.5), unit="m", description="radius of the circles of pulleys (assumed)", gt=0, le=1e3
    )
    upper_height: float = quantity(
        0.5, unit="m", description="height of the upper pulleys (assumed)", ge=-1e3, le=1e3
    )
    lower_height: float = quantity(
        -0.5,
        unit="m",
        description="height of the lower pulleys of the constrained arrangement (assumed)",
        ge=-1e3,
        le=1e3,
    )
    pulleys: tuple[Point, ...] | None = quantity(
        None, unit="m", description="pulley points in the world frame, instead of an arrangement"
    )
    cable_order: tuple[PulleyNumber, ...] | None = quantity(
        None,
        unit="1",
        description="for each cable, the number of the pulley from which it runs, every pulley once; pulleys "
        "are counted from 1; if not set, cable i runs from pulley i",
    )
    attachments: tuple[Point, ...] = quantity(
        CONSTRAINED_ATTACHMENTS,
        unit="m",
        description="attachment points in the platform frame, one per cable",
        min_length=6,
        max_length=12,
    )
    platform_half_size: tuple[HalfSize, HalfSize, HalfSize] = quantity(
        (0.07, 0.07, 0.05), unit="m", description="half sizes of the platform's box (assumed)"
    )
    space: tuple[Point, Point] = quantity(
        ((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)),
        unit="m",
        description="lower and upper corner of the space in which the workspace is computed",
    )
    task_box: tuple[Point, Point] | None = quantity(
        None,
        unit="m",
        description="lower and upper corner of a box of positions that the robot must reach. Its corners are "
        "tested, and positions between them no farther apart than the cells. The design is infeasible if one "
        "of them fails",
    )
    task_path: Path | None = quantity(
        None,
        unit="m",
        description="points of a path that the robot must reach, joined by straight lines. The points are "
        "tested, and positions between them no farther apart than the cells. The design is infeasible if one "
        "of them fails",
    )
    cells: int = quantity(
        40, unit="1", description="cells per axis of the space", numerical=True, ge=2, le=500
    )
    orientations: Literal["nominal", "corners", "grid27"] = Field(
        "corners",
        description="orientations at which a cell must pass: only the nominal one (nominal), or a sample "
        "within the rotation limit: the nominal one with the eight corners of the rotation box (corners), "
        "or also with the middles of its edges and faces (grid27). Orientations between the samples are "
        "not tested",
        json_schema_extra={"numerical": True},
    )
    rotation_limit: float = quantity(
        math.radians(10.0),
        unit="rad",
        description="half side of the box of rotation vectors",
        ge=0,
        le=math.pi / 2,
    )
    wrench_set: Literal["gravity", "box", "paper-extreme", "trajectory"] | WrenchBox = Field(
        "box",
        description="external wrenches on the platform: the weight of platform and arm with its moment, "
        "21.935 N unless you set their masses (gravity); this weight with +-4 N sideways and +-(0.3, 0.3, "
        "0.1) N m (box); the paper's largest reaction of the arm (paper-extreme); the least box around "
        "weight and inertia along the trajectory (trajectory); or a box given by center and half_range",
    )
    weight_moment: Literal["included", "ignored"] = Field(
        "included",
        description="where the weight acts in the wrench sets gravity and box: at the centres of mass of "
        "platform and arm, with a moment that changes with the orientation (included), or at the platform's "
        "origin, as in the paper (ignored); other wrench sets do not change",
    )
    arm_posture: Posture | None = quantity(
        None,
        unit="rad",
        description="joint angles of the arm for its weight in the wrench sets gravity and box; if not set, "
        "those of the trajectory's first waypoint",
    )
    arm_postures: Literal["range"] | Postures | None = quantity(
        None,
        unit="rad",
        description="postures of the arm; a cell must hold the wrench set gravity or box in all of them: a "
        "list, or every posture within arm_joint_limits (range: the box around the extremes of the moment, "
        "found from 1088 sample postures)",
    )
    arm_joint_limits: tuple[Posture, Posture] = quantity(
        ((-math.pi,) * 6, (math.pi,) * 6),
        unit="rad",
        description='least and greatest angles of the arm\'s joints, for arm_postures = "range" (assumed)',
    )
    f_min: float = quantity(0.0, unit="N", description="least cable tension", ge=0, le=1e9)
    f_max: float = quantity(23.0, unit="N", description="greatest cable tension", ge=1e-9, le=1e9)
    tension_rule: Literal["minimum-norm", "centroid", "closed-form", "paper"] = Field(
        "minimum-norm",
        description="rule that chooses from the tensions that hold a wrench: those with the least norm "
        "(minimum-norm), the centre of all (centroid), those nearest to the middle of the limits "
        "(closed-form, Pott), or the paper's pseudo-inverse plus a null vector (paper)",
    )
    cable_diameter: float = quantity(
        0.002, unit="m", description="diameter of the cables (assumed)", ge=0, le=1
    )
    clearance: float = quantity(
        0.0, unit="m", description="gap that two cables must keep between their surfaces", ge=0, le=10
    )
    attachment_relief: float = quantity(
        0.05,
        unit="m",
        description="length next to the platform over which two cables may touch if they start from one "
        "fitting: if their attachments are no farther apart than cable_diameter + clearance (assumed)",
        numerical=True,
        ge=0,
        le=10,
    )
    cable_stiffness: Stiffness | tuple[Stiffness, ...] = quantity(
        (1000.0, 1000.0, 1000.0, 1000.0, 100.0, 100.0, 100.0, 100.0),
        unit="N/m",
        description="stiffness of every cable, or one value per cable (assumed); if you list the pulleys, or "
        "if there are not eight cables, the default is 1000 N/m for every cable",
    )
    axial_stiffness: Stiffness | tuple[Stiffness, ...] | None = quantity(
        None,
        unit="N",
        description="axial stiffness EA of every cable, or one value per cable, instead of a constant "
        "stiffness: the stiffness of a cable is then EA / l, with the length l from pulley to attachment",
    )
    geometric_stiffness: bool = Field(
        default=False,
        description="whether the platform's stiffness includes the geometric term, computed from the "
        "tensions that tension_rule gives for the centre of the wrench set",
    )
    test_load: tuple[Load, Load, Load, Load, Load, Load] = quantity(
        (0.0, 0.0, -9.81, 0.0, 0.0, 0.0),
        unit=WRENCH_UNITS,
        description="additional load for displacement_under_load; by default the weight of one kilogram "
        "(assumed)",
    )
    characteristic_length: float | None = quantity(
        None,
        unit="m",
        description="length by which torques are divided; if not set, the root mean square distance of the "
        "attachments from the platform's origin",
        ge=1e-4,
        le=1e4,
    )
    platform_body: Body = Field(
        PLATFORM_BODY, description="mass, centre of mass and inertia of the platform (table 3)"
    )
    arm_links: tuple[Body, Body, Body, Body, Body, Body] = Field(
        ARM_LINKS, description="mass, centre of mass and inertia of the arm's six links (table 3)"
    )
    arm_base_position: Point = quantity(
        (0.0, 0.0, -0.05),
        unit="m",
        description="origin of the arm's base frame in the platform frame (not legible in the paper: "
        "assumed)",
    )
    arm_base_rotation: tuple[Turn, Turn, Turn] = quantity(
        (math.pi, 0.0, 0.0),
        unit="rad",
        description="rotation vector from the arm's base frame to the platform's; by default the arm hangs "
        "upside down, with the rotation matrix diag(1, -1, -1)",
    )
    trajectory: Literal["quintic-4s"] | Trajectory = Field(
        "quintic-4s",
        description="path of platform and arm: four seconds from rest to rest (quintic-4s, assumed), or "
        "waypoints with times",
    )
    trajectory_samples: int = quantity(
        201,
        unit="1",
        description="number of instants at which the trajectory is evaluated",
        numerical=True,
        ge=3,
        le=100_000,
    )
    winch_radius: float = quantity(
        0.02, unit="m", description="radius of the winches' drums (assumed)", gt=0, le=10
    )
    winch_inertia: float = quantity(
        1e-5,
        unit="kg*m**2",
        description="moment of inertia of a winch about its axis (assumed)",
        ge=0,
        le=1e6,
    )
    winch_friction: float = quantity(
        1e-4, unit="N*m*s/rad", description="viscous friction of a winch (assumed)", ge=0, le=1e6
    )
    index_domain: Literal["feasible", "cube"] = Field(
        "feasible", description="cells over which the indices are summed: the workspace or the whole space"
    )
    check_interference: bool = Field(
        default=True, description="whether cells in which cables touch are excluded"
    )
    check_platform: bool = Field(
        default=True, description="whether cells in which a cable cuts the platform are excluded"
    )
    bounds: bool = Field(
        default=False,
        description="whether to compute a lower and an upper bound of the volume, too, from blocks of "
        "positions that are proved to be inside or outside the workspace",
    )
    bounds_block: float | None = quantity(
        None,
        unit="m",
        description="side at which undecided blocks are no longer halved; if not set, 1/64 of the longest "
        "side of the space",
        numerical=True,
        gt=0,
        le=1e5,
    )

    @classmethod
    def defaults_for(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """One stiffness for all cables of a robot that is not the paper's."""
        attachments = given.get("attachments")
        counted = isinstance(attachments, list | tuple)
        if given.get("pulleys") is None and not (
            counted and len(cast("Sequence[Any]", attachments)) != CABLES
        ):
            return {}
        return {"cable_stiffness": ASSUMED_STIFFNESS}

    @classmethod
    def assumed_for(cls, given: Mapping[str, Any]) -> Sequence[str]:
        """The space, the platform's box and the masses of the paper, as far as they matter."""
        if given.get("pulleys") is None:
            return ()
        matter = ["space"]
        if given.get("check_platform", True):
            matter.append("platform_half_size")
        if given.get("wrench_set", "box") in ("gravity", "box"):
            matter += ["platform_body", "arm_links"]
        return [name for name in matter if name not in given]

    @property
    def smallest_block(self) -> float:
        """Side [m] at which undecided blocks are no longer halved."""
        return self.longest_side / 64 if self.bounds_block is None else self.bounds_block

    @property
    def longest_side(self) -> float:
        """Longest side [m] of the space."""
        return max(upper - lower for lower, upper in zip(*self.space, strict=True))

    @property
    def path(self) -> Trajectory:
        """The waypoints of the trajectory, also when it is given by name."""
        return TRAJECTORIES[self.trajectory] if isinstance(self.trajectory, str) else self.trajectory

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        cables = len(self.attachments)
        pulleys = 8 if self.pulleys is None else len(self.pulleys)
        if pulleys != cables:
            own = self.pulleys is not None
            origin = "'pulleys' lists" if own else f"the {self.arrangement} arrangement has"
            raise excluded(
                f"{origin} {pulleys} pulleys but 'attachments' lists {cables}; give one of each per cable",
                *(["pulleys"] if own else []),
                "attachments",
            )
        return self

    @model_validator(mode="after")
    def _stiffnesses_agree(self) -> Self:
        name = "cable_stiffness" if self.axial_stiffness is None else "axial_stiffness"
        given, cables = getattr(self, name), len(self.attachments)
        if isinstance(given, tuple) and len(given) != cables:  # type: ignore[arg-type]
            raise excluded(
                f"'{name}' lists {len(given)} values for {cables} cables; give one or {cables}", name
            )  # type: ignore[arg-type]
        return self

    @model_validator(mode="after")
    def _cable_order_is_a_permutation(self) -> Self:
        if self.cable_order is None:
            return self
        cables = len(self.attachments)
        counts = {
            number: self.cable_order.count(number)
            for number in range(1, max(self.cable_order, default=0) + 1)
        }
        faults = {
            "missing": [number for number in range(1, cables + 1) if not counts.get(number)],
            "more than once": [number for number, count in counts.items() if count > 1],
            "no such pulley": [number for number in counts if counts[number] and number > cables],
        }
        text = "; ".join(f"{fault}: {', '.join(map(str, which))}" for fault, which in faults.items() if which)
        if text:
            raise excluded(
                f"'cable_order' must name each pulley from 1 to {cables} once; {text}", "cable_order"
            )
        return self

    @model_validator(mode="after")
    def _limits_are_ordered(self) -> Self:
        if not self.f_min < self.f_max:
            raise excluded(
                f"'f_min' ({self.f_min:g} N) must be less than 'f_max' ({self.f_max:g} N)", "f_min", "f_max"
            )
        for axis, lower, upper in zip("xyz", *self.space, strict=True):
            if not upper - lower >= SMALLEST_EXTENT:
                raise excluded(
                    f"'space' must reach from a lower to an upper corner; along {axis} it goes from "
                    f"{lower:g} m to {upper:g} m",
                    "space",
                )
        for joint, (least, greatest) in enumerate(zip(*self.arm_joint_limits, strict=True), 1):
            if not least <= greatest:
                raise excluded(
                    f"'arm_joint_limits' must list the least angles first, then the greatest; those of joint "
                    f"{joint} are {math.degrees(least):g} deg and {math.degrees(greatest):g} deg",
                    "arm_joint_limits",
                )
        return self

    @model_validator(mode="after")
    def _task_lies_in_the_space(self) -> Self:
        for axis, lower, upper in zip("xyz", *(self.task_box or ((), ())), strict=False):
            if not lower <= upper:
                raise excluded(
                    f"'task_box' must reach from a lower to an upper corner; along {axis} it goes from "
                    f"{lower:g} m to {upper:g} m",
                    "task_box",
                )
        for name, points in (("task_box", self.task_box), ("task_path", self.task_path)):
            for point in points or ():
                for axis, value, lower, upper in zip("xyz", point, *self.space, strict=True):
                    if not lower <= value <= upper:
                        raise excluded(
                            f"'{name}' must lie within 'space', which reaches from {lower:g} m to {upper:g} "
                            f"m along {axis}; it has {axis} = {value:g} m",
                            name,
                            "space",
                        )
        return self

    @model_validator(mode="after")
    def _blocks_are_not_too_many(self) -> Self:
        least = self.longest_side / FINEST_BLOCK
        if self.smallest_block < least:
            raise excluded(
                f"'bounds_block' ({self.smallest_block:g} m) must be at least {least:g} m, "
                f"1/{FINEST_BLOCK} of the space's longest side",
                "bounds_block",
            )
        return self

    @model_validator(mode="after")
    def _work_is_not_too_much(self) -> Self:
        cables, turns, postures = (
            len(self.attachments),
            ORIENTATIONS.get(self.orientations, 27),
            self._posture_count,
        )
        grid = f"{turns} orientations, {cables} cables and {postures} arm posture{'s' * (postures > 1)}"
        blocks = self.longest_side / self.smallest_block if self.bounds else 0.0
        rule = f"{cables} cables and tension_rule '{self.tension_rule}'"
        tensions = tension_seconds(float(self.cells) ** 3, self.tension_rule, cables)
        parts = (
            (
                cell_seconds(self.cells, turns, postures, cables),
                f"'cells' ({self.cells} per axis) with {grid}",
                ("cells",),
            ),
            (
                bound_seconds(blocks, turns, postures, cables),
                f"'bounds_block' ({self.smallest_block:g} m) with {grid}",
                ("bounds_block",),
            ),
            (
                motion_seconds(self.trajectory_samples, self.tension_rule, cables),
                f"'trajectory_samples' ({self.trajectory_samples}) with {rule}",
                ("trajectory_samples",),
            ),
            (
                self.geometric_stiffness * tensions,
                f"'geometric_stiffness' in 'cells' ({self.cells} per axis) with {rule}",
                ("geometric_stiffness", "cells"),
            ),
            (
                task_seconds(self._task_count, turns, postures, self.tension_rule, cables),
                f"the task ({self._task_count:.3g} positions at 'cells' {self.cells}) with {grid}",
                ("cells",),
            ),
        )
        for seconds, part, names in parts:
            if seconds > MOST_SECONDS:
                raise excluded(
                    f"{part} would take about {seconds / 60:.3g} min of processor time for a design; at "
                    f"most {MOST_SECONDS / 60:g} min are allowed: choose fewer or coarser ones",
                    *names,
                )
        return self

    @property
    def _task_count(self) -> float:
        """About how many positions the task has, no farther apart than the cells."""
        sides = [(upper - lower) / self.cells for lower, upper in zip(*self.space, strict=True)]
        count = 0.0
        if self.task_box is not None:
            lengths = [upper - lower for lower, upper in zip(*self.task_box, strict=True)]
            count += math.prod(length / side + 1.0 for length, side in zip(lengths, sides, strict=True))
        for start, end in itertools.pairwise(self.task_path or ()):
            count += 1.0 + max(abs(b - a) / side for a, b, side in zip(start, end, sides, strict=True))
        return count

    @property
    def _posture_count(self) -> int:
        """Postures of the arm whose wrenches a cell must hold; a range counts by its box's corners."""
        if (
            self.weight_moment == "ignored"
            or self.wrench_set not in ("gravity", "box")
            or self.arm_postures is None
        ):
            return 1
        return 8 if self.arm_postures == "range" else len(self.arm_postures)
