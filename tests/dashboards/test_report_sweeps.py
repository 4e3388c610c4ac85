"""A report says who wins under the conditions of each sweep."""

import json
import re
from html import unescape

import pytest

from dashboards.content.comparison.verdict_map import map_note, map_sentences
from dashboards.content.report.data import read_report_data
from dashboards.report import render
from studies.comparison.verdict_map import verdict_map
from studies.run.launch import run_study
from studies.run.questions import sweep
from tests.studies.uncertainty.sweep_studies import two_layouts


@pytest.fixture
def searched(store, inline, make_executor):
    run_study(store, two_layouts(), inline(make_executor()))


def test_each_sweep_has_a_section_with_its_maps_and_its_table(store, searched, inline, make_executor):
    record = sweep(store, "sides", {"x2": [0.5, 2.0]}, inline(make_executor()))
    text = render(read_report_data(store, "sides"), 0.0)
    assert "Does the winner stay the winner?" in text
    found = verdict_map(store, record)
    shown = unescape(text)
    assert map_note(found) in shown
    for place, criterion in enumerate(found.criteria, 1):
        drawn = re.search(rf'id="data-map-1-{place}">(.*?)</script>', text)
        if criterion.name.startswith("median "):
            assert drawn is None, "the table has it"
        else:
            assert json.loads(drawn[1])["data"][0]["type"] == "heatmap"
            assert " ".join(map_sentences(found)[criterion.name]) in shown
    assert "Verdict under each condition" in text


def test_a_study_without_sweeps_has_no_such_section(store, searched):
    assert "Does the winner stay the winner?" not in render(read_report_data(store, "sides"), 0.0)
