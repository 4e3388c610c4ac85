"""Jobs that cannot be worked on: what waits for a lease, what is damaged."""

import pytest

from errors import StoreBusyError
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.run.launch import resume_study
from studies.run.runner import Runner
from studies.store import this_process
from tests.conftest import InlineExecutor
from tests.studies.store.building_blocks import someone

INDICES = {"layout": None, "rows": 4, "seed": 0}


@pytest.fixture
def studies(store, bnh_study):
    """Two drafts, about which questions are asked."""
    for name in ("first", "second"):
        definition = parse_study(bnh_study).model_copy(update={"name": name})
        store.create_study(definition, check(definition), launch=False)
    return [store.jobs.ask(name, "sensitivity", INDICES) for name in ("first", "second")]


def test_who_stops_while_a_lease_is_waited_for_leaves_the_runs_as_they_are(store, bnh_study, inline):
    definition = parse_study(bnh_study)
    study = store.create_study(definition, check(definition))
    ((_, claim),) = store.claim_runs(study.runs, someone(host="elsewhere"))
    heard, executor = [], InlineExecutor()
    found = resume_study(store, "bnh", inline(executor), lambda: bool(heard), heard.append)
    assert "is being worked on by process" in heard[-1].message
    assert [run.state for run in found.runs] == ["queued"]
    assert (executor.keys, store.renew([claim])) == ([], {claim: "queued"})


def test_a_job_of_a_damaged_row_fails_with_the_reason_and_the_next_is_worked_on(store, studies, inline):
    with store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE study SET definition = CAST(x'ff' AS TEXT) WHERE name = 'first'")
    Runner(store, inline(InlineExecutor()), once=True).run()
    first, second = (store.jobs.find(job.study, job.id) for job in studies)
    assert (first.state, second.state) == ("failed", "done")
    assert "refused" in first.message
    assert store.claim_next(this_process()) is None


def test_a_job_waits_where_the_store_was_locked_while_it_was_planned(store, studies, inline, monkeypatch):
    """Another program's lock says nothing about the job."""

    def locked(self, name):
        raise StoreBusyError("another program keeps the store locked", 1.0)

    monkeypatch.setattr(type(store), "study", locked)
    assert not Runner(store, inline(InlineExecutor()), once=True).run()
    monkeypatch.undo()
    assert [store.jobs.find(job.study, job.id).state for job in studies] == ["queued", "queued"]
    assert store.claim_next(this_process()) is not None, "its lease is given up"
