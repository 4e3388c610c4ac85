"""A model of one's own is a file or a cell: loaded, found by its name, and refused with the place of a fault."""

import linecache
import pickle
import sys
from types import SimpleNamespace

import pytest

import models
from errors import ModelLoadError, UnknownNameError
from models import registry
from models.contract import Evaluation, Infeasible
from models.model_output import BoundedOutput
from models.own_model import load_defined, load_file, load_source
from studies.execution.evaluation import outcome_of, task_of

BAR = '''
from __future__ import annotations

from models import Infeasible, Metric, Parameters, model, quantity


class Bar(Parameters):
    length: float = quantity(1.0, unit="m", description="length", gt=0, le=10)
    area: float = quantity(1e-4, unit="m**2", description="cross-section", ge=1e-6, le=1)


@model(metrics=[Metric("mass", "kg", "mass of the bar", "minimize")], version=1)
def own_bar(bar: Bar):
    """A steel bar."""
    if bar.length > 9:
        return Infeasible("too long", bar.length - 9)
    return {"mass": 7850 * bar.area * bar.length}
'''
RECORD, FUNCTION = BAR.split("@model", 1)[0], "@model" + BAR.split("@model", 1)[1]


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    monkeypatch.setattr(registry, "_users", {})
    registry.load.cache_clear()
    yield
    registry.load.cache_clear()


def write(folder, text, name="bar.py"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder, text, match):
    with pytest.raises(ModelLoadError, match=match) as caught:
        load_file(write(folder, text))
    assert "bar.py" in str(caught.value)
    assert "own-bar" not in models.names()


def test_a_function_is_a_model_that_is_found_by_its_name(tmp_path):
    found = load_file(write(tmp_path, BAR))
    assert found.name == "own-bar"
    assert found.summary == "A steel bar."
    assert models.load("own-bar") is found
    assert models.names()[-1] == "own-bar"
    assert found.evaluate() == Evaluation({"mass": pytest.approx(0.785)})
    assert found.evaluate(found.resolve(None, {"length": "50 cm"})).metrics["mass"] == pytest.approx(0.3925)
    # pyrefly: ignore[unexpected-keyword]
    assert found.evaluate(found.parameters(length=10)) == Infeasible("too long", 1.0)
    assert pickle.loads(pickle.dumps(found.parameters())) == found.parameters()  # noqa: S301 - our own bytes


def test_its_identity_is_its_source_and_its_version(tmp_path):
    def key(text, folder="."):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        model = load_file(write(place, text))
        return task_of(model, model.parameters().model_dump(mode="json"), "evaluate", 0).key

    first = key(BAR)
    assert key(BAR, "elsewhere") == first
    assert key(BAR.replace("\n", "\r\n")) == first
    assert key(BAR.replace("7850", "7860")) != first
    assert key(BAR.replace("version=1", "version=2")) != first


def test_files_on_which_it_depends_are_part_of_it(tmp_path):
    text = BAR.replace("version=1", 'files=["table.csv"]')
    refused(tmp_path, text, "'table.csv' on which the model depends cannot be read")
    write(tmp_path, "1,2", "table.csv")
    first = load_file(tmp_path / "bar.py")
    source = registry.own_source("own-bar")
    write(tmp_path, "1,3", "table.csv")
    assert load_file(tmp_path / "bar.py").digest != first.digest
    with pytest.raises(ModelLoadError, match=r"table.csv has changed since this run began"):
        load_source(source)


def test_a_source_is_loaded_once(tmp_path):
    found = load_file(write(tmp_path, BAR))
    assert load_source(registry.own_source("own-bar")) is found


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("def f(:\n", r"is no Python: .*\(line 1: def f\(:\)"),
        ("x = 1\x00", "null bytes|is no Python"),
        ("\n\nraise ValueError('no licence')\n", "line 3 raised ValueError: no licence"),
        ("import sys\nsys.exit(3)\n", "line 2 raised SystemExit: 3"),
        ("x = 1\n", "defines no model; one file defines one"),
        ("from models.hybrid_cable_robot import MODEL\n", "defines no model"),
        (BAR + FUNCTION.replace("own_bar", "other"), r"defines 2 models \('own-bar', 'other'\)"),
        (BAR.replace("version=1", 'name="bnh"'), "as an installed model is called"),
        (BAR.replace("version=1", 'name="Own bar"'), "a name has 1 to 64 characters"),
        (BAR.replace("version=1", "version=1.5"), "version 1.5; give a whole number"),
        (BAR.replace('unit="m**2", ', 'unit="m**2x", '), r"'area' of 'own-bar' has the unit 'm\*\*2x'"),
        (BAR.replace('"kg"', '"kilos per"'), "metric 'mass' of 'own-bar' has the unit"),
        (BAR.replace('"minimize"', '"small"'), "'small'; give minimize or maximize"),
        (BAR.replace('"mass", "kg"', '"mass of it", "kg"'), "no name of a metric"),
        (BAR.replace("bar: Bar", "bar"), "annotated with its parameter record"),
        (BAR.replace("bar: Bar", "bar: Bar, more: int"), "must take one argument"),
        (BAR.replace("quantity(1.0,", "quantity(...,"), "'length' of 'own-bar' has no default"),
        (BAR.replace("quantity(1.0,", "quantity(-1.0,"), "refuses its own defaults"),
        (BAR.replace("quantity(1e-4, unit", "1e-4 #"), "'area' of 'own-bar' has no unit"),
        (BAR.replace('[Metric("mass", "kg", "mass of the bar", "minimize")]', "[]"), "has no metrics"),
        (BAR.replace('[Metric("mass", "kg", "mass of the bar", "minimize")]', '["mass"]'), "write Metric"),
        (FUNCTION, "line 1 raised NameError: .*holds all that it needs"),
        (
            BAR.replace("class Bar", "import no_such_package\n\n\nclass Bar"),
            "ModuleNotFoundError.*imports installed packages only",
        ),
    ],
)
def test_code_that_is_no_model_is_refused_with_its_line(tmp_path, text, match):
    refused(tmp_path, text, match)


