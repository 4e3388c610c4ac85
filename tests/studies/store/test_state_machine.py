"""Hypothesis drives a store through long lives of studies and compares it with a small model of them.

The model says in plain Python what the store must hold after each step; owners crash, leases lapse, clocks
jump, and what was delivered is delivered again.
"""

import dataclasses
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import text, update

from errors import LeaseError, StateError, StoreError
from studies.store import LEASE_SECONDS, PASSING_SECONDS, Claim, Owner, Store, this_process
from studies.store.tables import metadata, run_lease
from tests.studies.store.building_blocks import (
    ENDED,
    NOBODY,
    batch,
    contents,
    definition,
    generation,
    results,
)

NAMES = ("a", "b", "c")
HERE = this_process()
OWNERS = [
    *(dataclasses.replace(HERE, id=f"here{i}") for i in range(2)),
    *(Owner(f"far{i}", f"host{i}", 1, 1.0) for i in range(2)),
]
PER_GENERATION = 3
PASSING = {"pausing": "paused", "cancelling": "cancelled"}


@dataclasses.dataclass
class Run:
    """A run as the store must hold it."""

    study: str
    id: int
    state: str = "queued"
    owner: str = ""
    epoch: int = 0
    expires: float = 0.0
    deadline: float | None = None
    generations: int = 0
    dead: bool = False  # its owner's process is gone

    def end(self, state):
        """As somebody other than the owner moves it."""
        self.state, self.deadline = state, None
        self.owner, self.epoch, self.expires = "", self.epoch + 1, 0.0


