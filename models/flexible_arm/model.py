"""The back-end: its table of metrics.

The cost classes are: ``first-contact`` follows the arm until it has landed, ``motion`` up to
the end, ``ensemble`` many such motions with jittered parameters.
"""

from __future__ import annotations

from typing import Literal

from models.contract import Model
from models.ensemble import statistics_of
from models.flexible_arm.evaluation import CLASSES, STAGES, WITHOUT_STATISTICS, warm_up
from models.flexible_arm.mechanism import mechanism
from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.presets import PRESETS, SOURCE
from models.flexible_arm.reference import reference_cases
from models.flexible_arm.scene import scene
from models.flexible_arm.series import series
from models.ladders import fewer
from models.metrics import Metric

EARLY, WHOLE = ("first-contact", "motion"), ("motion",)
CHAOTIC = "the motion is chaotic after some contacts: ask for {0}.mean or {0}.q95 rather than for this number"
CONTACTS = "one contact more begins: contacts are counted"
LATER = "a later contact begins or is missed: the motion is chaotic"
STEPS = "the steps of the integration fall otherwise: it tells how exact the motion is"


MOST_FORCE, MOST_IMPULSE, MOST_ENERGY = (
    1e9,
    1e9,
    1e12,
)  # [N], [N s], [J]; no arm of the record's bounds is near
MOST_LENGTH, MOST_COUNT = 1e3, 1e6  # [m], [1]
NEVER_LANDS = "null for an arm that does not touch the ground 'early_time' before the end"
SWINGS = f"{NEVER_LANDS} and is not pinned"


def _early(
    name: str,
    unit: str,
    meaning: str,
    absent: float,
    sense: Literal["minimize", "maximize"],
    jumps: str = "",
) -> Metric:
    return Metric(name, unit, meaning, sense, EARLY, absent=absent, jumps=jumps)


def _late(name: str, unit: str, meaning: str, absent: float | None, jumps: str = LATER) -> Metric:
    caution = "" if absent is None else CHAOTIC.format(name)
    return Metric(name, unit, meaning, "minimize", WHOLE, absent=absent, caution=caution, jumps=jumps)


MASS = Metric(
    "mass",
    "kg",
    "mass of all links",
    "minimize",
    EARLY,
    kept_by=("max_deflection", "residual_vibration"),
)
OF_A_MOTION = (
    _early(
        "first_contact_peak_force",
        "N",
        "greatest normal force of the ground on the link end that touches it first, in contacts that begin "
        f"within 20 ms of the first touch; {NEVER_LANDS}",
        MOST_FORCE,
        "minimize",
    ),
    _early(
        "first_contact_impulse",
        "N*s",
        f"impulse of the normal force on that link end in the same contacts; {NEVER_LANDS}",
        MOST_IMPULSE,
        "minimize",
    ),
    _early(
        "micro_impacts",
        "1",
        f"number of these contacts: elastic links bounce several times; {NEVER_LANDS}",
        MOST_COUNT,
        "minimize",
        CONTACTS,
    ),
    _early(
        "landing_peak_force",
        "N",
        "greatest normal force of the ground on any link end up to 'early_time' "
        f"after the first touch; {NEVER_LANDS}",
        MOST_FORCE,
        "minimize",
    ),
    _early(
        "energy_kept",
        "1",
        "kinetic, elastic and gravity energy 'early_time' after the first touch over that at the start, "
        f"heights counted from the ground that is touched first; {NEVER_LANDS}",
        0.0,
        "maximize",
    ),
    _early(
        "max_deflection",
        "m",
        "greatest distance of a link's axis from the straight line through its ends, up to 'early_time' "
        f"after the first touch, in all of the motion of a pinned arm that does not touch; {SWINGS}",
        MOST_LENGTH,
        "minimize",
    ),
    _early(
        "symmetry_error",
        "m",
        "greatest distance of a link end from the mirror image of its opposite one, up to 'early_time' after "
        "the first touch: how exact the motion of a symmetric arm is; null for an arm that is not symmetric "
        "or does not land",
        MOST_LENGTH,
        "minimize",
        STEPS,
    ),
    _late("impacts", "1", f"contacts of all link ends; {NEVER_LANDS}", MOST_COUNT, CONTACTS),
    _late("peak_force", "N", f"greatest normal force of the ground on a link end; {NEVER_LANDS}", MOST_FORCE),
    _late("loss_contact", "J", f"energy lost to normal contact; {NEVER_LANDS}", MOST_ENERGY),
    _late("loss_friction", "J", f"energy lost to friction on the ground; {NEVER_LANDS}", MOST_ENERGY),
    _late("loss_damping", "J", f"energy lost to the air and inside the links; {SWINGS}", MOST_ENERGY),
    _late(
        "energy_error",
        "1",
        "greatest energy that the motion gains or loses beyond its losses, by its greatest energy: how exact "
        "it is",
        None,
        STEPS,
    ),
    _late(
        "residual_vibration",
        "m",
        "root mean square of the distance of the links' axes from their sag at rest, in the last fifth of "
        f"the motion; {SWINGS}",
        MOST_LENGTH,
    ),
)
METRICS = (
    MASS,
    *OF_A_MOTION,
    *statistics_of([metric for metric in OF_A_MOTION if metric.name not in WITHOUT_STATISTICS]),
)

MODEL = Model(
    name="flexible-arm",
    version=2,
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
    ladder=lambda p: fewer(p, (4, 2), modes=2) if p.link_modes is None and isinstance(p.modes, int) else [],
    mechanism=mechanism,
)
