"""Writes the capacity margin of eight cables: as ``matrix_margin`` of one pose, for many at once.

W = L V with orthogonal rows V by Gram-Schmidt; back-substitution in L gives the right inverse X of W,
and two vectors without symmetry, projected off V, the null space N. The facets are the 56 triples of cables.
Their multipliers are 2 x 2 determinants of N, shared by the triples; the facet's normal is the sum
of the multipliers times the columns of X. With A and B half the difference and half the sum of the
tension limits, the slack on both sides of a facet is at least

    A sum |lambda| - |sum lambda_i (B + w0 . X_i)| - |c| . wr.
"""

from __future__ import annotations

from models.hybrid_cable_robot.simd.code_generator import (
    AXES,
    CABLES,
    ENDING,
    KernelSource,
    call,
    least,
    write_moments,
    write_units,
    write_wheels,
)
from models.hybrid_cable_robot.wrench.capacity_kernels import SEEDS, WEAK_FACET

# Double precision is trusted with what is greater; the scalar kernel keeps more digits of what is less.
PIVOT = 1e-3  # part of each row of W outside the other rows, as a share of the row's length
NULL_PIVOT = 1e-4  # the same of the null vectors
TINY = 1e-24  # floor of squared pivots

CABLE = range(CABLES)
ROW = range(6)
# Triples (0, j, k) of cables that give all 56 when they are counted on around the eight.
NECKLACES = ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (2, 4), (2, 5))
GAPS = range(1, 6)


def wrench_kernel(*, wheels: bool = False) -> KernelSource:
    """Kernel from positions to capacity margins [N] and whether they can be trusted (1 or 0).

    Constants: pulleys less turned attachments (8, 3) m, turned attachments over the characteristic
    length (8, 3), centre (6,) and half range (6,) of the scaled wrench box, A and B [N]; then of ``wheels``
    swivel axes (8, 3) and radii (8,) m.
    """
    source = KernelSource(f"wrench{ENDING * wheels}")
    source.table("g", CABLES, 3)
    source.table("a", CABLES, 3)
    source.table("c", 6)
    source.table("h", 6)
    source.constant("half_difference")
    source.constant("half_sum")
    write_wheels(source, wheels=wheels)
    firm = [write_units(source, wheels=wheels)]
    write_moments(source)
    rows, pivots = _write_factors(source)
    firm += pivots
    firm += _write_null_space(source, rows)
    source.let("firm", least(firm))
    source.next_stage()
    _write_inverse(source, rows)
    _write_independence(source)
    _write_facets(source)
    source.next_stage()
    source.let("size", f"math.sqrt(abs(worst) / max(square, {TINY}))")
    source.write("margin", "size if worst >= 0.0 else -size")
    source.write("trusted", f"1.0 if (firm > 0.0) & (apart > 0.0) & (weakest > {WEAK_FACET}) else 0.0")
    return source


def _write_factors(source: KernelSource) -> tuple[list[list[str]], list[str]]:
    """Factors ``L{row}{other}`` and inverse squares ``D{row}`` of the rows of V.

    Returns the rows of V, after them the seeds less their parts along V, and numbers that are
    positive when no row of W nearly depends on those before it. Every row of V is taken off all that
    follow at once, so that their sums need not wait for each other.
    """
    given = [[f"{'um'[row // 3]}{i}{AXES[row % 3]}" for i in CABLE] for row in ROW]
    rows = given + [[repr(float(value)) for value in seed] for seed in SEEDS]
    conditions: list[str] = []
    for row in ROW:
        square = source.let(f"s{row}", call("dot8", rows[row], rows[row]))
        size = call("dot8", given[row], given[row])
        length = source.let(f"length_{row}", f"max({size}, {TINY / PIVOT**2})")
        conditions.append(source.let(f"firm_{row}", f"{square} - {PIVOT**2} * {length}"))
        source.let(f"D{row}", f"1.0 / max({square}, {TINY})")
        for other in range(row + 1, 8):
            projected = call("project8", rows[other], [f"D{row}"], rows[row])
            names = [f"L{other}{row}", *(f"v{other}{row}_{i}" for i in CABLE)]
            _, *rows[other] = source.let_all(names, projected)
    return rows, conditions


