"""The back-end: its table of metrics and its stages.

There are eleven cost classes: ``workspace`` tests the cells of the space, ``motion`` follows the trajectory,
``detail`` computes more about the cells of the workspace, ``vibration`` their natural frequencies, ``sag``
that of their cables, ``speed`` what their winches reach, ``reach`` where the arm's tool comes, ``clearance``
gaps from obstacles, ``winch_motion`` moves the platform on elastic cables, ``orientation`` proves how far it
may turn, and ``all`` does all of it. The name of a variant of a metric has a dot: ``q05`` and ``q95`` are
the bad tail over the workspace, ``box`` is the same tail over the inscribed box, and ``task`` is the worst
value over the positions that the robot must reach.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from models.contract import Model
from models.hybrid_cable_robot.arm.posture import posture
from models.hybrid_cable_robot.cell_results import GREATEST_RESPONSE
from models.hybrid_cable_robot.evaluation import CLASSES, STAGES, Design, warm_up
from models.hybrid_cable_robot.fidelity import certified, ladder
from models.hybrid_cable_robot.mechanism import mechanism
from models.hybrid_cable_robot.motion.winches import motion_series
from models.hybrid_cable_robot.parameter_types import GREATEST_LOAD
from models.hybrid_cable_robot.parameters import TASK, HybridCableRobot
from models.hybrid_cable_robot.presets import PRESETS, SOURCE
from models.hybrid_cable_robot.reference import reference_cases
from models.hybrid_cable_robot.scalar_grid import QUANTITIES, grid
from models.hybrid_cable_robot.scene import outline, scene
from models.metrics import Metric, with_errors

Sense = Literal["minimize", "maximize"]
CELLS, DETAIL, MOTION = ("workspace", "detail"), ("detail",), ("motion",)
VIBRATION, SAG, CLEARANCE, WINCHES = ("vibration",), ("sag",), ("clearance",), ("winch_motion",)
SPEED, REACH, ORIENTATION = ("speed",), ("reach",), ("orientation",)
SAMPLED = "the sampled orientations"
NOMINAL = "at the nominal orientation"
LENGTH_ERRORS = "that cable length errors with a norm of one metre would cause"
CARDOU = "(Cardou, Bouchard and Gosselin 2010, 2-norm)"
ONE_CELL = "one cell that joins the workspace, soft or loose, decides it alone"
ANOTHER_BOX = "another of two boxes of nearly the same volume becomes the largest"
TENDS_TO_ZERO = "depends on the grid more than on the design: the finer the cells, the closer it is to"


KEPT_BY = ("workspace_volume", "F1", "F2", "F3", "inscribed_box", *TASK)


def _metric(
    name: str, unit: str, meaning: str, sense: Sense, contains: tuple[str, ...] = (), label: str = ""
) -> Metric:
    return Metric(name, unit, meaning, sense, CELLS, contains=contains, label=label)


def _index(name: str, meaning: str, unit: str = "1") -> Metric:
    return Metric(name, unit, meaning, "maximize", CELLS, kept_by=KEPT_BY)


def _margin(
    name: str, unit: str, meaning: str, classes: tuple[str, ...] = CELLS, *, task: bool = False
) -> Metric:
    """A margin; less than 0 is unsafe. A ``task`` metric exists only with a task.

    The least value over the workspace depends on the grid and has no limit of safety.
    """
    return Metric(
        name, unit, meaning, "maximize", classes,
        absent=0.0 if task or classes == VIBRATION else None, needs=TASK if task else (), safety_limit=0.0,
        kept_by=() if task or classes == MOTION else KEPT_BY,
        jumps=ANOTHER_BOX if name.endswith(".box") else "",
    )  # fmt: skip


def _detail_metric(name: str, unit: str, meaning: str, sense: Sense, jumps: str = "") -> Metric:
    return Metric(name, unit, meaning, sense, DETAIL, kept_by=KEPT_BY, jumps=jumps)


def _task_metric(
    name: str, unit: str, meaning: str, sense: Sense, classes: tuple[str, ...], absent: float
) -> Metric:
    return Metric(name, unit, meaning, sense, classes, absent=absent, needs=TASK)


def _bound(side: str, meaning: str) -> Metric:
    meaning = f"{meaning}, found with blocks down to the side bounds_block; only with bounds = true"
    return Metric(f"workspace_volume_{side}", "m**3", meaning, "maximize", CELLS, absent=0.0, needs="bounds")


def _responses(
    name: str, unit: str, what: str, classes: tuple[str, ...] = DETAIL, needs: str = ""
) -> tuple[Metric, ...]:
    """A response of the platform: its bad tails, its greatest over the task and over the workspace."""

    def over(end: str, meaning: str, jumps: str = "") -> Metric:
        return Metric(
            f"{name}{end}", unit, meaning, "minimize", classes, kept_by=KEPT_BY, jumps=jumps, needs=needs,
            absent=GREATEST_RESPONSE if needs else None,
        )  # fmt: skip

    return (
        over(".q95", f"{what} that 95 % of the workspace stays below, {NOMINAL}", ONE_CELL),
        over(".box", f"{what} that 95 % of the inscribed box stays below, {NOMINAL}", ANOTHER_BOX),
        _task_metric(
            f"{name}.task", unit, f"greatest over the task of {what}, {NOMINAL}", "minimize", classes,
            GREATEST_RESPONSE,
        ),
        over(
            "",
            f"greatest over the workspace of {what}, {NOMINAL}; one cell decides it, so it changes much "
            "with the grid",
        ),
    )  # fmt: skip


def _gaps(name: str, what: str, needs: tuple[str, ...]) -> tuple[Metric, ...]:
    """A gap: its bad tails, its least over the task and over the workspace; negative where bodies overlap."""

    def over(end: str, meaning: str, kept_by: tuple[str, ...] = KEPT_BY, jumps: str = "") -> Metric:
        return Metric(
            f"{name}{end}", "m", meaning, "maximize", CLEARANCE, absent=0.0, needs=needs, kept_by=kept_by,
            jumps=jumps, safety_limit=0.0 if end else None,
        )  # fmt: skip

    return (
        over(".q05", f"{what}, least over {SAMPLED}, that 95 % of the workspace exceeds"),
        over(".box", f"{what} that 95 % of the inscribed box exceeds", jumps=ANOTHER_BOX),
        replace(over(".task", f"least {what} over the task", ()), needs=TASK),
        over("", f"least {what} over the workspace; {TENDS_TO_ZERO} obstacle_clearance"),
    )


def _speeds() -> tuple[Metric, ...]:
    """Speeds of the platform that the winches reach."""
    what = (
        f"the speed of the platform, turning counted by the characteristic length, that it reaches in every "
        f"direction at all of {SAMPLED} with max_cable_speed"
    )

    def over(end: str, meaning: str, jumps: str = "") -> Metric:
        return Metric(
            f"platform_speed{end}", "m/s", meaning, "maximize", SPEED, absent=0.0, needs="max_cable_speed",
            kept_by=KEPT_BY, jumps=jumps,
        )  # fmt: skip

    return (
        over(".q05", f"what 95 % of the workspace exceeds: {what}"),
        over(".box", f"what 95 % of the inscribed box exceeds: {what}", ANOTHER_BOX),
        _task_metric("platform_speed.task", "m/s", f"least over the task: {what}", "maximize", SPEED, 0.0),
        over("", f"least over the workspace: {what}"),
    )


FREQUENCY = (
    "lowest natural frequency of the platform on its cables under the weight, the arm locked at rest, with "
    f"the tensions of tension_rule, {NOMINAL}; negative where the platform would leave the pose"
)


def _motion_metric(name: str, unit: str, meaning: str, contains: tuple[str, ...] = ()) -> Metric:
    return Metric(name, unit, meaning, "minimize", MOTION, contains=contains)


def _total_orientations() -> tuple[Metric, ...]:
    """The angle by which the platform may turn about every axis."""
    what = (
        "the greatest angle such that the platform passes every test after any rotation by at most this "
        "angle, about every axis about which it turns; by proof, a multiple of 0.1 deg, at most 90 deg"
    )

    def over(end: str, meaning: str, needs: tuple[str, ...]) -> Metric:
        return Metric(
            f"total_orientation{end}", "rad", meaning, "maximize", ORIENTATION, absent=0.0, needs=needs,
            jumps="the angle reaches another multiple of 0.1 deg",
        )  # fmt: skip

    return (
        over("", f"in the middle of the space, {what}; 0 if it fails there without any rotation", ()),
        over(".task", f"least over the task: {what}", TASK),
    )


ON_ELASTIC_CABLES = "on elastic cables that winches pay out and reel in by winch_lengths"


def _winch_metric(name: str, unit: str, meaning: str, absent: float, jumps: str = "") -> Metric:
    return Metric(name, unit, meaning, "minimize", WINCHES, absent=absent, jumps=jumps)


_OWN_METRICS = (
    Metric(
        "workspace_volume",
        "m**3",
        f"volume of the cells that pass every test at all of {SAMPLED}; with orientations = certified, at "
        "every orientation within rotation_limit, by proof",
        "maximize",
        CELLS,
    ),
    Metric(
        "disconnected_volume",
        "m**3",
        "volume of the workspace outside its largest connected part, out of reach from there",
        "minimize",
        CELLS,
        jumps="a part of the workspace joins another one",
    ),
    _bound("lower", f"volume that is proved to be inside the workspace at {SAMPLED}"),
    _bound("upper", f"volume that is not proved to be outside the workspace at {SAMPLED}"),
    _metric(
        "F1",
        "1/m**3",
        "inverse of the workspace volume, the paper's first objective",
        "minimize",
        ("workspace_volume",),
        "inverse volume F1",
    ),
    _metric(
        "F2",
        "1/m**1.5",
        "the paper's stiffness objective: 1 / sqrt(integral of (1 / cond K)^2 over the index domain)",
        "minimize",
        ("workspace_volume", "stiffness_index"),
        "stiffness F2",
    ),
    _metric(
        "F3",
        "1/m**1.5",
        "the paper's sensitivity objective: 1 / sqrt(integral of (1 / cond J)^2 over the index domain)",
        "minimize",
        ("workspace_volume", "dexterity_index"),
        "sensitivity F3",
    ),
    _index(
        "stiffness_index",
        "root mean square over the index domain of the inverse condition number of the scaled stiffness "
        "matrix K; 1 means equally stiff in every direction",
    ),
    _task_metric(
        "stiffness_index.task", "1", "stiffness index over the positions of the task", "maximize", CELLS, 0.0
    ),
    _index(
        "dexterity_index",
        "root mean square over the index domain of the inverse condition number of the scaled Jacobian; "
        "1 means equally dexterous in every direction",
    ),
    _task_metric(
        "dexterity_index.task", "1", "dexterity index over the positions of the task", "maximize", CELLS, 0.0
    ),
    _margin(
        "capacity_margin.q05",
        "N",
        "capacity margin that 95 % of the workspace exceeds: the force, in any direction, that the cables "
        f"could hold in addition to every wrench of the set, least over {SAMPLED}",
    ),
    _margin("capacity_margin.box", "N", "capacity margin that 95 % of the inscribed box exceeds", DETAIL),
    _margin("capacity_margin.task", "N", "least capacity margin over the task", task=True),
    _index(
        "capacity_margin_mean",
        f"mean over the workspace of each cell's least capacity margin over {SAMPLED}",
        "N",
    ),
    _index(
        "capacity_margin",
        f"least capacity margin over the cells of the workspace; {TENDS_TO_ZERO} 0",
        "N",
    ),
    _margin(
        "interference_margin.q05",
        "m",
        f"gap between the two closest cables, least over {SAMPLED}, that 95 % of the workspace exceeds",
        DETAIL,
    ),
    _margin(
        "interference_margin.box",
        "m",
        "gap between the two closest cables that 95 % of the inscribed box exceeds",
        DETAIL,
    ),
    _margin("interference_margin.task", "m", "least gap between two cables over the task", task=True),
    _index(
        "interference_margin",
        "least gap between two cables over the cells that pass the wrench and platform tests, including "
        f"cells that then fail; negative where cables overlap; where cables cross, it {TENDS_TO_ZERO} minus "
        "the diameter; cables that share a fitting count from attachment_relief on",
        "m",
    ),
    *_gaps(
        "obstacle_margin",
        "gap between cables or platform and obstacles or the floor",
        ("obstacles", "floor"),
    ),
    *_gaps(
        "arm_margin",
        "gap between the arm, in any of its postures, and cables, obstacles or the floor",
        ("check_arm",),
    ),
    *_responses(
        "displacement_under_load", "m", "the displacement of the platform's origin under the test load"
    ),
    *_responses("rotation_sensitivity", "rad/m", f"the rotation {LENGTH_ERRORS} {CARDOU}"),
    *_responses(
        "point_sensitivity",
        "1",
        f"the platform's displacement divided by the norm of the cable length errors that cause it {CARDOU}",
    ),
    _margin("natural_frequency.q05", "Hz", f"what 95 % of the workspace exceeds: {FREQUENCY}", VIBRATION),
    _margin("natural_frequency.box", "Hz", f"what 95 % of the inscribed box exceeds: {FREQUENCY}", VIBRATION),
    _margin("natural_frequency.task", "Hz", f"least over the task: {FREQUENCY}", VIBRATION, task=True),
    Metric(
        "natural_frequency",
        "Hz",
        f"least over the workspace: {FREQUENCY}",
        "maximize",
        VIBRATION,
        absent=0.0,
        kept_by=KEPT_BY,
    ),
    *_responses(
        "sag_max",
        "m",
        "the greatest sag of a cable, its distance from the straight line,",
        SAG,
        "cable_density",
    ),
    *_responses(
        "sag_error",
        "N",
        "the force, torques divided by the characteristic length, by which sagging cables miss the wrench of "
        "straight ones with the same tensions",
        SAG,
        "cable_density",
    ),
    *_speeds(),
    *_responses(
        "task_power",
        "W",
        "the power of a winch that pulls with the tension of tension_rule while the platform moves at "
        "task_speed in the worst direction for it",
        SPEED,
        "task_speed",
    ),
    *(
        _detail_metric(
            f"{index}_index_{block}",
            "1",
            f"root mean square over the index domain of the inverse condition number of the {block} {part}; "
            "does not depend on the characteristic length",
            "maximize",
        )
        for index, part in (
            ("stiffness", "block of the stiffness matrix K"),
            ("dexterity", "columns of the Jacobian"),
        )
        for block in ("translation", "rotation")
    ),
    Metric(
        "inscribed_box",
        "m**3",
        "volume of the largest box whose cells all belong to the workspace, with faces parallel to the space",
        "maximize",
        DETAIL,
    ),
    _task_metric(
        "max_tension.task",
        "N",
        "greatest cable tension over the task, by tension_rule for the corners of the wrench set, at all of "
        f"{SAMPLED}",
        "minimize",
        DETAIL,
        GREATEST_LOAD,
    ),
    _motion_metric("max_tension", "N", "greatest cable tension along the trajectory"),
    _motion_metric(
        "tension_spread",
        "N",
        "greatest difference between the tensions of two cables at one instant of the trajectory",
    ),
    _motion_metric(
        "power_mean", "W", "mean mechanical power of the winches over the trajectory, sum |tension x speed|"
    ),
    _motion_metric("power_peak", "W", "greatest mechanical power of the winches along the trajectory"),
    _motion_metric(
        "energy", "J", "integral of the winches' mechanical power over the trajectory", ("power_mean",)
    ),
    _margin(
        "path_interference_margin",
        "m",
        "least gap between two cables along the trajectory; cables that start from one fitting count from "
        "attachment_relief on",
        MOTION,
    ),
    _winch_metric(
        "peak_tension",
        "N",
        f"greatest cable tension of the motion {ON_ELASTIC_CABLES}, and until settling_duration after it",
        GREATEST_LOAD,
    ),
    _winch_metric(
        "slack_share",
        "1",
        "share of the time of this motion in which at least one cable is slack",
        1.0,
        "a cable that is pulled by nothing goes slack or not",
    ),
    _winch_metric(
        "path_error",
        "m",
        f"greatest distance of the platform's origin from the trajectory in the motion {ON_ELASTIC_CABLES}; "
        "with a table of lengths only if the trajectory has waypoints of its own",
        GREATEST_RESPONSE,
    ),
    _winch_metric(
        "path_error_rms", "m", "root mean square over time of the same distance", GREATEST_RESPONSE
    ),
    _winch_metric(
        "settling_time",
        "s",
        "time from the winches' stop until the platform's origin stays within settling_tolerance of its "
        "rest; settling_duration if it does not settle before",
        1e3,
        "one swing more leaves the tolerance",
    ),
    _winch_metric(
        "energy_error",
        "J",
        "greatest error of the balance of energy, work and losses of this motion: how exact its integration "
        "is, no property of the robot",
        GREATEST_LOAD,
        "one step of the integration more is taken, and where it is of the size of rounding",
    ),
    Metric(
        "hybrid_reach",
        "m**3",
        "volume of the positions that the arm's tool reaches within arm_joint_limits while the platform is "
        "anywhere in the workspace at the nominal orientation, without regard to collisions of the arm; the "
        "volume of the workspace without an arm",
        "maximize",
        REACH,
        absent=0.0,
    ),
    *_total_orientations(),
    Metric("mass", "kg", "mass of platform and arm, which the cables carry", "minimize", tuple(CLASSES)),
)


def _is_over_cells(metric: Metric) -> bool:
    """True for sums, quantiles and extremes over the cells of the grid."""
    return (
        metric.cost_classes in (CELLS, DETAIL, VIBRATION, SAG, SPEED, CLEARANCE, REACH)
        and metric.needed not in (TASK, ("bounds",))
        and metric.name != "disconnected_volume"
    )


METRICS = with_errors(
    _OWN_METRICS,
    _is_over_cells,
    "numerical error of {}, from the 27 grids of every third cell along each axis; designs that differ by "
    "less are even",
)


def _arranged_pulleys(parameters: HybridCableRobot) -> list[list[float]]:
    """The pulleys of an arrangement, which ``pulleys`` would list."""
    from models.hybrid_cable_robot.robot import numbered_pulleys

    return numbered_pulleys(parameters).tolist()


MODEL = Model(
    name="hybrid-cable-robot",
    version=6,
    summary="Cable-driven parallel robot in space: workspace, stiffness, dexterity and wrench capacity of "
    "constrained and suspended layouts; tensions and power while its arm moves.",
    source=SOURCE,
    parameters=HybridCableRobot,
    presets=PRESETS,
    metrics=METRICS,
    stages=STAGES,
    classes=CLASSES,
    subject=Design,
    scene=scene,
    outline=outline,
    ladder=ladder,
    certified=certified,
    reference_cases=reference_cases,
    warm_up=warm_up,
    implied={"pulleys": _arranged_pulleys},
    series=motion_series,
    mechanism=mechanism,
    grid=grid,
    grid_quantities=QUANTITIES,
    posture=posture,
)
