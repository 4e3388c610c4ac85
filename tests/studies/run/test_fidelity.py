"""Searches that rank on cheap rungs: what is promoted, told, logged and replayed."""

from dataclasses import replace

import numpy as np
import pytest

from errors import InputError, UnknownNameError
from models import load, names
from service.app.evaluations import EvaluationArray
from service.app.verdicts import verdicts_resource
from studies.decision.decision import record_decision
from studies.definition.study_definition import SearchTable
from studies.definition.study_file import parse_study
from studies.problem.problem import INFEASIBLE, Certain, Judgement, check
from studies.records import FAILED, EvaluationRecord
from studies.results.export import evaluation_table, export_study
from studies.results.fronts import fronts
from studies.results.variable_importance import stored_designs
from studies.results.warm_start import with_earlier_designs
from studies.run.extension import extend_study
from studies.run.fidelity import ENOUGH, NEIGHBOURS, Ladder, RunFailedError
from studies.run.imported_definition import ImportRequest
from studies.run.launch import resume_study, run_study
from studies.run.result_import import import_results
from studies.search import create_search
from studies.search.dominance import Archive
from studies.search.indicators import hypervolume
from studies.search.testing import SPACES
from studies.store import Store
from tests.simulated_workers import SimulatedWorkers
from tests.studies.run.test_asynchronous import opened

CABLES = """
name = "ladder"
model = "hybrid-cable-robot"
preset = "constrained"
[parameters]
cells = 24
weight_moment = "ignored"
[variables]
beta1 = { lower = "0 deg", upper = "90 deg" }
beta2 = { lower = "0 deg", upper = "90 deg" }
[objectives]
F1 = "minimize"
F2 = "minimize"
[search]
population = 20
generations = 6
ladder = LADDER
"""


def study(ladder="[{ cells = 8 }, { cells = 12 }]", **changes):
    text = CABLES.replace("LADDER", ladder)
    for old, new in changes.items():
        text = text.replace(f"{old} = ", f"{new}\n{old} = ", 1)
    return parse_study(text)


def searched(path, definition, workers=3):
    store = Store(str(path))
    run_study(store, definition, opened(SimulatedWorkers(workers, lambda _: 1.0)))
    return store


