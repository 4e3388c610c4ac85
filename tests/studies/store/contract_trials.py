"""Contract of a database for the designs that runs asked for, as a test class; see :mod:`.contract`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from errors import InputError
from studies.records import Origin, StudyRecord
from studies.store.run_statistics import Bounds
from studies.store.store import Store
from studies.store.trials import Numbers, Trial, TrialFilter
from tests.studies.store.building_blocks import (
    StoreFixtures,
    batch,
    begun,
    definition,
    generation,
    results,
    save,
)


class AskedContract(StoreFixtures):
    """Pages of the log, and who asked for a design."""

    @pytest.fixture
    def studies(self, store: Store) -> list[StudyRecord]:
        """Two studies of one and two runs; the last runs of both asked for the same designs."""
        made = [store.create_study(definition(name, range(n)), ["a"]) for name, n in (("one", 1), ("two", 2))]
        infeasible = [replace(r, state="infeasible", metrics={}, violation=1.0) for r in results(2, 3)]
        for study in made:
            for run in study.runs:
                claim = begun(store, run)
                save(store, claim, 1, results(3))
                save(store, claim, 2, infeasible, before=3)
                store.leave_run(claim, "done")
        return made

    def test_pages_hold_everything_once_and_in_order(self, store: Store, studies: list[StudyRecord]) -> None:
        runs = [run.id for run in studies[1].runs]
        seen: list[tuple[int, int]] = []
        after: tuple[int, int] | None = None
        while page := store.trials(TrialFilter(runs, after, 3)):
            seen += [(design.run_id, design.ask_no) for design in page]
            after = seen[-1]
        assert seen == [(run_id, number) for run_id in runs for number in range(5)]
        whole = store.trials(TrialFilter(runs[:1]))
        for found, member in zip(whole, store.history(studies[1].runs[0]), strict=True):
            record = member.evaluation
            assert found == Trial(
                studies[1].runs[0].id, member.ask_no, member.generation, record.key, record.state,
                record.kind, record.reason,
                record.violation if record.state == "infeasible" else member.violation,
                record.task.parameters, record.metrics, record.seconds, member.point,
            )  # fmt: skip
            assert found.seconds == record.seconds

    def test_they_can_be_narrowed_to_a_state(self, store: Store, studies: list[StudyRecord]) -> None:
        runs = [run.id for run in studies[1].runs]
        found = store.trials(TrialFilter(runs, (runs[0], 3), state="infeasible"))
        assert [(design.run_id, design.ask_no) for design in found] == [
            (runs[0], 4),
            (runs[1], 3),
            (runs[1], 4),
        ]
        assert store.trials(TrialFilter(runs, state="failed")) == []
        assert store.trials(TrialFilter([])) == []

    def test_numbers_are_taken_out_of_parameters_and_metrics(self, store: Store) -> None:
        study = store.create_study(definition("numbers"), ["a"])
        claim, made = begun(store, study.runs[0]), results(4)
        parameters = {
            "x": 1 / 3,
            "table": {"y.z": 2.0, "y": {"z": 2.5e-300}},
            "list": [[0.5, 7], [1e300, -0.1]],
        }
        metrics = {"x": 3.0, "x.box": 0.1, "x.q05": 1.7e308, "absent": None}
        odd = replace(made[0].task, parameters=parameters)
        refused = replace(made[2], state="infeasible", metrics={}, violation=2.5)
        records = [replace(made[0], task=odd, metrics=metrics), made[1], refused, made[3]]
        save(store, claim, 1, records)
        run_id = study.runs[0].id
        paths = ["x", "table.y.z", "list.1.0", "list.0.1", "list.5.0", "gone"]
        wanted = Numbers(paths, ["x.box", "x", "x.q05", "absent", "f2"])
        first, second, third, _ = store.trial_values(TrialFilter([run_id]), wanted)
        assert first[:6] == (run_id, 0, 1, "done", 0.0, None)
        given = (1 / 3, 2.5e-300, 1e300, 7, None, None, 0.1, 3.0, 1.7e308, None, None)
        for row, values in ((first, given), (second, (1 / 7, *[None] * 9, 0.1))):
            for found, value in zip(row[6:], values, strict=True):  # SQLite: fifteen digits of a parameter
                assert found is None if value is None else found == pytest.approx(value, rel=1e-14)
        assert third[3:5] == ("infeasible", 2.5)
        assert third[12:] == (None,) * 5

    def test_numbers_come_in_pages_and_steps(self, store: Store, studies: list[StudyRecord]) -> None:
        runs = [run.id for run in studies[1].runs]
        every = [(run_id, number) for run_id in runs for number in range(5)]
        seen: list[tuple[int, int]] = []
        after: tuple[int, int] | None = None
        while page := store.trial_values(TrialFilter(runs, after, 3), Numbers([], ["f1"])):
            seen += [(row[0], row[1]) for row in page]
            after = seen[-1]
        assert seen == every
        some = store.trial_values(TrialFilter(runs), Numbers(["x"], ["f1"], 2))
        assert [(row[0], row[1]) for row in some] == [place for place in every if place[1] % 2 == 0]
        assert [row[7] for row in some[:2]] == [1.0, 1 / 3]

    def test_evaluations_on_a_rung_are_told_apart_everywhere(self, store: Store) -> None:
        run = store.create_study(definition("ladder"), ["a"]).runs[0]
        late = replace(results(1, 4)[0], state="failed", kind="timeout", reason="late", metrics={})
        origins = tuple(Origin(rung=rung) for rung in (0, None, 1, None, 0))
        violations = np.array([0.1, 0.3, 0.2, 0.4, 1e9])
        save(store, begun(store, run), 1, [*results(4), late], violations=violations, origins=origins)
        rungs = [1, None, 2, None, 1]
        assert [trial.rung for trial in store.trials(TrialFilter([run.id]))] == rungs
        assert [trial.ask_no for trial in store.trials(TrialFilter([run.id], in_full=True))] == [1, 3]
        assert [outcome.rung for outcome in store.outcomes(run)] == rungs
        values = store.trial_values(TrialFilter([run.id]), Numbers(["x"], ["f1"]))
        assert [row[5] for row in values] == rungs
        assert [row[7] for row in values] == [None, 1 / 2, None, 1 / 4, None]
        assert [trial.ask_no for trial in store.nearest_trials(run, 9)] == [1, 3, 0, 2]
        counted = store.statistics.outcome_counts([run.id])
        assert {(each.on_rung, each.state, each.broken): each.count for each in counted} == {
            (False, "done", True): 2,
            (True, "done", True): 2,
            (True, "failed", False): 1,
        }
        assert store.statistics.broken([run.id], [Bounds("f1", 1.0, np.inf, 0.0)]) == [2]
        broken = "on a rung only: a constraint is broken"
        assert dict(store.reasons(run, 9)) == {"": 2, broken: 2, "on a rung only: late": 1}

    def test_the_front_is_checked_against_designs_in_full(self, store: Store) -> None:
        claim, made = begun(store, store.create_study(definition("front"), ["a"]).runs[0]), results(3)
        logged = replace(batch(1, made), origins=(Origin(), Origin(rung=0), Origin()))
        store.save_generation(claim, logged, made, generation(1, 3, 2), ([0, 2], []), None)
        assert store.check() == []

    def test_designs_are_counted(self, store: Store, studies: list[StudyRecord]) -> None:
        runs = [run for study in studies for run in study.runs]
        assert store.trial_counts(runs) == {run.id: 5 for run in runs}
        fresh = store.create_study(definition("fresh"), ["a"])
        assert store.trial_counts(fresh.runs) == {}

    def test_it_is_known_who_asked_for_a_design(self, store: Store, studies: list[StudyRecord]) -> None:
        assert len(studies) == 2
        key = results(1)[0].key
        for beginning in (key, key[:6]):
            assert sorted(store.studies_by_key(beginning)) == [(key, "one"), (key, "two")]
        store.delete_study("one")
        assert store.studies_by_key(key) == [(key, "two")]
        assert store.studies_by_key("0" * 64) == []
        for odd in ("", "abc", "%", "G" * 10, "a" * 65, "a\0aaaaa"):
            with pytest.raises(InputError, match="is not a key"):
                store.studies_by_key(odd)
