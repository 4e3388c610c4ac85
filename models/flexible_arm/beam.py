"""Natural modes of a Timoshenko beam, for all pairs of ends, below and above its cut-off frequency.

Deflection w and rotation theta of a section obey ``kAG (w'' - theta') = mu w_tt`` and
``EI theta'' + kAG (w' - theta) = J theta_tt``; each by itself obeys equation 25 or 26 of the paper, where k^2
stands for k. With ``s = mu omega^2 / kAG``, ``r = J omega^2 / EI`` and ``b = mu omega^2 / EI``, a mode is
``W = C1 sin(p eta) + C2 cos(p eta) + C3 sinh(q eta) + C4 cosh(q eta)`` (equation 28) with
``p^2 = (s + r + sqrt((s - r)^2 + 4 b)) / 2`` and ``p^2 q^2 = b - s r``. Above the cut-off frequency
``sqrt(kAG / J)`` q^2 is negative: sinh and cosh become sin and cos, and a second spectrum begins, of modes
that mostly shear.

:mod:`models.flexible_arm.natural_frequencies` finds the frequencies, and
:mod:`models.flexible_arm.wave_functions` has the functions that modes are made of.
"""

from __future__ import annotations

import math
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from errors import InputError
from models.arrays import FloatArray, Numbers
from models.flexible_arm.natural_frequencies import Ends, eigenvalues, end_rows
from models.flexible_arm.wave_functions import Waves, expanded_at_the_end, mode_fields, waves_of

MOST_MODES = 100
SHEAR = 1e-9  # of Theta l; modes whose W is smaller are pure shear
NEWTON_STEPS = 3
SAMPLES = 16  # places per half-wave where the extrema of W are looked for


class Section(NamedTuple):
    """A uniform beam.

    Attributes
    ----------
    length : float, m
    EI : float, N m^2
        Bending stiffness.
    kAG : float, N
        Shear stiffness, with the shear factor.
    mu : float, kg/m
        Mass per length.
    J : float, kg m
        Rotary inertia per length, rho I; may be 0.
    """

    length: float
    EI: float
    kAG: float  # noqa: N815
    mu: float
    J: float


class BeamModes(NamedTuple):
    """The k slowest modes of a beam, each scaled so that the greatest ``|W|`` is 1.

    The first extremum of W between the ends is positive; where there is none, the greatest W. With the ends
    ss one mode is pure shear: W is 0, Theta is 1 / l all along, and the frequency is the cut-off frequency.

    Attributes
    ----------
    frequencies : (k,) float, rad/s
        Rising.
    coefficients : (k, 4) float
        C1 to C4 of equation 28. Computing W from them costs digits where q l is large; ``shapes`` does not
        use them. They are 0 in a mode of pure shear.
    wavenumbers : (k, 2) float, 1/m
        p and q; above the cut-off frequency q is that of ``C3 sin(q eta) + C4 cos(q eta)``.
    slope_factors : (k, 2) float, 1/m
        a and b of ``Theta = a (C1 cos - C2 sin) + b (C3 cosh + C4 sinh)`` (equation 29); above the cut-off
        frequency b is negative, and that of ``b (C3 cos - C4 sin)``.
    above_cut_off : (k,) bool
    length : float, m
    waves : Waves
        Of each mode, in units of the length.
    amplitudes : (k, 4) float
        Of the four solutions of :mod:`models.flexible_arm.wave_functions`.
    """

    frequencies: FloatArray
    coefficients: FloatArray
    wavenumbers: FloatArray
    slope_factors: FloatArray
    above_cut_off: NDArray[np.bool_]
    length: float
    waves: Waves
    amplitudes: FloatArray

    def shapes(self, eta: Numbers) -> FloatArray:
        """W (m, k) at the places ``eta`` (m,) [m]."""
        return self.fields(eta)[0]

    def slopes(self, eta: Numbers) -> FloatArray:
        """Theta (m, k) [1/m], the rotation of the sections."""
        return self.fields(eta)[1]

    def strains(self, eta: Numbers) -> FloatArray:
        """Shear strains ``W' - Theta`` (m, k) [1/m], to all digits."""
        return self.fields(eta)[2]

    def slope_derivatives(self, eta: Numbers) -> FloatArray:
        """Theta' (m, k) [1/m^2]."""
        return self.fields(eta)[3]

    def shape_derivatives(self, eta: Numbers) -> FloatArray:
        """W' (m, k) [1/m]."""
        fields = self.fields(eta)
        return np.asarray(fields[1] + fields[2])

    def shape_curvatures(self, eta: Numbers) -> FloatArray:
        """W'' = Theta' - s W (m, k) [1/m^2]."""
        fields = self.fields(eta)
        return np.asarray(fields[3] - self.waves.s / self.length**2 * fields[0])

    def fields(self, eta: Numbers) -> FloatArray:
        """W [1], Theta [1/m], W' - Theta [1/m], Theta' [1/m^2] (4, m, k) at ``eta`` (m,) [m]."""
        x = np.asarray(eta, dtype=float)[:, None] / self.length - 0.5
        units = self.length ** -np.array([0.0, 1.0, 1.0, 2.0])
        return mode_fields(self.waves, self.amplitudes, x) * units[:, None, None]


