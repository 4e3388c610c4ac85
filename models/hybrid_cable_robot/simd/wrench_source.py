"""Writes the capacity margin of eight cables: as ``matrix_margin`` of one pose, for many at once.

W = L V with orthogonal rows V by Gram-Schmidt; back-substitution in L gives the right inverse X of W,
and two vectors without symmetry, projected off V, the null space N. The facets are the 56 triples of cables.
Their multipliers are 2 x 2 determinants of N, shared by the triples; the facet's normal is the sum
of the multipliers times the columns of X. With A and B half the difference and half the sum of the
tension limits, the slack on both sides of a facet is at least

    A sum |lambda| - |sum lambda_i (B + w0 . X_i)| - |c| . wr.
"""

from __future__ import annotations

from models.hybrid_cable_robot.simd.code_generator import AXES, CABLES, KernelSource, dot, least, write_units
from models.hybrid_cable_robot.wrench_test_kernels import NULL_FACET, SEEDS, WEAK_FACET

# Double precision is trusted with what is greater; the scalar kernel keeps more digits of what is less.
PIVOT = 1e-3  # part of each row of W outside the other rows, as a share of the row's length
NULL_PIVOT = 1e-4  # the same of the null vectors
TINY = 1e-24  # floor of squared pivots

CABLE = range(CABLES)
ROW = range(6)
# Triples (0, j, k) of cables that give all 56 when they are counted on around the eight.
NECKLACES = ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (2, 4), (2, 5))
GAPS = range(1, 6)


def wrench_kernel() -> KernelSource:
    """Kernel from positions to capacity margins [N] and whether they can be trusted (1 or 0).

    Constants: pulleys less turned attachments (8, 3) m, turned attachments over the characteristic
    length (8, 3), centre (6,) and half range (6,) of the scaled wrench box, A and B [N].
    """
    source = KernelSource("wrench")
    source.table("g", CABLES, 3)
    source.table("a", CABLES, 3)
    source.table("c", 6)
    source.table("h", 6)
    source.constant("half_difference")
    source.constant("half_sum")
    firm = [write_units(source)]
    _write_moments(source)
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


def _write_moments(source: KernelSource) -> None:
    for i in CABLE:
        for k, (p, q) in enumerate((("y", "z"), ("z", "x"), ("x", "y"))):
            first, second = AXES.index(p), AXES.index(q)
            source.let(f"m{i}{AXES[k]}", f"a_{i}_{first} * u{i}{q} - a_{i}_{second} * u{i}{p}")


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
        square = source.let(f"s{row}", dot(rows[row], rows[row]))
        length = source.let(f"length_{row}", f"max({dot(given[row], given[row])}, {TINY / PIVOT**2})")
        conditions.append(source.let(f"firm_{row}", f"{square} - {PIVOT**2} * {length}"))
        source.let(f"D{row}", f"1.0 / max({square}, {TINY})")
        for other in range(row + 1, 8):
            source.let(f"L{other}{row}", f"D{row} * ({dot(rows[other], rows[row])})")
        for other in range(row + 1, 8):
            rows[other] = _less(source, f"v{other}{row}", rows[other], [f"L{other}{row}"], [rows[row]])
    return rows, conditions


def _less(
    source: KernelSource, name: str, row: list[str], shares: list[str], others: list[list[str]]
) -> list[str]:
    """The row less shares of others."""
    return [
        source.let(
            f"{name}_{i}",
            row[i] + "".join(f" - {share} * {o[i]}" for share, o in zip(shares, others, strict=True)),
        )
        for i in CABLE
    ]


def _write_null_space(source: KernelSource, rows: list[list[str]]) -> list[str]:
    """Orthonormal rows ``N0_{i}`` and ``N1_{i}`` from the seeds less their parts along V.

    The second one is projected twice, because in the plane that is the null space the two seeds are
    often nearly parallel.
    """
    first = _write_unit(source, 0, rows[6])
    source.let("t0", dot(rows[7], first))
    second = _less(source, "z0", rows[7], ["t0"], [first])
    for row in ROW:
        source.let(f"t1{row}", f"D{row} * ({dot(second, rows[row])})")
    source.let("t16", dot(second, first))
    second = _less(source, "z1", second, [f"t1{row}" for row in range(7)], [*rows[:6], first])
    _write_unit(source, 1, second)
    return [f"r{k} - {NULL_PIVOT**2}" for k in range(2)]


