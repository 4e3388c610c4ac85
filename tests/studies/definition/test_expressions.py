"""Expressions: what they compute, their units, and texts that are none."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import InputError, TautlineError
from studies.definition.expressions import FUNCTIONS, MOST_CHARACTERS, read_expression, unit_of_expression

VALUES = {"a": 2.0, "b": -3.0, "zero": 0.0, "list.0.2": 0.5, "margin.q05": 7.0, "absent": None}
UNITS = {"v": "m**3", "m": "kg", "F": "N", "L": "m", "angle": "rad", "n": "1"}


def value(text):
    return read_expression(text).value(VALUES.get)


def unit(text):
    return unit_of_expression(read_expression(text), UNITS.__getitem__, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("-a ** 2", -4.0),
        ("2 ** -1", 0.5),
        ("a ** 3 ** 2", 512.0),
        ("a - b - 1", 4.0),
        ("a / b / 2", -1 / 3),
        ("+a", 2.0),
        ("min(a, b, 5) + max(a, b)", -1.0),
        ("abs(b) + sqrt(4)", 5.0),
        ("sin(pi / 2) + cos(0) + tan(0)", 2.0),
        ("list.0.2 * margin.q05", 3.5),
        ("1.5e1 + .5 + 2.", 17.5),
        ("2 [mm] + 1 [ cm ]", 0.012),
        ("sin(30 [deg])", 0.5),
        ("  a\n * b ", -6.0),
    ],
)
def test_values(text, expected):
    assert value(text) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    "text",
    [
        "a / zero",
        "sqrt(b)",
        "b ** 0.5",
        "9 ** 9 ** 9",
        "1e300 * 1e300",
        "1 / (1e300 * 1e300)",
        "absent + 1",
        "other",
    ],
)
def test_what_is_no_finite_number_has_no_value(text):
    assert value(text) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("a +", "is not an expression"),
        ("a b", "is not an expression"),
        ("2mm", "is not an expression"),
        ("lambda", None),
        ("lambda a: a", "':' has no meaning"),
        ("a if b else c", "is not an expression"),
        ("__import__('os')", "has no meaning"),
        ("a.__class__()", "unknown function 'a.__class__'"),
        ("a[0]", "'[' has no meaning"),
        ("a ^ 2", "a power is written **"),
        ("a // b", "is not an expression"),
        ("a, b", "is not an expression"),
        ("min(a)", "min takes two or more values; 1 given"),
        ("sqrt(a, b)", "sqrt takes one value; 2 given"),
        ("min(*a)", "min takes two or more values"),
        ("sqr(a)", "did you mean 'sqrt'?"),
        ("2 (a)", "needs a sign between two values"),
        ("max + 1", "'max' is a function"),
        ("1e999", "is too large a number"),
        ("2 [blub]", "'blub' is not a known unit"),
        ("2 [9**9**9]", "is not a quantity"),
        ("(" * 400 + "a" + ")" * 400, "is not an expression"),
        ("-" * 900 + "a", "is nested more than 100 deep"),
        ("+".join("a" * 400), "is nested more than 100 deep"),
        ("a" * (MOST_CHARACTERS + 1), "has 1001 characters"),
        ("a" * 100_000, "has 100000 characters"),
    ],
)
def test_texts_that_are_none(text, message):
    if message is None:
        assert read_expression(text).names == (text,)
        return
    with pytest.raises(InputError) as caught:
        read_expression(text, ("expressions", "x"))
    assert message in str(caught.value)
    assert caught.value.place == ("expressions", "x")


@given(st.text(alphabet="ab01.+-*/()[], _eminsqrt\n'\"{}=:#\\", max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        found = read_expression(text)
    except TautlineError:
        return
    result = found.value(lambda _: 1.5)
    assert result is None or math.isfinite(result)
    assert not set(found.names) & set(FUNCTIONS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v / m", "m**3/kg"),
        ("F / F", "1"),
        ("2 * L", "m"),
        ("v ** (1 / 3)", "m"),
        ("sqrt(L)", "m**0.5"),
        ("min(L, 2 [mm])", "m"),
        ("F * L", "m*N"),
        ("sin(angle) + n", "1"),
        ("angle + 1", "rad"),
        ("2 ** n", "1"),
        ("abs(-L)", "m"),
    ],
)
def test_units(text, expected):
    assert unit(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v + m", "mixes m³ and kg in +"),
        ("L - 0.002", "mixes m and a pure number in -; a number can have a unit, as in 2 [mm]"),
        ("max(F, L)", "mixes N and m in max"),
        ("sin(F)", "takes the sin of a quantity in N, which is no angle"),
        ("F ** L", "has an exponent with a unit"),
        ("F ** n", "so its unit is unknown"),
        ("F ** 1e9", "so its unit is unknown"),
    ],
)
def test_units_that_do_not_fit(text, message):
    with pytest.raises(InputError) as caught:
        unit(text)
    assert message in str(caught.value)