def beam_modes(section: Section, ends: Ends, count: int) -> BeamModes:
    """The ``count`` slowest modes of a beam; with both ends free, those that deform it.

    Parameters
    ----------
    section : Section
    ends : str
        ss, cc, sc, cs, cf or ff: first the end at eta = 0; c is clamped (W = Theta = 0), s is simply
        supported (W = Theta' = 0), f is free (Theta' = 0, W' = Theta).
    count : int
        From 1 to 100.

    Raises
    ------
    InputError
        When a number of the section is out of its range, the ends are unknown, or ``count`` is.
    """
    _require_possible(section, ends, count)
    R = section.J / (section.mu * section.length**2)
    S = section.EI / (section.kAG * section.length**2)
    squares, families = eigenvalues(ends, count, R, S)
    waves = waves_of(squares, R, S)
    amplitudes = _null_vectors(end_rows(ends, waves), families)
    amplitudes *= _scales(waves, amplitudes)[:, None]
    coefficients, b = expanded_at_the_end(waves, amplitudes)
    unit = math.sqrt(section.EI / section.mu) / section.length**2
    return BeamModes(
        np.sqrt(squares) * unit,
        coefficients,
        np.stack([waves.p, np.sqrt(np.abs(waves.q2))], axis=1) / section.length,
        np.stack([waves.bend / waves.p, b], axis=1) / section.length,
        waves.q2 <= 0.0,
        section.length,
        waves,
        amplitudes,
    )


def _null_vectors(rows: FloatArray, families: FloatArray) -> FloatArray:
    """Amplitudes (k, 4) for which the four end conditions, rows (k, 4, 4), vanish.

    ``families`` (k, 4) is 1 for the solutions that a mode may contain and 0 for the others: only the even or
    only the odd ones where both ends are alike, so that an even and an odd mode may have one frequency.
    """
    absent = np.einsum("ks,st->kst", 1.0 - families, np.eye(4))
    conditions = np.concatenate([rows * families[:, None, :], absent], axis=1)
    return np.asarray(np.linalg.svd(conditions)[2][:, -1] * families, dtype=float)


def _scales(waves: Waves, amplitudes: FloatArray) -> FloatArray:
    """Factors of the modes (k,) that give them the size and sign of :class:`BeamModes`."""
    x = np.linspace(-0.5, 0.5, SAMPLES * (4 + int(waves.p.max() / math.pi)) + 1)[:, None]
    W, turn, strain, _ = fields = mode_fields(waves, amplitudes, x)
    peaks, greatest, spacing = x, np.abs(W).max(axis=0), float(x[1, 0] - x[0, 0])
    for _ in range(NEWTON_STEPS):  # on W' = 0, from every place
        curvature = fields[3] - waves.s * fields[0]
        flat = curvature == 0.0
        step = np.where(flat, 0.0, -(fields[1] + fields[2]) / np.where(flat, 1.0, curvature))
        peaks = np.clip(peaks + np.clip(step, -spacing, spacing), -0.5, 0.5)
        fields = mode_fields(waves, amplitudes, peaks)
        greatest = np.maximum(greatest, np.abs(fields[0]).max(axis=0))
    slope = turn + strain
    turns = np.diff(np.sign(slope), axis=0) != 0.0
    first = np.where(turns.any(axis=0), turns.argmax(axis=0), np.abs(W).argmax(axis=0))
    shear = greatest < SHEAR * np.abs(turn).max(axis=0)
    sign = np.where(shear, turn[0], W[first, np.arange(len(amplitudes))])
    size = np.where(shear, np.abs(turn).max(axis=0), greatest)
    return np.asarray(np.where(sign < 0.0, -1.0, 1.0) / size)


def _require_possible(section: Section, ends: str, count: int) -> None:
    """Raise ``InputError`` for a section, ends or a count that cannot be."""
    for name, value in section._asdict().items():
        if not (math.isfinite(value) and (value > 0.0 or (name == "J" and value == 0.0))):
            wanted = "zero or more" if name == "J" else "a positive number"
            raise InputError(f"{value:g} is out of range; give {wanted}", ("section", name))
    if ends not in get_args(Ends):
        raise InputError(
            f"{ends!r} are not ends of a beam; give one of {', '.join(get_args(Ends))}", ("ends",)
        )
    if count != int(count) or not 1 <= count <= MOST_MODES:
        message = f"{count} modes were asked for; give a whole number from 1 to {MOST_MODES}"
        raise InputError(message, ("count",))
