"""Pre-screening: its choice, its leave-one-out error, when it is off, and the searches that it serves."""

import hashlib
import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone

from benchmarks.problems import problem
from errors import InputError
from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable
from studies.definition.study_definition import SearchTable
from studies.definition.study_file import parse_study
from studies.records import FAILED
from studies.run.launch import resume_study, run_study
from studies.search import check_search, create_search
from studies.search.base import notes_of
from studies.search.dominance import nondominated
from studies.search.gaussian_process import GaussianProcess, Scale, features, severity_of
from studies.search.indicators import hypervolume
from studies.search.prescreening import MOST_DESIGNS, Prescreening, children
from studies.search.testing import SPACES, WORST, objectives_of, start, stream
from studies.store import Store

SCREENED = ("nsga2", "nsga3", "u-nsga3", "age-moea2", "sms-emoa", "moead", "de")
CHOICE = {"prescreening": 5}


def screened(name, space, **more):
    return start(name, space, settings=CHOICE, **more)


def line(points):
    """Two objectives with a trade-off."""
    return np.stack([points[:, 0], 1.0 - points[:, 0] + points[:, 1:].sum(axis=1)], axis=1)


# ---------------------------------------------------------------- processes


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_closed_leave_one_out_error_is_that_of_fits_without_each_design():
    rng = np.random.default_rng(0)
    inputs = rng.random((20, 2))
    values = np.sin(5 * inputs[:, 0]) + inputs[:, 1] ** 2
    process = GaussianProcess(inputs, values)
    kernel = process.regressor.kernel_
    standard = (values - values.mean()) / values.std()
    misses = []
    for left in range(20):
        others = np.arange(20) != left
        same = clone(process.regressor).set_params(kernel=kernel, optimizer=None, normalize_y=False)
        same.fit(inputs[others], standard[others])
        misses.append(standard[left] - same.predict(inputs[[left]])[0])
    assert process.error == pytest.approx(np.sqrt(np.mean(np.square(misses))), rel=1e-6)
    assert process.error < 0.5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_noise_is_predicted_no_better_than_by_its_mean():
    rng = np.random.default_rng(1)
    assert GaussianProcess(rng.random((60, 4)), rng.standard_normal(60)).error > 0.9


def test_options_are_equally_far_from_each_other_and_numbers_are_not():
    space = DesignSpace((
        RealVariable("x", "1", 0, 1), ChoiceVariable("o", "", ("a", "b", "c")),
        ChoiceVariable("n", "1", range(4), stepped=True),
    ))  # fmt: skip
    points = space.snap(np.array([[0.3, 0.0, 0.0], [0.3, 0.5, 0.0], [0.3, 0.99, 0.99]]))
    found = features(space, points)
    assert found[:, 1:4].tolist() == np.eye(3).tolist()
    assert found[:, 4].tolist() == [0.125, 0.125, 0.875]


def test_scales_keep_the_order_of_any_numbers():
    values = np.array([[-1e60], [3.0], [3.0 + 1e-9], [4.0], [1e30], [1e60]])
    scaled = Scale.of(values)(values)
    assert np.isfinite(scaled).all()
    tiny = np.array([[0.0], [5e-324], [5e-324], [1e60]])
    assert np.isfinite(Scale.of(tiny)(tiny)).all()
    assert (np.diff(scaled[:, 0]) >= 0).all()
    violations = np.array([0.0, 1e-6, 0.5, 1e5, 1e6, 1e6 + 3, 1e9])
    assert (np.diff(severity_of(violations)) > 0).all()
    assert (severity_of(violations) < 0).tolist() == [True] + [False] * 6


# ---------------------------------------------------------------- the choice


def test_children_beyond_the_front_are_chosen_and_apart_from_each_other():
    space = SPACES["real"]
    choice = Prescreening(space, 2, 1)
    rng = np.random.default_rng(2)
    points = rng.random((40, 5))
    choice.tell(points, line(points), np.zeros(40))
    assert choice.notes["surrogate"] == "on"
    candidates = rng.random((200, 5))
    candidates[:20, 1:] *= 0.02  # the only ones near the front
    rows = choice.choose(rng.permutation(candidates), 200)
    assert rows.tolist() == list(range(200))
    order = rng.permutation(200)
    rows = choice.choose(candidates[order], 8)
    assert set(order[rows]) <= set(range(20))
    assert np.ptp(candidates[order][rows, 0]) > 0.3


