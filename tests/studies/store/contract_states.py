"""Contract of a database as a store, third part: states, events, lost answers.

Subclass and override ``url`` as in :mod:`tests.studies.store.contract`. Needs pytest.
"""

from __future__ import annotations

from typing import Any

import pytest

from errors import LeaseError, StateError
from studies.records import RunState
from studies.store.lease import LEASE_SECONDS, Owner, this_process
from studies.store.run_lock import PASSING_SECONDS
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

FAR = Owner("far", "another-host", 1, 1.0)
"""An owner that counts as alive until its lease lapses."""

UNFINISHED: tuple[RunState, ...] = ("queued", "running", "pausing", "paused", "cancelling")

# From each state: what a wish makes of it while its owner lives, and when it is gone.
WISHES: dict[str, dict[RunState, tuple[RunState, RunState]]] = {
    "pause_study": {
        "queued": ("paused", "paused"),
        "running": ("pausing", "paused"),
        "pausing": ("pausing", "paused"),
        "paused": ("paused", "paused"),
    },
    "stop_study": {
        "queued": ("cancelled", "cancelled"),
        "running": ("cancelling", "cancelled"),
        "pausing": ("cancelling", "cancelled"),
        "paused": ("cancelled", "cancelled"),
        "cancelling": ("cancelling", "cancelled"),
        "cancelled": ("cancelled", "cancelled"),
    },
    "queue_study": {
        "queued": ("queued", "queued"),
        "running": ("running", "running"),
        "pausing": ("pausing", "queued"),
        "paused": ("queued", "queued"),
    },
}


