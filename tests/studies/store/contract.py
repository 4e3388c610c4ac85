"""Contract of a database as a store, as a test class: subclass it and override ``url``.

::

    class TestMyDatabase(StoreContract):
        @pytest.fixture
        def url(self):
            return "..."        # an empty database

Needs pytest.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from sqlalchemy import Float, literal, select

from errors import DivergedError, EditConflictError, InputError, LeaseError, StoreError, UnknownNameError
from studies.records import StudyRecord
from studies.store.column_types import Finite
from studies.store.lease import this_process
from studies.store.store import Store
from studies.store.tables import metadata
from tests.studies.store.building_blocks import (
    StoreFixtures,
    batch,
    begun,
    contents,
    definition,
    generation,
    results,
    save,
)


class StoreContract(StoreFixtures):
    """The conformance suite: what is stored, and how it comes back."""

    @pytest.fixture
    def study(self, store: Store) -> StudyRecord:
        """A study of one run."""
        return store.create_study(definition(), ["default"])

    def test_a_study_comes_back_as_it_was_given(self, store: Store) -> None:
        given = definition("mine", [3, 1, 2])
        store.create_study(definition("theirs"), ["default"])
        study = store.create_study(given, ["b", "a"], branch_of="theirs")
        assert (study.name, study.digest, study.branch_of) == ("mine", given.digest(), "theirs")
        assert study.definition == given.model_dump(mode="json")
        assert list(study.definition) == list(given.model_dump(mode="json")), "the order counts"
        runs = [(run.layout, run.seed, run.state, run.owner, run.owner_gone) for run in study.runs]
        assert runs == [(name, seed, "queued", "", False) for name in ("b", "a") for seed in (3, 1, 2)]
        assert store.study("mine") == study == store.create_study(given, ["b", "a"])
        assert study in store.studies()
        with pytest.raises(InputError, match="another study named"):
            store.create_study(definition("mine", [9]), ["a"])
        with pytest.raises(UnknownNameError, match="mine"):
            store.study("yours")

    def test_results_come_back_exactly_and_three_times_is_once(
        self, store: Store, study: StudyRecord
    ) -> None:
        claim = begun(store, study.runs[0])
        given = results(25)
        for order in (given, list(reversed(given)), given[::2]):
            store.save_results(claim, order)
        found = store.evaluations([record.key for record in given] + ["0" * 64])
        assert found == {record.key: record for record in given}
        assert [list(found[record.key].task.parameters) for record in given] == [
            ["x", "names", "nested"]
        ] * 25

    def test_a_verdict_that_is_not_final_gives_way(self, store: Store, study: StudyRecord) -> None:
        claim = begun(store, study.runs[0])
        result = results(1)[0]
        lost = dataclasses.replace(result, state="failed", kind="worker_lost", reason="killed", metrics={})
        store.save_results(claim, [lost])
        assert store.evaluations([result.key]) == {result.key: lost}
        store.save_results(claim, [result])
        store.save_results(claim, [lost])
        assert store.evaluations([result.key]) == {result.key: result}

    @pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
    def test_what_is_not_finite_is_never_stored(
        self, store: Store, study: StudyRecord, number: float
    ) -> None:
        floats = [
            c for table in metadata.tables.values() for c in table.c if isinstance(c.type, Float | Finite)
        ]
        assert len(floats) > 10
        for column in floats:
            assert isinstance(column.type, Finite), column
            with pytest.raises(StoreError, match="not a finite number"):
                store._database.read(lambda c, kind=column.type: c.execute(select(literal(number, kind))))
        claim = begun(store, study.runs[0])
        result = results(1)
        worse = dataclasses.replace(generation(1, 1), hypervolume=number)
        before = contents(store)
        poisoned = [
            lambda: store.save_results(claim, [dataclasses.replace(result[0], metrics={"f1": number})]),
            lambda: store.save_results(claim, [dataclasses.replace(result[0], violation=number)]),
            lambda: save(store, claim, 1, result, indicators=worse),
            lambda: save(store, claim, 1, result, reference=np.array([1.0, number])),
            lambda: save(store, claim, 1, result, objectives=np.array([[1.0, number]])),
            lambda: save(store, claim, 1, result, points=np.array([[1.0, number, 1.0]])),
            lambda: save(store, claim, 1, result, violations=np.array([number])),
        ]  # fmt: skip
        for attempt in poisoned:
            with pytest.raises(StoreError, match=r"finite|JSON compliant"):
                attempt()
            now = contents(store)
            del now["run_lease"], before["run_lease"]
            assert now == before
            before = contents(store)

    def test_any_text_can_be_stored(self, store: Store, study: StudyRecord) -> None:
        claim = begun(store, study.runs[0])
        odd = "NUL \0, half \ud800, 😀, 'quote'; --"
        record = dataclasses.replace(
            results(1)[0], state="failed", kind="model_error", reason=odd, warnings=(odd,), worker=odd * 50
        )
        store.save_results(claim, [record])
        found = store.evaluations([record.key])[record.key]
        assert found.reason == "NUL ?, half ?, 😀, 'quote'; --"
        assert found.worker == (found.reason * 50)[:255]
        store.leave_run(claim, "failed", odd)
        assert store.run(study.runs[0]).message == found.reason

    def test_the_log_comes_back_bit_for_bit(self, store: Store, study: StudyRecord) -> None:
        claim = begun(store, study.runs[0])
        given = results(8)
        batches = [batch(1, given[:5]), batch(2, given[5:])]
        point = np.array([1.0 / 3.0, 2.0])
        store.save_generation(claim, batches[0], given[:5], generation(1, 5), ([0, 1], []), point)
        store.save_generation(claim, batches[1], given[5:], generation(2, 8), ([6], [0]), None)
        run = store.run(study.runs[0])
        for stored, asked in zip(store.log(run), batches, strict=True):
            assert stored.keys == asked.keys
            for name in ("points", "objectives", "violations"):
                assert getattr(stored, name).tobytes() == getattr(asked, name).tobytes()
        assert store.generations(run) == [generation(1, 5), generation(2, 8)]
        assert run.reference_point is not None
        assert run.reference_point.tobytes() == point.tobytes()
        assert [m.ask_no for m in store.front(run)] == [1, 6]
        assert [m.ask_no for m in store.front(run, generation=1)] == [0, 1]
        assert [m.evaluation for m in store.history(run)] == given
        assert [(o.key, o.state, o.kind, o.reason, o.seconds) for o in store.outcomes(run)] == [
            (one.key, one.state, one.kind, one.reason, one.seconds) for one in given
        ]
        assert [o.violation for o in store.outcomes(run)] == [m.violation for m in store.history(run)]

    def test_a_generation_is_stored_once_whole_and_in_order(self, store: Store, study: StudyRecord) -> None:
        claim = begun(store, study.runs[0])
        given = results(6)
        with pytest.raises(StoreError):  # one evaluation is missing
            store.save_generation(claim, batch(1, given[:3]), given[:2], generation(1, 3), ([0], []), None)
        assert store.log(study.runs[0]) == store.generations(study.runs[0]) == []
        assert store.evaluations([record.key for record in given]) == {}
        for _ in range(3):
            save(store, claim, 1, given[:3])
        with pytest.raises(DivergedError, match="other designs"):
            save(store, claim, 1, given[1:4])
        for number, asked in ((3, 6), (2, 5)):
            with pytest.raises(StoreError, match="does not follow"):
                store.save_generation(
                    claim, batch(number, given[3:]), given, generation(number, asked), ([], []), None
                )
        save(store, claim, 2, given[3:], before=3)
        assert [m.evaluation for m in store.history(study.runs[0])] == given

    def test_results_that_are_gone_are_stored_again_with_their_generation_or_not_at_all(
        self, store: Store, study: StudyRecord
    ) -> None:
        claim = begun(store, study.runs[0])
        given = results(4)
        keys = [record.key for record in given]
        front = [0], []
        with pytest.raises(StoreError, match="does not follow"):
            store.save_generation(claim, batch(2, given), given, generation(2, 4), front, None)
        assert store.evaluations(keys) == {}
        store.save_results(claim, given[:1])
        for _ in range(2):
            store.save_generation(claim, batch(1, given), given, generation(1, 4), front, None)
        assert [m.evaluation for m in store.history(study.runs[0])] == given
        tasks = [dataclasses.replace(record.task, parameters={"as": "given"}) for record in given]
        known = store.known([*tasks, results(1, 9)[0].task])
        assert known == {
            task.key: dataclasses.replace(record, task=task)
            for task, record in zip(tasks, given, strict=True)
        }

    def test_provenance_is_kept_per_process(self, store: Store, study: StudyRecord) -> None:
        for i in range(2):
            (found,) = store.claim_runs(study.runs, this_process())
            store.begin_run(found[1], {"try": i, "numpy": "2"})
            store.give_up([found[1]])
        told = store.provenance(study.runs[0])
        assert [(row["try"], row["numpy"], row["started"] > 0) for row in told] == [
            (0, "2", True), (1, "2", True),
        ]  # fmt: skip

    def test_a_study_is_deleted_at_the_revision_that_was_looked_at(self, store: Store) -> None:
        """As with an edit: what somebody else changed meanwhile stays."""
        name = store.create_study(definition(), ["default"]).name
        changed = store.edit_study(name, {"note": "worth a look"})
        with pytest.raises(EditConflictError, match="at revision 1, not 0"):
            store.delete_study(name, 0)
        assert store.study(name) == changed
        store.delete_study(name, changed.revision)
        assert store.studies() == []

    def test_deleting_keeps_what_other_studies_use(self, store: Store) -> None:
        given = results(10)
        for name, own in (("one", given[:6]), ("two", given[4:])):
            claim = begun(store, store.create_study(definition(name), ["default"]).runs[0])
            store.save_results(claim, own)
            save(store, claim, 1, own)
            store.leave_run(claim, "done")
        run = store.study("one").runs[0]
        assert store.delete_study("one") == 4
        assert set(store.evaluations([r.key for r in given])) == {r.key for r in given[4:]}
        assert len(store.history(store.study("two").runs[0])) == 6
        with pytest.raises(UnknownNameError):
            store.delete_study("one")
        with pytest.raises(StoreError, match="deleted"):
            store.run(run)
        assert store.delete_study("two") == 6
        assert all(not rows for rows in contents(store).values())

    def test_an_evaluation_that_a_deletion_took_is_stored_again(self, store: Store) -> None:
        given = results(4)
        claims = [
            begun(store, store.create_study(definition(name), ["default"]).runs[0]) for name in ("one", "two")
        ]
        store.save_results(claims[0], given)
        save(store, claims[0], 1, given)
        store.leave_run(claims[0], "done")
        assert store.delete_study("one") == 4
        save(store, claims[1], 1, given)  # it had found them in the store
        assert [m.evaluation for m in store.history(store.study("two").runs[0])] == given

    def test_a_study_at_work_cannot_be_deleted(self, store: Store, study: StudyRecord) -> None:
        claim = begun(store, study.runs[0])
        with pytest.raises(LeaseError, match="being worked on"):
            store.delete_study(study.name)
        store.leave_run(claim, "paused")
        assert store.delete_study(study.name) == 0
        with pytest.raises(LeaseError, match="was deleted"):
            store.save_results(claim, results(1))