def test_infeasible_children_are_avoided():
    choice = Prescreening(SPACES["real"], 2, 1)
    rng = np.random.default_rng(3)
    points = rng.random((60, 5))
    choice.tell(points, line(points), np.maximum(points[:, 0] - 0.5, 0.0))
    candidates = rng.random((300, 5))
    rows = choice.choose(candidates, 20)
    assert (candidates[rows, 0] < 0.6).mean() >= 0.9  # the ideal front ends at 0.5, and 40 % lie beyond 0.6
    assert choice.notes["surrogate_error_violation"] < 0.7


def test_a_first_feasible_design_is_sought_where_little_is_known_too():
    """By the expected severity alone all children would lie in the valley at 0.2, of which none is feasible."""
    choice = Prescreening(SPACES["real"], 2, 1)
    rng = np.random.default_rng(2)
    known = rng.random((30, 5))
    known[:, 0] /= 2.0
    choice.tell(known, np.zeros((30, 2)), 0.1 + np.abs(known[:, 0] - 0.2))
    candidates = rng.random((400, 5))
    rows = choice.choose(candidates, 20)
    places = candidates[rows, 0]
    assert (np.abs(places - 0.2) < 0.1).sum() >= 5
    assert (places > 0.6).any()
    assert len(set(rows.tolist())) == 20


def test_it_is_off_while_nothing_can_be_predicted_and_on_again_when_it_can():
    choice = Prescreening(SPACES["real"], 2, 1)
    rng = np.random.default_rng(4)
    assert choice.notes == {"surrogate": "waiting"}
    for _ in range(4):
        points = rng.random((20, 5))
        choice.tell(points, rng.standard_normal((20, 2)), np.zeros(20))
    assert choice.notes["surrogate"] == "off"
    assert min(choice.notes["surrogate_error_1"], choice.notes["surrogate_error_2"]) > 0.9
    assert choice.choose(rng.random((50, 5)), 20).tolist() == list(range(20))
    for _ in range(12):
        points = rng.random((20, 5))
        points = points[choice.choose(points, 20)]
        choice.tell(points, line(points) - 9.0, np.zeros(20))  # all ahead of what was noise
    assert choice.notes["surrogate"] == "on"


def test_predictions_that_miss_more_than_the_mean_switch_it_off():
    """A leave-one-out error alone would not tell: the new designs lie where nothing was known."""
    choice = Prescreening(SPACES["real"], 1, 1)
    rng = np.random.default_rng(5)
    points = rng.random((40, 5)) * 0.3
    choice.tell(points, points[:, :1], np.zeros(40))
    assert choice.notes["surrogate"] == "on"
    far = 0.5 + 0.5 * rng.random((40, 5))
    rows = choice.choose(far, 8)
    choice.tell(far[rows], np.full((8, 1), 0.15), np.zeros(8))
    assert choice.notes["surrogate"] == "off"


def test_processes_learn_from_a_bounded_number_of_designs_and_forget_no_region():
    """Were only the best designs remembered, regions known to be bad would look promising again."""

    def waves(points):
        """Best at the start of every variable but the first, and worse in waves elsewhere."""
        return line(points * [1.0, 0.0]) + np.where(
            points[:, 1:] > 0.1, 2.0 + np.sin(15 * points[:, 1:]), 0.0
        )

    choice = Prescreening(DesignSpace((RealVariable("x", "1", 0, 1), RealVariable("y", "1", 0, 1))), 2, 1)
    rng = np.random.default_rng(6)
    far, near = rng.random((400, 2)), rng.random((300, 2)) * [1.0, 0.1]
    choice.tell(far, waves(far), np.zeros(400))
    choice.tell(near, waves(near) + 0.01 * rng.standard_normal((300, 2)), np.zeros(300))
    assert len(choice._known) == MOST_DESIGNS
    candidates = np.concatenate(
        [rng.random((200, 2)) * [1.0, 0.8] + [0.0, 0.2], rng.random((20, 2)) * [1.0, 0.1]]
    )
    assert (choice.choose(candidates, 10) >= 200).all()


