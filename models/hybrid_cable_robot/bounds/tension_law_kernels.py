"""Certificate that tensions hold a load at every rotation of a box: a law by which they change with it.

Notation of :mod:`.rotation_kernels`; torques are divided by L, and of six rows only those count that the
motion pattern has. At the centre ``W0 t0 = -w0``. For any G with ``W0 G = I`` and ``e = sum z_k p_k``, put

    t(e) = t0 + sum z_k T_k + 1/2 sum z_k z_j T_kj + G y,
    T_k = -G (W_k t0 + w_k),   T_kj = -G (W_kj t0 + W_k T_j + W_j T_k + w_kj),

W_k, w_k and W_kj, w_kj the derivatives along p_k and p_j. ``W(e) t(e) = -w(e)`` asks for ``W(e) G y = r(e)``
with the residual r of the law, which has no first or second order. With a, b, c the greatest derivatives of
a column (*growth*), s the first moment, ``|T_i| = sum |T_ik|`` and ``|S_i|`` the greatest second-order part,

    |r| <= rho^3 / 6 (|s| g / L + sum |t0_i| c_i) + rho^2 / 2 sum |T_i| b_i + rho sum |S_i| a_i
           + stray (|s| g / L + sum (|t0_i| + |T_i| + |S_i|) a_i).

``W(e) G`` differs from I by at most ``phi = sum |W_k G| + rho^2 / 2 sum |G_i| b_i + stray sum |G_i| a_i``. If
that is less than 1, y is there and ``|y| <= |r| / (1 - phi)``. So the load is held throughout when for every
cable the range of the law, widened by ``|G_i| |y|``, lies within the limits of its tension.

t0 is the analytic centre, the tensions for which the product of all distances from the limits is greatest,
and ``G = H^-1 W0^T (W0 H^-1 W0^T)^-1`` with its Hessian H: then T_k is the rate at which this centre moves,
and G hardly moves cables that are close to a limit. Any t0 and G would do for the proof, which counts what
rounding leaves of ``W0 t0 + w0`` and ``W0 G - I``.

A box of wrenches is held when its corners are, since wrenches that tensions hold are a convex set. All of
them are tried at once with the G of the box's centre, with ``t0 - G dw`` for a corner that differs from it by
dw. Only those that this does not show get analytic centres of their own.
``tests/oracles/cable_robot_tension_law.py`` has the law in plain numpy.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.bounds.rotation_kernels import PAIRS, Turned
from models.hybrid_cable_robot.robot import Robot
from models.jit import inner

STEPS = 40  # of Newton's method, at most
CENTERED = 1e-9  # squared decrement: so close to the analytic centre that the way to it does not matter
STRIDE = 0.95  # of the way to the nearest limit
SAME = (0, 3, 5)  # of the pairs of turns: those of a turn with itself


class Law(NamedTuple):
    """Memory for tensions that change with the rotation; n rows of wrenches.

    Attributes
    ----------
    rows : (n,) int
        Rows of wrenches that the motion pattern has.
    limits : (m, 2) float, N
        Least and greatest tensions.
    wrench, moment : (6,), (1 + 3 + 6, 6) float, N
        The scaled wrench whose analytic centre is sought, then the centre of the wrenches with its first and
        second derivatives.
    center, weights, moves : (m,) float
        The analytic centre in N, the inverse of the diagonal H, and Newton's step.
    normal : (6, 6) float
        ``W H^-1 W^T``, then its Cholesky factor.
    gains : (m, 6) float
        G.
    residual : (6,) float
    wrenches : (6, v) float, N
        Those to be held at the centre, at most v at a time.
    tensions, rates, bends : (m, v), (3, m, v), (6, m, v) float, N
        t0, T and the second-order part for each of them.
    residuals : (6, v) float, N
    least, most : (m, v) float, N
        Range of the law over the box.
    lacks, sizes : (v,) float, N
    tight : (v,) int
        The cable that misses its limits by most, -1 where the wrench is held throughout.
    sides : (v,) float
        1 where its tension is too small at its worst, -1 where it is too great.
    """

    rows: IntArray
    limits: FloatArray
    wrench: FloatArray
    moment: FloatArray
    center: FloatArray
    weights: FloatArray
    moves: FloatArray
    normal: FloatArray
    gains: FloatArray
    residual: FloatArray
    wrenches: FloatArray
    tensions: FloatArray
    rates: FloatArray
    bends: FloatArray
    residuals: FloatArray
    least: FloatArray
    most: FloatArray
    lacks: FloatArray
    sizes: FloatArray
    tight: IntArray
    sides: FloatArray


def new_law(robot: Robot, count: int) -> Law:
    """Memory for a robot's tensions under at most that many wrenches at a time."""
    cables = len(robot.pulleys)
    limits = np.column_stack([robot.f_min * robot.lower, robot.f_max * robot.upper])
    return Law(
        rows=np.flatnonzero(robot.rows),
        limits=limits,
        wrench=np.zeros(6),
        moment=np.zeros((4 + PAIRS, 6)),
        center=limits.mean(axis=1),
        weights=np.zeros(cables),
        moves=np.zeros(cables),
        normal=np.zeros((6, 6)),
        gains=np.zeros((cables, 6)),
        residual=np.zeros(6),
        wrenches=np.zeros((6, count)),
        tensions=np.zeros((cables, count)),
        rates=np.zeros((3, cables, count)),
        bends=np.zeros((PAIRS, cables, count)),
        residuals=np.zeros((6, count)),
        least=np.zeros((cables, count)),
        most=np.zeros((cables, count)),
        lacks=np.zeros(count),
        sizes=np.zeros(count),
        tight=np.zeros(count, np.int64),
        sides=np.ones(count),
    )


