"""Contract of a database for jobs, which are runs that search nothing; see :mod:`.contract`."""

from __future__ import annotations

import pytest

from errors import LeaseError, LimitError, StateError, UnknownNameError
from studies.store.jobs import KEPT_DAYS
from studies.store.lease import LEASE_SECONDS, this_process
from studies.store.store import Store
from tests.studies.store.building_blocks import (
    NOBODY,
    Clock,
    TwiceFixtures,
    definition,
    results,
    someone,
)

ASKED = {"key": "a" * 64, "options": {"samples": 64, "tolerances": None}}


class JobContract(TwiceFixtures):
    """The conformance suite: a question is one job, with the states and leases of runs."""

    @pytest.fixture(autouse=True)
    def studies(self, store: Store) -> None:
        """The studies that are asked about; their own runs are out of the way."""
        for name in ("mine", "other"):
            store.create_study(definition(name), ["default"], launch=False)

    def test_the_same_question_is_one_job_of_no_search(self, store: Store) -> None:
        made = store.jobs.ask("mine", "robust", ASKED, account="anna")
        assert (made.kind, made.request, made.account, made.state) == ("robust", ASKED, "anna", "queued")
        assert store.jobs.ask("mine", "robust", dict(reversed(ASKED.items())), account="anna") == made
        second = store.jobs.ask("mine", "sensitivity", ASKED)
        assert store.jobs.of("mine") == [made, second]
        assert store.jobs.of("other") == []
        assert store.jobs.asked("mine", "robust", ASKED) == made
        assert store.jobs.asked("other", "robust", ASKED) is None
        assert [run.layout for run in store.study("mine").runs] == ["default"]
        assert store.study("mine").state == "draft"
        assert [event.layout for event in store.events(0) if event.study == "mine"] == ["default"]
        for name, number in (("other", made.id), ("mine", 10**6)):
            with pytest.raises(UnknownNameError, match="unknown job"):
                store.jobs.find(name, number)
        with pytest.raises(UnknownNameError, match="unknown study 'nobody'"):
            store.jobs.ask("nobody", "robust", ASKED)
        assert store.check() == []

    def test_runners_take_jobs_searches_or_both(self, store: Store) -> None:
        job = store.jobs.ask("mine", "robust", ASKED)
        assert store.claim_next(this_process(), jobs=False) is None
        store.queue_study("other")
        searched = store.claim_next(this_process(), jobs=False)
        taken = store.claim_next(this_process(), jobs=True)
        assert (searched and searched[0].study, taken and taken[0].id) == ("other", job.id)
        assert store.claim_next(this_process()) is None

    def test_one_living_process_at_a_time_works_on_a_job(self, store: Store, clock: Clock) -> None:
        job = store.jobs.ask("mine", "robust", ASKED, queued=False)
        assert (job.state, store.claim_next(this_process())) == ("paused", None)
        ((_, gone),) = store.claim_runs([job], someone(pid=NOBODY))
        ((_, held),) = store.claim_runs([job], someone())
        with pytest.raises(LeaseError, match=f"job {job.id} is being worked on by process"):
            store.claim_runs([job], this_process())
        with pytest.raises(LeaseError):
            store.save_results(gone, results(1))
        store.begin_run(held, {})
        store.save_results(held, results(1))
        assert store.jobs.ask("mine", "robust", ASKED).state == "running", "asked again, it goes on"
        clock.now += LEASE_SECONDS + 1.0
        taken = store.claim_next(this_process())
        assert taken is not None, "its process is gone"
        assert taken[0].id == job.id
        with pytest.raises(LeaseError, match="another process has taken over"):
            store.save_results(held, results(1, 1))
        store.begin_run(taken[1], {})
        store.leave_run(taken[1], "done", "1 evaluation")
        assert store.jobs.find("mine", job.id).state == "done"
        assert store.jobs.ask("mine", "robust", ASKED).state == "queued", "asked again, it begins anew"

    def test_a_job_says_how_far_it_is_and_asked_anew_counts_anew(self, store: Store) -> None:
        job = store.jobs.ask("mine", "robust", ASKED, wanted=7)
        assert (job.wanted, job.evaluated) == (7, 0)
        ((_, claim),) = store.claim_runs([job], this_process())
        store.begin_run(claim, {})
        store.save_results(claim, results(2), 5)
        assert store.jobs.ask("mine", "robust", ASKED, wanted=9) == store.jobs.find("mine", job.id)
        assert (found := store.jobs.asked("mine", "robust", ASKED))
        assert (found.wanted, found.evaluated) == (7, 5)
        store.leave_run(claim, "done")
        again = store.jobs.ask("mine", "robust", ASKED, wanted=9)
        assert (again.id, again.wanted, again.evaluated) == (job.id, 9, 0)

    def test_jobs_that_ended_long_ago_go_when_another_is_asked_for(self, store: Store, clock: Clock) -> None:
        keys = ("done", "stopped", "paused", "waiting")
        old = {key: store.jobs.ask("mine", "robust", {"key": key}) for key in keys}
        elsewhere = store.jobs.ask("other", "robust", ASKED)
        ((_, claim),) = store.claim_runs([old["done"]], this_process())
        store.begin_run(claim, {})
        store.save_results(claim, results(1))
        store.leave_run(claim, "done")
        store.jobs.stop("mine", old["stopped"].id)
        store.jobs.stop("other", elsewhere.id)
        store.jobs.pause("mine", old["paused"].id)
        clock.now += KEPT_DAYS * 24 * 3600.0 - 1.0
        late = store.jobs.ask("mine", "robust", {"key": "late"})
        assert len(store.jobs.of("mine")) == 5
        store.jobs.stop("mine", late.id)
        clock.now += 2.0
        new = store.jobs.ask("mine", "sensitivity", ASKED)
        left = [old["paused"].id, old["waiting"].id, late.id, new.id]
        assert [job.id for job in store.jobs.of("mine")] == left
        assert [job.id for job in store.jobs.of("other")] == [elsewhere.id]
        assert store.count_evaluations([record.key for record in results(1)]) == 1, "its evaluations stay"
        assert [run.layout for run in store.study("mine").runs] == ["default"]
        assert store.check() == []

    def test_a_queued_job_is_unattended_while_nobody_works(self, store: Store, clock: Clock) -> None:
        job, other = (store.jobs.ask("mine", kind, ASKED) for kind in ("robust", "sensitivity"))
        clock.now += 12.0
        assert store.statistics.unattended(job.id) == 12.0
        ((_, claim),) = store.claim_runs([other], this_process())
        assert store.statistics.unattended(job.id) is None
        store.leave_run(claim, "paused")
        assert store.statistics.unattended(other.id) is None, "a paused one waits for nobody"
        store.jobs.pause("mine", job.id)
        store.jobs.resume("mine", job.id)
        assert store.statistics.unattended(job.id) == 0.0

    def test_it_is_paused_resumed_and_cancelled_by_itself(self, store: Store) -> None:
        job, other = (store.jobs.ask("mine", kind, ASKED) for kind in ("robust", "sensitivity"))
        assert store.jobs.pause("mine", job.id).state == "paused"
        assert store.jobs.resume("mine", job.id).state == "queued"
        ((_, claim),) = store.claim_runs([job], this_process())
        store.begin_run(claim, {})
        assert store.jobs.stop("mine", job.id).state == "cancelling"
        assert store.renew([claim]) == {claim: "cancelling"}
        store.leave_run(claim, "paused")
        assert store.jobs.find("mine", job.id).state == "cancelled"
        with pytest.raises(StateError, match=f"job {job.id} is cancelled and cannot be paused"):
            store.jobs.pause("mine", job.id)
        store.queue_study("mine")
        store.stop_study("mine")
        assert store.jobs.find("mine", other.id).state == "queued", "a study is stopped without its jobs"

    def test_a_number_that_is_given_out_again_is_no_claim_of_the_old_job(self, store: Store) -> None:
        sweep = store.sweeps.add("mine", "reevaluate", {"f": (1,)}, "a" * 64)
        old = store.jobs.ask("mine", "sweep", {"sweep": sweep.id})
        ((_, held),) = store.claim_runs([old], this_process())
        store.sweeps.remove("mine", sweep.id)
        new = store.jobs.ask("mine", "robust", ASKED)
        ((_, claim),) = store.claim_runs([new], this_process())
        assert claim != held
        with pytest.raises(LeaseError):
            store.leave_run(held, "done", "of the deleted one")
        assert store.jobs.find("mine", new.id).state == "queued"

    def test_of_an_account_two_are_at_work_at_once(self, store: Store) -> None:
        asked = [store.jobs.ask("mine", "robust", {"key": str(i)}, account="anna") for i in range(3)]
        taken = [store.claim_next(this_process(), jobs=True) for _ in range(3)]
        assert [one and one[0].id for one in taken] == [asked[0].id, asked[1].id, None]
        other = store.jobs.ask("mine", "robust", ASKED, account="bert")
        found = store.claim_next(this_process(), jobs=True)
        assert found is not None
        assert found[0].id == other.id, "the questions of others do not wait"

    def test_whoever_asks_again_has_the_job_and_its_quota(self, store: Store) -> None:
        job = store.jobs.ask("mine", "robust", ASKED, account="anna")
        store.jobs.stop("mine", job.id)
        assert store.jobs.ask("mine", "robust", ASKED, account="bert").account == "bert"
        store.jobs.pause("mine", job.id)
        store.jobs.ask("other", "robust", ASKED, account="bert", most_running=1)
        with pytest.raises(LimitError):
            store.jobs.resume("mine", job.id, most_running=1)

    def test_an_account_has_only_so_many_at_work(self, store: Store) -> None:
        store.jobs.ask("mine", "robust", ASKED, account="anna", most_running=1)
        with pytest.raises(LimitError, match="1 of your studies and jobs are queued or running"):
            store.jobs.ask("other", "robust", ASKED, account="anna", most_running=1)
        again = store.jobs.ask("mine", "robust", ASKED, account="anna", most_running=1)
        assert again.state == "queued", "what waits already waits on"
        assert store.jobs.ask("other", "robust", ASKED, account="bert", most_running=1).account == "bert"

    def test_a_job_goes_with_its_study_and_its_sweep(self, store: Store) -> None:
        sweep = store.sweeps.add("mine", "reevaluate", {"f": (1,)}, "a" * 64)
        job = store.jobs.ask("mine", "sweep", {"sweep": sweep.id})
        ((_, claim),) = store.claim_runs([job], this_process())
        with pytest.raises(
            LeaseError, match=f"study 'mine' is being worked on: job {job.id}; stop that first"
        ):
            store.delete_study("mine")
        store.sweeps.remove("mine", sweep.id)
        assert store.jobs.of("mine") == []
        with pytest.raises(LeaseError, match="was deleted"):
            store.save_results(claim, results(1))
        store.jobs.ask("mine", "robust", ASKED)
        store.delete_study("mine")
        store.create_study(definition("mine"), ["default"])
        assert store.jobs.of("mine") == []
        assert store.check() == []
