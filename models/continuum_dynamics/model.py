"""The back-end: its table of metrics.

The cost classes are: ``rest`` finds where the robot rests under the last lengths of its cables, ``motion``
also computes how it gets there.
"""

from __future__ import annotations

from models.continuum_dynamics.evaluation import CLASSES, STAGES, warm_up
from models.continuum_dynamics.parameters import ContinuumDynamics
from models.continuum_dynamics.presets import PRESETS, SOURCE
from models.continuum_dynamics.reference import reference_cases
from models.continuum_dynamics.scene import scene
from models.continuum_dynamics.series import series
from models.contract import Model
from models.metrics import Metric

MOTION = ("motion",)
KEPT_BY = ("tip_way", "final_bend", "tip_x", "tip_y", "tip_z")
"""Metrics that keep a robot from one that the drives hardly move."""
SWING = "one swing more leaves the band about the place of rest"
STEPS = "the steps of the integration fall otherwise: it tells how exact the motion is"

METRICS = (
    Metric("mass", "kg", "mass of disks and backbone, without the base", "minimize", kept_by=KEPT_BY),
    Metric(
        "final_tension",
        "N",
        "greatest tension at rest under the last lengths of the cables",
        "minimize",
        kept_by=KEPT_BY,
    ),
    Metric(
        "final_bend",
        "rad",
        "angle between the backbone at the tip and at the base, at rest under the last lengths of the cables",
        "maximize",
    ),
    Metric(
        "static_strain",
        "1",
        "greatest strain of the backbone's surface by bending, at rest under the last lengths of the cables: "
        "at the ends and in the middle of every element, by the balance of moments",
        "minimize",
        kept_by=KEPT_BY,
    ),
    Metric(
        "stable",
        "1",
        "1 if the state at rest is stable: every small motion that the cables allow needs energy, or none, "
        "as a free turn; else 0",
        "maximize",
    ),
    *(
        Metric(
            f"tip_{axis}",
            "m",
            f"{axis} of the tip at rest under the last lengths of the cables, base frame",
            "maximize",
        )
        for axis in "xyz"
    ),
    Metric(
        "first_frequency",
        "Hz",
        "lowest natural frequency of small motions about the state at rest, without damping; cables that "
        "pull hold their lengths; null if they leave no motion",
        "maximize",
        absent=0.0,
        jumps="a cable goes slack at rest and holds the robot no more",
        kept_by=KEPT_BY,
    ),
    Metric(
        "tip_way",
        "m",
        "distance between the places where the tip rests under the first and under the last lengths of the "
        "cables",
        "maximize",
        MOTION,
    ),
    Metric(
        "settling_time",
        "s",
        "time from the end of the drives until the tip stays within 2 % of its way (tip_way) of the "
        "place where it rests; null if it does not within the duration",
        "minimize",
        MOTION,
        absent="duration",
        jumps=SWING,
        kept_by=KEPT_BY,
    ),
    Metric(
        "arrival_time",
        "s",
        "time from the start of the motion until the tip stays within 2 % of its way (tip_way) of the "
        "place where it rests: drives and settling together; null if it does not within the duration",
        "minimize",
        MOTION,
        absent="duration",
        jumps=SWING,
        kept_by=KEPT_BY,
    ),
    Metric(
        "overshoot",
        "1",
        "how much farther from the place where it rests the tip is, after the end of the drives, than it was "
        "before, at most, by its way (tip_way): 0 if it only comes nearer; null if the way is nothing, or "
        "the drives do not end",
        "minimize",
        MOTION,
        absent=0.0,
        kept_by=KEPT_BY,
    ),
    Metric(
        "peak_tension",
        "N",
        "greatest tension of a cable during the motion",
        "minimize",
        MOTION,
        kept_by=KEPT_BY,
    ),
    Metric(
        "slack_fraction",
        "1",
        "share of the duration in which a cable that is driven or locked does not pull, mean over these "
        "cables; null without any",
        "minimize",
        MOTION,
        absent=0.0,
        jumps="a cable pulls for one step more: steps are counted",
    ),
    Metric(
        "peak_power",
        "W",
        "greatest power that a motor gives to its cable, tension times winding speed",
        "minimize",
        MOTION,
        kept_by=KEPT_BY,
    ),
    Metric(
        "residual_energy",
        "J",
        "energy at the end of the motion above that at rest",
        "minimize",
        MOTION,
        kept_by=KEPT_BY,
    ),
    Metric(
        "max_strain",
        "1",
        "greatest strain of the backbone's surface by bending during the motion: diameter times curvature by "
        "two, at the ends and in the middle of every element; superelastic Ni-Ti bears about 0.06",
        "minimize",
        MOTION,
        kept_by=KEPT_BY,
    ),
    Metric(
        "constraint_error",
        "m",
        "greatest length by which a cable that pulls is too long or too short: how exact the motion is",
        "minimize",
        MOTION,
        jumps=STEPS,
    ),
    Metric(
        "energy_error",
        "J",
        "greatest energy that the motion gains or loses beyond the work of the cables and the damping: how "
        "exact it is",
        "minimize",
        MOTION,
        jumps=STEPS,
    ),
    *(
        Metric(
            f"tip_error.{axis}",
            "1",
            f"greatest distance of the tip from its measured positions along {axis}, by the length; null "
            "without measured positions of the tip",
            "minimize",
            MOTION,
            absent=1.0,
            needs="measured",
        )
        for axis in "xyz"
    ),
    *(
        Metric(
            f"disk_error.{axis}",
            "1",
            f"greatest distance of the disks from their measured positions along {axis}, each by the length "
            "of the backbone up to it; null without measured positions",
            "minimize",
            MOTION,
            absent=1.0,
            needs="measured",
        )
        for axis in "xyz"
    ),
)

MODEL = Model(
    name="continuum-dynamics",
    version=2,
    summary="Motion of a continuum robot whose cable lengths are driven: settling, tensions, power, strain.",
    source=SOURCE,
    parameters=ContinuumDynamics,
    presets=PRESETS,
    metrics=METRICS,
    stages=STAGES,
    classes=CLASSES,
    scene=scene,
    reference_cases=reference_cases,
    warm_up=warm_up,
    series=series,
    ladder=lambda p: [{"step": 2.0 * p.time_step}] if p.time_step <= 0.01 else [],
)