@inner
def _factorise(known: Law, W: FloatArray) -> bool:
    """Cholesky factor of ``W H^-1 W^T`` in the rows of the pattern; False where it is nearly singular."""
    S, count = known.normal, known.rows.shape[0]
    for i in range(count):
        a = known.rows[i]
        for j in range(i + 1):
            b = known.rows[j]
            total = 0.0
            for cable in range(W.shape[1]):
                total += W[a, cable] * known.weights[cable] * W[b, cable]
            S[i, j] = total
    for i in range(count):
        scale = S[i, i]
        for j in range(i + 1):
            total = S[i, j]
            for k in range(j):
                total -= S[i, k] * S[j, k]
            if i > j:
                S[i, j] = total / S[j, j]
            elif total <= 1e-14 * scale:
                return False
            else:
                S[i, i] = math.sqrt(total)
    return True


@inner
def _solve(S: FloatArray, count: int, values: FloatArray) -> None:
    """Replace ``values`` by the solution of the system whose Cholesky factor is S."""
    for i in range(count):
        for k in range(i):
            values[i] -= S[i, k] * values[k]
        values[i] /= S[i, i]
    for i in range(count - 1, -1, -1):
        for k in range(i + 1, count):
            values[i] -= S[k, i] * values[k]
        values[i] /= S[i, i]


@inner
def _lack(known: Law, W: FloatArray) -> float:
    """Fill the residual ``-w - W t`` in the rows of the pattern; its norm [N]."""
    square = 0.0
    for i in range(known.rows.shape[0]):
        total = -known.wrench[known.rows[i]]
        for cable in range(W.shape[1]):
            total -= W[known.rows[i], cable] * known.center[cable]
        known.residual[i] = total
        square += total * total
    return math.sqrt(square)


@inner
def _finish_step(known: Law, W: FloatArray) -> tuple[float, float]:
    """Complete Newton's step; its squared decrement, and the share of it that stays within the limits."""
    decrement, stride = 0.0, 1.0
    for cable in range(W.shape[1]):
        move = known.moves[cable]
        for i in range(known.rows.shape[0]):
            move += known.weights[cable] * W[known.rows[i], cable] * known.residual[i]
        known.moves[cable] = move
        decrement += move * move / known.weights[cable]
        room = abs(known.limits[cable, 1 if move > 0.0 else 0] - known.center[cable])
        if stride * abs(move) > STRIDE * room:
            stride = STRIDE * room / abs(move)
    return decrement, stride


