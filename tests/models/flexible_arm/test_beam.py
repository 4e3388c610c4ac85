"""Modes of a Timoshenko beam against closed forms, printed digits and a finite element beam."""

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh
from scipy.optimize import brentq

from errors import InputError
from models.flexible_arm.beam import Section, beam_modes
from models.flexible_arm.natural_frequencies import Ends
from models.flexible_arm.reference import TABLE_2, amplitudes
from tests.repetition import crossed, repeated

ENDS = get_args(Ends)
MODULUS, DENSITY, FACTOR = 2e11, 8000 / 3, 5 / 6
PAPER, SLENDER, THICK, BLOCK = 0.0125, 5e-4, 0.3, 1.5  # [m], heights of sections for a length of 1 m
# 1 to 20 modes of the block all lie above the cut-off frequency, of the thick beam all but four


def section(height, length=1.0, width=0.03, shear=MODULUS / 2.6):
    area, second = width * height, width * height**3 / 12
    return Section(length, MODULUS * second, FACTOR * shear * area, DENSITY * area, DENSITY * second)


def places(count=401, length=1.0):
    return np.linspace(0.0, length, count)


# ---------------------------------------------------------------- what the paper prints


@pytest.mark.parametrize("ends", TABLE_2)
def test_table_2_of_the_paper_is_met_to_all_its_digits(ends):
    """Its sixteenth digit is rounding: cs prints 2.602791457664548 and ...547 for one number."""
    printed, modes = TABLE_2[ends], beam_modes(section(PAPER), ends, 1)
    found = amplitudes(modes)
    for wavenumber, value in zip(modes.wavenumbers[0], printed.wavenumbers, strict=True):
        assert value is None or wavenumber == pytest.approx(value, abs=2e-15)
    assert found["W"] == pytest.approx(printed.W, abs=2e-15)
    assert found["Theta"] == pytest.approx(printed.Theta, abs=4e-15)


# ---------------------------------------------------------------- slender beams

WAVES = {
    "ss": lambda x: np.sin(x),
    "cc": lambda x: np.cos(x) - 1 / np.cosh(x),
    "sc": lambda x: np.tan(x) - np.tanh(x),
    "cs": lambda x: np.tan(x) - np.tanh(x),
    "cf": lambda x: np.cos(x) + 1 / np.cosh(x),
    "ff": lambda x: np.cos(x) - 1 / np.cosh(x),
}
FIRST = {"ss": 1.0, "cc": 1.5, "sc": 1.25, "cs": 1.25, "cf": 0.5, "ff": 1.5}  # [pi], near the first root


def slender_roots(ends, count):
    """Roots (count,) of the frequency equation of a beam that neither shears nor has rotary inertia."""
    return np.array(
        [
            brentq(WAVES[ends], x - 0.35, x + 0.35, xtol=1e-14)
            for x in (FIRST[ends] + np.arange(count)) * math.pi
        ]
    )


@pytest.mark.parametrize("ends", ENDS)
def test_slender_beams_have_the_frequencies_of_euler_and_bernoulli(ends):
    """The difference falls with the square of the height: the part that is left of it by two heights is 1e-9."""
    exact, ratios = slender_roots(ends, 8) ** 2, []
    for height in (2e-4, 1e-4):
        beam = section(height)
        frequencies = beam_modes(beam, ends, 8).frequencies
        ratios.append(frequencies / math.sqrt(beam.EI / beam.mu) / exact)
    assert ratios[0] == pytest.approx(1.0, abs=3e-5)
    assert (ratios[0] < ratios[1]).all()
    assert (4 * ratios[1] - ratios[0]) / 3 == pytest.approx(1.0, abs=1e-9)


def slender_shape(ends, root, eta):
    """W of Euler and Bernoulli at ``eta`` of a beam of length 1, scaled and signed as ours."""
    c, s, C, S = np.cos(root), np.sin(root), np.cosh(root), np.sinh(root)
    x = root * eta
    if ends == "ss":
        W = np.sin(x)
    elif ends == "sc":
        W = np.sin(x) / s - np.sinh(x) / S
    elif ends in ("cc", "cs"):
        W = np.cosh(x) - np.cos(x) - (C - c) / (S - s) * (np.sinh(x) - np.sin(x))
    elif ends == "cf":
        W = np.cosh(x) - np.cos(x) - (C + c) / (S + s) * (np.sinh(x) - np.sin(x))
    else:
        W = np.cosh(x) + np.cos(x) - (C - c) / (S - s) * (np.sinh(x) + np.sin(x))
    turns = np.nonzero(np.diff(np.sign(np.diff(W))))[0]
    first = turns[0] + 1 if len(turns) else np.abs(W).argmax()
    return W * np.sign(W[first]) / np.abs(W).max()


