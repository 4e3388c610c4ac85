"""The reference of algorithms says what the registry says, and the guide knows all of them."""

import re
from collections.abc import Callable, Iterable

import pytest

from docs.algorithm_tables import PAGE, limits, put, settings, sources
from docs.code_blocks import ROOT
from studies.search.directions import count_directions
from studies.search.registry import OURS

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("table", [sources, limits, settings])
def test_tables_are_those_of_the_program(table: Callable[[], Iterable[str]]) -> None:
    assert put(TEXT, table.__name__, table()) == TEXT


def test_a_table_without_a_place_is_refused() -> None:
    with pytest.raises(SystemExit, match="0 places for the table 'limits'"):
        put("# A page without tables", "limits", limits())


def test_every_algorithm_states_its_source() -> None:
    for algorithm in OURS.values():
        year = re.search(r"\b(?:19|20)\d\d\b", algorithm.summary)
        assert year or algorithm.name == "grid"


def test_the_guide_names_every_algorithm() -> None:
    guide = (ROOT / "docs" / "guide" / "algorithms.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in guide for name in OURS)


def test_counts_of_directions_are_those_of_the_program() -> None:
    table = TEXT.split("| population | 2 objectives")[1].split("\n\n")[0].splitlines()[2:]
    assert len(table) == 3
    for line in table:
        population, *counts = (int(cell) for cell in line.strip("|").split("|"))
        assert counts == [count_directions(population, m) for m in (2, 3, 4, 5, 8)]


@pytest.mark.parametrize("name", ["large", "one", "originals"])
def test_tables_are_filled(name: str) -> None:
    table = TEXT.split(f"<!-- table {name}")[1].split("<!-- end")[0]
    told = re.findall(r"^\| `([\w-]+)`", table, re.MULTILINE)
    assert set(told) <= set(OURS)
    assert len(told) >= 6
    assert name != "originals" or set(told) == {each for each in OURS if OURS[each].extra is None}
