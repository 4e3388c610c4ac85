"""Checks of several fields of the record together: sizes out of bounds, and too much work."""

from __future__ import annotations

from models.continuum_statics.processor_time import Sizes, seconds
from models.contract import MOST_SECONDS
from models.messages import excluded

MOST_ARCS = 64
SEGMENT_LENGTHS = (1e-4, 10.0)  # [m]
STIFFNESSES = (1e-9, 1e6)  # [N m^2]
GREATEST_RATIO = 1e6  # of bending and torsion stiffness; beyond it the softer is lost in rounding


def require_bounded_size(*, arcs: int, gap: float, length_field: str, bending: float, torsion: float) -> None:
    """Refuse too many arcs, segments too short or too long, and stiffnesses out of bounds.

    ``gap`` [m] is the length of a segment, which follows from the field ``length_field``; ``bending`` and
    ``torsion`` [N m^2] are the rod's stiffnesses.
    """
    if arcs > MOST_ARCS:
        raise excluded(
            f"'disks' times 'arcs_per_gap' is {arcs}, but at most {MOST_ARCS} arcs can be computed; "
            "lower one of the two",
            "disks",
            "arcs_per_gap",
        )
    if not SEGMENT_LENGTHS[0] <= gap <= SEGMENT_LENGTHS[1]:
        raise excluded(
            f"a segment is {gap:g} m long, but must be 0.0001 m to 10 m long", length_field, "disks"
        )
    for name, value in (("bending", bending), ("torsion", torsion)):
        if not STIFFNESSES[0] <= value <= STIFFNESSES[1]:
            raise excluded(
                f"the {name} stiffness is {value:g} N m^2, but must be 1e-09 to 1e+06 N m^2; change "
                "'backbone_diameter' or the moduli",
                "backbone_diameter",
            )
    if not 1 / GREATEST_RATIO <= torsion / bending <= GREATEST_RATIO:
        raise excluded(
            f"the torsion stiffness is {torsion:g} N m^2 and the bending stiffness {bending:g} "
            f"N m^2, but one may be at most {GREATEST_RATIO:g} times the other; change "
            "'bending_stiffness', 'torsion_stiffness' or the moduli",
            "bending_stiffness",
            "torsion_stiffness",
        )


def require_affordable(sizes: Sizes) -> None:
    """Refuse a design whose evaluation would take too long, whatever metrics are chosen."""
    parts = seconds(sizes)
    total = sum(parts.values())
    if total > MOST_SECONDS:
        names = max(parts, key=lambda each: parts[each])
        *others, last = (f"'{name}'" for name in names)
        raise excluded(
            f"an evaluation may take about {total / 60:.3g} minutes of processor time, but at most "
            f"{MOST_SECONDS / 60:g} are allowed; lower {', '.join(others)} or {last}",
            *names,
        )
