"""Every study file of ``examples/`` is ready to launch, from the page and from the shell."""

import json
import re
from pathlib import Path

import pytest

from service.examples import FOLDER, examples
from studies.definition.study_file import parse_study

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "examples").glob("*.toml"))
NAMES = [file.stem for file in FILES]


def test_there_is_one_definition_of_each():
    assert FOLDER == ROOT / "examples"
    assert list((ROOT / "service").rglob("*.toml")) == []


def test_the_shell_lists_all_of_them(call):
    listed = json.loads(call("study", "new", "--list", "--format", "json", check=0).out)
    assert listed[0]["example"] == "robocab"
    assert sorted(each["example"] for each in listed) == NAMES
    assert {"robocab", "ipanema-1", "segesta", "cogiro", "paper-40", "paper-100"} <= set(NAMES)


def test_the_list_is_readable_in_a_file(call):
    shown = call("study", "new", "--list", check=0).out
    assert re.search(r"^ *robocab +hybrid-cable-robot +Compares", shown, re.MULTILINE)


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.example)
def test_one_sentence_says_what_it_answers_and_how_long_that_takes(example):
    assert re.fullmatch(r"[A-Z][^.?!]*(\d\.\d[^.?!]*)*\.", example.answers)
    assert re.fullmatch(r"(about )?(half a|\d+)( to \d+)? minutes?", example.time)
    assert len(example.answers) < 200


@pytest.mark.parametrize("name", NAMES)
def test_the_shell_writes_a_study_that_is_sound(name, call, tmp_path):
    call("study", "new", "mine.toml", "--from", name, check=0)
    call("study", "check", "mine.toml", check=0)
    mine = parse_study((tmp_path / "mine.toml").read_text(encoding="utf-8"))
    original = parse_study((ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8"))
    assert mine == original.model_copy(update={"name": "mine"})
