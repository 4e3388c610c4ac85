"""Compiled algebra of small matrices: singular values, linear systems, eigenvalues, factors.

Source: Hestenes, "Inversion of matrices by biorthogonalization and related results", 1958. Accurate
also where the matrix is not symmetric or nearly singular; numpy's svd is the definition.

The whole matrix is kept although it is symmetric: then every inner loop adds a multiple of one row to
another, which processors do several numbers at a time.

Pivots are taken from the last row to the first, so that every inner loop runs from the first column:
then the compiler lets processors take several numbers at a time.
"""

from __future__ import annotations

import math

from models.arrays import FloatArray
from models.jit import entry, inner

SWEEPS = 30  # over all pairs of rows; five or six are enough
ORTHOGONAL = 1e-28  # squared cosine between rows that need no rotation


@inner
def _rotate(A: FloatArray, row: int, other: int) -> bool:
    """Make two rows of A orthogonal; False when they are."""
    own, others, mixed = 0.0, 0.0, 0.0
    for i in range(A.shape[1]):
        own += A[row, i] * A[row, i]
        others += A[other, i] * A[other, i]
        mixed += A[row, i] * A[other, i]
    if mixed * mixed <= ORTHOGONAL * own * others:
        return False
    ratio = (others - own) / (2.0 * mixed)
    tangent = math.copysign(1.0, ratio) / (abs(ratio) + math.sqrt(1.0 + ratio * ratio))
    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
    sine = cosine * tangent
    for i in range(A.shape[1]):
        kept = A[row, i]
        A[row, i] = cosine * kept - sine * A[other, i]
        A[other, i] = sine * kept + cosine * A[other, i]
    return True


@entry
def singular_extremes(A: FloatArray) -> tuple[float, float]:
    """Least and greatest singular value of A, which has no more rows than columns; A is overwritten."""
    for _ in range(SWEEPS):
        turned = False
        for row in range(A.shape[0] - 1):
            for other in range(row + 1, A.shape[0]):
                turned |= _rotate(A, row, other)
        if not turned:
            break
    least, greatest = math.inf, 0.0
    for row in range(A.shape[0]):
        square = 0.0
        for i in range(A.shape[1]):
            square += A[row, i] * A[row, i]
        least, greatest = min(least, square), max(greatest, square)
    return math.sqrt(least), math.sqrt(greatest)


@inner
def inverse_condition(A: FloatArray) -> float:
    """Least over greatest singular value of A, in [0, 1]; A is overwritten."""
    least, greatest = singular_extremes(A)
    return least / greatest if greatest > 0.0 else 0.0


@entry
def solve(A: FloatArray) -> bool:
    """Solve ``A[:, :n] X = A[:, n:]`` by elimination with row pivots; X replaces ``A[:, n:]``.

    ``A`` is (n, n + k) and overwritten. False when a pivot is zero.
    """
    count = A.shape[0]
    for step in range(count):
        pivot = step
        for row in range(step + 1, count):
            if abs(A[row, step]) > abs(A[pivot, step]):
                pivot = row
        if A[pivot, step] == 0.0:
            return False
        for column in range(step, A.shape[1]):
            A[step, column], A[pivot, column] = A[pivot, column], A[step, column]
        inverse = 1.0 / A[step, step]
        for column in range(step + 1, A.shape[1]):
            A[step, column] *= inverse
        for row in range(count):
            if row != step:
                factor = A[row, step]
                for column in range(step + 1, A.shape[1]):
                    A[row, column] -= factor * A[step, column]
    return True


STEPS = 100  # usually six; more only where eigenvalues coincide
PRECISION = 2e-16  # of the matrix's norm


@inner
def _clear_row(A: FloatArray, m: int, p: FloatArray) -> float:
    """Clear row m of A left of the subdiagonal by a reflection of the rows before; returns that entry.

    ``p`` (m,) is overwritten.
    """
    square = 0.0
    for j in range(m - 1):
        square += A[m, j] * A[m, j]
    last = A[m, m - 1]
    if square == 0.0:
        return last
    norm = math.copysign(math.sqrt(square + last * last), last)
    A[m, m - 1] = last + norm  # row m now holds v
    factor = 1.0 / (norm * A[m, m - 1])  # 2 / |v|^2
    for j in range(m):
        p[j] = 0.0
    for i in range(m):
        v = factor * A[m, i]
        for j in range(m):
            p[j] += v * A[i, j]
    dot = 0.0
    for j in range(m):
        dot += p[j] * A[m, j]
    dot *= 0.5 * factor
    for j in range(m):
        p[j] -= dot * A[m, j]
    for i in range(m):
        v, w = A[m, i], p[i]
        for j in range(m):
            A[i, j] -= v * p[j] + w * A[m, j]
    return -norm