class StateContract(StoreFixtures):
    """The conformance suite: how runs move from state to state."""

    @pytest.mark.parametrize("lives", [True, False])
    @pytest.mark.parametrize("wish", WISHES)
    def test_wishes_move_runs_as_the_table_says(
        self, store: Store, clock: Clock, wish: str, lives: bool
    ) -> None:
        for state in (*UNFINISHED, *ENDED):
            run, claim = brought_to(store, state, FAR)
            clock.now += 0.0 if lives else LEASE_SECONDS + 1.0
            expected = WISHES[wish].get(state, ("", ""))[0 if lives else 1]
            if not expected:
                with pytest.raises(StateError, match=rf"study '{state}' is \w+ and cannot be.*allowed: "):
                    getattr(store, wish)(run.study)
                assert store.run(run).state == state
                continue
            for _ in range(2):
                assert getattr(store, wish)(run.study).runs[0].state == expected
            now = store.run(run)
            passing = expected in {"pausing", "cancelling"}
            assert now.deadline == (clock.now + PASSING_SECONDS if passing else None)
            assert store.renew([claim]) == ({claim: expected} if passing or expected == "running" else {})

    @pytest.mark.parametrize("wish", WISHES)
    def test_a_study_of_several_runs_moves_those_that_can(self, store: Store, wish: str) -> None:
        study = store.create_study(definition(seeds=[1, 2, 3]), ["default"])
        store.leave_run(begun(store, study.runs[0]), "done")
        store.leave_run(begun(store, study.runs[1]), "paused")
        states = [run.state for run in getattr(store, wish)(study.name).runs]
        assert (
            states
            == {
                "pause_study": ["done", "paused", "paused"],
                "stop_study": ["done", "cancelled", "cancelled"],
                "queue_study": ["done", "queued", "queued"],
            }[wish]
        )
        assert [run.state for run in getattr(store, wish)(study.name).runs] == states

    def test_what_is_claimed_but_not_begun_is_taken_away_by_a_wish(self, store: Store) -> None:
        for wish, state in (("pause_study", "paused"), ("stop_study", "cancelled")):
            study = store.create_study(definition(wish.replace("_", "-"), [1, 2]), ["default"])
            store.leave_run(begun(store, study.runs[0]), "paused")
            claims = [claim for _, claim in store.claim_runs(study.runs, this_process())]
            assert {run.state for run in getattr(store, wish)(study.name).runs} == {state}
            assert store.renew(claims) == {}
            for claim in claims:
                with pytest.raises(LeaseError, match=f"taken from this process and is {state}"):
                    store.begin_run(claim, {})

    @pytest.mark.parametrize(("state", "wish"), [("pausing", "pause_study"), ("cancelling", "stop_study")])
    def test_a_run_that_was_asked_before_it_began_cannot_begin(
        self, store: Store, state: RunState, wish: str
    ) -> None:
        run, _ = brought_to(store, "running", someone(pid=NOBODY))
        ((_, claim),) = store.claim_runs([run], this_process())  # taken over while it is running
        assert getattr(store, wish)(run.study).runs[0].state == state
        with pytest.raises(StateError, match=f"is {state} and cannot begin"):
            store.begin_run(claim, {})
        store.leave_run(claim, "paused")
        assert store.run(run).state == {"pausing": "paused", "cancelling": "cancelled"}[state]

    @pytest.mark.parametrize("left", ["paused", "queued", *ENDED])
    def test_a_run_is_left_as_the_wish_of_the_user_allows(self, store: Store, left: RunState) -> None:
        for state in UNFINISHED:
            run, claim = brought_to(store, state)
            if state in {"queued", "paused"}:
                ((_, claim),) = store.claim_runs([run], this_process())
            expected: RunState = left
            if state == "cancelling" and left not in ENDED:
                expected = "cancelled"
            elif state == "pausing" and left == "queued":
                expected = "paused"
            for _ in range(3):
                store.leave_run(claim, left, "because")
            now = store.run(run)
            assert (now.state, now.message, now.owner, now.deadline) == (expected, "because", "", None), state
            assert [event.kind for event in store.events()][-1] == expected
            assert store.events()[-2].kind == state
            with pytest.raises(LeaseError, match="was taken from this process"):
                store.save_results(claim, results(1))
            assert len(store.claim_runs([run], someone())) == (expected in {"paused", "queued"}), state

    def test_a_run_is_not_left_in_a_state_that_needs_an_owner(self, store: Store) -> None:
        run, claim = brought_to(store, "running")
        for state in ("running", "pausing", "cancelling", "draft"):
            with pytest.raises(StateError, match="allowed: cancelled, diverged, done, failed, "):
                store.leave_run(claim, state)
        assert store.run(run).state == "running"

    @pytest.mark.parametrize(("state", "end"), [("pausing", "paused"), ("cancelling", "cancelled")])
    def test_a_passing_state_ends_with_its_owner_or_its_deadline(
        self, store: Store, clock: Clock, state: RunState, end: RunState
    ) -> None:
        run, claim = brought_to(store, state, FAR)
        for _ in range(3):
            clock.now += PASSING_SECONDS / 3 - 1.0
            store.renew([claim])
            store.settle()
            assert store.run(run).state == state
            with pytest.raises(LeaseError, match="being worked on"):
                store.claim_runs([run], this_process())
        clock.now += 3.0  # its owner lives, but is late
        store.settle()
        assert (store.run(run).state, store.run(run).owner) == (end, "")
        assert "did not answer" in store.run(run).message
        for late in (lambda: store.leave_run(claim, "done"), lambda: store.save_results(claim, results(1))):
            with pytest.raises(LeaseError, match=f"taken from this process and is {end}"):
                late()

    @pytest.mark.parametrize("way", ["settle", "claim_next", "claim_runs"])
    def test_whoever_comes_by_settles_for_an_owner_that_is_gone(
        self, store: Store, clock: Clock, way: str
    ) -> None:
        runs = [brought_to(store, state, FAR)[0] for state in ("pausing", "cancelling")]
        clock.now += LEASE_SECONDS + 1.0
        assert [store.run(run).owner_gone for run in runs] == [True, True]
        if way == "settle":
            store.settle()
        elif way == "claim_next":
            assert store.claim_next(this_process()) is None
        else:
            claimed = store.claim_runs(runs, this_process())
            assert [(run.id, run.state) for run, _ in claimed] == [(runs[0].id, "paused")]
        assert [store.run(run).state for run in runs] == ["paused", "cancelled"]
        assert [store.run(run).message for run in runs] == ["its process is gone"] * 2

    def test_events_tell_every_change_once_and_in_order(self, store: Store, clock: Clock) -> None:
        run, _ = brought_to(store, "paused")
        told = store.events()
        assert [(e.kind, e.study, e.layout, e.seed, e.time) for e in told] == [
            (kind, "paused", "default", 1, clock.now) for kind in ("queued", "running", "paused")
        ]
        assert store.events(after=told[0].id, limit=1) == told[1:2]
        last = told[-1].id
        store.delete_study(run.study)
        assert store.events() == []
        brought_to(store, "done")
        later = store.events(after=last)
        assert [e.kind for e in later] == ["queued", "running", "done"], "numbers are not given out again"

    def test_what_a_run_at_work_waits_for_is_its_message(self, store: Store, clock: Clock) -> None:
        """Its begin is an event, once; it does not count as something that the run did."""
        run, claim = brought_to(store, "running")
        clock.now += 5.0
        for text in ("no workers", "no workers", "", ""):
            store.remark(claim, text)
            assert store.study(run.study).runs[0].message == text
        assert [event.message for event in store.events() if event.kind == "running"] == ["", "no workers"]
        assert store.statistics.quiet([run.id]) == {run.id: 5.0}
        asked = store.pause_study(run.study).runs[0].message
        store.remark(claim, "no workers")
        assert store.study(run.study).runs[0].message == asked != "no workers"
        store.leave_run(claim, "paused", "by request")
        with pytest.raises(LeaseError):
            store.remark(claim, "no workers")
        assert store.study(run.study).runs[0].message == "by request"

    def test_a_lost_acknowledgement_changes_nothing(self, store: Store, clock: Clock) -> None:
        """Every write carried out twice leaves what it leaves when carried out once."""
        told: list[dict[str, list[Any]]] = []
        for database in (store._database, Forgetful(store._engine, clock)):
            store._database = database
            told.append(_everything_once(store))
            clock.now += LEASE_SECONDS + 1.0
            removed = [store.delete_study(name) for name in ("mine", "gone", "over")]
            assert removed == [4, 0, 0]
            clock.now -= LEASE_SECONDS + 1.0
        assert _without_numbers(told[0]) == _without_numbers(told[1])


