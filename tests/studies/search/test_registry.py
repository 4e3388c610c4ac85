"""Algorithms of other packages: found by name, named in what goes wrong, and no harm to what is stored."""

import json
from contextlib import contextmanager

import numpy as np
import pytest
from typer.testing import CliRunner

from errors import AbsentError, AlgorithmError, AlgorithmLoadError, InputError, UnknownNameError, VersionError
from service.access.identity import HERE
from service.app.context import Context
from service.app.services import StoreServices
from service.app.study_checks import StorelessServices
from service.cli import app
from studies.definition.study_definition import SearchTable
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.run.launch import resume_study, run_study
from studies.search import Algorithm, Setting, create_search, installed, load, names, package_of, registry
from studies.search.testing import SPACES
from tests.conftest import InlineExecutor

STUDY = """
name = "others"
model = "bnh"
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
algorithm = "scatter"
population = 4
generations = 3
"""


class Scatter:
    """Random designs; ``spoil`` turns the batches of later generations into something else."""

    spoil = staticmethod(lambda points: points)

    def __init__(self, start):
        self._start = start
        self._random = np.random.default_rng(start.seed)
        self._first = True

    def ask(self):
        size = self._start.population, len(self._start.space)
        points = self._start.space.snap(self._random.random(size))
        if self._first:
            self._first = False
            return points
        return Scatter.spoil(points)

    def tell(self, objectives, violations):
        objectives[:] = violations[:] = -1.0  # must not reach the log


class Distribution:
    name, version = "scattered", "1.0"


class Entry:
    """An entry point that leads to ``value``, or raises it."""

    dist = Distribution

    def __init__(self, name, value):
        self.name, self.value, self._found = name, f"{name}:ALGORITHM", value

    def load(self):
        if isinstance(self._found, BaseException):
            raise self._found
        return self._found


def offer(monkeypatch, *entries):
    monkeypatch.setattr(
        registry, "entry_points", lambda group: entries if group == "tautline.algorithms" else ()
    )
    load.cache_clear()


@pytest.fixture(autouse=True)
def scatter(monkeypatch):
    setting = Setting("spread", "how far", "1")
    algorithm = Algorithm("scatter", "Random designs.", "nothing", Scatter, settings=(setting,))
    offer(
        monkeypatch, Entry("scatter", algorithm), Entry("unglued", ImportError("No module named 'glue'")),
        Entry("quits", SystemExit(3)), Entry("number", 5), Entry("other-name", algorithm), Entry("nsga2", algorithm),
    )  # fmt: skip
    yield
    load.cache_clear()


def test_algorithms_of_packages_come_after_ours_and_replace_none():
    assert names()[: len(registry.OURS)] == tuple(registry.OURS)
    assert names()[len(registry.OURS) :] == ("number", "other-name", "quits", "scatter", "unglued")
    assert load("nsga2") is registry.OURS["nsga2"]
    assert [each.name for each in installed()] == [*registry.OURS, "scatter"]
    assert (package_of("scatter"), package_of("nsga2"), package_of("nothing")) == ("scattered 1.0", "", "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("unglued", "cannot be loaded from unglued:ALGORITHM: ImportError: No module named 'glue'"),
        ("quits", "SystemExit: 3"),
        ("number", "must lead to an Algorithm of that name, but number:ALGORITHM is none"),
        ("other-name", "must lead to an Algorithm of that name"),
    ],
)
def test_one_that_cannot_be_loaded_says_why_at_its_place(name, message):
    with pytest.raises(AlgorithmLoadError, match="search.algorithm: .*" + message) as caught:
        check(parse_study(STUDY.replace("scatter", name)))
    assert caught.value.place == ("search", "algorithm")


def test_an_unknown_one_is_told_the_known_ones_and_that_packages_offer_more():
    with pytest.raises(UnknownNameError, match=r"did you mean 'scatter'.*installed where the study runs"):
        check(parse_study(STUDY.replace("scatter", "scater")))


def test_its_settings_are_checked_like_ours():
    with pytest.raises(
        InputError, match=r"search.settings.spread: 2: must be a number from 0 to 1 \(how far\)"
    ):
        check(parse_study(STUDY + "[search.settings]\nspread = 2\n"))


