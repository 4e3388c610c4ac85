"""Volumes of two workspaces against each other: boxes, in closed form."""

import itertools

import numpy as np
import pytest

from studies.comparison.workspace_overlap import Cells, workspace_overlap


def box(lower, sides, counts):
    """The cells of a box with a lower corner and sides (3,) m."""
    size = np.asarray(sides, float) / counts
    places = np.array(list(itertools.product(*(range(count) for count in counts))), float)
    return Cells(np.asarray(lower, float) + (places + 0.5) * size, size)


@pytest.mark.parametrize(
    ("lower", "sides", "counts", "both"),
    [
        (
            [0.5, 0.0, 0.0],
            [1.0, 1.0, 1.0],
            [5, 5, 5],
            0.5,
        ),  # half of each cell of one grid lies in the other's
        ([0.25, 0.1, 0.1], [0.3, 0.4, 0.5], [3, 2, 7], 0.06),  # inside
        ([1.0, 0.0, 0.0], [1.0, 1.0, 1.0], [4, 4, 4], 0.0),  # touches
        ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [3, 3, 3], 1.0),  # the same box
    ],
)
def test_boxes_of_other_grids_share_what_they_share(lower, sides, counts, both):
    first, second = box([0, 0, 0], [1, 1, 1], [4, 4, 4]), box(lower, sides, counts)
    found = workspace_overlap(first, second)
    assert found.both == pytest.approx(both, abs=1e-12)
    assert found.first_only == pytest.approx(1.0 - both, abs=1e-12)
    assert found.second_only == pytest.approx(np.prod(sides) - both, abs=1e-12)


def test_the_error_is_half_a_cell_all_around():
    one = box([0, 0, 0], [1, 1, 1], [10, 10, 10])
    assert one.error == pytest.approx(6 * 0.05)  # six faces of 1 m^2, half a cell of 0.1 m
    nothing = Cells(np.zeros((0, 3)), np.full(3, 0.1))
    found = workspace_overlap(one, nothing)
    assert (found.both, found.second_only) == (0.0, 0.0)
    assert found.first_only == pytest.approx(1.0)
    assert found.error == pytest.approx(0.3)
