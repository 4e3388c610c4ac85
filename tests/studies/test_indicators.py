import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from studies.indicators import Archive, additive_epsilon, beyond_worst, coverage, hypervolume, nondominated

points = arrays(
    float, st.tuples(st.integers(1, 12), st.integers(1, 3)), elements=st.integers(0, 6).map(float)
)


def dominated_by_any(objectives):
    no_worse = (objectives[:, None] <= objectives[None]).all(axis=2)
    better = (objectives[:, None] < objectives[None]).any(axis=2)
    return (no_worse & better).any(axis=0)


@given(points)
def test_nondominated_equals_the_definition(objectives):
    assert np.array_equal(nondominated(objectives), ~dominated_by_any(objectives))


@given(points, st.integers(1, 4))
def test_archive_fed_in_batches_is_the_front_of_everything(objectives, size):
    archive = Archive(objectives.shape[1])
    members = set()
    for start in range(0, len(objectives), size):
        batch = objectives[start : start + size]
        entered, left = archive.add(batch, np.arange(start, start + len(batch)))
        assert members.issuperset(left)
        members = (members - set(left)) | set(entered)
    assert members == set(np.flatnonzero(~dominated_by_any(objectives)).tolist())
    assert len(archive) == len(members)


def test_hypervolume_of_staircases():
    assert hypervolume(np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([3.0, 3.0])) == pytest.approx(3.0)
    assert hypervolume(np.array([[0.0, 0.0, 0.0]]), np.array([2.0, 3.0, 4.0])) == pytest.approx(24.0)
    assert hypervolume(np.array([[4.0], [2.5]]), np.array([3.0])) == pytest.approx(0.5)
    assert hypervolume(np.array([[4.0, 4.0]]), np.array([3.0, 3.0])) == 0.0
    assert hypervolume(np.empty((0, 2)), np.array([3.0, 3.0])) == 0.0


@given(points)
def test_hypervolume_never_falls_as_designs_come(objectives):
    reference = beyond_worst(objectives)
    volumes = [hypervolume(objectives[:n], reference) for n in range(1, len(objectives) + 1)]
    assert all(later >= earlier - 1e-12 for earlier, later in itertools.pairwise(volumes))


@given(points)
def test_reference_point_is_beyond_every_value(objectives):
    assert (beyond_worst(objectives) > objectives.max(axis=0)).all()


def test_coverage_and_epsilon_of_shifted_fronts():
    front = np.array([[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]])
    worse = front + 0.5
    assert coverage(front, worse) == 1.0
    assert coverage(worse, front) == 0.0
    assert additive_epsilon(front, worse) == pytest.approx(-0.5)
    assert additive_epsilon(worse, front) == pytest.approx(0.5)
    assert coverage(front, front) == 1.0
    assert additive_epsilon(front, front) == 0.0
