"""The back-end: its table of metrics.

The cost classes are: ``tasks`` solves the inverse kinematics of the task poses and of the path,
``dexterity`` that of many directions at each task point, ``workspace`` samples the states of the robot, and
``all`` does all of it.
"""

from __future__ import annotations

import math

from models.continuum_kinematics.evaluation import CLASSES, STAGES, warm_up
from models.continuum_kinematics.parameters import ContinuumKinematics
from models.continuum_kinematics.presets import PRESETS, SOURCE
from models.continuum_kinematics.reference import reference_cases
from models.continuum_kinematics.scene import outline, scene
from models.contract import Model
from models.ladders import fewer
from models.metrics import Metric

TASKS, DEXTERITY, WORKSPACE = ("tasks",), ("dexterity",), ("workspace",)
KEPT_BY = ("reachable_volume", "dexterity", "ik_success", "ik_margin", "path_success")
"""Metrics that keep a robot from being so short or stiff that it hardly moves."""
MET = ("ik_success", "ik_margin", "path_success", "path_error")
"""Metrics that keep a robot from missing the poses."""
TASK_FIELDS = ("task_poses", "path")
POSES = "one pose more is met: poses are counted"
SOLUTIONS = "of several solutions another one bends or changes least, or one comes or goes at a limit of bend"

METRICS = (
    Metric("total_length", "m", "sum of the greatest lengths of the sections", "minimize", kept_by=KEPT_BY),
    Metric(
        "reachable_volume",
        "m**3",
        "volume of the rings about the robot's axis, 'cells' of them along total_length and as wide as high, "
        "in the middle of whose section the tip can be; a surface that the tip reaches has none",
        "maximize",
        WORKSPACE,
        error="reachable_volume_error",
    ),
    Metric(
        "reachable_volume_error",
        "m**3",
        "half the volume of the rings at the rim: by how much reachable_volume may be wrong; it falls as "
        "'cells' grows",
        "minimize",
        WORKSPACE,
    ),
    Metric(
        "condition_index",
        "1",
        "ratio of the smallest to the greatest singular value of the Jacobian from the lengths of the cables "
        "to the tip, mean over 1000 random states; rotations are times 0.3 of the mean greatest length",
        "maximize",
        WORKSPACE,
        kept_by=KEPT_BY,
    ),
    Metric(
        "min_singular_value",
        "1",
        "smallest singular value of the Jacobian, mean over the same states, for cables at 0.3 of the mean "
        "greatest length from the backbone instead of guide_radius: how far the tip moves at least when the "
        "root of the sum of squares of all changes of length is 1; it does not depend on the guides",
        "maximize",
        WORKSPACE,
        kept_by=KEPT_BY,
    ),
    Metric(
        "max_singular_value",
        "1",
        "greatest singular value of the same Jacobian, mean over the same states: how far the tip moves at "
        "most when the root of the sum of squares of all changes of length is 1",
        "minimize",
        WORKSPACE,
        kept_by=KEPT_BY,
    ),
    Metric(
        "dexterity",
        "1",
        "share of 'directions' evenly spread directions in which the tool can be at a task point, mean over "
        "the task points; null without task points",
        "maximize",
        DEXTERITY,
        absent=0.0,
        needs="task_points",
        jumps="one direction more is reached: directions are counted",
    ),
    Metric(
        "ik_success",
        "1",
        "share of the task poses that are met to 1e-8 m and rad within 'starts' starts; null without task "
        "poses",
        "maximize",
        TASKS,
        absent=0.0,
        needs="task_poses",
        jumps=POSES,
    ),
    Metric(
        "ik_margin",
        "1",
        "share by which all limits of bend and length can shrink so that every task pose is still met, to "
        "1/64; where one is missed, minus the greatest miss by total_length; null without task poses",
        "maximize",
        TASKS,
        absent=-1.0,
        needs="task_poses",
        jumps="the limits can shrink by one step of 1/64 more",
    ),
    Metric(
        "path_success",
        "1",
        "share of the poses of the path that are met, each from the one before; null without a path",
        "maximize",
        TASKS,
        absent=0.0,
        needs="path",
        jumps=POSES,
    ),
    Metric(
        "path_error",
        "m",
        "greatest distance of the tip from the straight lines between the poses of the path while the "
        "sections change evenly from pose to pose; a pose that is missed counts with its distance, and with "
        "its angle times 0.3 of the mean greatest length; null without a path",
        "minimize",
        TASKS,
        absent=1e3,
        needs="path",
        jumps=SOLUTIONS,
    ),
    Metric(
        "path_step",
        "m",
        "greatest length that a motor winds from one pose of the path to the next, over all sections that "
        "its cable passes, on the way of the least change; a large one shows that the robot must change its "
        "shape; null without a path",
        "minimize",
        TASKS,
        absent=1e3,
        needs="path",
        jumps=SOLUTIONS,
        kept_by=MET,
    ),
    Metric(
        "max_bend",
        "rad",
        "greatest bend of a section in the solutions of task poses, which have the least sum of squares of "
        "bends, and of the path, which change least from pose to pose; null without any",
        "minimize",
        TASKS,
        absent=2 * math.pi,
        needs=TASK_FIELDS,
        jumps=SOLUTIONS,
        kept_by=MET,
    ),
    Metric(
        "min_singular_value.tasks",
        "1",
        "smallest singular value as in min_singular_value, least over the solutions of task poses and path; "
        "null without any",
        "maximize",
        TASKS,
        absent=0.0,
        needs=TASK_FIELDS,
        jumps=SOLUTIONS,
        kept_by=MET,
    ),
)

MODEL = Model(
    name="continuum-kinematics",
    version=2,
    summary="Sections of constant curvature in a row: reachable volume, dexterity, inverse kinematics of "
    "poses and paths, conditioning.",
    source=SOURCE,
    parameters=ContinuumKinematics,
    presets=PRESETS,
    metrics=METRICS,
    stages=STAGES,
    classes=CLASSES,
    scene=scene,
    outline=outline,
    ladder=lambda p: fewer(p, (4, 2), samples=500, cells=10, directions=50),
    reference_cases=reference_cases,
    warm_up=warm_up,
)
