"""Contract of a database for sweeps and the studies that search for them; see :mod:`.contract`."""

from __future__ import annotations

import pytest

from errors import UnknownNameError
from studies.store.store import Store
from studies.store.studies import Wanted
from tests.studies.store.building_blocks import (
    Clock,
    TwiceFixtures,
    add_accounts,
    definition,
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
        store.sweeps.remove("mine", second.id)
        assert (store.sweeps.of("mine"), store.sweeps.of("other")) == ([made], [third])
        with pytest.raises(UnknownNameError, match="unknown sweep"):
            store.sweeps.find("mine", third.id)
        with pytest.raises(UnknownNameError, match="unknown study 'nobody'"):
            store.sweeps.add("nobody", "search", GRID, "c" * 64)

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
