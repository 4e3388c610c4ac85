"""A report lists the decisions about its study."""

from dashboards.content.report.annotations import decisions_table
from dashboards.content.report.data import read_report_data
from dashboards.report import render
from studies.decision.decision import rank_designs, record_decision
from tests.dashboards.conftest import LAYOUTS


def test_each_decision_is_told_with_what_took_its_place(store, study, monkeypatch):
    monkeypatch.setenv("LOGNAME", "ada")
    found = study(LAYOUTS)
    wishes = {"weights": {"f1": 3.0, "f2": 1.0}, "filters": {"f1": (None, 100.0)}}
    first, second, *_ = rank_designs(store, found.name, **wishes).candidates
    record_decision(store, found.name, first.key, "<b>light</b>", "topsis", **wishes)
    record_decision(store, found.name, second.key, "easier to build", replaces=1)
    data = read_report_data(store, found.name)
    table = decisions_table(data)
    rows = [[cell.text for cell in row] for row in table.rows]
    notes = [[cell.note for cell in row] for row in table.rows]
    assert [row[0] for row in rows] == ["Decision 2", "Decision 1"]
    assert [note[0] for note in notes] == ["stands; replaces decision 1", "replaced by decision 2"]
    assert [row[1] for row in rows] == [second.key[:10], first.key[:10]]
    assert [note[1] for note in notes] == [second.layout, first.layout]
    assert [note[2] for note in notes] == ["by ada", "by ada"]
    assert "own judgement" in rows[0][3]
    assert rows[1][3].startswith("TOPSIS; weights f1 3, f2 1; filters f1 \u2264 100; number 1 of ")
    assert [row[4] for row in rows] == ["easier to build", "<b>light</b>"]
    html = render(data, 0.0)
    assert "&lt;b&gt;light&lt;/b&gt;" in html
    assert '<a href="#decisions">' in html


def test_a_study_without_decisions_has_no_such_section(halves_data):
    assert decisions_table(halves_data) is None
    assert "What was decided" not in render(halves_data, 0.0)
