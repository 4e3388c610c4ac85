"""Numbers for people. The scripts of pages show the same cases (``tests/service/pages/test_frame.py``)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.formatting import number, percent, quantity, scale_of, title_of, unit_text, value_text
from models import load, names
from models.parameter_names import factor_words, option_words, parameter_words, words

GAP = "\N{NARROW NO-BREAK SPACE}"


QUANTITIES = [
    (0.25354, "m**3", "0.2535 m³"),
    (12.3, "N", "12.3 N"),
    (0.002, "m", "2 mm"),
    (0.7, "m", "0.7 m"),
    (1000.0, "N/m", "1000 N/m"),
    (25000.0, "N", "25 kN"),
    (math.pi / 2, "rad", "90°"),
    (0.0, "rad", "0°"),
    (-1.5, "1", "\N{MINUS SIGN}1.5"),
    (3.0, "1/m**1.5", "3 1/m^1.5"),
    (None, "N", "\N{EN DASH}"),
]


@pytest.mark.parametrize(("value", "unit", "shown"), QUANTITIES)
def test_quantities_carry_the_unit_that_reads_best(value, unit, shown):
    assert quantity(value, unit) == shown


NUMBERS = [
    (0, "0"),
    (9999.96, "10|000"),
    (1234567.0, "1|234|567"),
    (0.00012346, "0.0001235"),
    (0.15625, "0.1563"),
    (-0.15625, "\N{MINUS SIGN}0.1563"),
    (1.5e-7, "1.5·10⁻⁷"),
    (-2e12, "\N{MINUS SIGN}2·10¹²"),
    (math.inf, "∞"),
    (math.nan, "\N{EN DASH}"),
]


@pytest.mark.parametrize(("value", "shown"), NUMBERS)
def test_numbers_have_four_digits_and_spelled_out_powers(value, shown):
    assert number(value) == shown.replace("|", GAP)


def test_results_keep_their_digits():
    assert scale_of([7.7], "N").measured(7.7) == "7.700 N"


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15))
def test_a_shown_number_is_the_number_to_its_digits(value):
    text = number(value, 6).replace("\N{MINUS SIGN}", "-").replace(GAP, "")
    mantissa, _, power = text.partition("·10")
    digits = "⁰¹²³⁴⁵⁶⁷⁸⁹"
    exponent = int("".join("-" if c == "⁻" else str(digits.index(c)) for c in power)) if power else 0
    assert float(mantissa) * 10.0**exponent == pytest.approx(value, rel=1e-5, abs=1e-300)


def test_values_beside_each_other_share_a_unit():
    scale = scale_of([0.004, 0.00012, None], "m")
    assert [scale.show(v) for v in (0.004, 0.00012, None)] == ["4 mm", "0.12 mm", "\N{EN DASH}"]


STORED = [
    (None, "m", "not set"),
    (True, None, "yes"),
    ("corners", None, "corners"),
    ([0.07, 0.07, 0.05], "m", "(70, 70, 50) mm"),
    ([0.0] * 30, "1", "30 times 0"),
    ([1000.0] * 4 + [100.0] * 4, "N/m", "4 times 1000, 4 times 100 N/m"),
    ([1.0, 0.5], ["N", "N m"], "(1 N, 0.5 N m)"),
    ([[0.0, 1.0], [2.0, 3.0]], "m", "((0, 1), (2, 3)) m"),
    ({"center": [1.0, 2.0]}, "N", "center (1, 2) N"),
]


@pytest.mark.parametrize(("value", "unit", "shown"), STORED)
def test_stored_parameters_as_text(value, unit, shown):
    assert value_text(value, unit) == shown


def test_units_and_shares():
    assert [unit_text(u) for u in ("1", "m**3", "N*m", "1/m**3")] == ["", "m³", "N·m", "1/m³"]
    assert [percent(s) for s in (0, 0.0001, 0.055, 0.125, 0.5, 1)] == [
        "0 %",
        "under 0.1 %",
        "5.5 %",
        "13 %",
        "50 %",
        "100 %",
    ]


@pytest.mark.parametrize(
    ("path", "plain", "of_robot"),
    [
        ("capacity_margin.q05", "capacity margin q05", "capacity margin q05"),
        ("robust.F2.q95", "robust F2 q95", "robust F2 q95"),
        ("pulleys.7.2", "pulleys 8, 3", "cable 8, pulley z"),
        ("platform_half_size.1", "platform half size 2", "platform half size y"),
        ("space.0.2", "space 1, 3", "space, lower corner z"),
        ("arm_joint_limits.0.1", "arm joint limits 1, 2", "least angle of arm joint 2"),
        ("cable_stiffness.3", "cable stiffness 4", "cable 4, stiffness"),
        ("pulleys", "pulleys", "pulleys"),
        ("attachments.0", "attachments 1", "cable 1, attachment"),
        ("test_load.3", "test load 4", "test load moment x"),
        ("arm_links.1.inertia.3", "arm links 2, inertia 4", "arm link 2, inertia xy"),
        ("trajectory.joints.1.5", "trajectory joints 2, 6", "trajectory waypoint 2, arm joint 6"),
        ("task_poses.0.position.2", "task poses 1, position 3", "task poses 1, position 3"),
    ],
)
def test_items_of_lists_count_from_1_and_coordinates_have_letters(path, plain, of_robot):
    robot = load("hybrid-cable-robot").parameters
    assert words(path) == plain
    assert parameter_words(robot, path) == of_robot


def test_numbers_that_vary_together_are_listed():
    robot = load("hybrid-cable-robot").parameters
    assert factor_words(robot, "pulleys.0.0, pulleys.0.2") == "cable 1, pulley x; cable 1, pulley z"


@pytest.mark.parametrize("name", names())
def test_no_two_metrics_of_a_back_end_share_a_title(name):
    titles = [title_of(metric.name, metric.label) for metric in load(name).metrics]
    assert len(titles) == len(set(titles))


def test_options_are_named_in_words():
    record = load("hybrid-cable-robot").parameters
    assert option_words(record, "tension_rule", "minimum-norm") == "least norm"
    assert option_words(record, "obstacles.0.kind", "mesh") == "mesh"
    assert option_words(load("continuum-statics").parameters, "material", "spring-steel") == "spring steel"


@pytest.mark.parametrize(
    ("path", "name"),
    [("beta1", "azimuth beta1"), ("f_max", "greatest tension"), ("f_min.3", "cable 4, least tension")],
)
def test_a_parameter_whose_name_is_a_symbol_is_called_by_its_label(path, name):
    assert parameter_words(load("hybrid-cable-robot").parameters, path) == name
