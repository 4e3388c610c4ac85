"""The page on algorithms knows all of them, and its limits and counts are those of the program."""

import itertools
import re

import pytest

from docs.compare_algorithms import PAGE
from docs.compare_originals import STUDY_FILE, names_in_study_file
from studies.search.directions import count_directions
from studies.search.registry import OURS

TEXT = PAGE.read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """Cells of the first table below a heading."""
    lines = TEXT.split(f"## {heading}\n")[1].strip().splitlines()
    lines = lines[next(number for number, line in enumerate(lines) if line.startswith("|")) :]
    table = itertools.takewhile(lambda line: line.startswith("|"), lines)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table][2:]


def test_every_algorithm_is_described_with_its_source() -> None:
    for algorithm in OURS.values():
        assert f"`{algorithm.name}`**" in TEXT or f"**`{algorithm.name}`" in TEXT
        year = re.findall(r"\b(?:19|20)\d\d\b", algorithm.summary)
        assert all(found in TEXT for found in year)
        assert year or algorithm.name == "grid" or "Akiba" in algorithm.summary


def test_limits_are_those_of_the_program() -> None:
    told = {row[0].strip("`"): row for row in rows("What they need") if "," not in row[0]}
    for name, algorithm in OURS.items():
        if name in {"lhs", "sobol"}:
            continue
        _, objectives, population, constraints, budget = told[name]
        least, most = algorithm.objectives
        assert objectives.split(",")[0] == (f"{least}" if least == most else f"{least} to {most}")
        assert ("variables" in objectives) == (algorithm.most_variables < 1000)
        assert (constraints == "yes") == algorithm.constraints
        assert budget.replace(" ", "").removesuffix("designs") == str(algorithm.most_designs)
        if algorithm.learns:
            assert f"{algorithm.most_population:_}".replace("_", " ") in population


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


def test_the_study_file_page_lists_every_algorithm() -> None:
    page = STUDY_FILE.read_text(encoding="utf-8")
    assert page.count(f"| {names_in_study_file()} ([how to choose](algorithms.md))") == 1
    assert all(f"`{name}`" in names_in_study_file() for name in OURS)


def test_settings_are_those_of_the_program() -> None:
    told = {(row[0].strip("`"), row[2], row[3]): row for row in rows("Settings")}
    for algorithm in OURS.values():
        for setting in algorithm.settings:
            row = told[setting.name, setting.meaning, setting.allowed]
            assert f"`{algorithm.name}`" in row[1]
            assert setting.default in row[4]
    assert len(told) == len({(s.name, s.meaning) for found in OURS.values() for s in found.settings})
