"""Writes whether cables cut the platform: the sign of :func:`kernel_collision.platform_clearance`, in lanes.

A segment and a box are apart when some axis separates them: one of the box's own, or one normal to
the segment and to an axis of the box. No division is needed, and none of the slab test's cases.
"""

from __future__ import annotations

from models.hybrid_cable_robot.lanes.cables import AXES, CABLES, SHORT
from models.hybrid_cable_robot.lanes.writer import Loop, least


def platform_loop() -> Loop:
    """Kernel from positions to the least gap of a cable and the box, negative inside.

    Gaps along the axes of the box are in m, those along the others in m times the cable's length;
    only the sign counts. It is 0, undecided, where a cable is short.

    Constants: rotation (3, 3), pulleys in the platform's axes less attachments (8, 3) m, attachments
    (8, 3) m, half size (3,) m.
    """
    loop = Loop("platform", "xyz")
    loop.table("R", 3, 3)
    loop.table("g", CABLES, 3)
    loop.table("b", CABLES, 3)
    loop.table("h", 3)
    for k, axis in enumerate(AXES):
        loop.let(f"o{axis}", f"R_0_{k} * x + R_1_{k} * y + R_2_{k} * z")
    gaps: list[str] = []
    squares: list[str] = []
    for i in range(CABLES):
        d = [loop.let(f"d{i}{axis}", f"g_{i}_{k} - o{axis}") for k, axis in enumerate(AXES)]
        squares.append(loop.let(f"q{i}", f"{d[0]} * {d[0]} + {d[1]} * {d[1]} + {d[2]} * {d[2]}"))
        gaps.append(_write_gap(loop, i, d))
    loop.let("shortest", least(squares))
    loop.let("closest", least(gaps))
    loop.write("gap", f"closest if shortest > {SHORT**2} else 0.0")
    return loop


def _write_gap(loop: Loop, i: int, d: list[str]) -> str:
    axes: list[str] = []
    for k in range(3):
        faces = f"b_{i}_{k} - h_{k} + min(0.0, {d[k]}), -h_{k} - b_{i}_{k} - max(0.0, {d[k]})"
        axes.append(loop.let(f"face{k}_{i}", f"max({faces})"))
        p, q = (k + 1) % 3, (k + 2) % 3
        reach = f"h_{p} * abs({d[q]}) + h_{q} * abs({d[p]})"
        edge = f"abs(b_{i}_{p} * {d[q]} - b_{i}_{q} * {d[p]}) - ({reach})"
        axes.append(loop.let(f"edge{k}_{i}", edge))
    return loop.let(
        f"apart_{i}",
        f"max({axes[0]}, max({axes[1]}, max({axes[2]}, max({', '.join(axes[3:5])}, {axes[5]}))))",
    )