@pytest.mark.parametrize("ends", ENDS)
def test_slender_beams_have_the_shapes_of_euler_and_bernoulli(ends):
    """They begin at eta = 0 with the end that is named first, and have the sign that the record promises."""
    eta = places(2001)
    shapes = beam_modes(section(1e-4), ends, 5).shapes(eta)
    for shape, root in zip(shapes.T, slender_roots(ends, 5), strict=True):
        assert shape == pytest.approx(slender_shape(ends, root, eta), abs=5e-6)


# ---------------------------------------------------------------- the simply supported beam


@pytest.mark.parametrize("height", repeated([PAPER, 0.1, THICK, BLOCK], quick=[PAPER, BLOCK]))
def test_the_simply_supported_beam_has_two_spectra(height):
    """w^4 - w^2 (kAG/J + n^2 pi^2 (EI/J + kAG/mu)) + n^4 pi^4 EI kAG / (mu J) = 0 from the equations of motion.

    With W = sin(n pi eta) and Theta = T cos(n pi eta); T follows from the balance of forces.
    """
    beam, waves = section(height), np.pi * np.arange(60)
    middle = beam.kAG / beam.J + waves**2 * (beam.EI / beam.J + beam.kAG / beam.mu)
    last = waves**4 * beam.EI * beam.kAG / (beam.mu * beam.J)
    root = np.sqrt(middle**2 - 4 * last)
    squares = np.concatenate([(last / ((middle + root) / 2))[1:], (middle + root) / 2])
    half_waves = np.concatenate([np.arange(60)[1:], np.arange(60)])
    order = np.argsort(squares)[:50]
    modes, eta = beam_modes(beam, "ss", 50), places()
    assert modes.frequencies == pytest.approx(np.sqrt(squares[order]), rel=1e-13)
    for W, slope, square, n in zip(
        modes.shapes(eta).T, modes.slopes(eta).T, squares[order], half_waves[order], strict=True
    ):
        k = n * math.pi
        if n:
            assert pytest.approx(np.sin(k * eta), abs=1e-10) == W
            ratio = (k - beam.mu * square / (beam.kAG * k)) * np.cos(k * eta)
            assert slope == pytest.approx(ratio, abs=1e-13 * (k + np.abs(ratio).max()))
        else:
            assert square == pytest.approx(beam.kAG / beam.J)
            assert pytest.approx(0.0, abs=1e-12) == W
            assert slope == pytest.approx(1.0, abs=1e-12)


def test_the_mode_of_pure_shear_has_no_coefficients():
    beam = section(BLOCK)
    modes = beam_modes(beam, "ss", 12)
    (at,) = np.nonzero(np.isclose(modes.frequencies, math.sqrt(beam.kAG / beam.J), rtol=1e-12))[0]
    assert modes.coefficients[at] == pytest.approx(0.0, abs=1e-12)
    assert modes.wavenumbers[at, 1] == 0.0
    assert modes.strains([0.0, 0.4])[:, at] == pytest.approx(-1.0)


# ---------------------------------------------------------------- equations and end conditions


def residuals(beam, modes, eta):
    """Residuals of forces and of moments at ``eta`` (m,), over the sizes of their terms (2, m, k)."""
    h = 1e-5 / modes.wavenumbers.max()
    squares = modes.frequencies**2
    W, slope, strain, bend = modes.fields(eta)
    force = (modes.strains(eta + h) - modes.strains(eta - h)) / (2 * h) * beam.kAG
    moment = (modes.slope_derivatives(eta + h) - modes.slope_derivatives(eta - h)) / (2 * h) * beam.EI
    forces = (force + beam.mu * squares * W) / (beam.mu * squares + beam.kAG * np.abs(bend).max(axis=0))
    terms = [beam.EI * modes.wavenumbers[:, 0] * bend, beam.kAG * strain, beam.J * squares * slope]
    scale = np.abs(terms).max(axis=(0, 1))
    moments = (moment + beam.kAG * strain + beam.J * squares * slope) / scale
    return np.stack([forces, moments])


