"""Writes the inverse condition numbers at a pose: as ``stiffness_kernels``, for many poses at once.

The symmetric 6 x 6 matrix is made tridiagonal by reflections. Laguerre's method then walks to the
least eigenvalue from below and to the greatest from above: outside the eigenvalues it cannot
overshoot, and converges cubically except towards a double one, where a last step that is not small
hands the pose to the scalar kernel.
"""

from __future__ import annotations

from models.hybrid_cable_robot.simd.code_generator import (
    AXES,
    CABLES,
    ENDING,
    KernelSource,
    PartSource,
    call,
    dot,
    write_moments,
    write_units,
    write_wheels,
)
from models.hybrid_cable_robot.simd.parts import NOTHING

STEPS = 10
SETTLED = 3e-15  # last step, as a share of the trace
N = 6
LOWER = [(row, other) for row in range(N) for other in range(row + 1)]
WALKS = [(name, side) for name in "JK" for side in ("low", "high")]


def condition_kernel(*, wheels: bool = False) -> KernelSource:
    """Kernel from positions to the inverse condition number of W W^T, that of K, and trust (1 or 0).

    Constants: pulleys less turned attachments (8, 3) m, turned attachments over the characteristic
    length (8, 3), stiffnesses over the greatest of them (8,); then of ``wheels`` swivel axes (8, 3) and radii
    (8,) m.
    """
    source = KernelSource(f"condition_numbers{ENDING * wheels}")
    source.table("g", CABLES, 3)
    source.table("a", CABLES, 3)
    source.table("k", CABLES)
    write_wheels(source, wheels=wheels)
    long_enough = write_units(source, wheels=wheels)
    write_moments(source)
    rows = [[f"{'um'[row // 3]}{i}{AXES[row % 3]}" for i in range(CABLES)] for row in range(N)]
    stiffnesses = [f"k_{i}" for i in range(CABLES)]
    stiff = [
        source.let_all([f"k{row}_{i}" for i in range(CABLES)], call("product8", stiffnesses, rows[row]))
        for row in range(N)
    ]
    source.parts = _tridiagonal_part()
    for name, weighted in (("J", rows), ("K", stiff)):
        entries = [
            source.let(f"{name}{row}{other}", call("dot8", weighted[row], rows[other]))
            for row, other in LOWER
        ]
        source.let_all(_tridiagonal(name), call("tridiagonal", entries))
        starts = [f"{name}{each}" for each in ("trace", "low", "high")]
        source.let_all(starts, call("eigenvalue_bounds", _tridiagonal(name)))
    source.repeat(STEPS)
    for name, side in WALKS:
        walk = f"{name}{side}"
        step = call("laguerre_step", (walk, str(side == "low")), _tridiagonal(name))
        moved, _ = source.let_all([f"next{walk}", f"move{walk}"], step)
        source.carry(walk, moved)
    source.next_stage()
    settled = [f"(abs(move{name}{side}) < {SETTLED} * {name}trace)" for name, side in WALKS]
    source.write("condition_j", "max(Jlow, 0.0) / Jhigh")
    source.write("condition_k", "max(Klow, 0.0) / Khigh")
    source.write("trusted", "1.0 if " + " & ".join([f"({long_enough} > 0.0)", *settled]) + " else 0.0")
    return source


def _tridiagonal(name: str) -> list[str]:
    """Names of the diagonal and the squared subdiagonal."""
    return [*(f"{name}d{row}" for row in range(N)), *(f"{name}s{row}" for row in range(N - 1))]


def _tridiagonal_part() -> str:
    """A part from the lower half of a matrix to the diagonal and squared subdiagonal of a similar one."""
    entries = {(row, other): f"m{row}{other}" for row, other in LOWER}
    part = PartSource("tridiagonal", entries.values())
    diagonal, squares = _write_tridiagonal(part, entries)
    return part.text([*diagonal, *squares])


def _write_tridiagonal(source: PartSource, matrix: dict[tuple[int, int], str]) -> tuple[list[str], list[str]]:
    """Diagonal and squared subdiagonal of the matrix, whose lower half is given."""
    squares: list[str] = []
    diagonal = [matrix[0, 0]]
    for k in range(N - 2):
        rest = range(k + 1, N)
        column = [matrix[row, k] for row in rest]
        square = source.let(f"square{k}", dot(column, column))
        squares.append(square)
        root = source.let(f"root{k}", f"math.sqrt({square})")
        norm = source.let(f"norm{k}", f"{root} if {column[0]} >= 0.0 else -{root}")
        scale = source.let(f"scale{k}", f"1.0 / max({square} + {norm} * {column[0]}, {NOTHING})")
        v = [source.let(f"mirror{k}", f"{column[0]} + {norm}"), *column[1:]]
        p = [
            source.let(
                f"p{k}_{row}", f"{scale} * ({dot([matrix[max(row, o), min(row, o)] for o in rest], v)})"
            )
            for row in rest
        ]
        half = source.let(f"half{k}", f"0.5 * {scale} * ({dot(p, v)})")
        w = [source.let(f"w{k}_{i}", f"{p[i]} - {half} * {v[i]}") for i in range(len(v))]
        matrix = {
            (row, other): source.let(
                f"m{k}_{row}{other}",
                f"{matrix[row, other]} - {v[row - k - 1]} * {w[other - k - 1]}"
                f" - {w[row - k - 1]} * {v[other - k - 1]}",
            )
            for row in rest
            for other in range(k + 1, row + 1)
        }
        diagonal.append(matrix[k + 1, k + 1])
    squares.append(source.let(f"square{N - 2}", f"{matrix[N - 1, N - 2]} * {matrix[N - 1, N - 2]}"))
    return [*diagonal, matrix[N - 1, N - 1]], squares
