import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.metadata import version
from itertools import pairwise

import pytest

from dashboards.content.report import plots
from dashboards.formatting import number
from dashboards.report import render, write_report
from errors import InputError, UnknownNameError
from models import load
from studies.comparison.comparison import compare_layouts
from studies.definition.study_file import parse_study
from studies.problem.problem import build_problems
from studies.run.launch import run_study


class Page(HTMLParser):
    """Elements, their attributes, and the text of scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.words, self._script = [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self._script = (dict(attrs), [])

    def handle_endtag(self, tag):
        if tag == "script":
            self.scripts.append((self._script[0], "".join(self._script[1])))
            self._script = None

    def handle_data(self, data):
        (self._script[1] if self._script else self.words).append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture
def page(store, study, tmp_path):
    def written(text):
        name = study(text).name
        return Page(write_report(store, name, tmp_path / "report.html").read_text(encoding="utf-8"))

    return written


@pytest.fixture(scope="module")
def halves_page(halves_data):
    return Page(render(halves_data, 0.0))


def test_the_report_loads_nothing_and_runs_only_its_own_scripts(halves_page):
    found = halves_page
    for tag, attributes in found.tags:
        assert "src" not in attributes, tag
        if tag == "link":
            assert attributes["href"] == "data:,"
        if "href" in attributes:
            assert attributes["href"].startswith(("#", "data:"))
        assert not [name for name in attributes if name.startswith("on")], tag
    policy = next(a["content"] for t, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in policy.split("style-src")[0]
    for attributes, script in found.scripts:
        if attributes.get("type") != "application/json":
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy


def test_headings_descend_one_step_at_a_time_and_ids_are_unique(halves_page):
    found = halves_page
    levels = [int(tag[1]) for tag, _ in found.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in found.tags:
        for name in ("aria-labelledby", "aria-describedby"):
            assert attributes.get(name) is None or attributes[name] in ids


def test_every_section_is_there(halves_page):
    found = halves_page
    for heading in (
        "Verdict",
        "Comparison",
        "Fronts",
        "Conditions",
        "Evaluations",
        "Validation",
        "Reproduce",
    ):
        assert heading in found.text
    assert "tautline study run halves.toml" in found.text
    assert "coverage" in found.text
    assert "Zitzler" not in found.text


def test_the_head_states_the_study_and_the_version(halves_page):
    head = halves_page.text.partition("Verdict")[0]
    for value in (
        "halves",
        "done",
        "bnh, version 1",
        "left, right",
        "240, 2 seeds",
        f"Tautline {version('tautline')}",
    ):
        assert value in head


def test_hostile_text_stays_text(page, shapes):
    found = page(shapes)
    assert "<img src=x onerror='window.hostile = 1'>" in found.text
    assert "<img src=x onerror=alert(1)>" in found.text
    assert not [tag for tag, _ in found.tags if tag == "img"]
    assert not [script for _, script in found.scripts if "window.hostile = 1</script>" in script]


def test_a_back_end_with_a_hostile_tongue_is_harmless(monkeypatch, page, halves):
    from models import registry

    bad = '"><script>window.hostile = 1</script>'
    bnh = load("bnh")
    metrics = tuple(replace(m, name=bad, meaning=bad, unit=bad) if m.name == "c2" else m for m in bnh.metrics)

    def evaluate(parameters):
        found = bnh.evaluate(parameters, "plain", 0)
        # pyrefly: ignore[unexpected-keyword]
        return replace(found, metrics={bad if k == "c2" else k: v for k, v in found.metrics.items()})

    hostile = replace(bnh, metrics=metrics, stages={"plain": evaluate}, summary=bad, source=bad)
    for module in ("studies.definition.stored_model", "studies.execution.evaluation"):
        monkeypatch.setattr(f"{module}.load", lambda name: hostile)
    monkeypatch.setattr(registry, "load", lambda name: hostile)
    found = page(halves)
    assert bad in found.text
    assert not [script for _, script in found.scripts if script == "window.hostile = 1"]


def test_of_a_large_front_an_even_part_is_drawn_with_all_picks(halves_data, monkeypatch):
    monkeypatch.setattr(plots, "MOST_DRAWN", 6)
    comparison = halves_data.comparison
    drawn = plots.drawn_fronts(comparison)
    for layout, front in comparison.fronts.items():
        keys = {design.key for design in drawn[layout]}
        assert len(keys) < len(front)
        assert {pick.design.key for pick in halves_data.picks(layout)} <= keys
    total = sum(map(len, comparison.fronts.values()))
    assert f"of {total} designs: evenly in the order of" in plots.front_plots(halves_data)[0].caption


def test_one_layout_is_not_compared(page, bnh_study):
    found = page(bnh_study)
    assert "Layouts compared" not in found.text
    assert "Hypervolume over evaluations" in found.text


def test_without_feasible_designs_the_report_says_what_was_tried(page, halves):
    found = page(halves.replace("c1 = { lower = 0 }", "c1 = { lower = 1000 }"))
    assert "No layout has a feasible design, so there is no front to show." in found.text
    assert "left has no feasible design" in found.text
    assert "c1 outside its bounds" in found.text
    drawn = [attributes["data-figure"] for _, attributes in found.tags if attributes.get("class") == "plot"]
    assert all(name.startswith("importance") for name in drawn), "designs without a front have metrics"


def test_a_queued_study_has_a_report(store, halves, tmp_path):
    definition = parse_study(halves)
    store.create_study(definition, build_problems(definition))
    found = Page(write_report(store, "halves", tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "No generation has been finished yet" in found.text
    assert "No run has started" in found.text


def test_an_interrupted_study_says_so(store, inline, make_executor, halves, tmp_path):
    run_study(store, parse_study(halves), inline(make_executor(stop_after=30)))
    found = Page(write_report(store, "halves", tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "This study is not finished" in found.text
    assert "so far" in found.text
    order = [attributes.get("class") for _, attributes in found.tags]
    assert order.index("answers") < order.index("notice") < order.index("verdict"), "remarks follow answers"


def test_a_report_on_one_layout_answers_with_the_best_values(
    store, inline, make_executor, bnh_study, tmp_path
):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    found = Page(write_report(store, "bnh", tmp_path / "report.html").read_text(encoding="utf-8"))
    best = {one.name: one.values["default"] for one in compare_layouts(store, store.study("bnh")).criteria}
    assert f"best f1 {number(best['best f1'])}" in found.text
    assert "notice" not in [attributes.get("class") for _, attributes in found.tags], "nothing to doubt"


def test_a_file_that_cannot_be_written_is_named(store, bnh_study, tmp_path):
    definition = parse_study(bnh_study)
    store.create_study(definition, build_problems(definition))
    with pytest.raises(InputError, match="cannot be written"):
        write_report(store, "bnh", tmp_path / "missing" / "report.html")


def test_an_unknown_study_is_an_error_that_names_the_nearest(store, bnh_study, tmp_path):
    definition = parse_study(bnh_study)
    store.create_study(definition, build_problems(definition))
    with pytest.raises(UnknownNameError, match="bnh"):
        write_report(store, "bhn", tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_a_report_on_layouts_answers_which_how_sure_and_at_what_price(halves_page):
    text = halves_page.text
    assert "Which layout?" in text
    assert "How sure? 2 seeds each: not settled in both" in text
    assert "At what price in safety? At a price: left has the lower median of c1" in text
    assert "Scoreboard: best value ± numerical error, median of the front below" in text
