"""This interpreter answers as the one that TAUTLINE_OTHER_PYTHON names: ``make test-pythons`` and `.ci/run` set it."""

import json
import os
import subprocess
import sys

import pytest

from docs.code_blocks import ROOT

pytestmark = [pytest.mark.interpreters, pytest.mark.timeout(3600)]  # kernels may have to be compiled


def answers(python, *arguments):
    done = subprocess.run(
        [python, "-m", "tests.interpreter_trial", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=1700,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def other():
    return os.environ["TAUTLINE_OTHER_PYTHON"]


def test_words_digests_and_keys_are_the_same(other):
    here, there = answers(sys.executable, "words"), answers(other, "words")
    assert len(here) > 120
    assert here["digest robocab.toml"]
    assert all(here[name] for name in here if name.startswith("fault"))
    for name, text in here.items():
        assert text == there[name], name
    assert list(here) == list(there)


def test_a_search_ends_with_the_same_front_and_goes_on_where_the_other_one_stopped(other, tmp_path):
    here, there = (
        answers(python, "front", tmp_path / f"{n}.db") for n, python in enumerate((sys.executable, other))
    )
    assert here["state"] == "done"
    assert len(here) > 3
    assert here == there
    assert answers(other, "front", tmp_path / "cut.db", 13)["state"] == "paused"
    assert answers(sys.executable, "front", tmp_path / "cut.db") == here


@pytest.mark.soak  # compiles the kernels of all back-ends
def test_all_back_ends_have_the_same_results(other):
    assert answers(sys.executable, "results") == answers(other, "results")
