"""Notebooks draw the figures of the pages, from a store and from a server, and Plotly takes them."""

import plotly.graph_objects as go
import pytest

import tautline
from errors import AbsentError, InputError
from service.client import Client
from tests.inprocess import InProcess


@pytest.fixture(params=["store", "server"])
def source(request, done):
    if request.param == "store":
        yield done.store
        return
    with InProcess(done.app) as transport, Client("http://127.0.0.1:8000", done.token(), transport) as client:
        yield client


def test_every_figure_of_a_study_is_one_that_plotly_draws(source, done):
    names = tautline.figures.named(source, "mixed")
    assert list(names) == ["front-1", "history", "parallel"]
    drawn = {name: tautline.figures.draw(source, "mixed", name) for name in names}
    assert all(go.Figure(figure).data for figure in drawn.values())
    fronts = tautline.fronts(done.store, done.store.study("mixed"))
    keys = [trace["customdata"] for trace in drawn["front-1"]["data"]]
    assert keys == [[design.key for design in front] for front in fronts.values()]


def test_figures_of_a_comparison_hold_all_contenders(source):
    names = tautline.figures.named(source, ["mixed"])
    assert list(names) == ["front-1", "spread", "history"]
    for name in names:
        figure = tautline.figures.compared(source, ["mixed"], name)
        assert {trace["legendgroup"] for trace in figure["data"]} >= {"one", "two"}
        assert go.Figure(figure).data


def test_a_figure_that_is_not_there_is_reported_with_those_that_are(source):
    with pytest.raises(AbsentError, match="front-1"):
        tautline.figures.draw(source, "mixed", "front-9")
    with pytest.raises(InputError, match="of"):
        tautline.figures.compared(source, [])


def test_a_design_without_a_view_has_an_empty_figure(source, done):
    key = done.store.front(done.store.study("mixed").runs[0])[0].evaluation.key
    figure = tautline.figures.robot(source, "mixed", key)
    assert go.Figure(figure).to_dict()["data"] == figure["data"]
