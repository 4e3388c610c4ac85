"""The ground: through its points, level beyond them, its kernel against the definition."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from errors import InputError
from models.flexible_arm.contact import contact_of, friction_of
from models.flexible_arm.ground import LEVEL, MOST_POINTS, gap_of, ground_at, ground_of
from tests.models.flexible_arm.kernel_entries import fill_contact_forces

HILLS = [(-1.0, 0.0), (-0.2, 0.3), (0.4, 0.3), (0.9, -0.2), (2.0, 0.1)]


def compiled_gaps(ground, x, y):
    contact = contact_of("hu-guo", 0.8, 1e8, friction_of(), ground)
    points, gaps = np.column_stack([x, y]), np.empty(len(x))
    fill_contact_forces(contact, points, np.zeros_like(points), np.ones(len(x)), gaps, np.empty((len(x), 6)))
    return gaps


def test_no_points_are_level_ground_at_0():
    for ground in (ground_of(), ground_of([]), LEVEL):
        surface = ground_at(ground, [-3.0, 0.0, 5.0])
        assert np.array_equal(np.array(surface[:3]), np.zeros((3, 3)))
        assert np.array_equal(surface.cosine, np.ones(3))
    assert np.array_equal(gap_of(LEVEL, [1.0, -2.0], [0.3, -0.1]), [0.3, -0.1])
    assert np.array_equal(compiled_gaps(LEVEL, [1.0, -2.0], [0.3, -0.1]), [0.3, -0.1])


def test_one_point_is_level_ground_at_its_height():
    x = np.linspace(-2.0, 2.0, 9)
    assert np.array_equal(ground_at(ground_of([(0.5, 0.25)]), x).height, np.full(9, 0.25))
    assert np.array_equal(compiled_gaps(ground_of([(0.5, 0.25)]), x, np.ones(9)), np.full(9, 0.75))


def test_inside_the_table_the_ground_is_scipys_curve():
    table = np.array(HILLS)
    x = np.linspace(-1.0, 2.0, 301)
    level = np.vstack([[-2.0, 0.0], table, [3.0, 0.1]])
    curve = PchipInterpolator(level[:, 0], level[:, 1])
    surface = ground_at(ground_of(HILLS), x)
    assert surface.height == pytest.approx(curve(x), abs=1e-15)
    assert surface.slope == pytest.approx(curve(x, 1), abs=1e-14)
    assert np.tan(np.arcsin(surface.sine)) == pytest.approx(surface.slope, abs=1e-14)
    assert np.hypot(surface.sine, surface.cosine) == pytest.approx(np.ones(301), abs=1e-15)


def test_the_ground_never_leaves_the_heights_of_two_neighbours():
    for (x, h), (x1, h1) in pairwise(HILLS):
        heights = ground_at(ground_of(HILLS), np.linspace(x, x1, 101)).height
        assert heights.min() >= min(h, h1) - 1e-15
        assert heights.max() <= max(h, h1) + 1e-15


@pytest.mark.parametrize("end", [-1.0, 2.0])
def test_beyond_the_table_the_ground_is_level_and_without_an_edge(end):
    ground = ground_of(HILLS)
    at_the_end = ground_at(ground, end)
    beyond = ground_at(ground, end + math.copysign(1.0, end) * np.array([1e-9, 0.5, 1e6]))
    assert np.array_equal(beyond.height, np.full(3, at_the_end.height))
    assert np.array_equal(beyond.slope, np.zeros(3))
    near = ground_at(ground, end - math.copysign(1e-7, end))
    assert near.height == pytest.approx(at_the_end.height, abs=1e-12)
    assert near.slope == pytest.approx(0.0, abs=1e-5)


def test_straight_ground_has_the_distance_as_its_gap():
    ground = ground_of([(x, 0.5 * x) for x in np.linspace(-5.0, 5.0, 11)])
    x, y = np.array([0.3, -1.2]), np.array([0.4, -0.7])
    distances = (y - 0.5 * x) / math.hypot(1.0, 0.5)
    assert gap_of(ground, x, y) == pytest.approx(distances, rel=1e-14)


def test_the_kernel_is_the_definition():
    ground, rng = ground_of(HILLS), np.random.default_rng(1)
    x = np.concatenate([rng.uniform(-2.0, 3.0, 500), np.array(HILLS)[:, 0]])
    y = rng.uniform(-1.0, 1.0, len(x))
    assert compiled_gaps(ground, x, y) == pytest.approx(gap_of(ground, x, y), abs=1e-15)


@pytest.mark.parametrize(
    ("points", "place", "words"),
    [
        ([(0.0, 0.0), (0.0, 1.0)], ("ground", 1), "the same or too close"),
        ([(0.0, 0.0), (1.0, 0.0), (0.5, 0.0)], ("ground", 2), "out of order: 0.5 m follows 1 m"),
        ([(0.0, 0.0), (1e-4, 0.0)], ("ground", 1), "at least 0.001 m"),
        ([(0.0, 0.0), (1.0, 0.0), (1.01, 0.5)], ("ground", 2), "at most 10 is possible"),
        ([(0.0, math.nan)], ("ground",), "finite"),
        ([0.0, 1.0], ("ground",), "a place and a height"),
        ([(0.0, 0.0, 0.0)], ("ground",), "a place and a height"),
        ([(float(k), 0.0) for k in range(MOST_POINTS + 1)], ("ground",), "1001 points are too many"),
    ],
)
def test_tables_that_are_no_ground(points, place, words):
    with pytest.raises(InputError) as caught:
        ground_of(points)
    assert caught.value.place == place
    assert words in str(caught.value)
