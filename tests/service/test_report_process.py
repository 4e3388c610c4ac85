"""Reports on many designs come from a process of their own, and are the same."""

import re

import pytest

from errors import WorkerError
from service.app import exports
from service.app.context import Context
from service.app.exports import ExportService
from service.report_process import ReportProcess
from service.settings import Settings
from studies.definition.study_file import parse_study
from studies.run.launch import run_study

DATE = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d")


@pytest.fixture
def settings(store, tmp_path):
    return Settings(store=str(tmp_path / "tautline.db"))


def test_it_is_the_same_report(settings, store, monkeypatch, bnh_study, inline, inline_executor):
    run_study(store, parse_study(bnh_study), inline(inline_executor))
    expected = ExportService(Context(store=store)).report("bnh")
    monkeypatch.setattr(exports, "MOST_DESIGNS_HERE", 10)
    monkeypatch.setattr("dashboards.report.report_text", None)  # nothing of it is rendered here
    found = ExportService(Context(store=store), ReportProcess(settings, lambda: False)).report("bnh")
    assert DATE.sub("", found) == DATE.sub("", expected)


def test_what_goes_wrong_there_is_told_here(settings):
    with pytest.raises(WorkerError, match="nothing"):
        ReportProcess(settings, lambda: False)("nothing", "")


def test_it_ends_with_the_server(settings):
    with pytest.raises(WorkerError, match="did not end in time"):
        ReportProcess(settings, lambda: True)("nothing", "")