@pytest.mark.parametrize(("ends", "height"), crossed(ENDS, [SLENDER, PAPER, 0.1, THICK, BLOCK]))
def test_modes_obey_the_equations_of_motion(ends, height):
    """Derivatives of the strain and of the moment by central differences."""
    beam = section(height)
    assert residuals(beam, beam_modes(beam, ends, 20), places(41)[1:-1]) == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("height", [PAPER, THICK])
def test_derivatives_are_those_of_central_differences(ends, height):
    modes, eta = beam_modes(section(height), ends, 12), places(41)[1:-1]
    h = 1e-5
    for values, derivatives in (
        (modes.shapes, modes.shape_derivatives),
        (modes.slopes, modes.slope_derivatives),
        (modes.shape_derivatives, modes.shape_curvatures),
    ):
        found, sizes = (
            derivatives(eta),
            modes.wavenumbers.max(axis=1) * np.maximum(np.abs(values(eta)).max(axis=0), 1e-3),
        )
        expected = (values(eta + h) - values(eta - h)) / (2 * h)
        assert found / sizes == pytest.approx(expected / sizes, abs=1e-6)
    assert modes.strains(eta) == pytest.approx(
        modes.shape_derivatives(eta) - modes.slopes(eta), abs=1e-11 * np.abs(modes.slopes(eta)).max()
    )


HELD = {"c": (0, 1), "s": (0, 3), "f": (2, 3)}


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("height", [SLENDER, PAPER, 0.1, THICK, BLOCK])
def test_modes_obey_the_conditions_of_their_ends(ends, height):
    """Each of W, Theta, shear strain and Theta' at an end over the greatest along the beam."""
    modes = beam_modes(section(height), ends, 20)
    greatest = np.abs(modes.fields(places())).max(axis=1)
    greatest[0] = np.maximum(greatest[0], 1e-3)  # there is none in pure shear
    greatest[3] = np.maximum(greatest[3], 1e-3)
    for letter, place in zip(ends, (0.0, 1.0), strict=True):
        at_end = (modes.fields([place])[:, 0] / greatest)[list(HELD[letter])]
        assert at_end == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("height", [SLENDER, PAPER, THICK])
def test_the_coefficients_are_those_of_equations_28_and_29(height):
    """Up to the fifth mode of a slender beam, where cosh is about 1e7 and W keeps eight digits."""
    eta = places(101)
    for ends in ENDS:
        modes = beam_modes(section(height), ends, 5)
        p, q = modes.wavenumbers.T
        (C1, C2, C3, C4), (a, b) = modes.coefficients.T, modes.slope_factors.T
        above, x, y = modes.above_cut_off, p * eta[:, None], q * eta[:, None]
        sine, cosine = np.where(above, np.sin(y), np.sinh(y)), np.where(above, np.cos(y), np.cosh(y))
        slope = np.where(above, C3 * np.cos(y) - C4 * np.sin(y), C3 * np.cosh(y) + C4 * np.sinh(y))
        W = C1 * np.sin(x) + C2 * np.cos(x) + C3 * sine + C4 * cosine
        pure = np.isinf(b)
        assert pytest.approx(modes.shapes(eta), abs=1e-8) == W
        turn = a * (C1 * np.cos(x) - C2 * np.sin(x)) + np.where(pure, 0.0, b) * slope
        assert turn[:, ~pure] == pytest.approx(modes.slopes(eta)[:, ~pure], abs=1e-7)


# ---------------------------------------------------------------- no frequency is missed