@pytest.mark.parametrize("feasible", [True, False])
def test_of_rivals_the_best_is_chosen(feasible):
    """Choose the nearest to feasible where nothing is."""
    choice = Prescreening(SPACES["real"], 1, 1)
    rng = np.random.default_rng(8)
    points = rng.random((60, 5))
    worth = points.sum(axis=1)
    choice.tell(points, worth[:, None], np.zeros(60) if feasible else worth)
    candidates = rng.random((80, 5))
    rivals = np.tile(np.arange(8), 10)
    rows = choice.choose(candidates, 8, rivals)
    assert sorted(rivals[rows]) == list(range(8))
    sums = candidates.sum(axis=1)
    places = [np.sum(sums[rivals == rivals[row]] < sums[row]) for row in rows]
    assert np.mean(places) < 1.5  # 4.5 by chance


def test_equal_objectives_are_predicted_no_better_than_by_their_mean():
    """One that never changes must not keep a surrogate on that knows nothing of the other."""
    choice = Prescreening(SPACES["real"], 2, 1)
    rng = np.random.default_rng(9)
    for _ in range(4):
        points = rng.random((20, 5))
        points = points[choice.choose(points, 15)]
        objectives = np.stack([np.zeros(len(points)), rng.standard_normal(len(points))], axis=1)
        choice.tell(points, objectives, np.zeros(len(points)))
    assert choice.notes["surrogate_error_1"] == 1.0
    assert choice.notes["surrogate"] == "off"


def test_children_are_bounded_and_no_more_than_a_space_holds():
    assert children(20, 10, None) == 200
    assert children(1000, 50, None) == 4000
    assert children(10_000, 50, None) == 10_000
    assert children(8, 10, 60) == 30
    assert children(8, 10, 6) == 8


# ---------------------------------------------------------------- searches


@pytest.mark.parametrize("name", [name for name in SCREENED if name != "de"])
def test_fewer_designs_find_more(name):
    volumes = []
    for factor in (1, 10):
        asked, best = problem("bnh"), np.empty((0, 2))
        table = SearchTable(algorithm=name, population=12, generations=6, settings={"prescreening": factor})
        search = create_search(table, asked.space, 2, 3)
        for _ in range(6):
            objectives, violations = asked.evaluate(search.ask())
            best = np.concatenate([best, objectives[violations == 0.0]])
            search.tell(objectives, violations)
        volumes.append(hypervolume(best[nondominated(best)], np.array([140.0, 55.0])))
        assert (notes_of(search) == {}) == (factor == 1)
    assert volumes[1] > volumes[0]


def test_the_best_of_several_trial_vectors_is_evaluated():
    """The least of a sphere around 0.3 with a constraint, to a tenth of what one trial vector finds."""
    least = []
    for factor in (1, 10):
        table = SearchTable(algorithm="de", population=12, generations=8, settings={"prescreening": factor})
        search, best = create_search(table, SPACES["real"], 1, 3), np.inf
        for _ in range(8):
            points = search.ask()
            values = ((points - 0.3) ** 2).sum(axis=1)
            violations = np.maximum(points[:, 0] - 0.4, 0.0)
            best = min(best, values[violations == 0.0].min(initial=np.inf))
            search.tell(values[:, None], violations)
        least.append(best)
        assert sorted(search._asked.get("index")) == list(range(12))
    assert least[1] < 0.1 * least[0]


def test_the_surrogate_of_an_algorithm_without_violations_knows_them():
    """MOEA/D is told penalties of 1e30; its surrogate must not take them for objectives."""
    search = screened("moead", SPACES["real"], population=20)
    stream(search, "moead", 3, lambda points: (line(points), np.where(points[:, 1] > 0.5, FAILED, 0.0)))
    notes = notes_of(search)
    assert notes["surrogate_error_violation"] < 0.9
    assert max(notes["surrogate_error_1"], notes["surrogate_error_2"]) < 0.5