def _everything_once(store: Store) -> dict[str, list[Any]]:
    """Use every method that writes; all that the store holds then."""
    study = store.create_study(definition("mine", [1, 2, 3, 4]), ["default"])
    ((_, first),) = store.claim_runs(study.runs[:1], this_process())
    store.begin_run(first, {"a": 1})
    store.remark(first, "waits")
    store.save_results(first, results(4))
    store.save_generation(first, batch(1, results(4)), results(4), generation(1, 4), ([0, 1], []), None)
    store.renew([first])
    store.leave_run(first, "done", "well")
    found = store.claim_next(this_process())
    assert found is not None
    assert found[0].seed == 2
    store.begin_run(found[1], {})
    store.pause_study("mine")
    store.leave_run(found[1], "queued")
    store.queue_study("mine")
    again = store.claim_next(this_process())
    assert again is not None
    assert again[0].seed == 2, "a claim that was stored is not lost"
    store.give_up([again[1]])
    begun(store, store.create_study(definition("gone"), ["default"]).runs[0], someone(pid=NOBODY))
    store.pause_study("gone")
    begun(store, store.create_study(definition("over"), ["default"]).runs[0])
    store.stop_study("over")
    store.settle()
    return contents(store)


def _without_numbers(told: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Rows without what counts tries: numbers of rows, epochs of repeated claims."""
    drop = {"id", "run_id", "study_id", "epoch"}
    return {
        name: sorted(repr({k: v for k, v in row.items() if k not in drop}) for row in rows)
        for name, rows in told.items()
    }
