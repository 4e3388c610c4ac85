"""The recipes for contributors, each carried out on a copy of the tree as it is written."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.code_blocks import ROOT, CodeBlock, code_blocks_of

PAGE = ROOT / "docs/contributing/recipes.md"
RECIPES = dict(
    re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
)
# Compiled Python goes along: it fits the copies, which are as old as their originals.
NOT_SOURCES = (".git", ".venv*", "node_modules", ".*_cache", "site", "tautline*.db", "dask-scratch-space")

MOST_FILES = 4
MOST_FILES_OF_A_WAY = 6
WAYS = re.findall(
    r"^\| (?:a|an) .+ \| (`.+) \|$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE
)
"""Files to read, row by row, to follow one thing from its beginning to its end."""
PROVED_ELSEWHERE = {"A back-end", "A metric", "A search algorithm"}
"""Recipes that the pages on models and algorithms of other packages prove, and ``tests/plugins``."""


def test_there_is_a_recipe_for_all_that_is_extended() -> None:
    assert list(RECIPES) == [
        "A back-end", "A metric", "A search algorithm", "A column of the store", "A verb", "A kind of job",
        "A figure",
    ]  # fmt: skip


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_touches_at_most_four_files(name: str) -> None:
    steps = code_blocks_of(RECIPES[name])
    touched = {step.title for step in steps if step.language in {"python", "diff"}}
    assert touched
    assert len({title for title in touched if not _is_test(title)}) <= MOST_FILES


@pytest.mark.parametrize("row", WAYS)
def test_the_files_of_every_way_exist(row: str) -> None:
    """A file without a folder stands beside the last one, or in a folder beside that one's."""
    folder = ROOT
    named = re.findall(r"`([^`]+)`", row)
    assert 2 <= len(named) <= MOST_FILES_OF_A_WAY
    for name in named:
        places = [place / name for place in (folder, folder.parent, ROOT)]
        found = next((place for place in places if place.exists()), None)
        assert found is not None, name
        folder = found.parent


def _is_test(title: str) -> bool:
    return Path(title).name.startswith("test_")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the sources, by ``tar``: Python would take a second of processor time."""
    copy = tmp_path / "tautline"
    copy.mkdir()
    left = [f"--exclude={pattern}" for pattern in NOT_SOURCES]
    with subprocess.Popen(["tar", "-C", ROOT, *left, "-cf", "-", "."], stdout=subprocess.PIPE) as packed:
        subprocess.run(["tar", "-C", copy, "-xf", "-"], stdin=packed.stdout, check=True)
    assert packed.returncode == 0
    return copy


def test_the_edits_of_every_recipe_fit(tree: Path) -> None:
    for name in RECIPES:
        carry_out(name, tree, lambda line: not line.startswith(".venv/bin/"))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.soak if name in PROVED_ELSEWHERE else ()) for name in RECIPES],
)
def test_the_recipe_works(name: str, tree: Path) -> None:
    carry_out(name, tree, lambda _: True)


def carry_out(name: str, tree: Path, wanted: Callable[[str], bool]) -> None:
    """Write and edit what the recipe says, and run those of its commands that are wanted."""
    steps = code_blocks_of(RECIPES[name])
    assert any(step.language == "console" for step in steps)
    for step in steps:
        if step.language == "console":
            lines = [line.removeprefix("$ ") for line in step.text.splitlines()]
            for line in filter(wanted, lines):
                run(line, tree)
        elif step.language == "diff":
            edit(tree / step.title, step)
        else:
            made = tree / step.title
            assert not made.exists()
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_text(step.text, encoding="utf-8")


def edit(path: Path, step: CodeBlock) -> None:
    """Each hunk's old lines must stand in the file once."""
    text = path.read_text(encoding="utf-8")
    for hunk in re.split(r"^@@.*\n", step.text, flags=re.MULTILINE):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        if lines:
            assert text.count(old) == 1, f"{step.title}:\n{old}"
            text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def run(line: str, tree: Path) -> None:
    """A command, with the environment's programs and the copy's sources."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {
        "PYTHONPATH": os.pathsep.join(map(str, (tree, *(tree / "tests" / "plugins").iterdir()))),
        "NUMBA_CACHE_DIR": str(tree / ".numba_cache"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    result = subprocess.run(
        shlex.split(line.replace(".venv/bin/", "")), cwd=tree, env=environment,
        capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    assert result.returncode == 0, f"{line}\n{result.stdout}{result.stderr}"