@inner
def find_center(known: Law, W: FloatArray, tolerance: float) -> bool:
    """Newton's method for the analytic centre from ``known.center`` within the limits, then G.

    False where it does not arrive, as when no tensions hold the wrench.
    """
    count, cables = known.rows.shape[0], W.shape[1]
    for _ in range(STEPS):
        lack = _lack(known, W)
        for cable in range(cables):
            low = 1.0 / (known.center[cable] - known.limits[cable, 0])
            high = 1.0 / (known.limits[cable, 1] - known.center[cable])
            known.weights[cable] = 1.0 / (low * low + high * high)
            known.moves[cable] = (low - high) * known.weights[cable]
        if not _factorise(known, W):
            return False
        for i in range(count):
            for cable in range(cables):
                known.residual[i] -= W[known.rows[i], cable] * known.moves[cable]
        _solve(known.normal, count, known.residual)
        decrement, stride = _finish_step(known, W)
        if lack <= tolerance and decrement <= CENTERED:
            _fill_gains(known, W)
            return True
        for cable in range(cables):
            known.center[cable] += stride * known.moves[cable]
    return False


@inner
def _fill_gains(known: Law, W: FloatArray) -> None:
    """Fill G; the Cholesky factor is that of the tensions."""
    count = known.rows.shape[0]
    for cable in range(W.shape[1]):
        for i in range(count):
            known.gains[cable, i] = W[known.rows[i], cable] * known.weights[cable]
        _solve(known.normal, count, known.gains[cable])


@inner
def _identity_error(known: Law, W: FloatArray) -> float:
    """Norm of ``W G - I``, which rounding leaves."""
    square, count = 0.0, known.rows.shape[0]
    for i in range(count):
        for j in range(count):
            total = -1.0 if i == j else 0.0
            for cable in range(W.shape[1]):
                total += W[known.rows[i], cable] * known.gains[cable, j]
            square += total * total
    return math.sqrt(square)


@inner
def _add_product(out: FloatArray, factor: float, values: FloatArray, lanes: int) -> None:
    """Add ``factor * values`` to ``out`` in the first lanes."""
    for lane in range(lanes):
        out[lane] += factor * values[lane]


@inner
def _take_up(known: Law, lanes: int, out: FloatArray, sizes: FloatArray) -> None:
    """Fill tensions (m, v) N that take up the residuals, and add the norms (v,) N of these to ``sizes``."""
    count = known.rows.shape[0]
    for lane in range(lanes):
        square = 0.0
        for i in range(count):
            square += known.residuals[i, lane] ** 2
        sizes[lane] += math.sqrt(square)
    for cable in range(out.shape[0]):
        out[cable, :lanes] = 0.0
        for i in range(count):
            _add_product(out[cable], -known.gains[cable, i], known.residuals[i], lanes)


@inner
def _fill_rates(known: Law, turned: Turned, lanes: int, sizes: FloatArray) -> None:
    """Fill T; adds the norms (v,) N of the wrenches that it makes up for."""
    for k in range(3):
        for i in range(known.rows.shape[0]):
            line, out = known.rows[i], known.residuals[i]
            out[:lanes] = known.moment[1 + k, line]
            for cable in range(known.center.shape[0]):
                _add_product(out, turned.first[cable, k, line], known.tensions[cable], lanes)
        _take_up(known, lanes, known.rates[k], sizes)


@inner
def _fill_bends(known: Law, turned: Turned, lanes: int, sizes: FloatArray) -> None:
    """Fill the second-order part of the law; adds the norms (v,) N of the residuals that it makes up for."""
    pair = 0
    for k in range(3):
        for j in range(k, 3):
            for i in range(known.rows.shape[0]):
                line, out = known.rows[i], known.residuals[i]
                out[:lanes] = known.moment[4 + pair, line]
                for cable in range(known.center.shape[0]):
                    _add_product(out, turned.second[cable, pair, line], known.tensions[cable], lanes)
                    _add_product(out, turned.first[cable, k, line], known.rates[j, cable], lanes)
                    _add_product(out, turned.first[cable, j, line], known.rates[k, cable], lanes)
            _take_up(known, lanes, known.bends[pair], sizes)
            pair += 1