def _write_unit(source: KernelSource, k: int, row: list[str]) -> list[str]:
    source.let(f"r{k}", dot(row, row))
    source.let(f"E{k}", f"1.0 / math.sqrt(max(r{k}, {TINY}))")
    return [source.let(f"N{k}_{i}", f"{row[i]} * E{k}") for i in CABLE]


def _write_inverse(source: KernelSource, rows: list[list[str]]) -> None:
    """Right inverse ``X{row}_{i}``, the loads ``f{i}`` of the cables and the determinants ``d{i}{j}``."""
    for row in reversed(ROW):
        for i in CABLE:
            rest = "".join(f" - L{other}{row} * X{other}_{i}" for other in range(5, row, -1))
            source.let(f"X{row}_{i}", f"{rows[row][i]} * D{row}{rest}")
    for i in CABLE:
        source.let(f"f_{i}", "half_sum + " + " + ".join(f"c_{row} * X{row}_{i}" for row in ROW))
    for gap in GAPS:
        for i in CABLE:
            j = (i + gap) % CABLES
            source.let(f"d{gap}_{i}", f"N0_{i} * N1_{j} - N1_{i} * N0_{j}")


def _write_independence(source: KernelSource) -> None:
    """``apart`` is positive when each row of W stands out from all others together.

    A row of X is as long as one over the part of the row of W outside the others. Pivots alone do not
    tell: small ones multiply.
    """
    for row in ROW:
        inverse = [f"X{row}_{i}" for i in CABLE]
        source.let(f"apart_{row}", f"{PIVOT**-2} - length_{row} * ({dot(inverse, inverse)})")
    source.let("apart", least([f"apart_{row}" for row in ROW]))


def _write_facets(source: KernelSource) -> None:
    """Least slack times its size ``worst`` over the square ``square`` of the length of the normal.

    Ratios are compared by cross products, one division for all. A triple without facet counts as
    one of size 1: its normal is zero, which makes its ratio huge.
    """
    source.let("worst", "1e30")
    source.let("square", "1.0")
    source.let("weakest", "1.0")
    source.repeat(CABLES, [*(f"X{row}" for row in ROW), "f", *(f"d{gap}" for gap in GAPS)])
    worst, square, sizes = "worst", "square", ["weakest"]
    for facet, (j, k) in enumerate(NECKLACES):
        p, q, r = f"d{k - j}_{j}", f"d{k}_0", f"d{j}_0"
        source.let(f"sum_{facet}", f"abs({p}) + abs({q}) + abs({r})")
        size = f"sum_{facet} if sum_{facet} >= {NULL_FACET} else 1.0"
        sizes.append(source.let(f"size_{facet}", size))
        normal = [
            source.let(f"c{row}_{facet}", f"{p} * X{row}_0 - {q} * X{row}_{j} + {r} * X{row}_{k}")
            for row in ROW
        ]
        source.let(f"n_{facet}", " + ".join(f"{c} * {c}" for c in normal))
        reach = " + ".join(f"abs({c}) * h_{row}" for row, c in enumerate(normal))
        source.let(f"pull_{facet}", f"abs({p} * f_0 - {q} * f_{j} + {r} * f_{k})")
        source.let(f"slack_{facet}", f"half_difference * size_{facet} - pull_{facet} - ({reach})")
        source.let(f"signed_{facet}", f"slack_{facet} * abs(slack_{facet})")
        source.let(f"less_{facet}", f"signed_{facet} * {square} < {worst} * n_{facet}")
        worst = source.let(f"worst_{facet}", f"signed_{facet} if less_{facet} else {worst}")
        square = source.let(f"square_{facet}", f"n_{facet} if less_{facet} else {square}")
    source.carry("worst", worst)
    source.carry("square", square)
    source.carry("weakest", least(sizes))