@pytest.mark.parametrize(
    ("name", "label"),
    [(name, label) for name in SCREENED for label in SPACES if name != "u-nsga3" or label == "mixed"],
)
def test_the_stream_of_a_seed_is_the_same_and_of_a_full_batch(name, label):
    one, two = (stream(screened(name, SPACES[label]), name, 5) for _ in range(2))
    assert [points.tobytes() for points in one] == [points.tobytes() for points in two]
    assert all(np.array_equal(SPACES[label].snap(points), points) for points in one)
    if label == "real":
        assert {len(points) for points in one} == {len(one[0])}


@pytest.mark.parametrize("case", list(WORST))
def test_results_from_which_nothing_can_be_learned_are_survived(case):
    for name in ("nsga2", "nsga3", "moead", "de"):
        told = partial(WORST[case], objectives_of(name))
        for label in ("real", "mixed"):
            asked = stream(screened(name, SPACES[label]), name, 5, told)
            assert all(np.isfinite(points).all() for points in asked)
            assert asked


def test_initial_designs_come_first():
    initial = np.random.default_rng(3).random((3, 5))
    assert screened("nsga2", SPACES["real"], initial=initial).ask()[:3].tobytes() == initial.tobytes()


def digest():
    asked = stream(screened("nsga2", SPACES["mixed"], population=12), "nsga2", 5)
    return hashlib.sha256(b"".join(points.tobytes() for points in asked)).hexdigest()


def test_another_process_with_more_threads_asks_for_the_same_designs():
    script = "from tests.studies.search.test_prescreening import digest; print(digest())"
    environment = os.environ | {"PYTHONHASHSEED": "5", "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.strip() == digest()


def test_threads_of_the_process_stay():
    from threadpoolctl import threadpool_info

    before = {each["filepath"]: each["num_threads"] for each in threadpool_info()}
    asked = stream(screened("nsga2", SPACES["real"]), "nsga2", 4)
    assert len(asked) == 4
    after = {each["filepath"]: each["num_threads"] for each in threadpool_info()}
    assert {name: after[name] for name in before} == before


def test_one_that_is_asynchronous_has_no_generation_to_choose_from():
    table = SearchTable(algorithm="nsga2", generations=3, asynchronous=True, settings=CHOICE)
    with pytest.raises(InputError, match=r"search.settings.prescreening: chooses among the children"):
        check_search(table)


STUDY = """
name = "screened"
model = "bnh"
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[constraints]
c1 = { lower = 0 }
[search]
population = 10
generations = 6
[search.settings]
prescreening = 8
"""


CONSTRAINTS = "[constraints]\nc1 = { lower = 0 }\n"
OF_MOEAD = STUDY.replace(CONSTRAINTS, "").replace("[search]", '[search]\nalgorithm = "moead"')
OF_DE = STUDY.replace('f2 = "minimize"\n', "").replace("[search]", '[search]\nalgorithm = "de"')


@pytest.mark.parametrize(
    ("text", "stops"),
    [(STUDY, [5, 17]), (STUDY, [20, 9, 21]), (OF_MOEAD, [25, 8]), (OF_DE, [25, 8])],
    ids=["nsga2", "nsga2 at the end of a generation", "moead", "de"],
)
def test_a_run_stopped_at_any_design_ends_as_the_whole_one(tmp_path, inline, make_executor, text, stops):
    """The log is replayed through the surrogate, bit for bit."""
    definition = parse_study(text)
    with Store(str(tmp_path / "whole.db")) as store:
        run_study(store, definition, inline(make_executor()))
        whole = log_of(store)
        notes = [each.notes["surrogate"] for each in store.generations(store.study("screened").runs[0])]
        assert set(notes[2:]) <= {"on", "off"}
    with Store(str(tmp_path / "cut.db")) as store:
        run_study(store, definition, inline(make_executor(stop_after=stops[0])))
        for more in [*stops[1:], None]:
            assert store.study("screened").state == "paused"
            resume_study(store, "screened", inline(make_executor(stop_after=more)))
        assert store.study("screened").state == "done"
        assert log_of(store) == whole


def log_of(store):
    run = store.study("screened").runs[0]
    log = [(b.keys, b.points.tobytes(), b.objectives.tobytes()) for b in store.log(run)]
    return log, [(m.ask_no, m.evaluation.key) for m in store.front(run)]
