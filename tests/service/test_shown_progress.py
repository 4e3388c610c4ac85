"""The progress that `tautline.run` shows: bars in a terminal, a table in a notebook, nothing elsewhere."""

import sys
from types import SimpleNamespace

import pytest

import tautline
from service.cli import progress
from studies.definition.study_file import parse_study
from studies.records import Progress, silent


class Shell:
    """Stands for IPython in a notebook."""

    def __init__(self, kernel):
        self.shown = []
        self.display = SimpleNamespace(display=self.show, HTML=str)
        self.kernel = kernel

    def get_ipython(self):
        return SimpleNamespace(kernel=self.kernel) if self.kernel else None

    def show(self, text, display_id):
        assert display_id is True
        self.shown.append(text)
        return SimpleNamespace(update=self.shown.append)


@pytest.fixture
def notebook(monkeypatch):
    shell = Shell(object())
    monkeypatch.setitem(sys.modules, "IPython", shell)
    return shell


def test_a_notebook_shows_a_table_of_runs(notebook, monkeypatch, tmp_path, bnh_study):
    tautline.run(parse_study(bnh_study), store=str(tmp_path / "bnh.db"), workers=1)
    assert notebook.shown[0] == "starting"
    last = notebook.shown[-1]
    assert last.count("<tr>") == 1
    assert "default, seed 1" in last
    assert "72/72 designs" in last
    assert 'value="1.0000"' in last
    assert "on the front" in last


def test_names_are_text_and_not_markup(notebook):
    show = progress.NotebookProgress(notebook.display.display, notebook.display.HTML)
    show(Progress("default", 1, "left", state="failed", message="<script>alert(1)</script>"))
    assert "<script>" not in notebook.shown[-1]
    assert "&lt;script&gt;" in notebook.shown[-1]


def test_a_terminal_shows_bars_and_a_script_nothing(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    with progress.shown_progress() as show:
        assert show is silent
    monkeypatch.setitem(sys.modules, "IPython", Shell(None))  # imported, but no notebook
    with progress.shown_progress() as show:
        assert show is silent
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress.shown_progress() as show:
        assert isinstance(show, progress.ProgressDisplay)


def test_a_report_of_ones_own_is_called_instead(notebook, tmp_path, bnh_study):
    heard = []
    tautline.run(parse_study(bnh_study), store=str(tmp_path / "bnh.db"), workers=1, report=heard.append)
    assert notebook.shown == []
    assert heard[-1].phase == "left"
