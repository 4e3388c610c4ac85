"""Contract of a database for sweeps and the studies that search for them; see :mod:`.contract`."""

from __future__ import annotations

import pytest

from errors import LeaseError, UnknownNameError
from studies.store.lease import LEASE_SECONDS, this_process
from studies.store.store import Store
from studies.store.studies import Wanted
from tests.studies.store.building_blocks import (
    NOBODY,
    Clock,
    TwiceFixtures,
    add_accounts,
    definition,
    someone,
)

GRID = {"f": (0, 2.5), "set": ("box", "gravity"), "on": (True,)}


class SweepContract(TwiceFixtures):
    """The conformance suite: a sweep is stored once, and goes with its study; what it made stays."""

    @pytest.fixture(autouse=True)
    def studies(self, store: Store) -> None:
        """The studies that are swept, and those that a sweep has made."""
        for name in ("mine", "child", "other"):
            store.create_study(definition(name), ["default"])

    def test_the_same_sweep_is_stored_once(self, store: Store, clock: Clock) -> None:
        add_accounts(store, "anna")
        made = store.sweeps.add("mine", "reevaluate", GRID, "a" * 64, "anna")
        assert (made.grid, list(made.grid)) == (GRID, list(GRID)), "values and the order of parameters"
        assert (made.mode, made.owner, made.created, made.studies) == ("reevaluate", "anna", clock.now, {})
        clock.now += 1.0
        assert store.sweeps.add("mine", "reevaluate", GRID, "a" * 64, "anna") == made
        second = store.sweeps.add("mine", "search", {"f": (1,)}, "b" * 64)
        third = store.sweeps.add("other", "search", {"f": (1,)}, "b" * 64)
        assert store.sweeps.of("mine") == [made, second]
        assert store.sweeps.find("other", third.id) == third
        found = [store.sweeps.with_digest("mine", each * 64) for each in "abc"]
        assert found == [made, second, None]
        store.sweeps.remove("mine", second.id)
        found = [store.sweeps.with_digest(name, "b" * 64) for name in ("mine", "other")]
        assert found == [None, third]
        with pytest.raises(UnknownNameError, match="unknown sweep"):
            store.sweeps.find("mine", third.id)
        with pytest.raises(UnknownNameError, match="unknown study 'nobody'"):
            store.sweeps.add("nobody", "search", GRID, "c" * 64)

    def test_one_living_process_at_a_time_computes_a_sweep(self, store: Store, clock: Clock) -> None:
        made = store.sweeps.add("mine", "reevaluate", GRID, "a" * 64)
        other = store.sweeps.add("mine", "reevaluate", {"f": (1,)}, "b" * 64)
        assert not made.claimed
        gone = store.sweeps.claim(made, someone(pid=NOBODY))
        assert not store.sweeps.find("mine", made.id).claimed, "its process has ended"
        held = store.sweeps.claim(made, someone())
        assert held.sweep_id == made.id
        assert held.epoch > gone.epoch
        assert [each.claimed for each in store.sweeps.of("mine")] == [True, False]
        for owner in (this_process(), someone("another", host="elsewhere")):
            with pytest.raises(LeaseError, match=f"sweep {made.id} of 'mine' is being worked on by process"):
                store.sweeps.claim(made, owner)
        free = store.sweeps.claim(other, this_process())
        assert store.sweeps.renew([gone, held, free]) == {held: "running", free: "running"}
        store.sweeps.release(gone)
        assert store.sweeps.find("mine", made.id).claimed, "what was lost is not given back"
        store.sweeps.release(held)
        assert not store.sweeps.find("mine", made.id).claimed
        assert store.sweeps.renew([held]) == {}

    def test_the_lease_of_another_machine_lapses_and_goes_with_its_sweep(
        self, store: Store, clock: Clock
    ) -> None:
        made = store.sweeps.add("mine", "reevaluate", GRID, "a" * 64)
        far = store.sweeps.claim(made, someone("far", host="elsewhere"))
        with pytest.raises(LeaseError) as refused:
            store.sweeps.claim(made, this_process())
        assert refused.value.lapses_in == LEASE_SECONDS
        clock.now += LEASE_SECONDS + 1.0
        near = store.sweeps.claim(made, this_process())
        assert store.sweeps.renew([far, near]) == {near: "running"}
        store.sweeps.remove("mine", made.id)
        assert store.sweeps.renew([near]) == {}
        with pytest.raises(UnknownNameError, match=f"unknown sweep '{made.id}'"):
            store.sweeps.claim(made, this_process())

    def test_the_number_of_a_deleted_sweep_is_not_given_to_another(self, store: Store) -> None:
        made = [store.sweeps.add("mine", "reevaluate", GRID, digest * 64).id for digest in "ab"]
        store.sweeps.remove("mine", made[1])
        again = store.sweeps.add("mine", "reevaluate", GRID, "b" * 64)
        assert again.id > max(made), "who has its number finds it deleted, and no other one"
        assert store.sweeps.of("mine")[-1] == again

    def test_studies_of_a_sweep_are_named_and_listed_only_on_demand(self, store: Store) -> None:
        made = store.sweeps.add("mine", "search", GRID, "a" * 64)
        store.sweeps.add_study(made.id, 2, "child")
        assert store.sweeps.find("mine", made.id).studies == {2: "child"}
        assert "child" not in [study.name for study in store.studies(Wanted(of_sweeps=False))]
        assert "child" in [study.name for study in store.studies()]

    def test_what_a_deleted_sweep_made_stays(self, store: Store) -> None:
        made = store.sweeps.add("mine", "search", GRID, "a" * 64)
        store.sweeps.add_study(made.id, 1, "child")
        assert store.sweeps.remove("mine", made.id).studies == {1: "child"}
        assert store.sweeps.of("mine") == []
        assert "child" in [study.name for study in store.studies(Wanted(of_sweeps=False))]
        with pytest.raises(UnknownNameError):
            store.sweeps.remove("mine", made.id)

    def test_a_study_of_a_sweep_that_was_deleted_meanwhile_is_refused(self, store: Store) -> None:
        made = store.sweeps.add("mine", "search", GRID, "a" * 64)
        with pytest.raises(UnknownNameError, match="unknown study 'gone'"):
            store.sweeps.add_study(made.id, 1, "gone")
        store.sweeps.remove("mine", made.id)
        with pytest.raises(UnknownNameError, match=f"unknown sweep '{made.id}'"):
            store.sweeps.add_study(made.id, 1, "child")
        assert "child" in [study.name for study in store.studies(Wanted(of_sweeps=False))]

    def test_a_sweep_goes_with_its_study_and_forgets_a_deleted_one(self, store: Store) -> None:
        made = store.sweeps.add("mine", "search", GRID, "a" * 64)
        store.sweeps.add_study(made.id, 1, "child")
        store.sweeps.add_study(made.id, 2, "other")
        store.delete_study("other")
        assert store.sweeps.find("mine", made.id).studies == {1: "child"}
        store.delete_study("mine")
        store.create_study(definition("mine"), ["default"])
        assert store.sweeps.of("mine") == []
        assert store.check() == []
