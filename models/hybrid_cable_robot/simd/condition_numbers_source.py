"""Writes the inverse condition numbers at a pose: as ``stiffness_kernels``, for many poses at once.

The symmetric 6 x 6 matrix is made tridiagonal by reflections. Laguerre's method then walks to the
least eigenvalue from below and to the greatest from above: outside the eigenvalues it cannot
overshoot, and converges cubically except towards a double one, where a last step that is not small
hands the pose to the scalar kernel.
"""

from __future__ import annotations

from models.hybrid_cable_robot.simd.code_generator import AXES, CABLES, KernelSource, dot, total, write_units

STEPS = 10
SETTLED = 3e-15  # last step, as a share of the trace
NOTHING = 1e-200  # floor where a column to be cleared is clear already
N = 6


def condition_kernel() -> KernelSource:
    """Kernel from positions to the inverse condition number of W W^T, that of K, and trust (1 or 0).

    Constants: pulleys less turned attachments (8, 3) m, turned attachments over the characteristic
    length (8, 3), stiffnesses over the greatest of them (8,).
    """
    source = KernelSource("condition_numbers")
    source.table("g", CABLES, 3)
    source.table("a", CABLES, 3)
    source.table("k", CABLES)
    long_enough = write_units(source)
    for i in range(CABLES):
        for axis in range(3):
            p, q = (axis + 1) % 3, (axis + 2) % 3
            source.let(f"m{i}{AXES[axis]}", f"a_{i}_{p} * u{i}{AXES[q]} - a_{i}_{q} * u{i}{AXES[p]}")
    rows = [[f"{'um'[row // 3]}{i}{AXES[row % 3]}" for i in range(CABLES)] for row in range(N)]
    stiff = [
        [source.let(f"k{row}_{i}", f"k_{i} * {rows[row][i]}") for i in range(CABLES)] for row in range(N)
    ]
    matrices = {
        name: {
            (row, other): source.let(f"{name}{row}{other}", dot(weighted[row], rows[other]))
            for row in range(N)
            for other in range(row + 1)
        }
        for name, weighted in (("J", rows), ("K", stiff))
    }
    shapes = {name: _write_tridiagonal(source, name, matrix) for name, matrix in matrices.items()}
    for name, (diagonal, squares) in shapes.items():
        _write_starts(source, name, diagonal, squares)
    source.repeat(STEPS)
    for name, (diagonal, squares) in shapes.items():
        for side in ("low", "high"):
            _write_laguerre(source, f"{name}{side}", diagonal, squares)
    source.next_stage()
    settled = [
        f"(abs(move{name}{side}) < {SETTLED} * {name}trace)" for name in shapes for side in ("low", "high")
    ]
    source.write("condition_j", "max(Jlow, 0.0) / Jhigh")
    source.write("condition_k", "max(Klow, 0.0) / Khigh")
    source.write("trusted", "1.0 if " + " & ".join([f"({long_enough} > 0.0)", *settled]) + " else 0.0")
    return source


def _write_starts(source: KernelSource, name: str, diagonal: list[str], squares: list[str]) -> None:
    """The trace, and bounds ``{name}low`` and ``{name}high`` of the eigenvalues, from which to walk."""
    trace = source.let(f"{name}trace", total(diagonal))
    mean = source.let(f"{name}mean", f"{trace} / {N}.0")
    spread = " + ".join(
        [f"({d} - {mean}) * ({d} - {mean})" for d in diagonal] + [f"2.0 * {square}" for square in squares]
    )
    # No eigenvalue is farther from the mean than this (Samuelson's inequality).
    source.let(f"{name}radius", f"math.sqrt({N - 1}.0 / {N}.0 * ({spread}))")
    source.let(f"{name}low", f"max({mean} - {name}radius, 0.0)")
    source.let(f"{name}high", f"{mean} + {name}radius")


def _write_tridiagonal(
    source: KernelSource, name: str, matrix: dict[tuple[int, int], str]
) -> tuple[list[str], list[str]]:
    """Diagonal and squared subdiagonal of the matrix, whose lower half is given."""
    squares: list[str] = []
    diagonal = [matrix[0, 0]]
    for k in range(N - 2):
        rest = range(k + 1, N)
        column = [matrix[row, k] for row in rest]
        square = source.let(f"{name}square{k}", dot(column, column))
        squares.append(square)
        root = source.let(f"{name}root{k}", f"math.sqrt({square})")
        norm = source.let(f"{name}norm{k}", f"{root} if {column[0]} >= 0.0 else -{root}")
        scale = source.let(f"{name}scale{k}", f"1.0 / max({square} + {norm} * {column[0]}, {NOTHING})")
        v = [source.let(f"{name}mirror{k}", f"{column[0]} + {norm}"), *column[1:]]
        p = [
            source.let(
                f"{name}p{k}_{row}", f"{scale} * ({dot([matrix[max(row, o), min(row, o)] for o in rest], v)})"
            )
            for row in rest
        ]
        half = source.let(f"{name}half{k}", f"0.5 * {scale} * ({dot(p, v)})")
        w = [source.let(f"{name}w{k}_{i}", f"{p[i]} - {half} * {v[i]}") for i in range(len(v))]
        matrix = {
            (row, other): source.let(
                f"{name}{k}_{row}{other}",
                f"{matrix[row, other]} - {v[row - k - 1]} * {w[other - k - 1]}"
                f" - {w[row - k - 1]} * {v[other - k - 1]}",
            )
            for row in rest
            for other in range(k + 1, row + 1)
        }
        diagonal.append(matrix[k + 1, k + 1])
    squares.append(source.let(f"{name}square{N - 2}", f"{matrix[N - 1, N - 2]} * {matrix[N - 1, N - 2]}"))
    return [*diagonal, matrix[N - 1, N - 1]], squares


def _write_laguerre(source: KernelSource, name: str, diagonal: list[str], squares: list[str]) -> None:
    """One step ``move{name}`` from ``name`` towards the eigenvalue.

    The characteristic polynomial, its derivative and half the second one follow from the
    three-term recurrence; n = 6 makes the step 6 p / (p' +- sqrt(25 p'^2 - 60 p (p'' / 2))).
    """
    before, now = ("0.0", "0.0", "0.0"), ("1.0", "0.0", "0.0")
    for level, d in enumerate(diagonal):
        tag = f"{name}{level}"
        gap = source.let(f"g{tag}", f"{name} - {d}")
        if level == 0:
            before, now = now, (gap, "1.0", "0.0")
            continue
        square = squares[level - 1]
        after = (
            source.let(f"p{tag}", f"{gap} * {now[0]} - {square} * {before[0]}"),
            source.let(f"q{tag}", f"{now[0]} + {gap} * {now[1]} - {square} * {before[1]}"),
            source.let(f"h{tag}", f"{now[1]} + {gap} * {now[2]} - {square} * {before[2]}"),
        )
        before, now = now, after
    p, q, h = now
    source.let(f"root{name}", f"math.sqrt(max(25.0 * {q} * {q} - 60.0 * {p} * {h}, 0.0))")
    below, above = f"min({q} - root{name}, -{NOTHING})", f"max({q} + root{name}, {NOTHING})"
    move = source.let(f"move{name}", f"6.0 * {p} / {below if name.endswith('low') else above}")
    source.carry(name, f"{name} - {move}")
