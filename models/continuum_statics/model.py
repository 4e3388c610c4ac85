"""The back-end: its table of metrics and its stages.

The cost classes are: ``pose`` computes the equilibrium under the given tensions, ``payload`` also raises the
tip mass there, ``sweep`` also raises the tension of one cable, ``workspace`` samples the tensions of two
neighbouring cables, ``volume`` does so under several pretensions, and ``all`` does all of it.
"""

from __future__ import annotations

from models.continuum_statics.evaluation import CLASSES, STAGES, warm_up
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.presets import PRESETS, SOURCE
from models.continuum_statics.reference import reference_cases
from models.continuum_statics.scene import scene
from models.continuum_statics.strength import MOST_SAFETY
from models.contract import Model
from models.ladders import fewer
from models.metrics import Metric

POSE = ("pose", "payload", "sweep")
SWEEP = ("sweep",)
PAYLOAD = ("payload",)
WORKSPACE = ("workspace", "volume")


KEPT_BY = ("stable_workspace_area", "reachable_volume", "required_tension", "target_miss")
"""Metrics that keep the workspace from shrinking to where its worst value is best."""
KEPT_AT_POSE = (*KEPT_BY, "max_payload", "tip_x", "tip_y", "tip_z")
"""Metrics that keep a robot under given tensions from a rod that hardly bends or bears nothing."""


def _strength(prefix: str, where: str, cost_classes: tuple[str, ...]) -> tuple[Metric, ...]:
    """Metrics of the rod's strength, whose names begin with ``prefix``."""
    strain, stress = f"{prefix}max_strain", f"{prefix}max_stress"
    kept_by = KEPT_BY if cost_classes == WORKSPACE else KEPT_AT_POSE
    return (
        Metric(
            strain,
            "1",
            f"greatest equivalent strain of the rod {where}: bending, axial force and torsion by von Mises",
            "minimize",
            cost_classes,
            kept_by=kept_by,
        ),
        Metric(
            stress,
            "Pa",
            f"greatest equivalent stress of the rod {where}, by von Mises",
            "minimize",
            cost_classes,
            kept_by=kept_by,
        ),
        Metric(
            f"{prefix}safety_factor",
            "1",
            f"least ratio of the limits of stress and strain to the values in the rod {where}, at most "
            f"{MOST_SAFETY:g}; null if the material has no limit",
            "maximize",
            cost_classes,
            absent=MOST_SAFETY,
            contains=(strain, stress),
            safety_limit=1.0,
            kept_by=kept_by,
        ),
    )


METRICS = (
    Metric("tip_x", "m", "x of the tip under the given tensions, base frame", "maximize", POSE),
    Metric("tip_y", "m", "y of the tip under the given tensions, base frame", "maximize", POSE),
    Metric("tip_z", "m", "z of the tip under the given tensions, base frame", "maximize", POSE),
    Metric(
        "lambda_min",
        "N*m",
        "smallest eigenvalue of the Hessian of the energy under the given tensions; depends on the number of "
        "disks",
        "maximize",
        POSE,
        kept_by=KEPT_AT_POSE,
        label="stability mu_min",
    ),
    Metric(
        "mu_min",
        "1",
        "margin of stability: the smallest eigenvalue relative to the stiffness of the rod alone; 1 for "
        "the rod without loads",
        "maximize",
        POSE,
        kept_by=KEPT_AT_POSE,
    ),
    Metric(
        "tip_compliance",
        "m/N",
        "greatest displacement of the tip per unit of force on it, over all directions, at constant tensions",
        "minimize",
        POSE,
        kept_by=KEPT_AT_POSE,
    ),
    *_strength("", "under the given tensions", POSE),
    Metric(
        "max_payload",
        "kg",
        "tip mass, raised from 0, at which the robot first loses its equilibrium under the given tensions, "
        "or the rod reaches a limit of its material; null if neither happens up to payload_limit",
        "maximize",
        PAYLOAD,
        absent="payload_limit",
    ),
    Metric(
        "snap_tension",
        "N",
        "tension of the cable sweep_cable at which the robot first jumps; null if it does not jump up to "
        "max_tension",
        "maximize",
        SWEEP,
        absent="max_tension",
    ),
    Metric(
        "first_loss_tension",
        "N",
        "tension of the cable sweep_cable at which a fold or a bifurcation first ends the stable path; "
        "null if there is none up to max_tension",
        "maximize",
        SWEEP,
        absent="max_tension",
    ),
    Metric(
        "lambda_min_path",
        "N*m",
        "least value of lambda_min along the path of the straight robot while the tension of one cable "
        "rises to max_tension; unstable parts of the path are included",
        "maximize",
        SWEEP,
        kept_by=KEPT_AT_POSE,
    ),
    Metric(
        "stable_workspace_area",
        "m**2",
        "area of the surface that the tip reaches in stable equilibria while two neighbouring cables pull; "
        "it ends at the limits of the material if they are enforced; areas that overlap count twice",
        "maximize",
        WORKSPACE,
    ),
    Metric(
        "stable_fraction",
        "1",
        "share of the tensions that are reached without a loss of stability, and within the limits of the "
        "material if they are enforced: mean over the rays of equal cells",
        "maximize",
        WORKSPACE,
        kept_by=KEPT_BY,
    ),
    Metric(
        "workspace_mu_min",
        "1",
        "least mu_min over the stable samples and the ends of rays: 0 where a ray loses stability",
        "maximize",
        WORKSPACE,
        kept_by=KEPT_BY,
    ),
    *_strength("workspace_", "over the stable samples and the ends of rays", WORKSPACE),
    Metric(
        "required_tension",
        "N",
        "greatest tension that is needed to bring the tip to each of the targets within the stable "
        "workspace; null if one is missed by more than target_tolerance",
        "minimize",
        WORKSPACE,
        absent="max_tension",
        needs="targets",
    ),
    Metric(
        "target_miss",
        "m",
        "greatest distance, in x and y, between a target and the stable workspace; 0 if all are reached",
        "minimize",
        WORKSPACE,
    ),
    Metric(
        "mass",
        "kg",
        "mass of disks and rod, without the payload",
        "minimize",
        (*POSE, *WORKSPACE),
        kept_by=KEPT_AT_POSE,
    ),
    Metric(
        "reachable_volume",
        "m**3",
        "volume that the tip sweeps in the stable workspace while the pretension rises; volumes that overlap "
        "count twice",
        "maximize",
        ("volume",),
        error="reachable_volume_error",
    ),
    Metric(
        "reachable_volume_error",
        "m**3",
        "estimate of the error of reachable_volume, from fewer tensions, rays and pretensions",
        "minimize",
        ("volume",),
    ),
)


MODEL = Model(
    name="continuum-statics",
    version=4,
    summary="Elastic rod with disks, bent by cables: equilibrium, stability, snap-through, payload and "
    "stable workspace.",
    source=SOURCE,
    parameters=ContinuumStatics,
    presets=PRESETS,
    metrics=METRICS,
    stages=STAGES,
    classes=CLASSES,
    scene=scene,
    reference_cases=reference_cases,
    warm_up=warm_up,
    ladder=lambda p: fewer(p, (2,), rays=8, tension_steps=41, pretension_steps=2),
)
