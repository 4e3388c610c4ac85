"""Writes the tests of collisions: the least distance of eight cables, and cables that cut the platform."""

from __future__ import annotations

import itertools

from models.hybrid_cable_robot.simd.code_generator import (
    AXES,
    CABLES,
    ENDING,
    SHORT,
    KernelSource,
    call,
    least,
    write_units,
    write_wheels,
)

PAIRS = tuple(itertools.combinations(range(CABLES), 2))


def distance_kernel(*, wheels: bool = False) -> KernelSource:
    """Kernel from positions to the least distance [m] of two cables and whether to trust it (1 or 0).

    Constants: pulleys less turned attachments (8, 3) m, turned attachments (8, 3) m, and for every
    pair of cables the lengths [m] over which they may touch next to the platform, then next to the pulleys;
    then of ``wheels`` swivel axes (8, 3) and radii (8,) m.
    """
    source = KernelSource(f"distance{ENDING * wheels}")
    source.table("g", CABLES, 3)
    source.table("b", CABLES, 3)
    source.table("below", len(PAIRS))
    source.table("above", len(PAIRS))
    write_wheels(source, wheels=wheels)
    long_enough = write_units(source, wheels=wheels)
    squares: list[str] = []
    sines: list[str] = []
    for pair, (i, j) in enumerate(PAIRS):
        u, v = ([f"u{cable}{axis}" for axis in AXES] for cable in (i, j))
        one, other = ([f"n{cable}", *(f"b_{cable}_{k}" for k in range(3))] for cable in (i, j))
        near = call("nearest_square", u, one, v, other, (f"below_{pair}", f"above_{pair}"))
        squares.append(source.let(f"square_{pair}", near))
        sines.append(source.let(f"clear_{pair}", call("clearness", u, v)))
    source.let("closest", least(squares))
    source.let("clearest", least(sines))
    source.write("distance", "math.sqrt(closest)")
    source.write("trusted", f"1.0 if ({long_enough} > 0.0) & (clearest > 0.0) else 0.0")
    return source


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
    origin, half = [f"o{axis}" for axis in AXES], [f"h_{k}" for k in range(3)]
    for i in range(CABLES):
        pulley, attachment = ([f"{name}_{i}_{k}" for k in range(3)] for name in "gb")
        source.let_all([f"q{i}", f"apart_{i}"], call("slab_gap", pulley, origin, attachment, half))
    source.let("shortest", least([f"q{i}" for i in range(CABLES)]))
    source.let("closest", least([f"apart_{i}" for i in range(CABLES)]))
    source.write("gap", f"closest if shortest > {SHORT**2} else 0.0")
    return source


def wheel_platform_kernel() -> KernelSource:
    """The same for cables that run over wheels.

    Constants: rotation (3, 3), pulleys less turned attachments (8, 3) m, attachments (8, 3) m, half size (3,)
    m, swivel axes (8, 3) and radii (8,) m.
    """
    source = KernelSource(f"platform_clearance{ENDING}")
    source.table("R", 3, 3)
    source.table("g", CABLES, 3)
    source.table("b", CABLES, 3)
    source.table("h", 3)
    write_wheels(source, wheels=True)
    long_enough = write_units(source, wheels=True)
    half = [f"h_{k}" for k in range(3)]
    for i in range(CABLES):
        for axis in AXES:
            source.let(f"w{i}{axis}", f"n{i} * u{i}{axis}")
        for k, axis in enumerate(AXES):
            source.let(f"d{i}{axis}", f"R_0_{k} * w{i}x + R_1_{k} * w{i}y + R_2_{k} * w{i}z")
        vector, attachment = [f"d{i}{axis}" for axis in AXES], [f"b_{i}_{k}" for k in range(3)]
        source.let(f"apart_{i}", call("segment_gap", vector, attachment, half))
    source.let("closest", least([f"apart_{i}" for i in range(CABLES)]))
    source.write("gap", f"closest if {long_enough} > 0.0 else 0.0")
    return source