def logged(store):
    (run,) = store.study("ladder").runs
    return [
        (key, point.tobytes(), values.tobytes(), origin)
        for batch in store.log(run)
        for key, point, values, origin in zip(
            batch.keys,
            batch.points,
            batch.objectives,
            batch.origins or (None,) * len(batch.keys),
            strict=True,
        )
    ]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The search with rungs, and the same without."""
    folder = tmp_path_factory.mktemp("ladder")
    with (
        searched(folder / "rungs.db", study()) as rungs,
        searched(folder / "full.db", study("false")) as full,
    ):
        yield rungs, full


def test_fronts_hold_evaluations_in_full_alone(both):
    rungs, _ = both
    front = fronts(rungs, rungs.study("ladder"))["default"]
    assert len(front) > 1
    found = rungs.evaluations([design.key for design in front])
    assert {record.task.parameters["cells"] for record in found.values()} == {24}


def test_fewer_designs_are_evaluated_in_full_and_the_page_says_how_many(both):
    rungs, full = both
    kept = [origin for *_, origin in logged(rungs) if origin is None or origin.rung is None]
    assert len(logged(rungs)) == len(logged(full)) == 120
    assert len(kept) < 100
    notes = rungs.generations(rungs.study("ladder").runs[0])[-1].notes
    assert (notes["evaluated in full"], notes["of designs"]) == (len(kept), 120)
    assert notes["rung 1 differs in F1 by"] >= 0.0


def smooth(point):
    """Two objectives of a point, as ZDT1, and the error of each on a rung: larger where it is cheaper."""
    g = 1.0 + 9.0 * point[1:].mean()
    return np.array([point[0], g * (1.0 - np.sqrt(point[0] / g))])


def test_a_search_with_rungs_ends_as_near_to_the_front_as_one_in_full():
    """The rules of promotion alone, on objectives whose cheap values err by 10 % and 3 %."""
    found, count = {}, {}
    for name in ("ladder", "full"):
        table = SearchTable(population=40, generations=60)
        search = create_search(table, SPACES["real"], 2, 1)
        ladder, archive, chance = Ladder(check(study())["default"]), Archive(2), np.random.default_rng(1)
        asked = evaluated = 0
        for _ in range(60):
            told = []
            for point in search.ask():
                judged = []
                for rung, error in enumerate((0.1, 0.03, 0.0)[2 if name == "full" else 0 :]):
                    values = smooth(point) * (1.0 + error * chance.uniform(-1.0, 1.0, 2))
                    judged.append(Judgement(values.tolist(), 0.0))
                    if name == "full" or (
                        rung < 2 and not ladder.is_promoted(rung, judged[-1], asked, archive.objectives)
                    ):
                        break
                asked += 1
                if name == "full" or len(judged) == 3:
                    evaluated += 1
                    archive.add(np.array([judged[-1].objectives]), np.array([asked]))
                if name == "ladder":
                    ladder.learn(judged)
                told.append(judged[-1] if name == "full" else ladder.told(judged))
            search.tell(np.array([each.objectives for each in told]), np.zeros(len(told)))
        found[name], count[name] = hypervolume(archive.objectives, np.array([1.1, 6.0])), evaluated
    assert found["ladder"] > 0.99 * found["full"]
    assert count["ladder"] < 0.75 * count["full"]


@pytest.mark.parametrize("asynchronous", ["", "asynchronous = true"])
def test_a_killed_run_goes_on_and_an_extension_replays_it(tmp_path, asynchronous):
    definition = study(population=asynchronous)
    with Store(str(tmp_path / "cut.db")) as store:
        cut = SimulatedWorkers(3, lambda _: 1.0, stop_after=110)
        assert run_study(store, definition, opened(cut)).state == "paused"
        before = logged(store)
        study_done = resume_study(store, "ladder", opened(SimulatedWorkers(3, lambda _: 1.0)))
        assert study_done.state == "done"
        assert logged(store)[: len(before)] == before
        if not asynchronous:
            with searched(tmp_path / "whole.db", definition) as whole:
                assert logged(whole) == logged(store)
        log = logged(store)
        extend_study(store, "ladder", {"generations": 7})
        assert resume_study(store, "ladder", opened(SimulatedWorkers(2, lambda _: 1.0))).state == "done"
        assert logged(store)[: len(log)] == log
        assert len(logged(store)) == 140


class LateAtFirst(SimulatedWorkers):
    """Workers on which one in eight designs of the lowest rung runs out of time when it is first evaluated."""

    def __init__(self, late, **options):
        super().__init__(3, lambda _: 1.0, **options)
        self.late = late

    def evaluate(self, tasks, sink, *others, **said):
        super().evaluate(
            tasks, lambda records: sink([self._ended(each) for each in records]), *others, **said
        )

    def _ended(self, record):
        if record.task.parameters["cells"] != 8 or record.key[0] > "1" or record.key in self.late:
            return record
        self.late.add(record.key)
        return replace(
            record, state="failed", kind="timeout", reason="too slow", metrics={}, violation=FAILED
        )


def test_a_rung_that_ran_out_of_time_is_replayed_as_it_ended(tmp_path):
    with Store(str(tmp_path / "whole.db")) as whole, Store(str(tmp_path / "cut.db")) as store:
        assert run_study(whole, study(), opened(LateAtFirst(set()))).state == "done"
        late = set()
        first, second = LateAtFirst(late, stop_after=110), LateAtFirst(late)
        assert run_study(store, study(), opened(first)).state == "paused"
        points = np.concatenate([batch.points for batch in store.log(store.study("ladder").runs[0])])
        late &= {task.key for task in check(study())["default"].rungs[0].tasks(points)}
        assert late
        begun = set(late)
        assert resume_study(store, "ladder", opened(second)).state == "done"
        assert logged(store) == logged(whole)
        assert not begun & set(second.finished)


def test_a_design_is_left_on_its_rung_only_where_no_known_difference_could_save_it():
    problem = check(study())["default"]
    ladder, front = Ladder(problem), np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]])
    good = Judgement([2.5, 2.5], 0.0)
    assert ladder.is_promoted(0, good, 1, front), "nothing is known of the differences yet"
    chance = np.random.default_rng(1)
    for _ in range(10 * ENOUGH):
        cheap = Judgement([5.0, 5.0], 0.0)
        ladder.learn([cheap, cheap, Judgement((5.0 + chance.uniform(-0.4, -0.2, 2)).tolist(), 0.0)])
    assert ladder.is_promoted(0, Judgement([2.35, 2.35], 0.0), 1, front)
    assert not ladder.is_promoted(0, good, 1, front)
    assert ladder.is_promoted(0, good, 50, front), "a control"
    assert not ladder.is_promoted(0, Judgement([0.0, 0.0], 0.5), 1, front)
    assert ladder.is_promoted(0, Judgement([0.0, 0.0], 0.5), 1, front[:0]), "nothing is feasible yet"
    told = ladder.told([good])
    assert told.objectives == pytest.approx([2.2, 2.2], abs=0.05)
    assert ladder.told([good, good, good]) is good


def test_a_design_without_metrics_goes_up_where_such_designs_have_some_in_full():
    """A coarse grid may have no cell in a small workspace."""
    ladder, front = Ladder(check(study())["default"]), np.array([[1.0, 1.0]])
    lacking, full = Judgement(None, INFEASIBLE + 1.0), Judgement([2.0, 2.0], 0.0)
    assert ladder.is_promoted(0, lacking, 1, front), "nothing is known of such designs yet"
    assert not ladder.is_promoted(0, Judgement(None, FAILED, "no result"), 1, front)
    for _ in range(NEIGHBOURS):
        ladder.learn([lacking, full, full])
    far = Judgement(None, INFEASIBLE + 5.0)
    for _ in range(NEIGHBOURS):
        ladder.learn([far, far, far])
    assert ladder.is_promoted(0, lacking, 1, front)
    assert not ladder.is_promoted(0, far, 1, front)
    assert ladder.is_promoted(0, far, 50, front), "a control"


@pytest.mark.parametrize("screened", ["", "[search.settings]\nprescreening = 5\n"])
def test_rungs_on_which_no_cell_works_leave_the_search_as_it_is(tmp_path, screened):
    """Two cells to a side, of which none holds the wrenches: each design has to be evaluated in full."""
    found = {}
    for name, ladder in (("rungs", "[{ cells = 2 }]"), ("full", "false")):
        text = CABLES.replace("LADDER", ladder).replace("generations = 6", "generations = 3") + screened
        definition = parse_study(text)
        with searched(tmp_path / f"{name}.db", definition) as store:
            assert fronts(store, store.study("ladder"))["default"]
            found[name] = [(key, point) for key, point, *_ in logged(store)]
    assert len(found["full"]) == 60
    assert found["rungs"] == found["full"]


def test_a_design_that_proofs_rule_out_is_not_even_a_control():
    problem = check(study())["default"]
    ladder, front, good = Ladder(problem), np.array([[2.0, 2.0]]), Judgement([1.0, 1.0], 0.0)
    assert not ladder.is_promoted(0, good, 0, front, Certain(np.array([2.0, 3.0]), breaks=False))
    assert not ladder.is_promoted(0, good, 0, front, Certain(np.array([1.0, 1.0]), breaks=True))
    assert ladder.is_promoted(0, good, 0, front, Certain(np.array([-np.inf, 3.0]), breaks=False))
    assert ladder.notes["ruled out by proof"] == 2
    for _ in range(2 * ENOUGH):
        ladder.learn([good, good, Judgement([0.5, 0.5], 0.0)])
    cheap = Judgement([2.2, 2.2], 0.0)
    assert ladder.is_promoted(0, cheap, 1, front), "the differences allow 1.7 for both"
    assert ladder.is_promoted(0, cheap, 1, front, Certain(np.array([1.9, 2.5]), breaks=False))
    assert not ladder.is_promoted(
        0, cheap, 1, np.array([[1.9, 1.6]]), Certain(np.array([1.9, -np.inf]), False)
    )


def test_a_proof_of_all_orientations_is_spared_where_their_corners_rule_a_design_out(tmp_path):
    text = study("true").model_copy(
        update={"parameters": {"cells": 10, "weight_moment": "ignored", "orientations": "certified"}}
    )
    with searched(tmp_path / "whole.db", text) as whole, Store(str(tmp_path / "cut.db")) as cut:
        (run,) = whole.study("ladder").runs
        notes = whole.generations(run)[-1].notes
        assert notes["ruled out by proof"] > 5
        assert notes["rung 1 takes"] > 0.0
        run_study(cut, text, opened(SimulatedWorkers(3, lambda _: 1.0, stop_after=110)))
        resume_study(cut, "ladder", opened(SimulatedWorkers(3, lambda _: 1.0)))
        assert logged(cut) == logged(whole)
        again = cut.generations(cut.study("ladder").runs[0])[-1].notes
        counts = ("evaluated in full", "of designs", "ruled out by proof")
        assert [again[name] for name in counts] == [notes[name] for name in counts]


@pytest.mark.parametrize(
    ("ladder", "error", "told"),
    [
        ("[{ cells = 24 }]", InputError, "search.ladder[0]: is the same as the study itself"),
        ("[{ cells = 8 }, { cells = 8 }]", InputError, "search.ladder[1]: is the same as rung 1"),
        ("[{ cels = 8 }]", UnknownNameError, "did you mean 'cells'"),
        ('[{ beta1 = "3 deg" }]', InputError, "varies in the study"),
        ("[{ cells = 0 }]", InputError, "cells"),
    ],
)
def test_a_rung_that_is_none_is_refused(ladder, error, told):
    with pytest.raises(InputError) as caught:
        check(study(ladder))
    assert told in str(caught.value)


def test_a_back_end_without_ladder_asks_for_rungs():
    text = CABLES.replace("LADDER", "true").replace("cells = 24", "cells = 8")
    with pytest.raises(InputError, match="is as coarse as it can be; state the rungs"):
        check(parse_study(text))


@pytest.mark.parametrize("name", [name for name in names() if load(name).ladder is not None])
def test_declared_rungs_are_accepted_and_differ(name):
    model = load(name)
    full = model.resolve(None, {})
    rungs = [model.resolve(None, rung) for rung in model.ladder(full)]
    assert rungs
    assert full not in rungs
    assert len({str(rung) for rung in rungs}) == len(rungs)


def test_a_rung_that_is_dearer_than_the_next_ends_a_run():
    ladder = Ladder(check(study())["default"])
    for rung, seconds in ((0, 2.0), (1, 1.0)):
        ladder.require_order()
        task = ladder.task(np.array([0.5, 0.5]), rung)
        records = [EvaluationRecord(task, "done", "", "", 0.0, {}, {}, (), seconds, "", 0.0)] * ENOUGH
        ladder.take_costs(rung, records)
    with pytest.raises(RunFailedError, match=r"rung 1 of the ladder takes 2 s, and rung 2 1 s"):
        ladder.require_order()


@pytest.mark.parametrize("way", ["numbers", "designs"])
def test_the_array_has_every_design_and_metrics_of_those_in_full_alone(both, way):
    store, _ = both
    record = store.study("ladder")
    array = EvaluationArray(store, record, record.runs)
    array._reads = way == "designs"
    values = np.frombuffer(b"".join(array.pieces()), "<f4").reshape(array.shape)
    column = {name: values[:, place] for place, name in enumerate(array.columns)}
    rungs = [
        np.nan if origin is None or origin.rung is None else origin.rung + 1 for *_, origin in logged(store)
    ]
    np.testing.assert_array_equal(column["rung"], np.array(rungs, dtype="<f4"))
    assert array.units[array.columns.index("rung")] == "1"
    done, on_rung = column["state"] == 0, ~np.isnan(rungs)
    assert (done & on_rung).sum() > 5
    np.testing.assert_array_equal(np.isfinite(column["F1"]), done & ~on_rung)
    assert np.isfinite(column["beta1"]).all()


def test_what_is_made_of_stored_designs_leaves_out_those_of_a_rung(both):
    store, _ = both
    record = store.study("ladder")
    outcomes = store.outcomes(record.runs[0])
    full = {each.key for each in outcomes if each.rung is None and each.state == "done"}
    coarse = [each for each in outcomes if each.rung is not None and each.state == "done"]
    assert len(coarse) > 5
    designs = stored_designs(store, record, "default")
    assert len(designs.points) == len(full)
    dearer = parse_study(
        CABLES.replace("LADDER", 'false\nfrom = ["ladder"]').replace('"ladder"', '"after"', 1)
    )
    begun = with_earlier_designs(store, dearer, check(dearer), store.study)
    dropped = len({each.key for each in outcomes if each.rung is not None})
    assert f"{dropped} evaluated on a rung only" in begun.remarks[0]
    with pytest.raises(InputError, match="is not feasible"):
        record_decision(store, "ladder", coarse[0].key, "looks good")
    found = verdicts_resource(store, record)
    assert (found.designs, found.on_rungs) == (120, sum(each.rung is not None for each in outcomes))
    assert found.feasible == sum(each.rung is None and each.violation == 0.0 for each in outcomes)


def test_an_export_is_imported_with_the_front_and_without_the_coarse_rows(both, store, tmp_path):
    ours = both[0].study("ladder")
    export_study(both[0], ours, tmp_path / "ladder.csv")
    table = evaluation_table(both[0], ours)
    full = table["rung"].isna()
    assert 0 < full.sum() < len(table)
    request = ImportRequest("again", "our export", study())
    again, remarks = import_results(
        store, (tmp_path / "ladder.csv").read_bytes(), "ladder.csv", request, 1.8e9
    )
    assert any(text.endswith(f"evaluated at a lower fidelity: {(~full).sum()}") for text in remarks)
    (run,) = again.runs
    assert store.trial_counts([run])[run.id] == (full & (table["state"] == "done")).sum()
    mine, theirs = (fronts(*each)["default"] for each in ((both[0], ours), (store, again)))
    assert {design.objectives for design in theirs} == {design.objectives for design in mine}
