"""Reference points that follow feasible designs, curves against one point, and fronts that stand still."""

import itertools

import numpy as np
import pytest
from sqlalchemy import update

import tautline
from models import registry
from studies.definition.study_file import parse_study
from studies.results.fronts import run_volumes
from studies.run.extension import extend_study
from studies.run.growth import ENOUGH, Growth, RunFront
from studies.run.launch import resume_study, run_study
from studies.search.indicators import beyond_worst, hypervolume
from studies.store import Store
from studies.store.run_log import set_reference_point, take_back
from studies.store.tables import run as run_table
from tests.repetition import repeated
from tests.studies.run.test_run import picture

MODEL = '''
from models import Metric, Parameters, model, quantity


class P(Parameters):
    size: int = quantity(3, unit="1", description="number in a catalogue", ge=0, le=40)
    j1: int = quantity(0, unit="1", description="first whole number", ge=0, le=9)
    j2: int = quantity(0, unit="1", description="second whole number", ge=0, le=9)
    j3: int = quantity(0, unit="1", description="third whole number", ge=0, le=9)


@model(metrics=[
    Metric("mass", "kg", "mass", "minimize"),
    Metric("bend", "m", "deflection", "minimize"),
    Metric("over", "1", "overload", "minimize"),
])
def catalogue(design: P):
    """41 sizes, each a compromise of its own; feasible with small whole numbers only."""
    place = design.size / 40
    over = float(design.j1 + design.j2 + design.j3)
    return {"mass": 10.0 ** (4 * place), "bend": 10.0 ** (4 - 4 * place), "over": over}
'''
STUDY = """
name = "catalogue"
model = "catalogue"
seeds = [4]
[variables]
size = { lower = 0, upper = 40, type = "integer" }
j1 = { lower = 0, upper = 9, type = "integer" }
j2 = { lower = 0, upper = 9, type = "integer" }
j3 = { lower = 0, upper = 9, type = "integer" }
[objectives]
mass = "minimize"
bend = "minimize"
[constraints]
over = { upper = 1 }
[search]
population = 20
generations = 200
stagnation = 10
"""


@pytest.fixture
def catalogue(tmp_path, monkeypatch):
    """The model's file, forgotten afterwards."""
    monkeypatch.setattr(registry, "_users", {})
    registry.load.cache_clear()
    path = tmp_path / "catalogue.py"
    path.write_text(MODEL, encoding="utf-8")
    tautline.use_model(path)
    yield path
    registry.load.cache_clear()


def measured(growth, number, designs, front=None):
    growth.see(designs)
    return growth.measure(number, designs if front is None else front, number, 1)


