"""Contract of a database for owners, accounts, tokens and requests that come twice; see :mod:`.contract`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from errors import (
    EditConflictError,
    InputError,
    LimitError,
    NameTakenError,
    StateError,
    UnknownNameError,
)
from studies.records import TokenRecord
from studies.store.accounts import KEPT_SECONDS, TOUCH_SECONDS
from studies.store.evaluations import insert_results
from studies.store.events import KEPT_DAYS
from studies.store.store import REMEMBERED_SECONDS, Request, Store
from studies.store.studies import Wanted
from tests.studies.store.building_blocks import (
    Clock,
    TwiceFixtures,
    add_accounts,
    begun,
    contents,
    definition,
    refused,
    results,
    save,
)

UNKNOWN = [
    "UPDATE study SET visibility = 'open'",
    "UPDATE study SET owner = 'nobody'",
    "UPDATE study SET branch_of = 'nothing'",
    "UPDATE run SET state = 'lost'",
    "UPDATE event SET kind = 'lost'",
    "UPDATE evaluation SET kind = 'lost'",
    "UPDATE evaluation SET state = 'lost'",
    "UPDATE token SET account = 'nobody'",
    "UPDATE token SET scope = 'all'",
    "UPDATE account SET role = 'root'",
]
"""Statements that store names which no code knows."""


class AccountContract(TwiceFixtures):
    """The conformance suite: whose a study is, who may come in, and what was asked for before."""

    # ------------------------------------------------------------ studies

    def test_drafts_wait_until_they_are_queued(self, store: Store) -> None:
        add_accounts(store, "anna")
        study = store.create_study(definition(seeds=[1, 2]), ["default"], owner="anna", launch=False)
        assert (study.state, study.owner, study.visibility) == ("draft", "anna", "private")
        assert (study.archived, study.revision, study.note) == (False, 0, None)
        assert [event.kind for event in store.events()] == ["draft", "draft"]
        assert store.queue_study(study.name).state == "queued"

    def test_edits_are_counted_and_collide(self, store: Store) -> None:
        add_accounts(store, "anna")
        study = store.create_study(definition(), ["default"])
        edited = store.edit_study(study.name, {"owner": "anna", "note": "new"}, revision=0)
        assert (edited.owner, edited.description, edited.revision) == ("anna", "new", 1)
        assert edited == store.study(study.name)
        assert replace(edited, owner="", note=None, revision=0) == study
        with pytest.raises(EditConflictError, match="revision 1, not 0"):
            store.edit_study(study.name, {"archived": True}, revision=0)
        again = store.edit_study(study.name, {"archived": True, "visibility": "shared"})
        assert (again.revision, again.archived, again.visibility, again.note) == (2, True, "shared", "new")
        with pytest.raises(UnknownNameError):
            store.edit_study("nothing", {"archived": True})

    def test_lists_are_of_what_is_wanted(self, store: Store, clock: Clock) -> None:
        add_accounts(store, "anna", "bert")
        for i, (name, owner) in enumerate(
            [("one", "anna"), ("two", "bert"), ("three", "anna"), ("four", "")]
        ):
            clock.now += i % 2  # two of them at the same moment
            store.create_study(definition(name), ["default"], owner=owner)
        store.edit_study("two", {"visibility": "shared", "note": "50 % of_all"})
        store.edit_study("three", {"archived": True})

        def names(**wanted: Any) -> list[str]:
            return [study.name for study in store.studies(Wanted(**wanted))]

        every = names()
        assert sorted(every) == ["four", "one", "three", "two"]
        assert every[0] == "four"
        assert set(names(seen_by="anna")) == {"one", "two", "three"}
        assert names(seen_by="nobody") == ["two"]
        assert names(seen_by="") == [name for name in every if name in {"two", "four"}]
        assert names(archived=True) == ["three"]
        assert set(names(archived=False)) == {"one", "two", "four"}
        assert names(search="THRE") == ["three"]
        assert names(search="% of_") == ["two"]
        assert names(search="%") == ["two"]
        assert names(search="_all") == ["two"]
        assert len(names(search="none")) == 4, "the model's name"
        paged: list[str] = []
        after = None
        for _ in range(4):
            (study,) = store.studies(Wanted(after=after, limit=1))
            after = (study.created, study.name)
            paged.append(study.name)
        assert paged == every
        assert store.studies(Wanted(after=after)) == []
        assert all(study.runs for study in store.studies())

    def test_a_request_that_comes_twice_makes_one_study(self, store: Store, clock: Clock) -> None:
        add_accounts(store, "anna")
        asked = Request("anna", "k", "a" * 64)

        def ask(name: str = "mine", asked: Request = asked) -> str:
            return store.create_study(definition(name), ["default"], owner="anna", request=asked).name

        assert ask() == "mine"
        before = contents(store)
        assert ask() == "mine"
        assert contents(store) == before
        store.stop_study("mine")
        assert ask() == "mine", "whatever became of it"
        assert store.study("mine").state == "cancelled"
        with pytest.raises(InputError, match="another request") as caught:
            ask("other", replace(asked, digest="b" * 64))
        assert caught.value.place == ("request_key",)
        assert ask("other", replace(asked, account="bert", digest="b" * 64)) == "other"
        for wrong in ("", "k" * 256):
            with pytest.raises(InputError, match="1 to 255"):
                ask("third", replace(asked, key=wrong))
        clock.now += REMEMBERED_SECONDS + 1.0
        assert ask("fourth", replace(asked, digest="c" * 64)) == "fourth", "the key is forgotten after a day"
        assert sorted(study.name for study in store.studies()) == ["fourth", "mine", "other"]
        store.delete_study("fourth")
        assert ask("fifth", replace(asked, digest="d" * 64)) == "fifth"

    def test_what_a_request_made_is_kept_with_it_or_not_at_all(self, store: Store) -> None:
        store.create_study(definition("mine", [1]), ["default"])
        before = contents(store)
        with pytest.raises(NameTakenError, match="another study named 'mine'"):
            store.create_study(definition("mine", [2]), ["default"], request=Request("", "k", "a" * 64))
        assert contents(store) == before

    def test_no_more_studies_at_work_than_allowed(self, store: Store) -> None:
        def make(name: str, *, launch: bool = True, owner: str = "anna") -> None:
            store.create_study(definition(name), ["default"], owner=owner, launch=launch, most_running=2)

        add_accounts(store, "anna", "bert")
        make("one")
        make("two")
        make("two")
        with pytest.raises(LimitError, match="2 of your studies"):
            make("three")
        make("three", launch=False)
        make("theirs", owner="bert")
        with pytest.raises(LimitError):
            store.queue_study("three", most_running=2)
        assert store.study("three").state == "draft"
        store.pause_study("one")
        assert store.queue_study("three", most_running=2).state == "queued"
        with pytest.raises(LimitError):
            store.queue_study("one", most_running=2)
        assert store.queue_study("one").state == "queued", "without a limit, any number"

    def test_every_generation_leaves_an_event(self, store: Store) -> None:
        study = store.create_study(definition("mine"), ["default"])
        other = store.create_study(definition("other"), ["default"])
        claim = begun(store, study.runs[0])
        for number in (1, 2, 2):
            save(store, claim, number, results(3, 3 * number), before=3 * (number - 1))
        store.leave_run(claim, "done", "well")
        told = [(event.kind, event.message) for event in store.events(study="mine")]
        assert told == [
            ("queued", ""), ("running", ""), ("generation", "1"), ("generation", "2"), ("done", "well"),
        ]  # fmt: skip
        assert [event.study for event in store.events(study="other")] == [other.name]
        assert store.last_event() == store.events()[-1].id
        assert store.events(after=store.last_event()) == []

    def test_odd_names_are_just_not_there(self, store: Store) -> None:
        add_accounts(store, "anna")
        store.create_study(definition(), ["default"], owner="anna")
        for name in ("NUL \0", "half \ud800", "x" * 5000, "'; DROP TABLE study; --", ""):
            for look in (store.study, store.accounts.find, store.tokens.revoke, store.delete_study):
                with pytest.raises(UnknownNameError):
                    look(name)
            assert store.studies(Wanted(seen_by=name)) == []
            assert len(store.studies(Wanted(search=name))) == (name == "")
            assert store.studies(Wanted(after=(0.0, name))) == []
            assert store.tokens.find(name) is None
            assert store.tokens.of(name) == store.events(study=name) == []

    def test_branches_and_drafts_outlive_what_they_refer_to(self, store: Store) -> None:
        store.create_study(definition("first"), ["default"], launch=False)
        store.create_study(definition("twig"), ["default"], branch_of="first")
        store.create_study(definition("better"), ["default"], launch=False, replaces="first")
        assert store.study("twig").branch_of == "better", "a draft that is changed is the same study"
        store.delete_study("better")
        assert store.study("twig").branch_of is None

    def test_a_deleted_account_leaves_its_studies_and_takes_its_tokens(self, store: Store) -> None:
        add_accounts(store, "anna", "bert")
        for name in ("anna", "bert"):
            store.create_study(definition(name), ["default"], owner=name)
            store.tokens.add(TokenRecord(name, name, "token", "", "d" * 64, "run", 1.0))
        store._database.write(lambda c: c.execute(text("DELETE FROM account WHERE name = 'anna'")))
        assert {study.name: study.owner for study in store.studies()} == {"anna": "", "bert": "bert"}
        assert [token.id for token in store.tokens.of()] == ["bert"]

    def test_the_database_refuses_names_that_code_does_not_know(self, store: Store) -> None:
        add_accounts(store, "anna")
        store.create_study(definition(), ["default"])
        store._database.write(lambda c: insert_results(c, results(1)))
        store.tokens.add(TokenRecord("1", "", "token", "", "d" * 64, "run", 1.0))
        assert refused(store, UNKNOWN) == UNKNOWN

    def test_old_events_of_ended_runs_go_and_no_number_comes_back(self, store: Store, clock: Clock) -> None:
        store.create_study(definition("ended"), ["default"])
        store.create_study(definition("going"), ["default"])
        store.stop_study("ended")
        last = store.last_event()
        store.remove_old_events()
        assert store.last_event() == last
        clock.now += KEPT_DAYS * 24 * 3600.0 + 1.0
        store.remove_old_events()
        assert [event.study for event in store.events()] == ["going"]
        store.create_study(definition("new"), ["default"])
        assert [event.study for event in store.events(after=last)] == ["new"]

    # ------------------------------------------------------------ accounts and tokens

    def test_accounts_come_back_as_they_were_made(self, store: Store, clock: Clock) -> None:
        assert not store.accounts.exist()
        anna = store.accounts.add("anna", "admin", "a hash")
        assert store.accounts.exist()
        assert store.accounts.find("anna") == anna
        assert (anna.role, anna.password, anna.created, anna.disabled) == (
            "admin",
            "a hash",
            clock.now,
            False,
        )
        clock.now += 1.0
        with pytest.raises(NameTakenError, match="account named 'anna'"):
            store.accounts.add("anna", "viewer")
        bert = store.accounts.add("bert", "viewer")
        assert store.accounts.all() == [anna, bert]
        assert store.accounts.set_role("bert", "editor").role == "editor"
        kept = "argon2's text"
        assert store.accounts.set_password("bert", kept).password == kept
        assert store.accounts.set_disabled("bert", disabled=True).disabled
        assert not store.accounts.set_disabled("bert", disabled=False).disabled
        with pytest.raises(UnknownNameError, match="carl"):
            store.accounts.set_role("carl", "viewer")
        assert "hash" not in repr(anna)

    def test_an_admin_remains(self, store: Store) -> None:
        store.accounts.add("bert", "viewer")
        store.accounts.set_password("bert", "there was no admin before either")
        store.accounts.add("anna", "admin")
        changes: list[Callable[[], object]] = [
            lambda: store.accounts.set_role("anna", "editor"),
            lambda: store.accounts.set_disabled("anna", disabled=True),
        ]
        for change in changes:
            with pytest.raises(StateError, match="only admin"):
                change()
        assert store.accounts.find("anna").role == "admin"
        store.accounts.add("carl", "admin")
        assert store.accounts.set_disabled("anna", disabled=True).disabled
        with pytest.raises(StateError, match="only admin"):
            store.accounts.set_role("carl", "viewer")

    def test_tokens_are_found_used_and_revoked(self, store: Store, clock: Clock) -> None:
        anna = store.accounts.add("anna", "admin")
        token = TokenRecord("1" * 16, "anna", "token", "nb \0", "d" * 64, "run", clock.now, clock.now + 9)
        alone = replace(token, id="2" * 16, account="", created=clock.now + 1)
        for record in (token, alone):
            store.tokens.add(record)
        token, alone = replace(token, name="nb ?"), replace(alone, name="nb ?")
        assert store.tokens.now() == clock.now
        assert store.tokens.find(token.id) == (token, anna, clock.now)
        assert store.tokens.find(alone.id) == (alone, None, clock.now)
        assert store.tokens.find("3" * 16) is None
        assert store.tokens.of() == [alone, token]
        assert store.tokens.of("anna") == [token]
        assert "d" * 64 not in repr(token)
        used = []
        for seconds in (0.0, TOUCH_SECONDS - 1.0, TOUCH_SECONDS):
            now = clock.now + seconds
            store.tokens.touch(store.tokens.of("anna")[0], now)
            used.append(store.tokens.of("anna")[0].last_used)
        assert used == [clock.now, clock.now, clock.now + TOUCH_SECONDS]
        with pytest.raises(UnknownNameError):
            store.tokens.revoke(token.id, "bert")
        assert store.tokens.of("anna")[0].revoked is None
        assert store.tokens.revoke(token.id, "anna").revoked == clock.now
        clock.now += 5.0
        assert store.tokens.revoke(token.id).revoked == clock.now - 5.0, "the first time counts"
        with pytest.raises(UnknownNameError):
            store.tokens.revoke("3" * 16)

    def test_sessions_end_with_their_password_and_go_when_they_are_old(
        self, store: Store, clock: Clock
    ) -> None:
        store.accounts.add("anna", "admin", "old")
        add_accounts(store, "bert")
        session = TokenRecord("1" * 16, "anna", "session", "", "d" * 64, "admin", clock.now, clock.now + 60.0)
        token = replace(session, id="2" * 16, kind="token", expires=clock.now)
        theirs = replace(session, id="3" * 16, account="bert")
        for record in (session, token, theirs):
            store.tokens.add(record)
        store.accounts.set_password("anna", "new")

        def revoked(record: TokenRecord) -> bool:
            found = store.tokens.find(record.id)
            return found is not None and found[0].revoked is not None

        assert [revoked(record) for record in (session, token, theirs)] == [True, False, False]
        clock.now += KEPT_SECONDS + 61.0
        store.tokens.add(replace(session, id="4" * 16, expires=clock.now + 60.0))
        kept = [store.tokens.find(digit * 16) is not None for digit in "1234"]
        assert kept == [False, True, False, True], "tokens of programs stay"

    def test_what_works_once_works_once(self, url: str) -> None:
        """A lost acknowledgement uses it up as well: a new link is better than two sessions."""
        with closing(Store(url)) as store:
            store.tokens.add(TokenRecord("1" * 16, "", "login", "", "d" * 64, "admin", 1.0))
            assert [store.tokens.use_up("1" * 16) for _ in range(3)] == [True, False, False]
            assert not store.tokens.use_up("2" * 16)

    @pytest.mark.parametrize("keyed", [True, False], ids=["one request", "one limit"])
    def test_many_at_once_are_as_one_after_the_other(self, url: str, keyed: bool) -> None:
        def make(number: int) -> str:
            request = Request("anna", "k", "a" * 64) if keyed else None
            wanted = definition("same" if keyed else f"study{number}")
            try:
                made = store.create_study(wanted, ["default"], owner="anna", request=request, most_running=2)
            except LimitError:
                return ""
            return made.name

        with closing(Store(url)) as store, ThreadPoolExecutor(8) as pool:
            add_accounts(store, "anna")
            made = list(pool.map(make, range(8)))
            assert len(store.studies()) == (1 if keyed else 2)
            assert sorted(made) == (["same"] * 8 if keyed else [""] * 6 + sorted(filter(None, made)))
