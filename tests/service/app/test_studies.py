import io
import json
import re
import threading

import pandas as pd
import pytest

from errors import EditConflictError, InputError, LimitError, StateError
from service.app.context import Context
from service.app.request_limits import RequestLimits
from service.app.services import StoreServices
from service.cli.tables import emit_runs
from service.resources.studies import StudyEdit
from studies.definition.study_file import parse_study
from studies.results.fronts import run_volumes
from studies.store.trials import TrialFilter
from tests.service.app.conftest import ANNE


def test_a_study_is_made_as_a_draft_launched_paused_and_stopped(local, define_bnh):
    made = local.studies.create(define_bnh(), launch=False)
    assert (made.state, made.runs, made.done, made.owner) == ("draft", 1, 0, "")
    assert local.studies.launch("bnh").state == "queued"
    assert local.studies.pause("bnh").state == "paused"
    assert local.studies.launch("bnh").state == "queued"
    assert local.studies.stop("bnh").state == "cancelled"
    with pytest.raises(StateError, match="cannot be queued"):
        local.studies.launch("bnh")


def test_the_same_request_again_makes_nothing_new(local, define_bnh):
    first = local.studies.create(define_bnh(), key="k1")
    local.studies.pause("bnh")
    again = local.studies.create(define_bnh(), key="k1")
    assert (first.state, again.state) == ("queued", "paused")
    with pytest.raises(InputError, match="for another request"):
        local.studies.create(define_bnh("other"), key="k1")
    with pytest.raises(InputError, match="for another request"):
        local.studies.create(define_bnh(), launch=False, key="k1")


def test_metadata_is_edited_by_revision(local, define_bnh):
    made = local.studies.create(define_bnh(), launch=False)
    changed = local.studies.edit("bnh", StudyEdit(description="worth a look", archived=True), made.revision)
    assert (changed.description, changed.archived) == ("worth a look", True)
    assert changed.revision == made.revision + 1
    assert changed.definition == made.definition
    for edit in (StudyEdit(archived=False), StudyEdit()):
        with pytest.raises(EditConflictError):
            local.studies.edit("bnh", edit, made.revision)
    with pytest.raises(EditConflictError):
        local.studies.delete("bnh", made.revision)
    assert local.studies.edit("bnh", StudyEdit()) == changed
    assert local.studies.list().items == []
    assert [study.name for study in local.studies.list(archived=True).items] == ["bnh"]
    assert [study.name for study in local.studies.list("worth", archived=True).items] == ["bnh"]
    assert local.studies.delete("bnh", changed.revision).evaluations == 0


def test_an_account_launches_as_many_studies_as_it_may(store, define_bnh):
    store.accounts.add(ANNE.account, ANNE.role)
    anne = StoreServices(Context(store=store, identity=ANNE, limits=RequestLimits(running_studies=2)))
    for name in ("one", "two", "three"):
        anne.studies.create(define_bnh(name), launch=False)
    anne.studies.launch("one")
    anne.studies.launch("two")
    with pytest.raises(LimitError, match="2 of your studies"):
        anne.studies.launch("three")
    with pytest.raises(LimitError):
        anne.studies.create(define_bnh("four"))
    with pytest.raises(LimitError):
        anne.studies.branch("one", "five")
    assert {study.name for study in anne.studies.list().items} == {"one", "two", "three"}
    anne.studies.pause("one")
    assert anne.studies.launch("three").state == "queued"


def test_a_finished_study_tells_all_that_the_command_line_prints(local, finished):
    (run,) = local.runs.list(finished).items
    assert (run.state, run.generations, run.designs, run.failed) == ("done", 6, 72, 0)
    front = local.fronts.list(finished).items
    assert len(front) == run.front > 1
    assert [design.key for design in front] == sorted(design.key for design in front)
    assert local.fronts.list(finished, "default", 1).items == front
    comparison = local.comparisons.layouts(finished)
    assert set(comparison.reference_point) == {"f1", "f2"}
    assert comparison.seed_hypervolumes["default"][1] > 0
    assert "<html" in local.exports.report(finished)
    found = local.designs.reproduce(front[0].key)
    assert (found.identical, found.states) == (True, ["done", "done"])
    design = local.designs.get(front[0].key[:8])
    assert design.metrics == found.stored
    with pytest.raises(InputError, match="unknown layout"):
        local.fronts.list(finished, "other")


