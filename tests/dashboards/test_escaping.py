import json
import re

from hypothesis import given
from hypothesis import strategies as st

from dashboards.templating import plotly_text, raised, rounded, script_json


@given(st.text())
def test_json_in_a_script_element_keeps_its_text_and_cannot_end_the_element(text):
    written = script_json({"name": text})
    assert json.loads(written) == {"name": text}
    assert not set("<>&\u2028\u2029") & set(written)


@given(st.text())
def test_no_markup_reaches_plotly(text):
    assert not set("<>") & set(re.sub(r"<sup>-?\d+(\.\d+)?</sup>", "", plotly_text(text)))


def test_powers_are_raised_in_figures_and_in_html():
    assert plotly_text("F2 [1/m^1.5] <b>") == "F2 [1/m<sup>1.5</sup>] &lt;b&gt;"
    assert raised("m^-1.5 & <b>") == "m<sup>-1.5</sup> &amp; &lt;b&gt;"


def test_figures_round_to_six_digits_and_drop_what_is_not_finite():
    assert rounded([1.23456789, None, float("nan"), float("inf"), 0.0]) == [1.23457, None, None, None, 0.0]
