"""The parameter record of the cable robot."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from models.arrays import FloatArray
from models.fields import quantity
from models.hybrid_cable_robot import parameter_checks as checks
from models.hybrid_cable_robot.bodies import ARM_JOINTS, ARM_LINKS, JOINT_UNITS, PLATFORM_BODY, ArmJoint, Body
from models.hybrid_cable_robot.freedoms import FREEDOMS, PLANAR, POINTS, Freedoms, Plane, orientation_count
from models.hybrid_cable_robot.parameter_types import (
    MOST_JOINTS,
    WRENCH_PARTS,
    WRENCH_UNITS,
    Angle,
    CableDensity,
    Damping,
    Diameter,
    GreatestTension,
    HalfSize,
    Length,
    Load,
    Path,
    Point,
    Posture,
    Postures,
    PulleyNumber,
    Stiffness,
    Tension,
    TensionRule,
    Turn,
    WheelRadius,
    WrenchBox,
)
from models.hybrid_cable_robot.presets import CONSTRAINED_ATTACHMENTS
from models.hybrid_cable_robot.shapes import ArmCapsule, Obstacle, Radius, Shape
from models.hybrid_cable_robot.trajectory import RESTING_ARM, TRAJECTORIES, Trajectory, WinchLengths
from models.parameters import Parameters

CABLES = 8  # of the paper's robots
ASSUMED_STIFFNESS = 1000.0  # [N/m]
TASK = ("task_box", "task_path")  # the fields that name positions which the user needs
PER_CABLE = (
    "axial_stiffness", "cable_density", "pulley_radius", "f_min", "f_max", "cable_diameter", "length_min",
    "length_max", "cable_damping",
)  # fmt: skip
UNBOUNDED = ("pulley_radius", "f_min", "f_max", "cable_diameter", "length_min", "length_max", "task_speed")
"""Fields that the proofs of ``bounds`` do not know, unless they have one value for all cables or none."""

SHORTEST_LENGTH_SCALE = 1e-3  # [m]; least default characteristic length


def _joint_limits_for(joints: Any) -> Mapping[str, Any]:
    """Limits of the joints of an arm that is listed: half a turn to each side, or no travel."""
    if not isinstance(joints, (list, tuple)):
        return {}
    kinds = [row.get("kind") if isinstance(row, Mapping) else getattr(row, "kind", None) for row in joints]
    widths = [0.0 if kind == "prismatic" else math.pi for kind in kinds]
    return {"arm_joint_limits": [[-width for width in widths], widths]}


class HybridCableRobot(Parameters):
    """A platform on two to sixteen cables, and the conditions under which it must work.

    World frame: z up, origin in the middle of the frame. The platform frame has its origin at the
    platform's reference point and coincides with the world's at the nominal orientation. Cable
    ``i`` runs straight from ``pulleys[i]`` (world frame) to ``attachments[i]`` (platform frame), or over a
    swivelling wheel of ``pulley_radius`` whose swivel axis passes through ``pulleys[i]``.

    The pulleys follow from ``arrangement``, ``beta1``, ``beta2``, ``frame_radius``,
    ``upper_height`` and ``lower_height`` unless ``pulleys`` lists them; ``cable_order`` says which
    cable runs from which of them.
    """

    supersedes: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pulleys": ("arrangement", "beta1", "beta2", "frame_radius", "upper_height", "lower_height"),
        "axial_stiffness": ("cable_stiffness",),
        "arm_postures": ("arm_posture",),
        "arm_capsules": ("arm_radii",),
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
            "cable_order", "pulley_radius", "pulley_axis",
        ),
        "Platform": ("freedoms", "plane", "attachments", "platform_half_size", "platform_body"),
        "Task": ("task_box", "task_path"),
        "Workspace grid": (
            "space", "cells", "orientations", "rotation_limit", "index_domain", "bounds", "bounds_block",
        ),
        "Loads and tensions": (
            "wrench_set", "weight_moment", "arm_posture", "arm_postures", "arm_joint_limits", "acceleration",
            "f_min", "f_max", "tension_rule",
        ),
        "Cables and collisions": (
            "cable_diameter", "cable_density", "length_min", "length_max", "clearance", "attachment_relief",
            "check_interference", "check_platform",
        ),
        "Obstacles and the arm": (
            "obstacles", "floor", "platform_shape", "arm_radii", "arm_capsules", "obstacle_clearance",
            "check_obstacles", "check_arm",
        ),
        "Stiffness": (
            "cable_stiffness", "axial_stiffness", "geometric_stiffness", "test_load", "characteristic_length",
        ),
        "Arm and motion": (
            "arm_joints", "arm_links", "arm_base_position", "arm_base_rotation", "arm_tool",
            "trajectory", "trajectory_samples",
            "winch_radius", "winch_inertia", "winch_friction", "max_cable_speed", "max_winch_torque",
            "max_winch_power", "task_speed",
            "winch_lengths", "cable_damping",
            "settling_duration", "settling_tolerance",
        ),
    }  # fmt: skip
    option_names: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "freedoms": {
            "3R3T": "six freedoms (3R3T)", "2R3T": "five, of a bar (2R3T)", "3T": "point in space (3T)",
            "1R2T": "body in a plane (1R2T)", "2T": "point in a plane (2T)",
        },
        "orientations": {
            "nominal": "nominal alone",
            "corners": "nominal and 8 corners", "grid27": "corners, edges and faces",
        },
        "wrench_set": {
            "gravity": "weight", "box": "weight, box of forces",
            "paper-extreme": "paper's largest reaction", "trajectory": "reactions along the trajectory",
        },
        "arm_postures": {"range": "all within the joint limits"},
        "tension_rule": {
            "minimum-norm": "least norm", "centroid": "centre of all", "closed-form": "nearest to the middle",
            "paper": "the paper's",
        },
        "trajectory": {"quintic-4s": "four seconds, rest to rest"},
        "winch_lengths": {"trajectory": "those of the trajectory"},
        "index_domain": {"feasible": "workspace", "cube": "whole space"},
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
        label="azimuth beta1",
        description="azimuth of the first pulley of cables 1-4, from +x towards +y",
        ge=-4 * math.pi,
        le=4 * math.pi,
    )
    beta2: float = quantity(
        0.8937,
        unit="rad",
        label="azimuth beta2",
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
        None,
        unit="m",
        description="pulley points in the world frame, instead of an arrangement",
        item="cable {}, pulley",
    )
    cable_order: tuple[PulleyNumber, ...] | None = quantity(
        None,
        unit="1",
        description="for each cable, the number of the pulley from which it runs, every pulley once; pulleys "
        "are counted from 1; if not set, cable i runs from pulley i",
        item="cable {}, number of its pulley",
    )
    pulley_radius: WheelRadius | tuple[WheelRadius, ...] = quantity(
        0.0,
        unit="m",
        usual=(0.01, 0.05),
        description="radius of the wheels over which the cables run, to the middle of the cable, or one "
        "value per cable; 0 is an eyelet. Wheels swivel about axes through the pulley points",
        item="cable {}, radius of its pulley",
    )
    pulley_axis: Point | tuple[Point, ...] | None = quantity(
        None,
        unit="1",
        description="direction in which a cable reaches its wheel, along the swivel axis, or one per cable; "
        "if not set, up for a pulley in the upper half of the frame and down for the others",
        item="cable {}, swivel axis",
    )
    freedoms: Freedoms = Field(
        "3R3T",
        description="motion pattern of the platform: six freedoms (3R3T); five, of a bar that nothing turns "
        "about itself (2R3T); a point mass in space (3T); a body in a plane (1R2T); or a point mass in a "
        "plane (2T). Wrenches along other directions are no load",
    )
    plane: Plane = Field(
        "xz", description="plane in which a planar platform moves, through the middle of the space"
    )
    attachments: tuple[Point, ...] = quantity(
        CONSTRAINED_ATTACHMENTS,
        unit="m",
        description="attachment points in the platform frame, one per cable",
        min_length=2,
        max_length=16,
        item="cable {}, attachment",
    )
    platform_half_size: tuple[HalfSize, HalfSize, HalfSize] = quantity(
        (0.07, 0.07, 0.05),
        unit="m",
        description="half sizes of the platform's box (assumed); attachments do not move with it",
    )
    space: tuple[Point, Point] = quantity(
        ((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)),
        unit="m",
        description="lower and upper corner of the space in which the workspace is computed",
        item=("space, lower corner", "space, upper corner"),
    )
    task_box: tuple[Point, Point] | None = quantity(
        None,
        unit="m",
        description="lower and upper corner of a box of positions that the robot must reach. Its corners are "
        "tested, and positions between them no farther apart than the cells. The design is infeasible if one "
        "of them fails",
        item=("task box, lower corner", "task box, upper corner"),
    )
    task_path: Path | None = quantity(
        None,
        unit="m",
        description="points of a path that the robot must reach, joined by straight lines. The points are "
        "tested, and positions between them no farther apart than the cells. The design is infeasible if one "
        "of them fails",
        item="task path, point {}",
    )
    cells: int = quantity(
        40, unit="1", description="cells per axis of the space", numerical=True, ge=2, le=500
    )
    orientations: Literal["nominal", "corners", "grid27", "certified"] = Field(
        "corners",
        description="orientations at which a cell must pass: only the nominal one (nominal); a sample "
        "within the rotation limit, the nominal one with the eight corners of the rotation box (corners), "
        "or also with the middles of its edges and faces (grid27), which does not test the orientations "
        "between; or every one within the limit, by proof (certified). Cells without a proof do not count "
        "(failed_proof). Margins are those of the 27 in any case. No proofs with wheels, obstacles, a floor, "
        "the arm's capsules or the pattern 2R3T",
        json_schema_extra={"numerical": True},
    )
    rotation_limit: Angle | tuple[Angle, Angle, Angle] = quantity(
        math.radians(10.0),
        unit="rad",
        description="half side of the box of rotation vectors, or one value per axis x, y, z",
        parts=("x", "y", "z"),
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
        description="joint angles of the arm, in m for prismatic joints, for its weight in the wrench sets "
        "gravity and box; if not set, those of the trajectory's first waypoint",
        item="arm joint {}",
        per="arm_joints",
    )
    arm_postures: Literal["range"] | Postures | None = quantity(
        None,
        unit="rad",
        description="postures of the arm, in m for prismatic joints; a cell must hold the wrench set gravity "
        "or box in all of them: a list, or every posture within arm_joint_limits (range: the box around the "
        "extremes of the moment, found from 1024 sample postures and the corners of the range)",
        item="arm posture {}, joint",
        per="arm_joints",
    )
    arm_joint_limits: tuple[Posture, Posture] = quantity(
        ((-math.pi,) * 6, (math.pi,) * 6),
        unit="rad",
        description="least and greatest angles of the arm's joints, in m for prismatic ones, for "
        'arm_postures = "range" and for hybrid_reach (assumed); if you list arm_joints, the default is half '
        "a turn to each side for revolute joints, and 0 for prismatic ones, which then stand still",
        item=("least angle of arm joint", "greatest angle of arm joint"),
        per="arm_joints",
    )
    acceleration: float = quantity(
        0.0,
        unit="m/s**2",
        usual=(0.0, 5.0),
        description="acceleration of the platform, in any direction, whose inertia the cables must hold in "
        "addition to the wrench sets gravity and box",
        ge=0,
        le=1e4,
    )
    f_min: Tension | tuple[Tension, ...] = quantity(
        0.0,
        unit="N",
        usual=(0.0, 10.0),
        label="least tension",
        description="least cable tension, or one value per cable",
        item="cable {}, least tension",
    )
    f_max: GreatestTension | tuple[GreatestTension, ...] = quantity(
        23.0,
        unit="N",
        label="greatest tension",
        description="greatest cable tension, or one value per cable",
        item="cable {}, greatest tension",
    )
    tension_rule: TensionRule = Field(
        "minimum-norm",
        description="rule that chooses from the tensions that hold a wrench: those with the least norm "
        "(minimum-norm), the centre of all (centroid), those nearest to the middle of the limits "
        "(closed-form, Pott), or the paper's pseudo-inverse plus a null vector (paper)",
    )
    cable_diameter: Diameter | tuple[Diameter, ...] = quantity(
        0.002,
        unit="m",
        description="diameter of the cables (assumed), or one value per cable",
        item="cable {}, diameter",
    )
    length_min: Length | tuple[Length, ...] | None = quantity(
        None,
        unit="m",
        usual=(0.1, 0.5),
        description="least length of every cable, or one value per cable, with the part on its wheel; a "
        "cell in which a cable is shorter is excluded",
        item="cable {}, least length",
    )
    length_max: Length | tuple[Length, ...] | None = quantity(
        None,
        unit="m",
        usual=(1.0, 10.0),
        description="greatest length of every cable that its drum lets out, or one value per cable; a cell "
        "in which a cable is longer is excluded",
        item="cable {}, greatest length",
    )
    cable_density: CableDensity | tuple[CableDensity, ...] | None = quantity(
        None,
        unit="kg/m",
        usual=(0.005, 0.1),
        description="mass of every cable per metre, or one value per cable, for the metrics of its sag; all "
        "other metrics take cables as straight and without mass",
        item="cable {}, mass per metre",
    )
    clearance: float = quantity(
        0.0,
        unit="m",
        usual=(0.0, 0.01),
        description="gap that two cables must keep between their surfaces",
        ge=0,
        le=10,
    )
    attachment_relief: float = quantity(
        0.05,
        unit="m",
        description="length over which two cables may touch next to a fitting that they share: next to the "
        "platform if their attachments are no farther apart than a fiftieth of this length, next to the "
        "frame if their pulleys are (assumed)",
        numerical=True,
        ge=0,
        le=10,
    )
    cable_stiffness: Stiffness | tuple[Stiffness, ...] = quantity(
        (1000.0, 1000.0, 1000.0, 1000.0, 100.0, 100.0, 100.0, 100.0),
        unit="N/m",
        description="stiffness of every cable, or one value per cable (assumed); if you list the pulleys, or "
        "if there are not eight cables, the default is 1000 N/m for every cable",
        item="cable {}, stiffness",
    )
    axial_stiffness: Stiffness | tuple[Stiffness, ...] | None = quantity(
        None,
        unit="N",
        usual=(1e4, 1e6),
        description="axial stiffness EA of every cable, or one value per cable, instead of a constant "
        "stiffness: the stiffness of a cable is then EA / l, with the length l from pulley to attachment",
        item="cable {}, axial stiffness",
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
        parts=WRENCH_PARTS,
    )
    characteristic_length: float | None = quantity(
        None,
        unit="m",
        usual=(0.05, 0.5),
        description="length by which torques are divided; if not set, the root mean square distance of the "
        "attachments from the platform's origin, one for all designs and layouts of a study",
        ge=1e-4,
        le=1e4,
    )
    platform_body: Body = Field(
        PLATFORM_BODY, description="mass, centre of mass and inertia of the platform (table 3)"
    )
    arm_joints: Annotated[tuple[ArmJoint, ...], Field(max_length=MOST_JOINTS)] = Field(
        ARM_JOINTS,
        description="joints of the arm, from the platform outwards: a table of the modified "
        "Denavit-Hartenberg convention (Craig), where frame i follows from frame i - 1 by Rx(alpha) Tx(a) "
        "Rz(theta) Tz(d); one to eight, or none for a platform without an arm. By default those of the "
        "paper's arm (table 2)",
        json_schema_extra={"item": "arm joint {}", "units": {"kind": {**JOINT_UNITS}}},
    )
    arm_links: Annotated[tuple[Body, ...], Field(max_length=MOST_JOINTS)] = Field(
        ARM_LINKS,
        description="mass, centre of mass and inertia of the arm's links, one per joint, each in the frame "
        "of its joint; by default those of the paper's arm (table 3)",
        json_schema_extra={"item": "arm link {}"},
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
        parts=("x", "y", "z"),
    )
    arm_tool: Point = quantity(
        (0.0, 0.0, 0.0),
        unit="m",
        description="point of the tool in the frame of the arm's last joint",
    )
    trajectory: Literal["quintic-4s"] | Trajectory = Field(
        "quintic-4s",
        description="path of platform and arm: four seconds from rest to rest (quintic-4s, assumed), or "
        "waypoints with times. On the named path an arm stands at rest that has other than six revolute "
        "joints: all at zero, or at the nearest value within arm_joint_limits",
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
    max_cable_speed: float | None = quantity(
        None,
        unit="m/s",
        usual=(0.5, 5.0),
        description="greatest speed of a cable that its winch reaches",
        gt=0,
        le=1e4,
    )
    max_winch_torque: float | None = quantity(
        None,
        unit="N*m",
        usual=(1.0, 50.0),
        description="greatest torque of a winch; it limits the tension to its share by winch_radius",
        gt=0,
        le=1e9,
    )
    max_winch_power: float | None = quantity(
        None,
        unit="W",
        usual=(100.0, 5000.0),
        description="greatest power of a winch; it limits the tension at the cable speed that task_speed "
        "asks for",
        gt=0,
        le=1e12,
    )
    task_speed: float | None = quantity(
        None,
        unit="m/s",
        usual=(0.1, 2.0),
        description="speed that the platform must reach in every direction, turning counted by the "
        "characteristic length, in every cell of the workspace",
        gt=0,
        le=1e4,
    )
    winch_lengths: Literal["trajectory"] | WinchLengths = Field(
        "trajectory",
        description="lengths that winches pay out for the class winch_motion, where the platform moves on "
        "elastic cables: those at which the tensions of tension_rule hold the platform on its trajectory "
        "(trajectory), or a table over time; with a table the platform is let go at the trajectory's first "
        "waypoint, with its arm locked in the rest posture",
    )
    cable_damping: Damping | tuple[Damping, ...] = quantity(
        2.0,
        unit="N*s/m",
        description="viscous damping of every cable along its length, or one value per cable, for the class "
        "winch_motion (assumed)",
        item="cable {}, damping",
    )
    settling_duration: float = quantity(
        2.0,
        unit="s",
        description="time for which the motion of the class winch_motion goes on after the winches stop",
        numerical=True,
        ge=0,
        le=1e3,
    )
    settling_tolerance: float = quantity(
        1e-3,
        unit="m",
        description="distance from its rest within which the platform must stay to have settled (assumed)",
        numerical=True,
        gt=0,
        le=1e3,
    )
    index_domain: Literal["feasible", "cube"] = Field(
        "feasible", description="cells over which the indices are summed: the workspace or the whole space"
    )
    check_interference: bool = Field(
        default=True,
        description="whether cells, poses and trajectories in which cables touch, or the wheels of pulleys "
        "overlap, are excluded",
    )
    check_platform: bool = Field(
        default=True, description="whether cells in which a cable cuts the platform are excluded"
    )
    obstacles: Annotated[tuple[Obstacle, ...], Field(max_length=100)] = Field(
        (),
        description="solids in the world that cables, platform and arm must not touch: boxes, cylinders, "
        "capsules and closed triangle meshes",
        json_schema_extra={"item": "obstacle {}"},
    )
    floor: float | None = quantity(
        None,
        unit="m",
        usual=(-2.0, 0.0),
        description="height below which everything is solid; if not set, there is no floor",
        ge=-1e4,
        le=1e4,
    )
    platform_shape: Shape | None = Field(
        None,
        description="shape of the platform, in its frame, where obstacles and the floor are concerned: a "
        "cylinder or capsule along z, or the convex hull of a mesh; if not set, the box of "
        "platform_half_size, against which cables are tested in any case",
    )
    arm_radii: Radius | Annotated[tuple[Radius, ...], Field(max_length=MOST_JOINTS)] = quantity(
        0.03,
        unit="m",
        description="radius of every link of the arm, or one value per link (assumed). Around each link lies "
        "a capsule from the origin of its joint to that of the next one, around the last link from its joint "
        "to the tool, or to its centre of mass if arm_tool is not set; another one, as thick as the first "
        "link, from the arm's base to the first joint. Links without such a length have none",
        item="arm link {}, radius",
    )
    arm_capsules: Annotated[tuple[ArmCapsule, ...], Field(min_length=1, max_length=50)] | None = Field(
        None,
        description="capsules around the links of the arm, each in the frame of its link, instead of those "
        "of arm_radii",
        json_schema_extra={"item": "arm capsule {}"},
    )
    obstacle_clearance: float = quantity(
        0.0,
        unit="m",
        usual=(0.0, 0.05),
        description="gap that cables, platform and arm must keep from obstacles and the floor, and cables "
        "from the arm",
        ge=0,
        le=10,
    )
    check_obstacles: bool = Field(
        default=True,
        description="whether cells, poses and trajectories in which a cable or the platform comes too close "
        "to an obstacle or the floor are excluded. The part of a cable next to its pulley, as long as "
        "attachment_relief, does not count, since pulleys are mounted on something",
    )
    check_arm: bool = Field(
        default=False,
        description="whether cells, poses and trajectories in which the arm comes too close to a cable, an "
        "obstacle or the floor are excluded: in one of its postures, or as it moves on its path. The part "
        "of a cable next to the platform, as long as attachment_relief, does not count",
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
        """One stiffness for all cables, and limits of the joints, of a robot that is not the paper's."""
        attachments: Sequence[Any] | None = given.get("attachments")
        other = isinstance(attachments, (list, tuple)) and len(attachments) != CABLES
        fitting: dict[str, Any] = dict(_joint_limits_for(given.get("arm_joints")))
        if other or given.get("pulleys") is not None:
            fitting["cable_stiffness"] = ASSUMED_STIFFNESS
        return fitting

    @classmethod
    def assumed_for(cls, given: Mapping[str, Any]) -> Sequence[str]:
        """The space, the platform's box and the masses of the paper, as far as they matter."""
        if given.get("pulleys") is None:
            return ()
        matter = ["space"]
        if given.get("check_platform", True) and given.get("freedoms") not in POINTS:
            matter.append("platform_half_size")
        if given.get("wrench_set", "box") in ("gravity", "box"):
            matter += ["platform_body", "arm_links"]
        return [name for name in matter if name not in given]

    @classmethod
    def shared_by(cls, layouts: Sequence[Self], varied: Collection[str]) -> Mapping[str, Any]:
        """The characteristic length: margins and indices of designs compare under one length alone.

        It is that of a layout which sets it, else the mean over the layouts, to three digits.
        """
        lengths = [each.length_scale for each in layouts]
        same = max(lengths) - min(lengths) < 1e-9 * max(lengths) and "attachments" not in varied
        given = [each.length_scale for each in layouts if each.characteristic_length is not None]
        if same or len(given) == len(layouts) or "characteristic_length" in varied:
            return {}
        mean = float(f"{math.fsum(lengths) / len(lengths):.3g}")
        return {"characteristic_length": given[0] if given else mean}

    @property
    def length_scale(self) -> float:
        """Characteristic length L [m]: as given, else the rms of ``|b_i|``, 1 mm or more; 1 m for a point."""
        if self.characteristic_length is not None:
            return self.characteristic_length
        if self.freedoms in POINTS:
            return 1.0
        squares = math.fsum(value * value for point in self.attachments for value in point)
        return max(math.sqrt(squares / len(self.attachments)), SHORTEST_LENGTH_SCALE)

    @property
    def has_arm(self) -> bool:
        """True if the parameters describe an arm: joints, or links with a mass, that are this robot's own.

        A robot whose pulleys are listed, but neither the joints nor the links of its arm, has none: those of
        the default are the paper's.
        """
        if self.arm_joints != ARM_JOINTS:
            return bool(self.arm_joints)
        if not any(link.mass for link in self.arm_links):
            return False
        return self.pulleys is None or self.arm_links != ARM_LINKS

    @property
    def resting_arm(self) -> tuple[float, ...]:
        """Coordinates (n,) of the arm at rest, where no trajectory moves it: rad, m for prismatic joints."""
        if [joint.kind for joint in self.arm_joints] == [joint.kind for joint in ARM_JOINTS]:
            return RESTING_ARM
        return tuple(min(max(low, 0.0), high) for low, high in zip(*self.arm_joint_limits, strict=True))

    @property
    def has_surroundings(self) -> bool:
        """True if there is an obstacle or a floor."""
        return bool(self.obstacles) or self.floor is not None

    @property
    def smallest_block(self) -> float:
        """Side [m] at which undecided blocks are no longer halved."""
        return self.longest_side / 64 if self.bounds_block is None else self.bounds_block

    @property
    def longest_side(self) -> float:
        """Longest side [m] of the space."""
        return max(upper - lower for lower, upper in zip(*self.space, strict=True))

    @property
    def proofless(self) -> list[str]:
        """Fields that ask for tests without a proof for every orientation."""
        asked = {
            "freedoms": self.freedoms == "2R3T",
            "obstacles": self.check_obstacles and self.obstacles,
            "floor": self.check_obstacles and self.floor is not None,
            "check_arm": self.check_arm,
            "pulley_radius": np.any(self.pulley_radius),
        }
        return [name for name, value in asked.items() if value]

    @property
    def wrench_corners(self) -> int:
        """Greatest number of corners of the box of wrenches."""
        chosen = self.wrench_set
        if isinstance(chosen, WrenchBox):
            return 2 ** int(np.count_nonzero(chosen.half_range))
        if chosen == "trajectory" or self.acceleration:
            return 64
        return 32 if chosen == "box" else 1

    @property
    def path(self) -> Trajectory:
        """The waypoints of the trajectory; of one that is given by name what motion pattern and arm have."""
        if not isinstance(self.trajectory, str):
            return self.path_of(self.trajectory)
        path = TRAJECTORIES[self.trajectory]
        path = path if self.freedoms == "3R3T" else path.within(self.freedoms, self.plane)
        if self.resting_arm != RESTING_ARM:
            path = path.model_copy(update={"joints": None})
        return self.path_of(path)

    def path_of(self, trajectory: Trajectory | None) -> Trajectory:
        """A trajectory, by default that of the record, with the arm at rest where nothing moves it."""
        return self.path if trajectory is None else trajectory.carrying(self.resting_arm)

    @property
    def tension_limits(self) -> tuple[FloatArray, FloatArray]:
        """Least and greatest tensions (m,) N of the cables, by ``f_min``, ``f_max`` and what winches can.

        A winch of radius r holds at most its torque over r, and at most its power over the speed that
        ``task_speed`` may ask of the cable, ``task_speed`` times the root of ``1 + |b|^2 / L^2``.
        """
        cables = len(self.attachments)
        lower, upper = (
            np.array(np.broadcast_to(each, cables), dtype=float) for each in (self.f_min, self.f_max)
        )
        if self.max_winch_torque is not None:
            upper = np.minimum(upper, self.max_winch_torque / self.winch_radius)
        if self.max_winch_power is not None and self.task_speed is not None:
            arms = np.linalg.norm(np.array(self.attachments), axis=1) * (self.freedoms not in POINTS)
            upper = np.minimum(
                upper, self.max_winch_power / (self.task_speed * np.hypot(1.0, arms / self.length_scale))
            )
        return lower, upper

    @model_validator(mode="after")
    def _fields_agree(self) -> Self:
        cables = len(self.attachments)
        checks.require_one_pulley_per_cable(self.arrangement, self.pulleys, cables)
        checks.require_one_value_per_cable(
            "cable_stiffness", self.cable_stiffness, cables, self.axial_stiffness
        )
        for name in PER_CABLE:
            checks.require_one_value_per_cable(name, getattr(self, name), cables)
        checks.require_pattern(self.freedoms, self.attachments)
        checks.require_axes(self.pulley_axis, cables)
        if self.bounds:
            checks.require_plain_cables(self.freedoms, {name: getattr(self, name) for name in UNBOUNDED})
        if self.max_winch_power is not None:
            checks.require_speed(self.task_speed)
        if isinstance(self.winch_lengths, WinchLengths):
            checks.require_full_rows(self.winch_lengths.lengths, cables)
        checks.require_permutation(self.cable_order, cables)
        checks.require_tension_limits(*self.tension_limits, self.max_winch_torque or self.max_winch_power)
        checks.require_lengths(self.length_min, self.length_max, cables)
        self._require_values_of_the_arm()
        checks.require_ordered_limits(self.space, self.arm_joint_limits)
        if not isinstance(self.trajectory, str):
            self.trajectory.require_within(self.freedoms, self.plane)
        checks.require_task_in_space(self.task_box, self.task_path, self.space)
        checks.require_block_size(self.smallest_block, self.longest_side)
        if self.check_arm:
            checks.require_postures_of_an_arm(
                self.arm_postures, has_links=self.has_arm or self.arm_capsules is not None
            )
        if self.orientations == "certified":
            checks.require_proofs([*self.proofless, *(["bounds"] if self.bounds else [])])
        checks.require_no_bounds(self.bounds, self.check_obstacles and self.has_surroundings, self.check_arm)
        return self

    def _require_values_of_the_arm(self) -> None:
        """Lists of values per joint are as long as that of the joints, and a tool's path can be followed."""
        path = None if isinstance(self.trajectory, str) else self.trajectory
        rows: dict[str, Sequence[Sequence[object]] | None] = {
            "arm_links": (self.arm_links,),
            "arm_joint_limits": self.arm_joint_limits,
            "arm_posture": None if self.arm_posture is None else (self.arm_posture,),
            "arm_postures": None if self.arm_postures == "range" else self.arm_postures,
            "arm_radii": (self.arm_radii,) if isinstance(self.arm_radii, tuple) else None,
            "trajectory": None if path is None else path.joints,
        }
        checks.require_values_of_joints(len(self.arm_joints), rows)
        links = [capsule.link for capsule in self.arm_capsules or ()]
        checks.require_links(links, len(self.arm_joints))
        if path is not None and path.tool_positions is not None:
            checks.require_closed_form(self.arm_joints)

    @model_validator(mode="after")
    def _work_is_not_too_much(self) -> Self:
        blocks = self.longest_side / self.smallest_block if self.bounds else 0.0
        checks.require_affordable(
            checks.Work(
                cells=self.cells,
                orientations=orientation_count(self.orientations, self.freedoms),
                cables=len(self.attachments),
                freedoms=FREEDOMS[self.freedoms],
                layers=1 if self.freedoms in PLANAR else self.cells,
                plain=self.freedoms == "3R3T" and not np.ndim(self.f_max) and not np.ndim(self.f_min),
                postures=checks.posture_count(self.weight_moment, self.wrench_set, self.arm_postures),
                smallest_block=self.smallest_block,
                blocks=blocks,
                samples=self.trajectory_samples,
                rule=self.tension_rule,
                stiffening=self.geometric_stiffness,
                positions=checks.task_count(self.space, self.cells, self.task_box, self.task_path),
                sagging=self.cable_density is not None,
                bodies=self.check_obstacles * (len(self.obstacles) + (self.floor is not None)),
                corners=self.wrench_corners * (self.orientations == "certified"),
                arms=self.check_arm * (1 if self.arm_postures is None else len(self.arm_postures)),
            )
        )
        return self