def _less(source: KernelSource, name: str, row: list[str], share: str, other: list[str]) -> list[str]:
    """The row less a share of another."""
    return source.let_all([f"{name}_{i}" for i in CABLE], call("less8", row, [share], other))


def _write_null_space(source: KernelSource, rows: list[list[str]]) -> list[str]:
    """Orthonormal rows ``N0_{i}`` and ``N1_{i}`` from the seeds less their parts along V.

    The second one is projected twice, because in the plane that is the null space the two seeds are
    often nearly parallel.
    """
    first = _write_unit(source, 0, rows[6])
    source.let("t0", call("dot8", rows[7], first))
    second = _less(source, "z0", rows[7], "t0", first)
    for row in ROW:
        source.let(f"t1{row}", f"D{row} * {call('dot8', second, rows[row])}")
    source.let("t16", call("dot8", second, first))
    for k, other in enumerate([*rows[:6], first]):
        second = _less(source, f"z1{k}", second, f"t1{k}", other)
    _write_unit(source, 1, second)
    return [f"r{k} - {NULL_PIVOT**2}" for k in range(2)]


def _write_unit(source: KernelSource, k: int, row: list[str]) -> list[str]:
    source.let(f"r{k}", call("dot8", row, row))
    source.let(f"E{k}", f"1.0 / math.sqrt(max(r{k}, {TINY}))")
    return source.let_all([f"N{k}_{i}" for i in CABLE], call("times8", row, [f"E{k}"]))


def _write_inverse(source: KernelSource, rows: list[list[str]]) -> None:
    """Right inverse ``X{row}_{i}``, the loads ``f_{i}`` of the cables and the determinants ``d{gap}_{i}``."""
    inverse = {row: [f"X{row}_{i}" for i in CABLE] for row in ROW}
    for row in reversed(ROW):
        others = range(5, row, -1)
        steps = [[f"x{row}{other}_{i}" for i in CABLE] for other in others] + [inverse[row]]
        source.let_all(steps[0], call("times8", rows[row], [f"D{row}"]))
        for other, before, after in zip(others, steps, steps[1:], strict=False):
            source.let_all(after, call("less8", before, [f"L{other}{row}"], inverse[other]))
    loads = ["half_sum"] * CABLES
    for row in ROW:
        names = [f"f{row}_{i}" if row < 5 else f"f_{i}" for i in CABLE]
        loads = source.let_all(names, call("plus8", loads, [f"c_{row}"], inverse[row]))
    null = [[f"N{k}_{i}" for i in CABLE] for k in range(2)]
    for gap in GAPS:
        turned = [row[gap:] + row[:gap] for row in null]
        source.let_all([f"d{gap}_{i}" for i in CABLE], call("determinants8", *null, *turned))


def _write_independence(source: KernelSource) -> None:
    """``apart`` is positive when each row of W stands out from all others together.

    A row of X is as long as one over the part of the row of W outside the others. Pivots alone do not
    tell: small ones multiply.
    """
    for row in ROW:
        inverse = [f"X{row}_{i}" for i in CABLE]
        source.let(f"apart_{row}", f"{PIVOT**-2} - length_{row} * {call('dot8', inverse, inverse)}")
    source.let("apart", least([f"apart_{row}" for row in ROW]))


def _write_facets(source: KernelSource) -> None:
    """Least slack times its size ``worst`` over the square ``square`` of the length of the normal."""
    source.let("worst", "1e30")
    source.let("square", "1.0")
    source.let("weakest", "1.0")
    source.repeat(CABLES, [*(f"X{row}" for row in ROW), "f", *(f"d{gap}" for gap in GAPS)])
    found, sizes = ["worst", "square"], ["weakest"]
    for number, (j, k) in enumerate(NECKLACES):
        multipliers = [f"d{k - j}_{j}", f"d{k}_0", f"d{j}_0"]
        columns = [[*(f"X{row}_{i}" for row in ROW), f"f_{i}"] for i in (0, j, k)]
        reach = [*(f"h_{row}" for row in ROW), "half_difference"]
        names = [f"{name}_{number}" for name in ("worst", "square", "size")]
        *found, size = source.let_all(names, call("facet", found, multipliers, *columns, reach))
        sizes.append(size)
    source.carry("worst", found[0])
    source.carry("square", found[1])
    source.carry("weakest", least(sizes))