class StoreMachine(RuleBasedStateMachine):
    """The rules; subclasses say where the store is."""

    def open(self):
        raise NotImplementedError

    def __init__(self):
        super().__init__()
        self.now = 1e6
        self.runs = []
        self.claims = []
        self.store = self.open()

    def teardown(self):
        assert self.store.check() == []
        self.store.close()

    # ------------------------------------------------------------ the model's own words

    def held(self, run):
        lapsed = not self.now < run.expires <= self.now + 2 * LEASE_SECONDS
        return run.expires != 0.0 and not lapsed and not run.dead

    def late(self, run):
        return not self.now < run.deadline <= self.now + 2 * PASSING_SECONDS

    def settled(self, runs):
        for run in runs:
            if run.state in PASSING and (not self.held(run) or self.late(run)):
                run.end(PASSING[run.state])

    def of(self, claim):
        """The run that a claim still gives the right to write; None when it was lost."""
        return next(
            (
                run for run in self.runs
                if (run.id, run.owner, run.epoch) == (claim.run_id, claim.owner, claim.epoch) and run.expires
            ),
            None,
        )  # fmt: skip

    def take(self, run, owner):
        run.owner, run.epoch, run.expires = owner.id, run.epoch + 1, self.now + LEASE_SECONDS
        run.dead = False
        claim = Claim(run.id, owner.id, run.epoch)
        self.claims.append(claim)
        return claim

    def of_study(self, name):
        return [run for run in self.runs if run.study == name]

    def written(self, claim, write):
        """Write under a claim: allowed and renewed when it is ours, else refused."""
        run = self.of(claim)
        if run is None:
            with pytest.raises(LeaseError):
                write()
            return None
        try:
            write()
        finally:
            run.expires = self.now + LEASE_SECONDS
        return run

    # ------------------------------------------------------------ rules

    @rule(name=st.sampled_from(NAMES), seeds=st.integers(1, 2))
    def create(self, name, seeds):
        known = self.of_study(name)
        if known:
            self.store.create_study(definition(name, range(len(known))), ["default"])
            return
        study = self.store.create_study(definition(name, range(seeds)), ["default"])
        taken = {run.id for run in self.runs}
        self.runs += [Run(name, run.id) for run in study.runs]
        self.claims = [claim for claim in self.claims if claim.run_id in taken]  # SQLite gives ids anew

    @precondition(lambda self: self.runs)
    @rule(data=st.data(), owner=st.sampled_from(OWNERS))
    def claim_study(self, data, owner):
        name = data.draw(st.sampled_from(sorted({run.study for run in self.runs})))
        runs = self.of_study(name)
        before = [dataclasses.replace(run) for run in runs]
        wanted = self.store.study(name).runs
        self.settled(runs)
        free = [run for run in runs if run.state not in ENDED]
        if any(self.held(run) for run in free):
            with pytest.raises(LeaseError):
                self.store.claim_runs(wanted, owner)
            for run, was in zip(runs, before, strict=True):
                run.__dict__.update(was.__dict__)
            return
        claims = [claim for _, claim in self.store.claim_runs(wanted, owner)]
        assert claims == [self.take(run, owner) for run in free]

    @rule(owner=st.sampled_from(OWNERS))
    def claim_next(self, owner):
        found = self.store.claim_next(owner)
        self.settled(self.runs)
        free = [run for run in self.runs if run.state in {"queued", "running"} and not self.held(run)]
        if not free:
            assert found is None
        else:
            assert found is not None
            oldest = min(free, key=lambda run: run.id)
            assert found[1] == self.take(oldest, owner), (found, self.runs, self.now)

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def begin(self, data):
        claim = data.draw(st.sampled_from(self.claims))
        run = self.of(claim)
        if run is not None and run.state in PASSING:
            with pytest.raises(StateError):
                self.store.begin_run(claim, {})
            return
        begun = self.written(claim, lambda: self.store.begin_run(claim, {}))
        if begun is not None:
            begun.state = "running"

    @precondition(lambda self: self.claims)
    @rule(data=st.data(), times=st.integers(1, 3))
    def save(self, data, times):
        """The next generation, delivered up to three times."""
        claim = data.draw(st.sampled_from(self.claims))
        run = self.of(claim)
        number = run.generations + 1 if run else 1
        self._deliver(claim, number, times)
        if run is not None:
            run.generations += 1

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def save_again(self, data):
        """A generation from long ago, delivered late."""
        claim = data.draw(st.sampled_from(self.claims))
        run = self.of(claim)
        if run is not None and run.generations:
            self._deliver(claim, data.draw(st.integers(1, run.generations)), 1)

    def _deliver(self, claim, number, times):
        given = results(PER_GENERATION, PER_GENERATION * (number - 1))
        asked = PER_GENERATION * number
        logged = dataclasses.replace(batch(number, given), objectives=_line(number))
        front = (list(range(asked - PER_GENERATION, asked)), [])
        for _ in range(times):
            self.written(claim, lambda: self.store.save_results(claim, reversed(given)))
            self.written(
                claim,
                lambda: self.store.save_generation(
                    claim, logged, given, generation(number, asked), front, None
                ),
            )

    @precondition(lambda self: any(self.of(claim) for claim in self.claims))
    @rule(data=st.data())
    def skip_a_generation(self, data):
        claim = data.draw(st.sampled_from([claim for claim in self.claims if self.of(claim)]))
        number = self.of(claim).generations + 2
        given = results(PER_GENERATION)
        with pytest.raises(StoreError, match="does not follow"):
            self.store.save_generation(
                claim,
                batch(number, given),
                given,
                generation(number, PER_GENERATION * number),
                ([], []),
                None,
            )

    @precondition(lambda self: self.claims)
    @rule(data=st.data(), state=st.sampled_from(["paused", "queued", *ENDED]))
    def leave(self, data, state):
        claim = data.draw(st.sampled_from(self.claims))
        run = self.of(claim)
        if run is not None and run.state in ENDED:
            with pytest.raises(StateError):
                self.store.leave_run(claim, state)
            return
        if run is None:
            # Already left so by this very claim, repeating it is no error; else it is.
            known = {(r.id, r.owner, r.epoch): r for r in self.runs}
            own = known.get((claim.run_id, claim.owner, claim.epoch))
            allowed = {"paused": {"paused", "cancelled"}, "queued": {"queued", "paused", "cancelled"}}
            if own is not None and own.state in allowed.get(state, {state}):
                self.store.leave_run(claim, state)
                return
        left = self.written(claim, lambda: self.store.leave_run(claim, state))
        if left is not None:
            if left.state == "cancelling" and state not in ENDED:
                state = "cancelled"
            elif left.state == "pausing" and state == "queued":
                state = "paused"
            left.state, left.deadline, left.expires = state, None, 0.0

    @rule()
    def renew(self):
        told = self.store.renew(self.claims)
        ours = {claim: self.of(claim) for claim in self.claims if self.of(claim)}
        assert told == {claim: run.state for claim, run in ours.items()}
        for run in ours.values():
            run.expires = self.now + LEASE_SECONDS

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def give_up(self, data):
        claim = data.draw(st.sampled_from(self.claims))
        self.store.give_up([claim])
        run = self.of(claim)
        if run is not None:
            run.expires = 0.0

    def _wish(self, name, method, allowed, move):
        runs = self.of_study(name)
        before = [dataclasses.replace(run) for run in runs]
        self.settled(runs)
        if not any(run.state in allowed for run in runs):
            with pytest.raises(StateError):
                method(name)
            for run, was in zip(runs, before, strict=True):
                run.__dict__.update(was.__dict__)
            return
        method(name)
        for run in runs:
            move(run)

    def _ask(self, run, state):
        run.state, run.deadline = state, self.now + PASSING_SECONDS

    @precondition(lambda self: self.runs)
    @rule(data=st.data())
    def pause(self, data):
        def move(run):
            if run.state == "running" and self.held(run):
                self._ask(run, "pausing")
            elif run.state in {"running", "queued"} or (run.state == "paused" and self.held(run)):
                run.end("paused")

        name = data.draw(st.sampled_from(sorted({run.study for run in self.runs})))
        self._wish(name, self.store.pause_study, {"queued", "running", "pausing", "paused"}, move)

    @precondition(lambda self: self.runs)
    @rule(data=st.data())
    def stop(self, data):
        def move(run):
            if run.state in {"running", "pausing"} and self.held(run):
                self._ask(run, "cancelling")
            elif run.state not in {*ENDED, "cancelling"}:
                run.end("cancelled")

        name = data.draw(st.sampled_from(sorted({run.study for run in self.runs})))
        allowed = {"queued", "running", "pausing", "paused", "cancelling", "cancelled"}
        self._wish(name, self.store.stop_study, allowed, move)

    @precondition(lambda self: self.runs)
    @rule(data=st.data())
    def queue(self, data):
        def move(run):
            run.state = "queued" if run.state == "paused" else run.state

        name = data.draw(st.sampled_from(sorted({run.study for run in self.runs})))
        self._wish(name, self.store.queue_study, {"queued", "running", "pausing", "paused"}, move)

    @rule()
    def settle(self):
        self.store.settle()
        self.settled(self.runs)

    @precondition(lambda self: self.runs)
    @rule(data=st.data())
    def delete(self, data):
        name = data.draw(st.sampled_from(sorted({run.study for run in self.runs})))
        runs = self.of_study(name)
        if any(self.held(run) for run in runs):
            with pytest.raises(LeaseError):
                self.store.delete_study(name)
            return
        others = max([run.generations for run in self.runs if run.study != name], default=0)
        own = max(run.generations for run in runs)
        assert self.store.delete_study(name) == PER_GENERATION * max(own - others, 0)
        self.runs = [run for run in self.runs if run.study != name]

    @rule(owner=st.sampled_from(OWNERS[:2]))
    def crash(self, owner):
        """An owner's process on this host is gone: its number belongs to nobody."""
        with self.store._engine.begin() as connection:
            connection.execute(update(run_lease).where(run_lease.c.owner == owner.id).values(pid=NOBODY))
        for run in self.runs:
            run.dead = run.dead or run.owner == owner.id

    @rule(
        seconds=st.sampled_from(
            [1.0, LEASE_SECONDS - 1, LEASE_SECONDS + 1, PASSING_SECONDS + 1, 3600.0, -3600.0]
        )
    )
    def pass_time(self, seconds):
        self.now += seconds

    # ------------------------------------------------------------ what must hold after every step

    @invariant()
    def the_store_holds_what_the_model_says(self):
        held = contents(self.store)
        leases = {row["run_id"]: row for row in held["run_lease"]}
        counts = [row["run_id"] for row in held["generation"]]
        stored = [
            (
                row["id"], row["state"], row["deadline"], leases[row["id"]]["owner"],
                leases[row["id"]]["epoch"], leases[row["id"]]["expires"], counts.count(row["id"]),
            )
            for row in held["run"]
        ]  # fmt: skip
        assert stored == [
            (run.id, run.state, run.deadline, run.owner, run.epoch, run.expires, run.generations)
            for run in sorted(self.runs, key=lambda run: run.id)
        ]
        states = [row for row in held["event"] if row["kind"] != "generation"]
        assert {row["run_id"]: row["kind"] for row in states} == {run.id: run.state for run in self.runs}
        told = [(row["run_id"], row["message"]) for row in held["event"] if row["kind"] == "generation"]
        assert sorted(told) == sorted(
            (run.id, str(number)) for run in self.runs for number in range(1, run.generations + 1)
        )


