import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.exchange.voxels import cell_indices, exposed, hull

SIZE = np.array([0.1, 0.2, 0.05])


def block(n, m, k):
    cells = np.stack(np.meshgrid(range(n), range(m), range(k), indexing="ij"), axis=-1).reshape(-1, 3)
    return np.array([1.0, -2.0, 0.5]) + cells * SIZE


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_a_block_shows_its_outer_faces_only(n, m, k):
    points = block(n, m, k)
    cells, _ = cell_indices(points, SIZE)
    faces = sum(len(exposed(cells, axis, side)) for axis in range(3) for side in (-1, 1))
    surface = hull(points, SIZE)
    a, b, c = np.array([n, m, k]) * SIZE
    assert faces == 2 * (n * m + m * k + k * n)
    assert len(surface) == 2 * (n + m + k)
    assert surface.triangles.shape == (4 * (n + m + k), 3)
    assert surface.area == pytest.approx(2 * (a * b + b * c + c * a))
    assert surface.corners.min(axis=(0, 1)) == pytest.approx(points.min(axis=0) - SIZE / 2)
    assert surface.corners.max(axis=(0, 1)) == pytest.approx(points.max(axis=0) + SIZE / 2)


@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1))
def test_joined_strips_cover_what_the_single_faces_cover(filled):
    size = np.ones(3)
    cells = np.array(sorted(filled))
    neighbours = [
        tuple(cell + step) in filled
        for cell in cells
        for step in np.vstack([np.eye(3, dtype=int), -np.eye(3, dtype=int)])
    ]
    assert hull(cells.astype(float), size).area == pytest.approx(neighbours.count(False))


def test_order_of_cells_and_rounding_of_centres_do_not_matter():
    points = block(3, 4, 2)
    mixed = np.random.default_rng(1).permutation(points) + 1e-9
    assert np.allclose(
        np.sort(hull(mixed, SIZE).corners, axis=0), np.sort(hull(points, SIZE).corners, axis=0), atol=1e-8
    )


def test_no_cells_have_no_hull():
    assert len(hull(np.empty((0, 3)), SIZE)) == 0
