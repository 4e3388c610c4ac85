"""The four solutions of a vibrating Timoshenko beam at one frequency, even and odd about its middle.

Lengths are in units of the length l, moments of EI / l and forces of EI / l^2. With x from -1/2 to 1/2,
``R = J / (mu l^2)``, ``S = EI / (kAG l^2)`` and the square of the frequency ``b = mu l^4 omega^2 / EI``, the
equations are ``W'' - Theta' + s W = 0`` and ``S Theta'' + W' - Theta + S r Theta = 0`` with ``s = b S`` and
``r = b R``. Their solutions are

1. W = cos(p x) and 2. W = sin(p x), where ``Theta' = W'' + s W``;
3. Theta = p t and 4. Theta = p t with an odd and an even t that obeys ``t'' = q^2 t``, where
   ``W = p t' / (q^2 + s)``.

t is ``sinh(q x) / sinh(q / 2)`` and ``cosh(q x) / cosh(q / 2)``; above the cut-off frequency, where
``q^2 < 0``, ``sin(|q| x) / (|q| / 2)`` and ``cos(|q| x)``. So the four stay independent at the cut-off
frequency, where q is 0, and finite where q is large.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray

ROUNDING = 1e-14  # of 1; a frequency so near to the cut-off frequency is that frequency


class Waves(NamedTuple):
    """Waves at k frequencies, in units of the length.

    Attributes
    ----------
    squares : (k,) float
        ``b = mu l^4 omega^2 / EI``.
    p : (k,) float
    q2 : (k,) float
        The square of q; negative above the cut-off frequency.
    s : (k,) float
        ``mu l^2 omega^2 / kAG``.
    bend : (k,) float
        ``p^2 - s``, which is small in beams that mostly shear; ``q^2 + s`` is b over it.
    """

    squares: FloatArray
    p: FloatArray
    q2: FloatArray
    s: FloatArray
    bend: FloatArray


def waves_of(squares: FloatArray, R: float, S: float) -> Waves:
    """Waves at the frequencies ``squares`` (k,): ``p^2 = (s + r + sqrt((s - r)^2 + 4 b)) / 2``."""
    s, r = squares * S, squares * R
    larger = (np.abs(s - r) + np.sqrt((s - r) ** 2 + 4 * squares)) / 2
    bend = np.where(s < r, larger, squares / larger)
    p2 = s + bend
    margin = 1.0 - squares * (R * S)
    margin = np.where(np.abs(margin) < ROUNDING, 0.0, margin)
    return Waves(squares, np.sqrt(p2), squares * margin / p2, s, bend)


def odd_and_even(q2: FloatArray, x: FloatArray) -> FloatArray:
    """The odd and the even t and their derivatives at x (4, m, k), for q^2 (k,) and x (m, 1) or (m, k)."""
    q = np.sqrt(np.abs(q2))
    odd, even = 2 * x * np.sinc(q * x / np.pi), np.cos(q * x)
    waves = np.stack([odd, even, 2 * even, -q * np.sin(q * x)])
    size, h = np.abs(x), np.where(q2 > 0.0, q, 1.0)
    faded, back, whole = np.exp(h * (size - 0.5)), np.exp(-2 * h * size), np.exp(-h)
    sine, cosine = np.sign(x) * faded * -np.expm1(-2 * h * size), faded * (1.0 + back)
    sines, cosines = -np.expm1(-h), 1.0 + whole
    grown = np.stack([sine / sines, cosine / cosines, h * cosine / sines, h * sine / cosines])
    return np.where(q2 > 0.0, grown, waves)


def even_odd_fields(waves: Waves, x: FloatArray) -> FloatArray:
    """W, Theta, W' - Theta and Theta' of the four solutions at x (4 fields, 4 solutions, m, k).

    The solutions come in the order 1 to 4 of this module: W is even, odd, even, odd. The shear strain comes
    from its own formula, so no digits are lost where it is small.
    """
    p, s = waves.p, waves.s
    c, n = np.cos(p * x), np.sin(p * x)
    turn = -waves.bend  # Theta' over W
    odd, even, odd_slope, even_slope = odd_and_even(waves.q2, x)
    ratio = p * waves.bend / waves.squares
    return np.array([
        [c, n, ratio * odd_slope, ratio * even_slope],
        [turn / p * n, -turn / p * c, p * odd, p * even],
        [-s / p * n, s / p * c, -s * ratio * odd, -s * ratio * even],
        [turn * c, turn * n, p * odd_slope, p * even_slope],
    ])  # fmt: skip


def mode_fields(waves: Waves, amplitudes: FloatArray, x: FloatArray) -> FloatArray:
    """W, Theta, W' - Theta and Theta' (4, m, k) of modes with amplitudes (k, 4) of the four solutions."""
    return np.asarray(np.einsum("fsmk,ks->fmk", even_odd_fields(waves, x), amplitudes))


def expanded_at_the_end(waves: Waves, amplitudes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same modes about x = -1/2: C1 to C4 (k, 4) of equation 28, and b (k,) of equation 29."""
    cosine, sine, odd, even = amplitudes.T
    p, q, above = waves.p, np.sqrt(np.abs(waves.q2)), waves.q2 <= 0.0
    ratio = p * waves.bend / waves.squares
    safe = np.where(above, 1.0, q)
    C3 = np.where(above, 2 * np.sin(q / 2) * odd - q * np.cos(q / 2) * even, q * (even - odd))
    far = odd / np.tanh(safe / 2) - even * np.tanh(safe / 2)
    C4 = np.where(above, 2 * np.cos(q / 2) * odd + q * np.sin(q / 2) * even, q * far)
    with np.errstate(divide="ignore"):
        b = np.where(above, -1.0, 1.0) * waves.squares / (waves.bend * q)
    first = [cosine * np.sin(p / 2) + sine * np.cos(p / 2), cosine * np.cos(p / 2) - sine * np.sin(p / 2)]
    return np.stack([*first, ratio * C3, ratio * C4], axis=1), b
