"""JSON text of stored values: the same values come back, and nothing that is not finite goes in."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import StoreError
from studies.store.column_types import decoded, encoded

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_values_come_back_to_the_bit_and_as_python_reads_them(value):
    text = encoded(value)
    assert text.isascii()
    assert repr(decoded(text)) == repr(decoded(text.encode())) == repr(json.loads(text)) == repr(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_text_that_python_wrote_is_read_to_the_bit(number):
    assert repr(decoded(json.dumps([number]))) == repr([number])


@pytest.mark.parametrize("text", ["\ud800", "a\0b", "NaN", "Infinity", "\N{MICRO SIGN}m"])
def test_any_text_comes_back(text):
    assert decoded(encoded({text: [text]})) == {text: [text]}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_refused(number):
    with pytest.raises(StoreError, match="cannot be stored"):
        encoded({"a": [1.0, number]})
