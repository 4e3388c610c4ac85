"""Writes the tests of collisions: the least distance of eight cables, and cables that cut the platform.

A segment and a box are apart when some axis separates them: one of the box's own, or one normal to
the segment and to an axis of the box. No division is needed, and none of the slab test's cases.
"""

from __future__ import annotations

import itertools

from models.hybrid_cable_robot.collision_kernels import PARALLEL
from models.hybrid_cable_robot.simd.code_generator import (
    AXES,
    CABLES,
    SHORT,
    KernelSource,
    dot,
    least,
    write_units,
)

# Squared sines near PARALLEL: which side they are on depends on rounding, and the answer on the side.
UNSURE_FROM, UNSURE_TO = 0.5 * PARALLEL, 100 * PARALLEL
PAIRS = tuple(itertools.combinations(range(CABLES), 2))


def distance_kernel() -> KernelSource:
    """Kernel from positions to the least distance [m] of two cables and whether to trust it (1 or 0).

    Constants: pulleys less turned attachments (8, 3) m, turned attachments (8, 3) m, and for every
    pair of cables the lengths [m] over which they may touch next to the platform, then next to the pulleys.
    """
    middle, half = 0.5 * (UNSURE_TO + UNSURE_FROM), 0.5 * (UNSURE_TO - UNSURE_FROM)
    source = KernelSource("distance")
    source.table("g", CABLES, 3)
    source.table("b", CABLES, 3)
    source.table("below", len(PAIRS))
    source.table("above", len(PAIRS))
    long_enough = write_units(source, lengths=True)
    squares: list[str] = []
    sines: list[str] = []
    for pair, (i, j) in enumerate(PAIRS):
        squares.append(_write_square(source, pair, i, j))
        sines.append(source.let(f"clear_{pair}", f"abs(sine_{pair} - {middle}) - {half}"))
    source.let("closest", least(squares))
    source.let("clearest", least(sines))
    source.write("distance", "math.sqrt(closest)")
    source.write("trusted", f"1.0 if ({long_enough} > 0.0) & (clearest > 0.0) else 0.0")
    return source


def _write_square(source: KernelSource, pair: int, i: int, j: int) -> str:
    """Squared distance of cables i and j: nearest point of one line, then of the other, clamped."""
    u, v = [f"u{i}{axis}" for axis in AXES], [f"u{j}{axis}" for axis in AXES]
    r = [source.let(f"r{axis}_{pair}", f"b_{i}_{k} - b_{j}_{k}") for k, axis in enumerate(AXES)]
    cosine = source.let(f"cosine_{pair}", dot(u, v))
    along = source.let(f"along_{pair}", dot(u, r))
    across = source.let(f"across_{pair}", dot(v, r))
    sine = source.let(f"sine_{pair}", f"1.0 - {cosine} * {cosine}")
    free = source.let(f"free_{pair}", f"({cosine} * {across} - {along}) / max({sine}, {PARALLEL})")
    crossing = source.let(f"crossing_{pair}", f"{free} if {sine} > {PARALLEL} else 0.0")
    one, other = (source.let(f"last{k}_{pair}", f"max(n{k} - above_{pair}, 0.0)") for k in (i, j))
    start = source.let(f"start_{pair}", f"min(max({crossing}, below_{pair}), {one})")
    t = source.let(f"t_{pair}", f"min(max({cosine} * {start} + {across}, below_{pair}), {other})")
    s = source.let(f"s_{pair}", f"min(max({cosine} * {t} - {along}, below_{pair}), {one})")
    gap = [
        source.let(f"gap{axis}_{pair}", f"{r[k]} + {s} * {u[k]} - {t} * {v[k]}")
        for k, axis in enumerate(AXES)
    ]
    return source.let(f"square_{pair}", dot(gap, gap))


def platform_kernel() -> KernelSource:
    """Kernel from positions to the least gap of a cable and the box, negative inside.

    Gaps along the axes of the box are in m, those along the others in m times the cable's length;
    only the sign counts. It is 0, undecided, where a cable is short.

    Constants: rotation (3, 3), pulleys in the platform's axes less attachments (8, 3) m, attachments
    (8, 3) m, half size (3,) m.
    """
    source = KernelSource("platform_clearance")
    source.table("R", 3, 3)
    source.table("g", CABLES, 3)
    source.table("b", CABLES, 3)
    source.table("h", 3)
    for k, axis in enumerate(AXES):
        source.let(f"o{axis}", f"R_0_{k} * x + R_1_{k} * y + R_2_{k} * z")
    gaps: list[str] = []
    squares: list[str] = []
    for i in range(CABLES):
        d = [source.let(f"d{i}{axis}", f"g_{i}_{k} - o{axis}") for k, axis in enumerate(AXES)]
        squares.append(source.let(f"q{i}", f"{d[0]} * {d[0]} + {d[1]} * {d[1]} + {d[2]} * {d[2]}"))
        gaps.append(_write_gap(source, i, d))
    source.let("shortest", least(squares))
    source.let("closest", least(gaps))
    source.write("gap", f"closest if shortest > {SHORT**2} else 0.0")
    return source


def _write_gap(source: KernelSource, i: int, d: list[str]) -> str:
    axes: list[str] = []
    for k in range(3):
        faces = f"b_{i}_{k} - h_{k} + min(0.0, {d[k]}), -h_{k} - b_{i}_{k} - max(0.0, {d[k]})"
        axes.append(source.let(f"face{k}_{i}", f"max({faces})"))
        p, q = (k + 1) % 3, (k + 2) % 3
        reach = f"h_{p} * abs({d[q]}) + h_{q} * abs({d[p]})"
        edge = f"abs(b_{i}_{p} * {d[q]} - b_{i}_{q} * {d[p]}) - ({reach})"
        axes.append(source.let(f"edge{k}_{i}", edge))
    return source.let(
        f"apart_{i}",
        f"max({axes[0]}, max({axes[1]}, max({axes[2]}, max({', '.join(axes[3:5])}, {axes[5]}))))",
    )
