"""Curves over time: panels, units, marks, and thinning that keeps peaks."""

import json

import numpy as np
import pytest

from dashboards.figures.time_series import (
    MOST_SAMPLES,
    TimeCurve,
    TimeMark,
    TimePanel,
    peak_places,
    time_series_figure,
)

TIMES = np.linspace(0.0, 2.0, 9)


def two_panels(*, marks=()):
    pull = TimeCurve("cable 1", TIMES, 0.02 * TIMES)
    tensions = [TimeCurve(f"cable {number}", TIMES, number * TIMES) for number in (1, 2)]
    return time_series_figure(
        [TimePanel("tension", "N", tuple(tensions)), TimePanel("wound length", "m", (pull,))], marks
    )


def test_every_panel_has_its_unit_and_all_have_one_time():
    figure = two_panels()
    layout = figure["layout"]
    assert layout["yaxis"]["title"]["text"] == "tension [N]"
    assert layout["yaxis2"]["title"]["text"] == "wound length [mm]"
    assert (layout["xaxis"]["title"]["text"], layout["xaxis2"]["title"]["text"]) == ("", "time [s]")
    assert layout["xaxis2"]["matches"] == "x"
    assert layout["yaxis"]["domain"][0] > layout["yaxis2"]["domain"][1]
    assert [trace["y"][-1] for trace in figure["data"]] == [2.0, 4.0, 40.0]


def test_a_name_looks_alike_everywhere_and_stands_once_in_the_legend():
    first, second, again = two_panels()["data"]
    assert first["line"] == again["line"] != second["line"]
    assert [trace["showlegend"] for trace in (first, second, again)] == [True, True, False]


def test_marks_cross_all_panels_and_are_named_above_them():
    layout = two_panels(marks=[TimeMark(0.5, "starts"), TimeMark(1.5, "stops")])["layout"]
    assert [(line["x0"], line["yref"]) for line in layout["shapes"]] == [
        (0.5, "y domain"), (0.5, "y2 domain"), (1.5, "y domain"), (1.5, "y2 domain"),
    ]  # fmt: skip
    notes = layout["annotations"]
    assert [(note["text"], note["xanchor"]) for note in notes] == [("starts", "left"), ("stops", "right")]
    assert 1.0 <= notes[0]["y"] < notes[1]["y"] < layout["legend"]["y"]


def test_measurements_are_dots_and_gaps_stay_gaps():
    values = np.where(TIMES > 1.0, np.nan, TIMES)
    curves = (TimeCurve("computed", TIMES, values), TimeCurve("measured", TIMES[:2], values[:2], dots=True))
    line, dots = time_series_figure([TimePanel("x", "m", curves)])["data"]
    assert line["y"][-1] is None
    assert (line["mode"], dots["mode"], "line" in dots) == ("lines", "markers", False)


def test_curves_are_thinned_and_keep_their_peaks():
    values = np.zeros(20_001)
    values[[7_777, 12_345]] = 3.0, -2.0
    kept = peak_places(values)
    assert len(kept) <= MOST_SAMPLES
    assert {0, 7_777, 12_345, 20_000} <= set(kept.tolist())
    assert (np.diff(kept) > 0).all()


@pytest.mark.parametrize("count", [1, 3, MOST_SAMPLES])
def test_short_curves_are_whole(count):
    assert peak_places(np.zeros(count)).tolist() == list(range(count))


def test_names_are_escaped():
    curve = TimeCurve("<b>1</b>", TIMES, TIMES)
    panels = [TimePanel("<i>tension</i>", "N", (curve, TimeCurve("2", TIMES, TIMES)))]
    text = json.dumps(time_series_figure(panels, [TimeMark(1.0, "<u>stop</u>")]), allow_nan=False)
    assert not [tag for tag in ("<b>", "<i>", "<u>") if tag in text]


def test_without_curves_it_says_so():
    figure = time_series_figure([TimePanel("tension", "N", ())])
    assert figure["data"] == []
    assert "nothing to draw" in figure["layout"]["annotations"][0]["text"]