def test_runs_are_listed_with_hypervolumes_against_one_stated_point(
    store, local, define_bnh, run_inline, capsys
):
    local.studies.create(define_bnh(seeds="[3, 5, 6]", generations="3"))
    run_inline(store, "bnh")
    runs, measured = local.runs.list("bnh").items, run_volumes(store, store.study("bnh"))
    assert {run.id: run.hypervolume for run in runs} == measured.by_run
    assert max(runs, key=lambda run: run.hypervolume or 0.0).seed == 3
    assert all(run.reference_point == measured.point and run.point for run in runs)
    told = local.progress.get("bnh")
    assert told.reference_point == measured.point
    assert {run.id: run.hypervolume for run in told.runs} == measured.by_run
    assert [(row.layout, row.seeds) for row in told.spread] == [("default", 3)]
    emit_runs(runs, "table", "bnh")
    shown = capsys.readouterr()
    assert "measured against one point: f1 " in shown.err
    assert "default: over 3 seeds least " in shown.err
    assert "hypervolume" in shown.out


def test_exports_are_what_a_file_would_hold(local, finished):
    csv, parquet, text = (local.exports.table(finished, kind) for kind in ("csv", "parquet", "json"))
    assert csv.designs == parquet.designs == text.designs == 72
    table = pd.read_csv(io.BytesIO(csv.content))
    pd.testing.assert_frame_equal(
        table[["key", "f1"]] if "f1" in table else table[["key"]],
        pd.read_parquet(io.BytesIO(parquet.content))[["key", "f1"] if "f1" in table else ["key"]],
    )
    assert [row["key"] for row in json.loads(text.content)] == list(table["key"])
    assert local.exports.table(finished, "json", only_front=True).designs == len(
        local.fronts.list(finished).items
    )


def test_runs_without_a_feasible_design_say_why(store, local, define_bnh, run_inline):
    local.studies.create(define_bnh(c1='{ lower = "1e6" }'))
    run_inline(store, "bnh")
    (run,) = local.runs.list("bnh").items
    assert (run.feasible, run.front) == (0, 0)
    count, *nearest = run.reasons
    assert count == "72 x a constraint is broken"
    reached = sorted((trial.metrics["c1"] for trial in store.trials(TrialFilter([run.id]))), reverse=True)
    shown = [
        re.fullmatch(r"nearest design [0-9a-f]{10}: c1 is (\S+), must be at least (.*)", line)
        for line in nearest
    ]
    assert [float(each[1]) for each in shown] == pytest.approx(reached[:3], rel=1e-3)
    assert {each[2] for each in shown} == {"1\u202f000\u202f000"}


def test_designs_whose_objective_is_no_finite_number_are_not_said_to_break_a_constraint(
    store, local, run_inline, bnh_study
):
    broken = (
        bnh_study.replace('f1 = "minimize"', 'never = "minimize"')
        + '[expressions]\nnever = "f1 / (f2 - f2)"\n'
    )
    local.studies.create(parse_study(broken))
    run_inline(store, "bnh")
    (run,) = local.runs.list("bnh").items
    assert run.state == "failed"
    assert run.reasons == [f"{run.designs} x an expression of the study is no finite number"]


def test_events_are_followed_until_nothing_moves_any_more(store, local, define_bnh, run_inline):
    local.studies.create(define_bnh())
    local.studies.create(define_bnh("other"))
    worker = threading.Timer(0.3, run_inline, (store, "bnh"))
    worker.start()
    events = list(local.events.follow("bnh"))
    worker.join()
    assert {event.study for event in events} == {"bnh"}
    assert [e.id for e in events] == sorted(e.id for e in events)
    kinds = [event.kind for event in events]
    assert kinds == ["queued", "running", *["generation"] * 6, "done"]
    assert [event.message for event in events if event.kind == "generation"] == list("123456")
    assert list(local.events.follow("bnh", after=events[3].id)) == events[4:]


def test_events_of_what_does_not_move_end_at_once(local, define_bnh):
    local.studies.create(define_bnh(), launch=False)
    assert [event.kind for event in local.events.follow("bnh")] == ["draft"]
    local.studies.launch("bnh")
    local.studies.pause("bnh")
    assert [event.kind for event in local.events.follow("bnh")] == ["draft", "queued", "paused"]
