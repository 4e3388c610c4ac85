import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from studies.search.dominance import Archive, nondominated

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


@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_archive_says_the_same_in_the_same_order_as_the_plain_definition(seed, m):
    rng = np.random.default_rng(seed)
    archive, members, numbers = Archive(m), np.empty((0, m)), np.empty(0, dtype=np.int64)
    for start in range(0, 60, 12):
        batch = rng.integers(0, 5, (12, m)).astype(float)
        asked = np.arange(start, start + 12)
        everything, all_numbers = np.concatenate([members, batch]), np.concatenate([numbers, asked])
        keep = ~dominated_by_any(everything)
        expected = (
            all_numbers[len(numbers) :][keep[len(numbers) :]].tolist(),
            numbers[~keep[: len(numbers)]].tolist(),
        )
        assert archive.add(batch, asked) == expected
        members, numbers = everything[keep], all_numbers[keep]
        assert np.array_equal(archive.objectives, members)


@pytest.mark.parametrize("m", [2, 3, 5])
@pytest.mark.parametrize("count", [10_000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_archive_bears_fronts_of_thousands(m, count):
    """Less per design than a search takes to ask for one (0.04 ms on a quiet machine; a wide limit here)."""
    rng = np.random.default_rng(0)
    archive = Archive(m)
    points = np.abs(rng.normal(size=(count, m)))
    points *= (1 + 0.3 * rng.random((count, 1))) / np.linalg.norm(points, axis=1, keepdims=True)
    begin = time.process_time()
    for start in range(0, count, 100):
        archive.add(points[start : start + 100], np.arange(start, start + 100))
    assert time.process_time() - begin < count * 4e-4
    members = archive.objectives[:: max(len(archive) // 20, 1)]
    no_worse = (points[:, None] <= members).all(axis=2)
    better = (points[:, None] < members).any(axis=2)
    assert not (no_worse & better).any()
