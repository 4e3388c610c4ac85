import numpy as np

from studies.results.front_picks import front_picks, knee, nearest_to_ideal


def front(*values):
    return np.array(values)


def test_the_pick_closest_to_ideal_is_nearest_to_the_ideal_point():
    assert nearest_to_ideal(front((0.0, 1.0), (0.2, 0.3), (1.0, 0.0))) == 1


def test_the_knee_bulges_most_whatever_the_units():
    designs = front((0.0, 1.0), (0.1, 0.55), (0.45, 0.45), (0.3, 0.15), (1.0, 0.0))
    assert knee(designs) == 3
    assert knee(designs * [1000.0, 1e-6] + [5.0, 0.0]) == 3


def test_the_knee_need_not_be_nearest_to_the_ideal():
    designs = front((0.0, 1.0), (0.02, 0.66), (0.45, 0.45), (1.0, 0.0))
    assert (knee(designs), nearest_to_ideal(designs)) == (1, 2)


def test_each_objective_has_its_best_and_flat_ones_do_no_harm():
    designs = front((1.0, 7.0, 2.0), (0.0, 7.0, 3.0), (0.4, 7.0, 2.2))
    found = [(pick.kind, pick.objective, pick.row) for pick in front_picks(designs, ["f", "g", "h"])]
    assert found == [("best", "f", 1), ("best", "g", 0), ("best", "h", 0), ("knee", "", 2), ("ideal", "", 2)]


def test_one_objective_has_a_best_and_no_knee_and_no_design_has_nothing():
    assert [pick.kind for pick in front_picks(front((2.0,), (2.0,)), ["f"])] == ["best"]
    assert front_picks(np.empty((0, 0)), ["f", "g"]) == []
