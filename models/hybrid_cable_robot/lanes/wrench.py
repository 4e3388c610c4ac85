"""Writes the capacity margin of eight cables: what :func:`kernel_wrench.matrix_margin` does, in lanes.

W = L Q by Gram-Schmidt on the rows; back-substitution in L gives the right inverse X of W, and two
vectors without symmetry, projected off Q, the null space N. The facets are the 56 triples of cables.
Their multipliers are 2 x 2 determinants of N, shared by the triples; the facet's normal is the sum
of the multipliers times the columns of X. With A and B half the difference and half the sum of the
tension limits, the slack on both sides of a facet is at least

    A sum |lambda| - |sum lambda_i (B + w0 . X_i)| - |c| . wr.
"""

from __future__ import annotations

import itertools

from models.hybrid_cable_robot.kernel_wrench import NULL_FACET, SEEDS, WEAK_FACET
from models.hybrid_cable_robot.lanes.cables import AXES, CABLES, write_units
from models.hybrid_cable_robot.lanes.writer import Loop, dot, least, total

PIVOT = 1e-3  # rows that stand out less from the others cost digits; the scalar kernel keeps more
NULL_PIVOT = 1e-4  # the same of the null vectors
TINY = 1e-24  # floor of squared pivots

CABLE = range(CABLES)
ROW = range(6)


def wrench_loop() -> Loop:
    """Kernel from positions to capacity margins [N] and whether they can be trusted (1 or 0).

    Constants: pulleys less turned attachments (8, 3) m, turned attachments over the characteristic
    length (8, 3), centre (6,) and half range (6,) of the scaled wrench box, A and B [N].
    """
    loop = Loop("wrench", "xyz")
    loop.table("g", CABLES, 3)
    loop.table("a", CABLES, 3)
    loop.table("c", 6)
    loop.table("h", 6)
    loop.constant("half_difference")
    loop.constant("half_sum")
    long_enough = write_units(loop)
    _write_moments(loop)
    pivots = _write_factors(loop)
    pivots += _write_null_space(loop)
    _write_inverse(loop)
    weakest = _write_facets(loop)
    trusted = " & ".join([long_enough, *(f"({pivot})" for pivot in pivots), f"({weakest} > {WEAK_FACET})"])
    loop.write("margin", "size if worst_56 >= 0.0 else -size")
    loop.write("trusted", f"1.0 if {trusted} else 0.0")
    return loop


def _write_moments(loop: Loop) -> None:
    for i in CABLE:
        for k, (p, q) in enumerate((("y", "z"), ("z", "x"), ("x", "y"))):
            first, second = AXES.index(p), AXES.index(q)
            loop.let(f"m{i}{AXES[k]}", f"a_{i}_{first} * u{i}{q} - a_{i}_{second} * u{i}{p}")


def _matrix(row: int) -> list[str]:
    return [f"{'um'[row // 3]}{i}{AXES[row % 3]}" for i in CABLE]


def _write_factors(loop: Loop) -> list[str]:
    """Rows ``Q{row}_{i}``, entries ``L{row}{other}`` and inverse pivots ``D{row}``."""
    conditions: list[str] = []
    for row in ROW:
        current = _matrix(row)
        for other in range(row):
            share = loop.let(f"L{row}{other}", dot(current, [f"Q{other}_{i}" for i in CABLE]))
            current = [
                loop.let(f"v{row}{other}_{i}", f"{current[i]} - {share} * Q{other}_{i}") for i in CABLE
            ]
        square = loop.let(f"s{row}", dot(current, current))
        if row:
            given = _matrix(row)
            conditions.append(f"{square} > {PIVOT**2} * ({dot(given, given)})")
        loop.let(f"D{row}", f"1.0 / math.sqrt(max({square}, {TINY}))")
        for i in CABLE:
            loop.let(f"Q{row}_{i}", f"{current[i]} * D{row}")
    return conditions


def _write_null_space(loop: Loop) -> list[str]:
    """Orthonormal rows ``N0_{i}`` and ``N1_{i}``.

    The second one is projected twice, because in the plane that is the null space the two seeds are
    often nearly parallel.
    """
    conditions: list[str] = []
    rows = [[f"Q{row}_{i}" for i in CABLE] for row in ROW]
    for k in range(2):
        current = [repr(float(value)) for value in SEEDS[k]]
        for step, row in enumerate(rows * (k + 1)):
            share = loop.let(f"t{k}{step}", dot(current, row))
            current = [loop.let(f"z{k}{step}_{i}", f"{current[i]} - {share} * {row[i]}") for i in CABLE]
        square = loop.let(f"r{k}", dot(current, current))
        conditions.append(f"{square} > {NULL_PIVOT**2}")
        loop.let(f"E{k}", f"1.0 / math.sqrt(max({square}, {TINY}))")
        rows.append([loop.let(f"N{k}_{i}", f"{current[i]} * E{k}") for i in CABLE])
    return conditions


def _write_inverse(loop: Loop) -> None:
    """Right inverse ``X{row}_{i}`` and the loads ``f{i}`` of the cables."""
    for row in reversed(ROW):
        for i in CABLE:
            rest = "".join(f" - L{other}{row} * X{other}_{i}" for other in range(5, row, -1))
            loop.let(f"X{row}_{i}", f"(Q{row}_{i}{rest}) * D{row}")
    for i in CABLE:
        loop.let(f"f{i}", "half_sum + " + total(f"c_{row} * X{row}_{i}" for row in ROW))
    for i, j in itertools.combinations(CABLE, 2):
        loop.let(f"d{i}{j}", f"N0_{i} * N1_{j} - N1_{i} * N0_{j}")
        loop.let(f"e{i}{j}", f"abs(d{i}{j})")


def _write_facets(loop: Loop) -> str:
    """Least slack over length of the normal in ``size``; returns the least size of a facet.

    Ratios are compared by cross products, one division for all. A triple without facet counts as
    one of size 1: its normal is zero, which makes its ratio huge.
    """
    sizes: list[str] = []
    loop.let("worst_0", "1e30")
    loop.let("square_0", "1.0")
    for facet, (i, j, k) in enumerate(itertools.combinations(CABLE, 3)):
        loop.let(f"sum_{facet}", f"e{j}{k} + e{i}{k} + e{i}{j}")
        sizes.append(loop.let(f"size_{facet}", f"sum_{facet} + (sum_{facet} < {NULL_FACET})"))
        normal = [
            loop.let(f"c{row}_{facet}", f"d{j}{k} * X{row}_{i} - d{i}{k} * X{row}_{j} + d{i}{j} * X{row}_{k}")
            for row in ROW
        ]
        loop.let(f"n_{facet}", total(f"{c} * {c}" for c in normal))
        reach = total(f"abs({c}) * h_{row}" for row, c in enumerate(normal))
        loop.let(f"pull_{facet}", f"abs(d{j}{k} * f{i} - d{i}{k} * f{j} + d{i}{j} * f{k})")
        loop.let(f"slack_{facet}", f"half_difference * size_{facet} - pull_{facet} - ({reach})")
        loop.let(f"signed_{facet}", f"slack_{facet} * abs(slack_{facet})")
        test = f"signed_{facet} * square_{facet} < worst_{facet} * n_{facet}"
        loop.let(f"less_{facet}", test)
        loop.let(f"worst_{facet + 1}", f"signed_{facet} if less_{facet} else worst_{facet}")
        loop.let(f"square_{facet + 1}", f"n_{facet} if less_{facet} else square_{facet}")
    loop.let("size", "math.sqrt(abs(worst_56) / square_56)")
    return loop.let("weakest", least(sizes))
