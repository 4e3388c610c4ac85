import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable

SPACE = DesignSpace((
    RealVariable("a", "m", -1.0, 3.0),
    ChoiceVariable("b", "1", range(2, 7), stepped=True),
    ChoiceVariable("c", "", ("x", "y", "z")),
))  # fmt: skip
unit = st.floats(0, 1)


def test_ends_are_met_exactly():
    assert SPACE.decode(np.zeros(3)) == {"a": -1.0, "b": 2, "c": "x"}
    assert SPACE.decode(np.ones(3)) == {"a": 3.0, "b": 6, "c": "z"}


@given(st.tuples(unit, unit, unit))
def test_snapping_keeps_the_design_and_is_idempotent(point):
    u = np.array([point])
    snapped = SPACE.snap(u)
    assert SPACE.decode(snapped[0]) == SPACE.decode(u[0])
    assert np.array_equal(SPACE.snap(snapped), snapped)


@given(unit, st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_real_values_stay_within_bounds(u, lower, width):
    variable = RealVariable("a", "m", lower, lower + width)
    assert lower <= variable.decode(u) <= lower + width


def test_every_choice_is_reached_in_equal_shares():
    values = [SPACE.decode(np.array([0, u, 0]))["b"] for u in np.linspace(0, 1, 1001)[:-1]]
    assert {v: values.count(v) for v in set(values)} == dict.fromkeys(range(2, 7), 200)


def test_grid_size_is_a_product_known_before_anything_is_built():
    assert SPACE.grid_shape(10) == (10, 5, 3)
    assert DesignSpace(tuple(RealVariable(str(i), "1", 0, 1) for i in range(50))).grid_size(10) == 10**50


@given(st.lists(st.tuples(unit, unit, unit), min_size=1, max_size=20))
def test_many_points_give_the_values_that_each_gives(points):
    """To the last bit, signs of zeros and types included."""
    u = np.array(points)
    one_by_one = [tuple(SPACE.decode(point).values()) for point in u]
    assert repr(SPACE.values(u)) == repr(one_by_one)


@given(st.lists(unit, min_size=1, max_size=20), st.floats(-1e6, 1e6), st.floats(1e-9, 1e6))
def test_a_column_of_reals_is_decoded_as_each_of_them(column, lower, width):
    variable = RealVariable("a", "m", lower, lower + width)
    assert repr(variable.decode_all(np.array(column))) == repr([variable.decode(u) for u in column])


decades = st.tuples(st.floats(1e-6, 1e6), st.floats(1.001, 1e8))


@given(st.lists(unit, min_size=1, max_size=20), decades)
def test_a_logarithmic_column_meets_its_ends_and_gives_what_each_gives(column, decades):
    lower, ratio = decades
    variable = RealVariable("a", "m", lower, lower * ratio, logarithmic=True)
    assert (variable.decode(0.0), variable.decode(1.0)) == (variable.lower, variable.upper)
    assert variable.decode(0.5) == pytest.approx(math.sqrt(variable.lower * variable.upper), rel=1e-12)
    values = variable.decode_all(np.array(column))
    assert repr(values) == repr([variable.decode(u) for u in column])
    assert all(variable.lower <= value <= variable.upper for value in values)


def test_a_number_that_rounding_keeps_off_its_step_has_its_place():
    degrees = [math.radians(each) for each in (10, 20, 30)]
    rounded = ChoiceVariable("a", "rad", (degrees[0], 0.349065850399, degrees[2]), stepped=True)
    assert [rounded.encode(each) for each in degrees] == [pytest.approx((k + 0.5) / 3) for k in range(3)]
    for wrong in (math.radians(15), math.radians(40), math.nan, True, "20 deg"):
        with pytest.raises(ValueError, match=r".*"):
            rounded.encode(wrong)
    many = ChoiceVariable("n", "1", range(1_000_000), stepped=True)
    assert many.decode(many.encode(765_432)) == 765_432


@given(unit, decades)
def test_a_logarithmic_value_is_encoded_where_it_came_from(u, decades):
    lower, ratio = decades
    variable = RealVariable("a", "m", lower, lower * ratio, logarithmic=True)
    assert variable.decode(variable.encode(variable.decode(u))) == pytest.approx(
        variable.decode(u), rel=1e-12
    )