def test_every_face_lists_it_and_says_why_others_are_missing():
    listed = {each.algorithm: each for each in StorelessServices().algorithms.list().items}
    assert listed["scatter"].package == "scattered 1.0"
    assert "glue" in listed["unglued"].fault
    assert listed["nsga2"].package == listed["nsga2"].fault == ""
    run = CliRunner().invoke(app, ["algorithms", "list", "--format", "csv"])
    assert "scatter,1 to 15,yes,nothing,scattered 1.0" in run.stdout
    assert "unglued" not in run.stdout
    assert "No module named 'glue'" in run.stderr
    shown = CliRunner().invoke(app, ["algorithms", "show", "scatter", "--format", "json"])
    assert json.loads(shown.stdout)["settings"][0]["allowed"] == "a number from 0 to 1"
    assert CliRunner().invoke(app, ["algorithms", "show", "sobol"]).exit_code == 0
    wrong = CliRunner().invoke(app, ["algorithms", "show", "nsga"])
    assert isinstance(wrong.exception, AbsentError)
    assert "did you mean 'nsga3'" in str(wrong.exception)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda points: points.tolist(), "asks for list, which is no numpy array of float64"),
        (lambda points: points.astype(np.float32), "no numpy array of float64"),
        (lambda points: points[:, :1], r"shape \(8, 1\), which must be \(designs, 3\)"),
        (lambda points: points[0], r"shape \(3,\)"),
        (lambda points: points * np.nan, "outside the unit cube"),
        (lambda points: points + 1.0, "outside the unit cube"),
        (lambda points: np.clip(points + 1e-3, 0, 1), r"not snapped: call start.space.snap\(points\)"),
        # pyrefly: ignore[division-by-zero]
        (lambda _: 1 / 0, "raised when it asks: ZeroDivisionError: division by zero"),
    ],
)
def test_what_is_no_batch_of_designs_names_the_algorithm_and_its_package(monkeypatch, spoil, message):
    monkeypatch.setattr(Scatter, "spoil", staticmethod(spoil))
    search = create_search(
        SearchTable(algorithm="scatter", population=8, generations=2), SPACES["mixed"], 2, 1
    )
    points = search.ask()
    search.tell(np.zeros((len(points), 2)), np.zeros(len(points)))
    with pytest.raises(AlgorithmError, match="scatter of scattered 1.0 .*" + message):
        search.ask()


@contextmanager
def workers():
    yield InlineExecutor()


def test_a_run_that_it_breaks_is_paused_with_the_cause_and_goes_on_when_it_is_mended(monkeypatch, store):
    whole = run_study(store, parse_study(STUDY.replace("others", "whole")), workers)
    monkeypatch.setattr(Scatter, "spoil", staticmethod(lambda points: points + 1.0))
    with pytest.raises(AlgorithmError):
        run_study(store, parse_study(STUDY), workers)
    (run,) = store.study("others").runs
    assert run.state == "paused"
    assert "scatter of scattered 1.0 asks for designs outside the unit cube" in run.message
    assert len(store.generations(run)) == 1
    monkeypatch.setattr(Scatter, "spoil", staticmethod(lambda points: points))
    (run,) = resume_study(store, "others", workers).runs
    assert run.state == "done"
    assert [batch.keys for batch in store.log(run)] == [batch.keys for batch in store.log(whole.runs[0])]
    assert all((batch.violations >= 0).all() for batch in store.log(run))
    assert store.provenance(run)[0]["algorithm_package"] == "scattered 1.0"


def test_a_run_is_not_continued_under_another_version(monkeypatch, store):
    monkeypatch.setattr(Scatter, "spoil", staticmethod(lambda points: points + 1.0))
    with pytest.raises(AlgorithmError):
        run_study(store, parse_study(STUDY), workers)
    monkeypatch.setattr(Distribution, "version", "1.1")
    with pytest.raises(VersionError, match=r"scatter of scattered 1.0 \(here scattered 1.1\)") as refused:
        resume_study(store, "others", workers)
    assert refused.value.remedy == ("studies", "branch", ("others",), {})


def test_a_stored_study_is_shown_where_its_algorithm_is_not_installed(monkeypatch, store):
    run_study(store, parse_study(STUDY), workers)
    offer(monkeypatch)
    services = StoreServices(Context(store=store, identity=HERE))
    assert services.studies.get("others").state == "done"
    assert services.progress.get("others").share == 1.0
    assert services.progress.list().items[0].name == "others"
    assert services.fronts.list("others").items
    assert "scatter" in services.exports.report("others")
    with pytest.raises(UnknownNameError, match="algorithm 'scatter'"):
        resume_study(store, "others", workers)


@pytest.mark.parametrize(("given", "population"), [({}, 40), ({"algorithm": "optuna-tpe"}, 8)])
def test_an_algorithm_has_its_own_population(given, population):
    assert SearchTable(**given).population == population
    assert SearchTable(**given, population=20).population == 20
