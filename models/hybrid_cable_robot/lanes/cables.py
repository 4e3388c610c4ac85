"""Writes the unit vectors of the cables, with which every pass but one begins."""

from __future__ import annotations

from models.hybrid_cable_robot.lanes.writer import Loop, least

CABLES = 8
AXES = "xyz"
SHORT = 1e-4  # [m]; poses with a shorter cable are left to the scalar kernel
SHORT_SINGLE = 0.02  # of the greatest coordinate; where single precision leaves them to the lanes
FLOOR = 1e-12  # [m^2]; keeps the unit vector of a shorter one finite


def write_units(loop: Loop, *, lengths: bool = False) -> str:
    """Unit vectors ``u{i}x`` from attachment to pulley, and ``w{i}`` their inverse lengths.

    Reads the position ``x``, ``y``, ``z`` and the table ``g`` of pulleys less turned attachments.
    Returns an expression that is positive when all cables are long enough; ``lengths`` asks for
    ``n{i}``, too.
    """
    squares: list[str] = []
    for i in range(CABLES):
        d = [loop.let(f"d{i}{axis}", f"g_{i}_{k} - {axis}") for k, axis in enumerate(AXES)]
        squares.append(loop.let(f"q{i}", f"{d[0]} * {d[0]} + {d[1]} * {d[1]} + {d[2]} * {d[2]}"))
        if lengths:
            loop.let(f"n{i}", f"math.sqrt(max(q{i}, {FLOOR}))")
            loop.let(f"w{i}", f"1.0 / n{i}")
        else:
            loop.let(f"w{i}", f"1.0 / math.sqrt(max(q{i}, {FLOOR}))")
        for axis in AXES:
            loop.let(f"u{i}{axis}", f"d{i}{axis} * w{i}")
    loop.let("shortest", least(squares))
    if loop.real == "float64":
        return f"shortest - {SHORT**2}"
    sizes = [f"abs({name})" for name in (*AXES, *(f"g_{i}_{k}" for i in range(CABLES) for k in range(3)))]
    loop.let("scale", f"max({', '.join(sizes)})")
    return f"shortest - {SHORT_SINGLE**2} * scale * scale"