@inner
def _turning_error(known: Law, turned: Turned) -> float:
    """Bound of the first order of ``W(e) G - I`` over the box."""
    count, bound = known.rows.shape[0], 0.0
    for k in range(3):
        square = most = 0.0
        for j in range(count):
            known.residual[j] = 0.0
        for i in range(count):
            across = 0.0
            for j in range(count):
                total = 0.0
                for cable in range(known.center.shape[0]):
                    total += turned.first[cable, k, known.rows[i]] * known.gains[cable, j]
                square += total * total
                across += abs(total)
                known.residual[j] += abs(total)
            most = max(most, across)
        down = 0.0
        for j in range(count):
            down = max(down, known.residual[j])
        bound += min(math.sqrt(square), math.sqrt(most * down))
    return bound


@inner
def _fill_lacks(known: Law, W: FloatArray, lanes: int) -> None:
    """Fill what is left (v,) N of ``W t + w``."""
    for i in range(known.rows.shape[0]):
        line, out = known.rows[i], known.residuals[i]
        for lane in range(lanes):
            out[lane] = known.wrenches[line, lane]
        for cable in range(W.shape[1]):
            _add_product(out, W[line, cable], known.tensions[cable], lanes)
    for lane in range(lanes):
        square = 0.0
        for i in range(known.rows.shape[0]):
            square += known.residuals[i, lane] ** 2
        known.lacks[lane] = math.sqrt(square)


@inner
def _add_remainders(known: Law, turned: Turned, heft: float, lanes: int) -> float:
    """Add what the law leaves beyond second order (v,) N to ``known.lacks``; ``phi`` less its first order."""
    radius, stray = turned.sizes[0], turned.sizes[1]
    cubic, square, change = radius**3 / 6.0, 0.5 * radius**2, 0.0
    for lane in range(lanes):
        known.lacks[lane] += (cubic + stray) * heft
    for cable in range(known.center.shape[0]):
        a, b, c = turned.growth[cable, 0], turned.growth[cable, 1], turned.growth[cable, 2]
        size = 0.0
        for i in range(known.rows.shape[0]):
            size += known.gains[cable, i] ** 2
        known.weights[cable] = math.sqrt(size)
        change += (square * b + stray * a) * known.weights[cable]
        for lane in range(lanes):
            first = second = low = high = 0.0
            for k in range(3):
                first += abs(known.rates[k, cable, lane])
            for pair in range(PAIRS):
                bend = known.bends[pair, cable, lane]
                second += abs(bend)
                same = pair in SAME
                low += max(-0.5 * bend, 0.0) if same else abs(bend)
                high += max(0.5 * bend, 0.0) if same else abs(bend)
            known.least[cable, lane] = known.tensions[cable, lane] - first - low
            known.most[cable, lane] = known.tensions[cable, lane] + first + high
            known.lacks[lane] += (
                (cubic * c + stray * a) * abs(known.tensions[cable, lane])
                + (square * b + stray * a) * first
                + (radius * a + stray * a) * second
            )
    return change


@inner
def find_tight_cables(known: Law, turned: Turned, heft: float, spare: float, lanes: int) -> None:
    """Fill ``known.tight``: -1 where tensions by the law hold a wrench at every rotation of the box.

    Else the cable that misses its limits by most, or the first one if the law says nothing. The tensions at
    the centre are given for the first ``lanes`` wrenches. ``heft`` [N] is ``|s| g / L``, ``spare`` [N] what
    tensions keep from their limits.
    """
    slip = _identity_error(known, turned.rays.W)
    known.sizes[:lanes] = 0.0
    _fill_rates(known, turned, lanes, known.sizes)
    _fill_bends(known, turned, lanes, known.sizes)
    _fill_lacks(known, turned.rays.W, lanes)
    _add_product(known.lacks, slip, known.sizes, lanes)
    change = slip + _turning_error(known, turned) + _add_remainders(known, turned, heft, lanes)
    known.sides[:lanes] = 1.0
    known.tight[:lanes] = -1 if change < 1.0 else 0
    if change >= 1.0:
        return
    worst = known.sizes
    worst[:lanes] = 0.0
    for cable in range(known.center.shape[0]):
        share = known.weights[cable] / (1.0 - change)
        for lane in range(lanes):
            off = share * known.lacks[lane] + spare
            low = known.limits[cable, 0] - (known.least[cable, lane] - off)
            high = known.most[cable, lane] + off - known.limits[cable, 1]
            if max(low, high) > worst[lane]:
                worst[lane], known.tight[lane] = max(low, high), cable
                known.sides[lane] = 1.0 if low > high else -1.0