def test_what_is_no_file_of_code_is_refused(tmp_path):
    for path, match in (
        (tmp_path, "is a folder"),
        (tmp_path / "missing.py", "cannot be read: No such file"),
        (write(tmp_path, "{}", "cell.ipynb"), "is a notebook"),
        (write(tmp_path, "#" * 300_000), "more than 256 KiB"),
    ):
        with pytest.raises(ModelLoadError, match=match):
            load_file(path)
    (tmp_path / "latin.py").write_bytes(b"# \xe9\n")
    with pytest.raises(ModelLoadError, match="not UTF-8"):
        load_file(tmp_path / "latin.py")


def test_a_module_beside_it_would_change_unnoticed(tmp_path, monkeypatch):
    write(tmp_path, "STEEL = 7850\n", "steel_of_mine.py")
    monkeypatch.syspath_prepend(tmp_path)
    text = BAR.replace("class Bar", "from steel_of_mine import STEEL\n\n\nclass Bar")
    refused(tmp_path, text, r"imports steel_of_mine from its own folder")


def test_what_it_prints_is_no_data_and_has_an_end(tmp_path, capsys):
    load_file(write(tmp_path, BAR + "\nfor _ in range(100):\n    print('x' * 100_000)\n"))
    out, err = capsys.readouterr()
    assert out == ""
    assert 10_000 < len(err) < 20_000
    assert err.endswith("(the model prints more, which is not shown)\n")


def test_the_bounded_output_says_once_that_there_is_more(capsys):
    stream = BoundedOutput(sys.stderr, 4)
    for text in ("ab", "cd", "ef", "gh"):
        assert stream.write(text) == 2
    stream.flush()
    assert capsys.readouterr().err == "abcd\n(the model prints more, which is not shown)\n"


def test_a_model_that_raises_shows_its_own_lines(tmp_path):
    text = BAR.replace("    if bar.length > 9:", "    if 1 / (bar.length - 1) > 9:")
    model = load_file(write(tmp_path, text))
    task = task_of(model, model.parameters().model_dump(mode="json"), "evaluate", 0)
    outcome = outcome_of(model, task)
    assert outcome.kind == "model_error"
    assert "ZeroDivisionError" in outcome.reason
    assert "bar.py, line 15, in own_bar: if 1 / (bar.length - 1) > 9:" in outcome.reason


def cell(text, number=1, before=None):
    """Carry out a cell as a notebook does; its globals, which begin as those of the cells ``before``."""
    name = f"<ipython-input-{number}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    found = {"__name__": "__main__", **(before or {})}
    sys.modules["__main__"], main = SimpleNamespace(__dict__=found, **found), sys.modules["__main__"]
    try:
        exec(compile(text, name, "exec", dont_inherit=True), found)  # noqa: S102 - a cell of this test
    finally:
        sys.modules["__main__"] = main
    return found


def test_a_cell_of_a_notebook_is_a_model():
    defined = cell(BAR.replace("from __future__ import annotations", ""))["own_bar"]
    assert defined.evaluate().metrics["mass"] == pytest.approx(0.785)
    found = load_defined(defined)
    assert models.load("own-bar") is found
    assert found.digest


def test_a_cell_holds_all_that_its_model_needs():
    plain = BAR.replace("from __future__ import annotations", "")
    shared = cell("LENGTH = 1.0\n", 2)
    defined = cell(plain.replace("quantity(1.0,", "quantity(LENGTH,"), 3, shared)["own_bar"]
    assert defined.evaluate().metrics["mass"] == pytest.approx(0.785), "where the notebook has LENGTH"
    with pytest.raises(
        ModelLoadError, match=r"line \d+ raised NameError: .*'LENGTH'.*holds all that it needs"
    ):
        load_defined(defined)


def test_a_model_without_a_known_source_is_refused():
    with pytest.raises(ModelLoadError, match="does not say where it was defined"):
        load_defined(models.load("bnh"))
    found = {}
    text = BAR.replace("from __future__ import annotations", "")
    exec(compile("__name__ = 'nowhere'\n" + text, "<string>", "exec", dont_inherit=True), found)  # noqa: S102
    with pytest.raises(ModelLoadError, match="source of this model is not known"):
        load_defined(found["own_bar"])


def test_the_code_of_a_model_cannot_start_a_study_of_it(tmp_path):
    refused(tmp_path, BAR + "\nimport tautline\ntautline.use_model(own_bar)\n", "cannot start a study")


def test_a_name_that_nobody_knows_says_how_to_give_a_model():
    with pytest.raises(
        UnknownNameError, match=r"a server has installed models only: .* as tautline.run\(study, model=...\)"
    ):
        models.load("own-bar")
