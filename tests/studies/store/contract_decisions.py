"""Contract of a database for decisions, notes, tags and favourites; see :mod:`.contract`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import text

from errors import EditConflictError, InputError, StateError, StoreError, UnknownNameError
from studies.decision_records import Candidate, DecisionRecord, Interval, Preferences
from studies.store.annotations import LONGEST_NOTE, LONGEST_TAG
from studies.store.decisions import LONGEST_REASON
from studies.store.store import Store
from tests.studies.store.building_blocks import (
    Clock,
    TwiceFixtures,
    begun,
    contents,
    definition,
    refused,
    results,
    save,
)

WISHES = Preferences(
    "topsis",
    {"f1": 0.1, "f2": 2.0},
    {"f1": 1.0 / 3.0},
    {"c": Interval(None, 5.0), "x": Interval(0.1)},
    "default",
)

UNKNOWN = [
    "UPDATE decision SET rule = 'dice'",
    "UPDATE annotation SET kind = 'joke'",
    "UPDATE decision SET key = 'nothing'",
    "INSERT INTO decision SELECT * FROM decision",
]
"""Statements that store what no code knows."""


def searched(store: Store, name: str = "mine") -> list[str]:
    """The keys of three designs on the front of a new study, on which nobody works."""
    study = store.create_study(definition(name), ["default"])
    claim, records = begun(store, study.runs[0]), results(3)
    save(store, claim, 1, records)
    store.leave_run(claim, "done")
    return [record.key for record in records]


def decide(store: Store, key: str, name: str = "mine", **changes: Any) -> DecisionRecord:
    candidates = [Candidate(key, "default", 1, 0.1 + 0.2, {"f1": 1.0, "f2": 1.0 / 3.0})]
    given: dict[str, Any] = {"reason": "stiff enough", "preferences": WISHES, "candidates": candidates}
    return store.decisions.add(name, key, "default", **{**given, **changes})


class DecisionContract(TwiceFixtures):
    """The conformance suite: what was decided stays as it was; what is written beside designs."""

    # ------------------------------------------------------------ decisions

    def test_decisions_come_back_as_they_were_made_and_all_are_kept(self, store: Store, clock: Clock) -> None:
        keys = searched(store)
        assert store.decisions.of("mine") == []
        first = decide(store, keys[0], reason=" stiff \0 enough\n", author="anna")
        assert (first.number, first.replaces, first.created) == (1, None, clock.now)
        assert (first.reason, first.author, first.rule) == ("stiff ? enough", "anna", "topsis")
        clock.now += 5.0
        own = Preferences("judgement")
        second = decide(store, keys[1], preferences=own, candidates=[], replaces=1)
        assert (second.number, second.replaces, second.preferences) == (2, 1, own)
        assert store.decisions.of("mine") == [second, first]
        assert first.preferences == WISHES
        assert first.candidates[0].score == 0.1 + 0.2
        other = searched(store, "other")
        theirs = decide(store, other[2], "other")
        assert theirs.number == 1
        assert store.decisions.standing(["mine", "other", "none"]) == {"mine": second, "other": theirs}
        assert store.check() == []

    @pytest.mark.parametrize("replaces", [None, 1, 3])
    def test_only_the_decision_that_stands_is_replaced(self, store: Store, replaces: int | None) -> None:
        keys = searched(store)
        with pytest.raises(EditConflictError, match="no decision 1 that could be replaced"):
            decide(store, keys[0], replaces=1)
        decide(store, keys[0])
        decide(store, keys[1], replaces=1)
        before = contents(store)
        with pytest.raises(EditConflictError, match="decision 2 of study 'mine' stands"):
            decide(store, keys[2], replaces=replaces)
        assert contents(store) == before

    def test_two_who_decide_at_once_do_not_overwrite_each_other(self, url: str) -> None:
        with closing(Store(url)) as store, ThreadPoolExecutor(4) as pool:
            keys = searched(store)

            def attempt(number: int) -> bool:
                try:
                    return decide(store, keys[number % 3]).number == 1
                except EditConflictError:
                    return False

            assert sum(pool.map(attempt, range(4))) == 1
            assert len(store.decisions.of("mine")) == 1

    def test_decisions_that_cannot_be_kept(self, store: Store) -> None:
        key = searched(store)[0]
        wrong: list[tuple[dict[str, str], str]] = [
            ({"reason": " \n"}, "reason: is empty"),
            ({"reason": "x" * (LONGEST_REASON + 1)}, "at most 10000"),
            ({"name": "nothing"}, "unknown study"),
        ]
        for changes, message in wrong:
            with pytest.raises(InputError, match=message):
                decide(store, key, **changes)
        assert store.decisions.of("mine") == []

    @pytest.mark.parametrize(
        "wrong", [Preferences("topsis", {"f1": float("nan")}), Preferences("topsis", {"f1": float("inf")})]
    )
    def test_numbers_that_are_not_finite_are_refused(self, store: Store, wrong: Preferences) -> None:
        key = searched(store)[0]
        with pytest.raises(StoreError, match="cannot be stored"):
            decide(store, key, preferences=wrong)

    def test_a_design_must_be_stored(self, store: Store) -> None:
        searched(store)
        with pytest.raises(StoreError, match="refused"):
            decide(store, "f" * 64)

    def test_a_study_goes_with_its_decisions_only_if_that_is_said(self, store: Store) -> None:
        keys = searched(store)
        decide(store, keys[0])
        store.annotations.add("mine", "note", "good", key=keys[0])
        before = contents(store)
        with pytest.raises(StateError, match="holds 1 decision, which would be lost with it; archive it"):
            store.delete_study("mine")
        assert contents(store) == before
        assert store.delete_study("mine", with_decisions=True) == 3
        assert not any(contents(store)[name] for name in ("decision", "annotation", "evaluation"))

    def test_a_chosen_design_outlives_other_studies_that_asked_for_it(self, store: Store) -> None:
        keys = searched(store)
        decide(store, keys[0])
        store.annotations.add("mine", "favourite", key=keys[1])
        searched(store, "other")
        store._database.write(
            lambda c: [
                c.execute(text(f"DELETE FROM {name} WHERE run_id = 1"))  # noqa: S608 - as after an extension
                for name in ("front_member", "run_evaluation", "generation")
            ]
        )
        assert store.delete_study("other") == 1
        assert set(store.evaluations(keys)) == set(keys[:2])

    # ------------------------------------------------------------ annotations

    def test_annotations_come_back_as_they_were_written(self, store: Store, clock: Clock) -> None:
        keys = searched(store)
        written = store.annotations
        note = written.add("mine", "note", " look at \0 F2\n", key=keys[0], author="anna")
        again = written.add("mine", "note", "look at ? F2", key=keys[0], author="anna")
        assert (note.text, note.author, note.key, note.created) == (
            "look at ? F2",
            "anna",
            keys[0],
            clock.now,
        )
        assert note.id != again.id, "a note may be written twice"
        clock.now += 5.0
        of_study = written.add("mine", "tag", "thesis, chapter 3".replace(",", ""))
        assert of_study.key == ""
        assert written.of("mine") == [note, again, of_study]
        assert written.of("mine", "") == [of_study]
        assert written.of("mine", keys[0]) == [note, again]
        assert written.of("mine", keys[1]) == written.of("nothing") == []
        assert written.find("mine", note.id) == note
        assert written.remove("mine", again.id) == again
        assert written.of("mine", keys[0]) == [note]

    def test_a_tag_stands_once_and_a_favourite_is_ones_own(self, store: Store, clock: Clock) -> None:
        key = searched(store)[0]
        written = store.annotations
        tag = written.add("mine", "tag", "stiff", key=key, author="anna")
        clock.now += 5.0
        assert written.add("mine", "tag", " stiff ", key=key, author="bert") == tag
        assert written.add("mine", "tag", "stiff", author="bert") != tag, "the study's own"
        stars = [
            written.add("mine", "favourite", key=key, author=name) for name in ("anna", "bert", "anna", "")
        ]
        assert stars[0] == stars[2]
        assert len({star.id for star in stars}) == 3
        written.remove("mine", stars[0].id)
        assert [star.author for star in written.of("mine", key) if star.kind == "favourite"] == ["bert", ""]

    def test_notes_change_and_nothing_else_does(self, store: Store, clock: Clock) -> None:
        key = searched(store)[0]
        written = store.annotations
        note = written.add("mine", "note", "first", key=key, author="anna")
        clock.now += 5.0
        changed = written.edit("mine", note.id, " second ")
        assert (changed.text, changed.author, changed.created) == ("second", "anna", note.created)
        assert changed.changed == clock.now
        clock.now += 5.0
        assert written.edit("mine", note.id, "second") == changed
        tag = written.add("mine", "tag", "stiff")
        with pytest.raises(InputError, match="text: belongs to a tag; only notes can be changed"):
            written.edit("mine", tag.id, "stiffer")

    def test_texts_that_cannot_be_kept(self, store: Store) -> None:
        searched(store)
        wrong: list[tuple[Any, str, str]] = [
            ("note", "  ", "is empty"),
            ("note", "x" * (LONGEST_NOTE + 1), "at most 10000"),
            ("tag", "", "is empty"),
            ("tag", "x" * (LONGEST_TAG + 1), "at most 64"),
            ("tag", "one, two", "one line without commas"),
            ("tag", "one\ntwo", "one line without commas"),
            ("favourite", "!", "a favourite has no text"),
        ]
        for kind, said, message in wrong:
            with pytest.raises(InputError, match=f"text: .*{message}"):
                store.annotations.add("mine", kind, said)
        assert store.annotations.of("mine") == []

    def test_annotations_of_studies_are_read_at_once(self, store: Store) -> None:
        for name in ("mine", "other"):
            key = searched(store, name)[0]
            store.annotations.add(name, "tag", "thesis")
            store.annotations.add(name, "tag", "stiff", key=key)
        store.annotations.add("other", "note", "not yet")
        found = store.annotations.of_studies(["other", "mine", "none"])
        assert {name: [one.text for one in of_one] for name, of_one in found.items()} == {
            "mine": ["thesis"], "other": ["thesis", "not yet"], "none": [],
        }  # fmt: skip

    def test_annotations_that_are_not_there(self, store: Store) -> None:
        searched(store)
        searched(store, "other")
        note = store.annotations.add("other", "note", "theirs")
        for number in (note.id, note.id + 1):
            for look in (store.annotations.find, store.annotations.remove):
                with pytest.raises(UnknownNameError, match=f"unknown annotation '{number}'"):
                    look("mine", number)
            with pytest.raises(UnknownNameError):
                store.annotations.edit("mine", number, "mine")
        with pytest.raises(UnknownNameError, match="unknown study 'nothing'"):
            store.annotations.add("nothing", "note", "lost")
        assert store.annotations.of("other") == [note]

    def test_annotations_stay_with_a_draft_that_is_edited(self, store: Store) -> None:
        store.create_study(definition("first"), ["default"], launch=False)
        tag = store.annotations.add("first", "tag", "thesis", author="anna")
        store.create_study(definition("better"), ["default"], launch=False, replaces="first")
        (kept,) = store.annotations.of("better")
        assert (kept.text, kept.author, kept.created) == (tag.text, tag.author, tag.created)

    def test_the_database_refuses_what_code_does_not_know(self, store: Store) -> None:
        keys = searched(store)
        decide(store, keys[0])
        store.annotations.add("mine", "note", "good")
        assert refused(store, UNKNOWN) == UNKNOWN
