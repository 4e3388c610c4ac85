"""Tests that this machine cannot run: one line for each reason, with their number and the remedy."""

import shutil
from collections import Counter
from importlib.util import find_spec
from types import ModuleType

import pytest

Reports = list[pytest.TestReport | pytest.CollectReport]


def reason(subject: str, missing: str, remedy: str) -> str:
    """Text of a skip: what the tests are about, what this machine lacks, and how to get it."""
    return f"{subject}: {missing}" + (f"; {remedy}" if remedy else "")


def package(name: str, subject: str) -> ModuleType:
    """Import the package that tests compare with, or leave them out."""
    remedy = "`make test` installs it where it has a wheel for this Python"
    found: ModuleType = pytest.importorskip(name, reason=reason(subject, f"no package {name}", remedy))
    return found


def needs_program(name: str, subject: str, debian: str = "") -> pytest.MarkDecorator:
    """Mark tests that start a program of the machine; ``debian`` is its package, where that has another name."""
    told = reason(subject, f"no {name}", f"`apt install {debian or name}`")
    return pytest.mark.skipif(shutil.which(name) is None, reason=told)


def needs_extra(module: str, subject: str, target: str) -> pytest.MarkDecorator:
    """Mark tests of a large package that only some users install; ``target`` is that of ``make``."""
    told = reason(subject, f"no package {module}", f"`make {target}` installs it")
    return pytest.mark.skipif(find_spec(module) is None, reason=told)


def lines(skipped: Reports) -> list[str]:
    """One line a reason, the most frequent first; a file that was left out whole counts as one."""
    counts: Counter[str] = Counter()
    for report in skipped:
        what = "test" if isinstance(report, pytest.TestReport) else "file"
        text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        counts[f"{what} of {text.removeprefix('Skipped: ')}"] += 1
    return [
        f"{count} {text.replace(' of', 's of', 1) if count > 1 else text}"
        for text, count in counts.most_common()
    ]