def finite_elements(beam, ends, elements, count, degree=7):
    """The lowest frequencies [rad/s] of a beam of elements of one high degree for W and Theta: these do not lock."""
    x, weights = np.polynomial.legendre.leggauss(degree + 1)
    nodes = np.concatenate([[-1.0], np.polynomial.Legendre.basis(degree).deriv().roots(), [1.0]])
    terms = np.linalg.inv(np.polynomial.legendre.legvander(nodes, degree))
    values = (np.polynomial.legendre.legvander(x, degree) @ terms).T
    slopes = np.polynomial.legendre.legval(x, np.polynomial.legendre.legder(terms))
    h = beam.length / elements
    slopes, weights, none = slopes * 2 / h, weights * h / 2, np.zeros_like(values)
    strain, bend = np.vstack([slopes, -values]), np.vstack([none, slopes])
    move, turn = np.vstack([values, none]), np.vstack([none, values])
    stiff = beam.kAG * (strain * weights) @ strain.T + beam.EI * (bend * weights) @ bend.T
    mass = beam.mu * (move * weights) @ move.T + beam.J * (turn * weights) @ turn.T
    total = degree * elements + 1
    K, M = np.zeros((2 * total, 2 * total)), np.zeros((2 * total, 2 * total))
    for e in range(elements):
        own = degree * e + np.arange(degree + 1)
        both = np.concatenate([own, total + own])
        K[np.ix_(both, both)] += stiff
        M[np.ix_(both, both)] += mass
    held = {"c": (0, 1), "s": (0,), "f": ()}
    fixed = [place * total for place in held[ends[0]]] + [
        place * total + total - 1 for place in held[ends[1]]
    ]
    free = np.setdiff1d(np.arange(2 * total), fixed)
    skip = 2 if ends == "ff" else 0
    squares = eigh(
        K[np.ix_(free, free)],
        M[np.ix_(free, free)],
        eigvals_only=True,
        subset_by_index=(skip, skip + count - 1),
    )
    return np.sqrt(squares)


@pytest.mark.parametrize(("ends", "height"), crossed(ENDS, [PAPER, 0.1, THICK, 0.6, BLOCK]))
def test_no_frequency_is_missed(ends, height):
    """The first twenty of a beam of 20 finite elements; rounding limits them where it is slender."""
    beam = section(height, length=0.8)
    found = beam_modes(beam, ends, 20).frequencies
    assert found == pytest.approx(finite_elements(beam, ends, 20, 20), rel=3e-7 if height == PAPER else 2e-9)


@settings(max_examples=15)
@given(
    ends=st.sampled_from(ENDS),
    slenderness=st.floats(-2.0, 0.5),
    shear=st.floats(-1.0, 1.0),
    count=st.integers(1, 12),
)
def test_no_frequency_is_missed_whatever_the_section(ends, slenderness, shear, count):
    """Height over length from 1 in 100 to 3; kAG from a tenth to ten times that of steel."""
    R = 10 ** (2 * slenderness) / 12
    beam = Section(1.0, R, 0.32 * 10**shear, 1.0, R)
    found = beam_modes(beam, ends, count).frequencies
    expected = finite_elements(beam, ends, 10, count)
    assert found == pytest.approx(expected, rel=2e-6)


def test_even_and_odd_modes_whose_frequencies_meet_are_told_apart():
    """The seventh and eighth of a thick free beam, whose shear modulus is chosen so that they meet."""

    def gap(shear):
        modes = beam_modes(section(THICK, shear=shear), "ff", 12)
        here, mirrored = modes.shapes([0.3, 0.7])[:, 6]
        return np.diff(modes.frequencies)[6] * (1 if here * mirrored > 0.0 else -1)

    shear = brentq(gap, 0.72 * MODULUS / 2.6, 0.74 * MODULUS / 2.6, xtol=0.1)
    beam = section(THICK, shear=shear)
    modes = beam_modes(beam, "ff", 12)
    assert modes.frequencies[7] == pytest.approx(modes.frequencies[6], rel=1e-12)
    assert modes.frequencies == pytest.approx(finite_elements(beam, "ff", 15, 12), rel=1e-8)
    x, weights = np.polynomial.legendre.leggauss(96)
    W, slope, _, _ = modes.fields((x + 1) / 2)
    products = beam.mu * W.T @ (weights[:, None] * W) + beam.J * slope.T @ (weights[:, None] * slope)
    sizes = np.sqrt(np.diag(products))
    assert products / np.outer(sizes, sizes) == pytest.approx(np.eye(12), abs=1e-12)


# ---------------------------------------------------------------- sizes, signs, many modes


