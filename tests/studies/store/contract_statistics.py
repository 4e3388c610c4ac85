"""Contract of a database for the progress of many runs, as a test class; see :mod:`.contract`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from studies.records import RunRecord, TokenKind, TokenRecord
from studies.store.run_statistics import Bounds, Waiting
from studies.store.store import Store
from studies.store.studies import Wanted
from tests.studies.store.building_blocks import (
    Clock,
    StoreFixtures,
    add_accounts,
    begun,
    definition,
    generation,
    results,
    save,
    someone,
)


class StatisticsContract(StoreFixtures):
    """Generations, best values, verdicts and the queue of many runs at once."""

    @pytest.fixture
    def runs(self, store: Store) -> tuple[RunRecord, ...]:
        """Three runs of one study: of 7 generations, of one, and of none."""
        runs = store.create_study(definition(seeds=[1, 2, 3]), ["a"]).runs
        first, second = (begun(store, run) for run in runs[:2])
        for number in range(1, 8):
            save(store, first, number, results(2, 2 * number), before=2 * (number - 1))
        save(store, second, 1, results(3), indicators=generation(1, 3, 3))
        return runs

    def test_the_last_generations_are_found(self, store: Store, runs: tuple[RunRecord, ...]) -> None:
        ids = [run.id for run in runs]
        spent = store.statistics.spent(ids)
        assert {run_id: found.last for run_id, found in spent.items()} == {
            run.id: store.generations(run)[-1] for run in runs[:2]
        }
        assert [found.seconds for found in spent.values()] == pytest.approx([0.7, 0.1])
        recent = store.statistics.recent(ids, 3)
        assert recent == {run.id: store.generations(run)[-3:] for run in runs[:2]}
        assert store.statistics.spent([]) == store.statistics.recent([], 3) == {}

    @pytest.mark.parametrize(
        ("points", "numbers"), [(1, [7]), (2, [4, 7]), (3, [3, 6, 7]), (7, [2, 4, 6, 7])]
    )
    def test_growth_is_reported_at_steps(
        self, store: Store, runs: tuple[RunRecord, ...], points: int, numbers: list[int]
    ) -> None:
        found = store.statistics.growth([run.id for run in runs], points)
        assert [item.number for item in found[runs[0].id]] == numbers
        assert [item.number for item in found[runs[1].id]] == [1]

    def test_objectives_of_fronts_are_those_of_their_members(
        self, store: Store, runs: tuple[RunRecord, ...]
    ) -> None:
        found = store.statistics.fronts([run.id for run in runs])
        assert set(found) == {run.id for run in runs[:2]}
        for run in runs[:2]:
            front = [member.objectives.tolist() for member in store.front(run)]
            assert sorted(found[run.id].tolist()) == sorted(front)

    def test_designs_are_counted_by_what_became_of_them(self, store: Store) -> None:
        run = store.create_study(definition("verdicts"), ["a"]).runs[0]
        done = results(4, 50)
        bad = [
            # pyrefly: ignore[bad-argument-type]
            replace(record, state=state, kind=kind, reason=reason, metrics={}, violation=1.0)
            for record, (state, kind, reason) in zip(
                results(3, 60),
                [("infeasible", "", "too far"), ("infeasible", "", "too far"), ("failed", "timeout", "late")],
                strict=True,
            )
        ]
        violations = np.array([0.0, 0.0, 0.5, 0.5, 1e6, 1e6, 1e9])
        save(store, begun(store, run), 1, [*done, *bad], violations=violations)
        found = store.statistics.outcome_counts([run.id])
        counted = {(v.run_id, v.state, v.kind, v.reason, v.broken): v.count for v in found}
        assert counted == {
            (run.id, "done", "", "", False): 2, (run.id, "done", "", "", True): 2,
            (run.id, "infeasible", "", "too far", False): 2, (run.id, "failed", "timeout", "late", False): 1,
        }  # fmt: skip
        assert {v.key for v in found if v.kind == "timeout"} == {bad[2].key}
        # f2 is 0.1 i: of the two designs that break something, 52 and 53, one is above 5.25.
        bounds = [
            Bounds("f2", -np.inf, 5.25, 0.0),
            Bounds("absent", 1.0, np.inf, 0.0),
            Bounds("f2", 0.0, 9.0, 0.0),
        ]
        assert store.statistics.broken([run.id], bounds) == [1, 2, 0]
        assert store.statistics.broken([], bounds) == [0, 0, 0]

    def test_it_is_reported_why_a_run_waits(self, store: Store, clock: Clock) -> None:
        first = store.create_study(definition("first"), ["a"]).runs
        second = store.create_study(definition("second"), ["a"]).runs
        clock.now += 7.0
        assert store.statistics.waiting([first[0].id]) == Waiting(7.0, 0, 0)
        assert store.statistics.waiting([second[0].id]) == Waiting(7.0, 1, 0)
        claim = begun(store, first[0], someone())
        assert store.statistics.waiting([first[0].id]) is None
        assert store.statistics.waiting([second[0].id]) == Waiting(7.0, 0, 1)
        store.leave_run(claim, "paused")
        store.queue_study("first")
        assert store.statistics.waiting([first[0].id]) == Waiting(0.0, 0, 0), (
            "waits since it was queued again"
        )

    def test_studies_are_found_by_name(self, store: Store) -> None:
        for name in ("one", "two", "three"):
            store.create_study(definition(name), ["a"])
        found = store.studies(Wanted(names=("two", "four", "one")))
        assert {study.name for study in found} == {"one", "two"}
        assert store.studies(Wanted(names=())) == []

    def test_sessions_are_listed_while_they_are_good(self, store: Store, clock: Clock) -> None:
        given: list[tuple[TokenKind, str, float]] = [
            ("session", "anna", 50.0),
            ("session", "anna", 500.0),
            ("token", "anna", 500.0),
            ("session", "otto", 500.0),
        ]
        add_accounts(store, "anna", "otto")
        for number, (kind, owner, expires) in enumerate(given):
            made, end = clock.now + number, clock.now + expires
            store.tokens.add(TokenRecord(str(number), owner, kind, "", "0" * 64, "admin", made, end))
        assert [session.id for session in store.tokens.sessions("anna")] == ["1", "0"]
        clock.now += 100.0
        assert [session.id for session in store.tokens.sessions("anna")] == ["1"]
        store.tokens.revoke("1")
        assert store.tokens.sessions("anna") == []