def test_the_point_moves_outwards_until_enough_designs_exist():
    rng = np.random.default_rng(3)
    growth, points, seen = Growth(None, None), [], np.empty((0, 2))
    for number in range(1, 80):
        new = rng.lognormal(sigma=2.0, size=(2, 2))
        seen = np.concatenate([seen, new])
        measured(growth, number, new)
        points.append(growth.point)
        assert growth.follows == (len(seen) < ENOUGH)
        if len(seen) == ENOUGH:
            assert (growth.point >= beyond_worst(seen)).all()
    assert all((after >= before).all() for before, after in itertools.pairwise(points))
    assert np.array_equal(points[ENOUGH // 2 - 1], points[-1])
    assert len(np.unique(points, axis=0)) > 3


def test_earlier_hypervolumes_are_measured_again_when_the_point_moves():
    growth = Growth(None, None)
    first, second = np.array([[1.0, 1.0]]), np.array([[0.5, 3.0], [3.0, 0.5]])
    assert measured(growth, 1, first) == {}
    before = growth.volume
    front = np.concatenate([first, second])
    again = measured(growth, 2, second, front)
    # pyrefly: ignore[bad-argument-type]
    assert again == {1: hypervolume(first, growth.point)}
    assert again[1] > before
    # pyrefly: ignore[bad-argument-type]
    assert growth.volume == hypervolume(front, growth.point) > again[1]


def test_a_front_that_spreads_beyond_its_first_designs_does_not_stand_still():
    """Against a point fixed at the first design its hypervolume would never grow."""
    growth = Growth(None, 3)
    front = np.array([[1.0, 1.0]])
    measured(growth, 1, front)
    for number in range(2, 6):
        new = np.array([[2.0**number, 2.0**-number], [2.0**-number, 2.0**number]])
        front = np.concatenate([front, new])
        measured(growth, number, new, front)
        assert not growth.stands_still
    for number in range(6, 9):
        assert not growth.stands_still
        growth.measure(number, front, number, 1)
    assert growth.stands_still


def test_one_objective_that_improves_by_nothing_to_speak_of_stands_still():
    growth, least = Growth(None, 3), np.linspace(5.0, 1.0, 9)
    for number, value in enumerate([*least, *(1.0 - 1e-9 * np.arange(1, 6))], 1):
        measured(growth, number, np.array([[value]]))
        assert growth.stands_still == (number >= 12)


def test_a_stated_point_stays_and_no_volume_never_stands_still():
    growth = Growth(np.array([2.0, 2.0]), 1)
    for number in range(1, 6):
        measured(growth, number, np.array([[3.0, 3.0]]))
        assert not growth.stands_still
    for number in (6, 7):
        measured(growth, number, np.array([[1.0, 1.0]]))
    assert growth.stands_still
    assert growth.point.tolist() == [2.0, 2.0]


@pytest.mark.parametrize("seed", repeated([1, 2, 3, 4, 5, 6], quick=[4]))
def test_stagnation_ends_a_run_as_against_the_point_of_all_compromises(
    store, catalogue, inline, make_executor, seed
):
    """Its first feasible generation has one design; the point stayed there, 1.1 times its values."""
    text = STUDY.replace("[4]", f"[{seed}]")
    study = run_study(store, parse_study(text), inline(make_executor()))
    stated = (
        text.replace('"catalogue"', '"stated"', 1)
        + "[indicators.reference_point]\nmass = 11000\nbend = 11000\n"
    )
    other = run_study(store, parse_study(stated), inline(make_executor()))
    (run,), (twin,) = study.runs, other.runs
    begun = [g.feasible for g in store.generations(run) if g.feasible]
    assert begun[0] < 5
    assert "has not improved for 10 generations" in run.message
    assert len(np.unique(store.front_places(run).objectives, axis=0)) >= 34
    assert [b.keys for b in store.log(run)] == [b.keys for b in store.log(twin)]


def test_curves_are_those_of_the_point_that_the_run_ends_with(store, catalogue, inline, make_executor):
    study = run_study(store, parse_study(STUDY), inline(make_executor()))
    (run,) = study.runs
    seen, against = np.empty((0, 2)), []
    for batch in store.log(run):
        seen = np.concatenate([seen, batch.objectives[batch.violations == 0.0]])
        # pyrefly: ignore[bad-argument-type]
        against.append(hypervolume(seen, run.reference_point) if len(seen) else None)
    assert [g.hypervolume for g in store.generations(run)] == pytest.approx(against)


def test_interrupted_runs_keep_the_point_and_the_curve(tmp_path, catalogue, inline, make_executor):
    with Store(str(tmp_path / "whole.db")) as store:
        run_study(store, parse_study(STUDY), inline(make_executor()))
        whole = picture(store, "catalogue")
    with Store(str(tmp_path / "cut.db")) as store:
        for stop_after in (30, 40, 25):
            run_study(store, parse_study(STUDY), inline(make_executor(stop_after=stop_after)))
        resume_study(store, "catalogue", inline(make_executor(backwards=True)))
        assert picture(store, "catalogue") == whole


def test_an_extended_run_keeps_the_point_and_the_curve(tmp_path, catalogue, inline, make_executor):
    long = STUDY.replace("generations = 200", "evaluations = 150")
    with Store(str(tmp_path / "whole.db")) as store:
        run_study(store, parse_study(long), inline(make_executor()))
        whole = picture(store, "catalogue")
    with Store(str(tmp_path / "short.db")) as store:
        run_study(store, parse_study(long.replace("= 150", "= 90")), inline(make_executor()))
        extend_study(store, "catalogue", {"evaluations": 150})
        resume_study(store, "catalogue", inline(make_executor()))
        assert picture(store, "catalogue") == whole


def test_hypervolumes_that_are_shown_never_fall(tmp_path, catalogue, inline, make_executor):
    text = STUDY.replace("[4]", "[1, 4]").replace("generations = 200", "generations = 12")
    shown: dict[int, list[float]] = {}
    with Store(str(tmp_path / "paused.db")) as store:
        study = run_study(store, parse_study(text), inline(make_executor(stop_after=0)))
        while study.state != "done":
            study = resume_study(store, "catalogue", inline(make_executor(stop_after=20)))
            found = run_volumes(store, study)
            for run_id, volume in found.by_run.items() if found else ():
                shown.setdefault(run_id, []).append(volume)
    assert len(shown) == 2
    for volumes in shown.values():
        assert len(set(volumes)) > 3
        assert volumes == sorted(volumes)


def former_log(store, run, generations):
    """Leave a run as versions without ``studies.run.growth`` paused it: the first feasible designs set its point."""

    def work(connection):
        for _ in range(len(log) - generations):
            take_back(connection, run.id)
        connection.execute(update(run_table).where(run_table.c.id == run.id).values(state="paused"))
        # pyrefly: ignore[bad-argument-type]
        set_reference_point(connection, run.id, point, volumes)

    log = store.log(run)
    seen, point, volumes = np.empty((0, 2)), None, {}
    for batch in log[:generations]:
        feasible = batch.objectives[batch.violations == 0.0]
        if len(feasible) and point is None:
            point = beyond_worst(feasible)
        seen = np.concatenate([seen, feasible])
        if point is not None:
            volumes[batch.generation] = hypervolume(seen, point)
    store._database.write(work)
    return point


def reached(store, run):
    """The first generation after which a run's point stays."""
    front, asked = RunFront(2, None, None), 0
    for batch in store.log(run):
        front.take(batch, asked)
        asked += len(batch.keys)
        if not front.growth.follows:
            return batch.generation
    raise AssertionError


@pytest.mark.parametrize("later", [-4, -1, 0, 1, 6])
def test_a_run_that_a_former_version_began_goes_on(store, catalogue, inline, make_executor, later):
    (run,) = run_study(store, parse_study(STUDY), inline(make_executor())).runs
    whole, enough = store.log(run), reached(store, run)
    former = former_log(store, run, enough + later)
    (run,) = resume_study(store, "catalogue", inline(make_executor())).runs
    assert (run.state, run.message.rpartition("; ")[2]) == (
        "done",
        "its front has not improved for 10 generations",
    )
    assert [b.keys for b in store.log(run)] == [b.keys for b in whole]
    # pyrefly: ignore[bad-argument-type]
    assert np.array_equal(run.reference_point, former) == (later >= 0)
    seen, against = np.empty((0, 2)), []
    for batch in store.log(run):
        seen = np.concatenate([seen, batch.objectives[batch.violations == 0.0]])
        # pyrefly: ignore[bad-argument-type]
        against.append(hypervolume(seen, run.reference_point) if len(seen) else None)
    assert [g.hypervolume for g in store.generations(run)] == pytest.approx(against)
