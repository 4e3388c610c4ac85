import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import InputError
from models.units import parse_difference, parse_quantity


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("5 mm", "m", 0.005),
        ("5mm", "m", 0.005),
        ("-2.5e-3 m", "m", -0.0025),
        ("30 deg", "rad", math.pi / 6),
        ("30°", "rad", math.pi / 6),
        ("1 kN", "N", 1000.0),
        ("2 N/mm", "N/m", 2000.0),
        ("3 N m", "N m", 3.0),
        ("3 N·m", "N m", 3.0),
        ("2 cm^2", "m**2", 2e-4),
        ("20 degC", "K", 293.15),
        ("50 %", "1", 0.5),
        ("3 (N/m)/m", "Pa", 3.0),
        ("2 (mm^2)^1.5", "m**3", 2e-9),
        ("60 m per min", "m/s", 1.0),
        ("7", "1", 7.0),
        (" .5 m ", "m", 0.5),
    ],
)
def test_quantities_become_si_numbers(text, unit, value):
    assert parse_quantity(text, unit) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("5", "m"),
        ("5 kg", "m"),
        ("five mm", "m"),
        ("5 mm; import os", "m"),
        ("5 no_such_unit", "m"),
        ("5 nosuchunit", "m"),
        ("5 m", "1"),
        ("", "m"),
        ("nan m", "m"),
        ("1e999 m", "m"),
        ("9 m^99", "m"),
        ("1 m^9^9^9^9", "m"),
        ("1 min cubed cubed cubed", "s"),
        ("1 " + "(" * 9 + "min/s" + ")^9" * 9, "1"),
        ("1 m*", "m"),
        ("1 (m", "m"),
        ("1 m)", "m"),
        ("9**9**9 m", "m"),
        ("1" * 100 + " m", "m"),
        ("5 mm 3", "m"),
    ],
)
def test_anything_else_is_refused_with_its_place(text, unit):
    with pytest.raises(InputError) as caught:
        parse_quantity(text, unit, ("parameters", "length"))
    assert caught.value.place == ("parameters", "length")


TOWERS = ["1 m^9^9^9^9", "1 min^9^9^9^9", "1 m**9**9**9", "1 min cubed cubed cubed cubed", "1 (((min/s)^99)^99)^99",
          "5 " + "a" * 26 + "!", "5" + " " * 70 + "!", "5 " + "a" * 100_000, " " * 100_000 + "!", "9" * 100_000]  # fmt: skip


def test_no_text_of_a_stranger_keeps_the_processor_busy():
    program = """
import sys
from models.units import parse_difference, parse_quantity
for text in sys.stdin.read().splitlines():
    try:
        parse_quantity(text, "m")
    except Exception as error:
        assert type(error).__name__ == "InputError", error
"""
    tried = subprocess.run(
        [sys.executable, "-c", program], input="\n".join(TOWERS), text=True, timeout=60, check=False
    )
    assert tried.returncode == 0


@given(st.text(max_size=90))
def test_no_text_gets_past_as_anything_but_a_finite_number(text):
    try:
        value = parse_quantity(text, "m")
    except InputError:
        return
    assert math.isfinite(value)


@given(st.floats(-1e6, 1e6))
def test_a_number_survives_being_written_with_its_unit(value):
    assert parse_quantity(f"{value!r} m", "m") == value


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("5 kg", "m", "it is a mass; expected a quantity in m or a unit that converts to it"),
        ("30 deg", "N", "it is an angle; expected a quantity in N"),
        ("5 mm", "rad", "it is a length; expected a quantity in rad"),
        ("5 mm", "1", "it is a length; expected a pure number"),
        ("2 N", "m**3", "it is a force; expected a quantity in m\N{SUPERSCRIPT THREE}"),
        ("5 nosuchunit", "m", "'nosuchunit' is not a known unit; expected a quantity in m"),
    ],
)
def test_a_wrong_dimension_is_reported_in_plain_words(text, unit, said):
    with pytest.raises(InputError) as caught:
        parse_quantity(text, unit)
    assert said in caught.value.message
    assert "[" not in caught.value.message
    assert "convert from" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("2 degC", "K", 2.0),
        ("-9 degF", "K", -5.0),
        ("2 delta_degC", "K", 2.0),
        ("2 celsius", "K", 2.0),
        ("2 °C", "K", 2.0),
        ("2 K", "K", 2.0),
        ("3 W/degC", "W/K", 3.0),
        ("5 mm", "m", 0.005),
    ],
)
def test_a_difference_has_no_zero_of_its_own(text, unit, value):
    assert parse_difference(text, unit) == pytest.approx(value, rel=1e-12)


def test_a_difference_of_another_kind_is_refused():
    with pytest.raises(InputError, match="'5 kg' cannot be used here: it is a mass"):
        parse_difference("5 kg", "K")
