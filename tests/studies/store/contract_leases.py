"""Contract of a database as a store, second part: leases, clocks and the queue.

Subclass and override ``url`` as in :mod:`tests.studies.store.contract`. Needs pytest.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from errors import LeaseError
from studies.records import StudyRecord
from studies.store.lease import LEASE_SECONDS, Owner, this_process
from studies.store.store import Store
from tests.studies.store.building_blocks import (
    ENDED,
    NOBODY,
    Clock,
    Forgetful,
    StoreFixtures,
    batch,
    begun,
    brought_to,
    contents,
    definition,
    generation,
    results,
    someone,
)


class LeaseContract(StoreFixtures):
    """The conformance suite: who may write, and when."""

    @pytest.fixture
    def study(self, store: Store) -> StudyRecord:
        """A study of one run."""
        return store.create_study(definition(), ["default"])

    # ------------------------------------------------------------ leases

    def test_a_late_writer_is_refused_and_writes_nothing(self, store: Store, study: StudyRecord) -> None:
        run, given = study.runs[0], results(1)
        late = begun(store, run, someone(pid=NOBODY))
        now = begun(store, run)
        assert now.epoch == late.epoch + 1
        before = contents(store)
        attempts: list[Callable[[], object]] = [
            lambda: store.save_results(late, given),
            lambda: store.save_generation(late, batch(1, given), given, generation(1, 1), ([], []), None),
            lambda: store.begin_run(late, {}),
            lambda: store.leave_run(late, "done"),
        ]
        for attempt in attempts:
            with pytest.raises(LeaseError, match="another process has taken over"):
                attempt()
        store.give_up([late])
        assert contents(store) == before
        assert store.renew([late, now]) == {now: "running"}

    def test_leases_bind_the_living_and_free_the_dead(
        self, store: Store, study: StudyRecord, clock: Clock
    ) -> None:
        (run,) = study.runs
        begun(store, run, someone())  # this very process, alive
        with pytest.raises(LeaseError, match="being worked on by process"):
            begun(store, run)
        assert store.claim_next(this_process()) is None
        clock.now += LEASE_SECONDS + 1
        begun(store, run)
        for gone in (someone(started=-60.0), someone(pid=NOBODY)):  # a number given out anew; a dead one
            clock.now += LEASE_SECONDS + 1
            begun(store, run, gone)
            assert store.run(run).owner_gone
            begun(store, run)
            assert not store.run(run).owner_gone
        clock.now += LEASE_SECONDS + 1
        begun(store, run, Owner("far", "another-host", 1, 1.0))
        assert store.run(run).owner == "another-host:1"
        clock.now += LEASE_SECONDS - 1
        with pytest.raises(LeaseError, match="another-host"):
            begun(store, run)
        clock.now += 2
        assert store.run(run).owner_gone
        begun(store, run)

    def test_renewing_keeps_a_lease_and_tells_the_state(
        self, store: Store, study: StudyRecord, clock: Clock
    ) -> None:
        claim = begun(store, study.runs[0], Owner("far", "another-host", 1, 1.0))
        for _ in range(5):
            clock.now += LEASE_SECONDS - 1
            assert store.renew([claim]) == {claim: "running"}
        store.pause_study(study.name)
        assert store.renew([claim]) == {claim: "pausing"}
        store.leave_run(claim, "paused")
        assert store.renew([claim]) == store.renew([]) == {}

    @pytest.mark.parametrize("jump", [3600.0, -3600.0, 86400.0, -86400.0])
    def test_a_jump_of_the_clock_never_makes_two_owners(
        self, store: Store, study: StudyRecord, clock: Clock, jump: float
    ) -> None:
        (run,) = study.runs
        first = begun(store, run, someone())
        clock.now += jump
        assert store.renew([first]) == {first: "running"}, "one renewal heals it"
        with pytest.raises(LeaseError):
            store.claim_runs([run], this_process())
        clock.now += jump
        taken = store.claim_next(this_process())  # in the moment before the renewal
        assert taken is not None
        assert store.renew([first]) == {}
        with pytest.raises(LeaseError, match="taken over"):
            store.save_results(first, results(1))
        store.save_results(taken[1], results(1))

    def test_a_deadline_is_not_put_off_by_a_clock_set_back(self, store: Store, clock: Clock) -> None:
        run, _ = brought_to(store, "pausing", Owner("far", "another-host", 1, 1.0))
        clock.now -= 86400.0
        store.settle()
        assert store.run(run).state == "paused"

    def test_claims_of_several_runs_are_all_or_none(self, store: Store) -> None:
        study = store.create_study(definition(seeds=[1, 2, 3]), ["default"])
        other = begun(store, study.runs[1], someone())
        before = contents(store)
        with pytest.raises(LeaseError, match="seed 2"):
            store.claim_runs(study.runs, this_process())
        assert contents(store) == before
        store.leave_run(other, "done")
        claimed = store.claim_runs(study.runs, this_process())
        assert [(run.seed, run.state, run.id == claim.run_id) for run, claim in claimed] == [
            (1, "queued", True), (3, "queued", True),
        ]  # fmt: skip
        store.give_up([claim for _, claim in claimed])
        assert [run.owner for run in store.study(study.name).runs] == ["", "", ""]
        assert len(store.claim_runs(study.runs, someone())) == 2

    def test_a_process_does_not_take_its_own_runs_from_itself(
        self, store: Store, study: StudyRecord, clock: Clock
    ) -> None:
        """Another thread may be working on them."""
        (run,) = study.runs
        for state in ("running", "pausing"):
            claim = begun(store, run)
            if state == "pausing":
                store.pause_study(study.name)
            with pytest.raises(LeaseError, match="being worked on") as refused:
                store.claim_runs([run], this_process())
            assert refused.value.lapses_in == LEASE_SECONDS
            assert store.renew([claim]) == {claim: state}
            store.give_up([claim])
        left = begun(store, run)  # by work that failed and left its claim
        clock.now += LEASE_SECONDS + 1
        again = begun(store, run)
        assert store.renew([left, again]) == {again: "running"}

    def test_a_claim_whose_acknowledgement_was_lost_is_not_refused(
        self, store: Store, study: StudyRecord, clock: Clock
    ) -> None:
        store._database = Forgetful(store._engine, clock)
        ((_, claim),) = store.claim_runs(study.runs, this_process())
        assert store.renew([claim]) == {claim: "queued"}
        with pytest.raises(LeaseError, match="being worked on"):
            store.claim_runs(study.runs, this_process())

    # ------------------------------------------------------------ the queue

    def test_looking_for_work_writes_nothing_while_all_of_it_is_in_hand(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        study = store.create_study(definition("one", [1, 2]), ["default"])
        for run in study.runs:
            begun(store, run)
        written: list[object] = []
        monkeypatch.setattr(store._database, "write", written.append)
        assert store.claim_next(this_process()) is None
        assert written == []

    def test_the_queue_gives_the_oldest_run_that_is_free(self, store: Store, clock: Clock) -> None:
        one = store.create_study(definition("one", [1, 2]), ["default"])
        store.create_study(definition("two", [3]), ["default"])
        me = this_process()
        held = store.claim_runs(one.runs[:1], me)
        found = [store.claim_next(me) for _ in range(3)]
        assert [item and item[0].seed for item in found] == [2, 3, None]
        store.give_up([held[0][1]])
        again = store.claim_next(me)
        assert again is not None
        store.begin_run(again[1], {})
        clock.now += LEASE_SECONDS + 1  # nothing was renewed: all of it may be taken anew
        taken = [store.claim_next(someone()) for _ in range(3)]
        assert [item and (item[0].seed, item[0].state) for item in taken] == [
            (1, "running"), (2, "queued"), (3, "queued"),
        ]  # fmt: skip

    def test_the_queue_gives_each_run_to_one_process(self, store: Store) -> None:
        store.create_study(definition(seeds=range(40)), ["default"])

        def work(number: int) -> list[int]:
            taken: list[int] = []
            while (found := store.claim_next(someone(f"runner {number}"))) is not None:
                taken.append(found[0].seed)
            return taken

        with ThreadPoolExecutor(4) as pool:
            taken = [seed for seeds in pool.map(work, range(4)) for seed in seeds]
        assert sorted(taken) == list(range(40))

    def test_what_waits_paused_or_has_ended_is_not_taken(self, store: Store) -> None:
        for state in ("paused", *ENDED):
            run, _ = brought_to(store, state)
            assert store.claim_next(this_process()) is None
            assert len(store.claim_runs([run], this_process())) == (state == "paused")