def _line(number):
    """Objectives that no other generation dominates."""
    import numpy as np

    first = PER_GENERATION * number + np.arange(PER_GENERATION, dtype=float)
    return np.column_stack([first, -first])


class OnSQLite(StoreMachine):
    empty: Path

    def open(self):
        self.folder = tempfile.TemporaryDirectory()
        path = shutil.copy(self.empty, self.folder.name)
        return Store(path, clock=lambda: self.now)

    def teardown(self):
        super().teardown()
        self.folder.cleanup()


class OnPostgreSQL(StoreMachine):
    url: str

    def open(self):
        store = Store(self.url, clock=lambda: self.now)
        with store._engine.begin() as connection:
            names = ", ".join(metadata.tables)
            connection.execute(text(f"TRUNCATE {names} CASCADE"))
        return store


LENGTHS = [
    pytest.param(12, 30, id="short"),
    pytest.param(60, 50, id="long", marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
]


def drive(machine, examples, steps):
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, derandomize=True, deadline=None,
            suppress_health_check=list(HealthCheck), database=None,
        ),
    )  # fmt: skip


@pytest.mark.parametrize(("examples", "steps"), LENGTHS)
def test_any_life_of_studies_on_sqlite(tmp_path, monkeypatch, examples, steps):
    path = tmp_path / "empty.db"
    Store(str(path)).close()
    monkeypatch.setattr(OnSQLite, "empty", path, raising=False)
    drive(OnSQLite, examples, steps)


@pytest.mark.soak
@pytest.mark.parametrize(("examples", "steps"), LENGTHS)
def test_any_life_of_studies_on_postgresql(postgresql_url, monkeypatch, examples, steps):
    monkeypatch.setattr(OnPostgreSQL, "url", postgresql_url, raising=False)
    drive(OnPostgreSQL, examples, steps)
