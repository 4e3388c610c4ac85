"""The back-end: its table of metrics.

The cost classes are: ``first-contact`` follows the arm until its first contact has ended, ``motion`` up to
the end, ``ensemble`` many such motions with jittered parameters.
"""

from __future__ import annotations

from models.contract import Model
from models.ensemble import statistics_of
from models.flexible_arm.evaluation import CLASSES, STAGES, WITHOUT_STATISTICS, warm_up
from models.flexible_arm.mechanism import mechanism
from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.presets import PRESETS, SOURCE
from models.flexible_arm.reference import reference_cases
from models.flexible_arm.scene import scene
from models.flexible_arm.series import series
from models.metrics import Metric

EARLY, WHOLE = ("first-contact", "motion"), ("motion",)
CHAOTIC = "the motion is chaotic after some contacts: ask for {0}.mean or {0}.q95 rather than for this number"


def _late(name: str, unit: str, meaning: str, *, chaotic: bool = True) -> Metric:
    caution = CHAOTIC.format(name) if chaotic else ""
    return Metric(name, unit, meaning, "minimize", WHOLE, caution=caution)


MASS = Metric("mass", "kg", "mass of all links", "minimize", EARLY)
OF_A_MOTION = (
    Metric(
        "first_contact_peak_force",
        "N",
        "greatest normal force of the ground on a link end in the first contact: all contacts until a gap of "
        "20 ms; 0 without any",
        "minimize",
        EARLY,
    ),
    Metric(
        "first_contact_impulse",
        "N*s",
        "impulse of the normal forces on all link ends in the first contact",
        "minimize",
        EARLY,
    ),
    Metric(
        "micro_impacts",
        "1",
        "contacts of the link end that hits first, in the first contact: elastic links bounce several times",
        "minimize",
        EARLY,
    ),
    Metric(
        "energy_kept",
        "1",
        "kinetic, elastic and gravity energy after the first contact over that at the start, heights counted "
        "from 0; null without a contact that ends",
        "maximize",
        EARLY,
        absent=0.0,
    ),
    Metric(
        "max_deflection",
        "m",
        "greatest distance of a link's axis from the straight line through its ends, up to 'early_time'",
        "minimize",
        EARLY,
    ),
    Metric(
        "symmetry_error",
        "m",
        "greatest distance of a link end from the mirror image of its opposite one, up to 'early_time': how "
        "exact the motion of a symmetric arm is; null for an arm that is not symmetric",
        "minimize",
        EARLY,
        absent=0.0,
    ),
    _late("impacts", "1", "contacts of all link ends"),
    _late("peak_force", "N", "greatest normal force of the ground on a link end"),
    _late("loss_contact", "J", "energy lost to normal contact"),
    _late("loss_friction", "J", "energy lost to friction on the ground"),
    _late("loss_damping", "J", "energy lost to the air and inside the links"),
    _late(
        "energy_error",
        "1",
        "greatest energy that the motion gains or loses beyond its losses, by its greatest energy: how exact "
        "it is",
        chaotic=False,
    ),
    _late(
        "residual_vibration",
        "m",
        "root mean square of the distance of the links' axes from the straight lines through their ends, in "
        "the last fifth of the motion",
    ),
)
METRICS = (
    MASS,
    *OF_A_MOTION,
    *statistics_of([metric for metric in OF_A_MOTION if metric.name not in WITHOUT_STATISTICS]),
)

MODEL = Model(
    name="flexible-arm",
    version=1,
    summary="Planar chain of elastic links that hits the ground: forces, friction, deflection, losses.",
    source=SOURCE,
    parameters=FlexibleArm,
    presets=PRESETS,
    metrics=METRICS,
    stages=STAGES,
    classes=CLASSES,
    scene=scene,
    reference_cases=reference_cases,
    stochastic=True,
    warm_up=warm_up,
    series=series,
    mechanism=mechanism,
)
