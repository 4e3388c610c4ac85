"""Lines that seeds attain go on to the worst values, so that a single point makes one, too."""

import numpy as np
import pytest

from dashboards.figures.attainment import _to_the_worst, _worst


def test_a_front_of_a_single_point_is_a_line_through_it():
    point = np.array([[2.0, 5.0]])
    worst = _worst([point])
    assert (worst > point[0]).all()
    line = _to_the_worst(point, worst)
    assert line.tolist() == [[2.0, worst[1]], [2.0, 5.0], [worst[0], 5.0]]


def test_all_lines_end_at_the_same_worst_values():
    lines = [np.array([[0.0, 4.0], [1.0, 3.0]]), np.array([[2.0, 2.0], [4.0, 0.0]])]
    worst = _worst(lines)
    assert worst == pytest.approx([4.32, 4.32])
    assert all(_to_the_worst(line, worst)[-1, 0] == worst[0] for line in lines)
    assert len(_to_the_worst(np.empty((0, 2)), worst)) == 0