@pytest.mark.parametrize(("ends", "height"), crossed(ENDS, [PAPER, THICK, BLOCK]))
def test_the_greatest_displacement_is_1_and_the_first_extremum_positive(ends, height):
    modes, eta = beam_modes(section(height), ends, 12), places(20001)
    W = modes.shapes(eta)
    pure = np.isinf(modes.slope_factors[:, 1])
    assert np.abs(W).max(axis=0)[~pure] == pytest.approx(1.0, abs=2e-6)
    assert np.abs(W).max() <= 1.0 + 1e-13
    for shape in W.T[~pure]:
        turns = np.nonzero(np.diff(np.sign(np.diff(shape))))[0]
        assert shape[turns[0] + 1 if len(turns) else -1] > 0.0


@pytest.mark.parametrize(("ends", "height"), crossed(ENDS, [SLENDER, PAPER, THICK]))
def test_a_hundred_modes_are_found_without_overflow(ends, height):
    """Warnings are errors here. They begin with the fewer modes that one may ask for."""
    modes = beam_modes(section(height), ends, 100)
    assert (np.diff(modes.frequencies) > 0.0).all()
    fields = modes.fields(places(1001))
    assert np.isfinite(fields).all()
    assert np.abs(fields[0]).max() <= 1.0 + 1e-12
    few = beam_modes(section(height), ends, 3)
    assert few.frequencies == pytest.approx(modes.frequencies[:3], rel=1e-11)
    assert few.shapes(places(11)) == pytest.approx(modes.shapes(places(11))[:, :3], abs=1e-8)


def test_mirrored_ends_have_mirrored_modes():
    for height in (PAPER, THICK):
        here, there = (beam_modes(section(height), ends, 12) for ends in ("cs", "sc"))
        assert here.frequencies == pytest.approx(there.frequencies, rel=1e-12)
        eta = places(101)
        W, mirrored = here.shapes(eta), there.shapes(1.0 - eta)
        signs = np.sign((W * mirrored).sum(axis=0))
        assert pytest.approx(mirrored * signs, abs=1e-8) == W


def test_lengths_are_in_metres():
    """A beam of 2 m with the section of one of 1 m scaled: frequencies halve, shapes stretch."""
    one, two = section(0.1), section(0.2, length=2.0, width=0.06)
    for ends in ENDS:
        short, long = beam_modes(one, ends, 6), beam_modes(two, ends, 6)
        assert long.frequencies == pytest.approx(short.frequencies / 2, rel=1e-11)
        eta = places(31)
        for power, name in enumerate(["shapes", "slopes", "slope_derivatives"]):
            expected = getattr(short, name)(eta) / 2.0**power
            assert getattr(long, name)(2 * eta) == pytest.approx(expected, abs=1e-8 * np.abs(expected).max())
        assert long.wavenumbers == pytest.approx(short.wavenumbers / 2, rel=1e-9)


def test_a_beam_without_rotary_inertia_has_one_spectrum():
    beam = section(THICK)._replace(J=0.0)
    k = np.pi * np.arange(1, 21)
    exact = np.sqrt(beam.EI * k**4 / beam.mu / (1 + beam.EI * k**2 / beam.kAG))
    modes = beam_modes(beam, "ss", 20)
    assert modes.frequencies == pytest.approx(exact, rel=1e-12)
    assert not modes.above_cut_off.any()
    assert beam_modes(beam, "cf", 8).frequencies == pytest.approx(
        beam_modes(beam._replace(J=1e-12 * section(THICK).J), "cf", 8).frequencies, rel=1e-9
    )


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"EI": 0.0}, ("section", "EI")),
        ({"length": -1.0}, ("section", "length")),
        ({"mu": math.nan}, ("section", "mu")),
        ({"J": -1.0}, ("section", "J")),
        ({"kAG": math.inf}, ("section", "kAG")),
    ],
)
def test_sections_that_cannot_be_are_refused(change, place):
    with pytest.raises(InputError, match="out of range") as caught:
        beam_modes(section(PAPER)._replace(**change), "ss", 1)
    assert caught.value.place == place


@pytest.mark.parametrize(
    ("ends", "count", "words"), [("fs", 1, "ff"), ("ss", 0, "1 to 100"), ("cc", 101, "1 to 100")]
)
def test_unknown_ends_and_counts_are_refused(ends, count, words):
    with pytest.raises(InputError, match=words):
        beam_modes(section(PAPER), ends, count)