@inner
def smallest(A: FloatArray, count: int, d: FloatArray, e: FloatArray) -> float:
    """Smallest eigenvalue of the symmetric A[:count, :count], which is overwritten.

    ``d`` and ``e`` (count,) are room for the tridiagonal form.
    """
    for m in range(count - 1, 0, -1):
        e[m - 1] = _clear_row(A, m, d)
    low, norm = math.inf, 0.0
    for k in range(count):
        d[k] = A[k, k]
        radius = (abs(e[k - 1]) if k > 0 else 0.0) + (abs(e[k]) if k < count - 1 else 0.0)
        low, norm = min(low, d[k] - radius), max(norm, abs(d[k]) + radius)
    for k in range(count - 1):
        e[k] *= e[k]
    x = low
    for _ in range(STEPS):
        step = _laguerre(d, e, count, x)
        x += step
        if step <= PRECISION * norm:
            break
    return x


@inner
def _laguerre(d: FloatArray, squares: FloatArray, count: int, x: float) -> float:
    """Lower bound of the smallest eigenvalue of a tridiagonal matrix above x; 0 if it does not lie above.

    Laguerre's step for ``det(A - x)``: below all roots it never passes the first, and its error shrinks
    with the third power. ``r`` and ``t`` are minus the first and second derivatives of the pivots.
    """
    pivot, r, t = d[0] - x, 1.0, 0.0
    if pivot <= 0.0:
        return 0.0
    inverse = 1.0 / pivot
    first, second = inverse, inverse * inverse
    for k in range(1, count):
        share = squares[k - 1] * inverse
        pivot = d[k] - x - share
        if pivot <= 0.0:
            return 0.0
        share *= inverse
        r, t = 1.0 + share * r, share * (t + 2.0 * r * r * inverse)
        inverse = 1.0 / pivot
        first += r * inverse
        second += (t + r * r * inverse) * inverse
    spread = (count - 1) * max(count * second - first * first, 0.0)
    return count / (first + math.sqrt(spread))


LEAST_PIVOT = 1e-14  # of the row's own scale; smaller pivots are replaced by it, with a plus sign


@inner
def load_factor(H: FloatArray, stride: int, shift: float, scale: FloatArray, W: FloatArray) -> int:
    """Copy every ``stride``-th row and column of H into the lower triangle of W; returns their number.

    H holds its upper triangle; ``shift`` times ``scale`` (3n,) is added to the diagonal.
    """
    count = len(H) // stride
    for i in range(count):
        for j in range(i + 1):
            W[i, j] = H[j * stride, i * stride]
        W[i, i] += shift * scale[i * stride]
    return count


@inner
def factorise(W: FloatArray, count: int, stride: int, scale: FloatArray) -> int:
    """Replace W by the lower triangle with ``W^T D^-1 W`` the matrix, D the diagonal of W.

    Returns how many pivots in D are not positive. By Sylvester's law that is the number of eigenvalues
    that are not positive: none for a stable state.

    ``scale`` (3n,) is what a pivot of each row is measured by; row i of W has that at ``i stride``. A
    matrix divided by the roots of its rows' and columns' scales has the same pivots over those scales, so
    a soft row is told from rounding as well as a stiff one.
    """
    negative = 0
    for k in range(count - 1, -1, -1):
        pivot, least = W[k, k], LEAST_PIVOT * scale[k * stride]
        if abs(pivot) < least:
            pivot = least
            W[k, k] = pivot
            negative += 1
        elif pivot < 0.0:
            negative += 1
        inverse = 1.0 / pivot
        for i in range(k):
            factor = W[k, i] * inverse
            for j in range(i + 1):
                W[i, j] -= factor * W[k, j]
    return negative


@inner
def factorise_band(W: FloatArray, count: int, band: int, scale: FloatArray) -> int:
    """As :func:`factorise` with a stride of 1, for a matrix without entries of i - j > ``band``."""
    negative = 0
    for k in range(count - 1, -1, -1):
        pivot, least = W[k, k], LEAST_PIVOT * scale[k]
        if abs(pivot) < least:
            pivot = least
            W[k, k] = pivot
            negative += 1
        elif pivot < 0.0:
            negative += 1
        inverse, first = 1.0 / pivot, max(k - band, 0)
        for i in range(first, k):
            factor = W[k, i] * inverse
            for j in range(first, i + 1):
                W[i, j] -= factor * W[k, j]
    return negative


@inner
def solve_band(W: FloatArray, count: int, band: int, x: FloatArray) -> None:
    """As :func:`solve_factored`, of a factor by :func:`factorise_band`."""
    for k in range(count - 1, -1, -1):
        x[k] /= W[k, k]
        for i in range(max(k - band, 0), k):
            x[i] -= W[k, i] * x[k]
    for k in range(count):
        total = 0.0
        for i in range(max(k - band, 0), k):
            total += W[k, i] * x[i]
        x[k] -= total / W[k, k]


@inner
def solve_factored(W: FloatArray, count: int, x: FloatArray) -> None:
    """Replace x (count,) by the solution of ``W^T D^-1 W y = x``."""
    for k in range(count - 1, -1, -1):
        x[k] /= W[k, k]
        for i in range(k):
            x[i] -= W[k, i] * x[k]
    for k in range(count):
        total = 0.0
        for i in range(k):
            total += W[k, i] * x[i]
        x[k] -= total / W[k, k]
