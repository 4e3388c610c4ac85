"""Commands that wait for a server's runners: they say how far it is, and why nothing happens."""

from types import SimpleNamespace

import pytest
import typer

from service.cli import progress, running
from service.resources.studies import RunResource


def answers(*given):
    """States in turn: (done, message) as they come, None for the end."""
    found = iter(given)

    def ask(*_):
        each = next(found)
        if isinstance(each, BaseException):
            raise each
        return SimpleNamespace(done=each is None, far=each and each[0], message=each[1] if each else "")

    return ask


def waited(monkeypatch, ask):
    monkeypatch.setattr(progress, "POLL_SECONDS", 0.0)
    return progress.wait_for(ask, ask, lambda found: not found.done, lambda found: f"{found.far} of 9")


def test_that_no_runner_is_at_work_is_said_once_and_again_when_it_comes_back(capsys, monkeypatch):
    lone = "no runner has been at work for {} s"
    states = ((0, ""), (0, lone.format(6)), (0, lone.format(9)), (4, ""), (4, lone.format(7)), None)
    waited(monkeypatch, answers(*states))
    assert capsys.readouterr().err.splitlines() == ["0 of 9", lone.format(6), "4 of 9", lone.format(7)]


def test_ctrl_c_leaves_it_going_on(capsys, monkeypatch):
    with pytest.raises(typer.Exit) as ended:
        waited(monkeypatch, answers((0, ""), KeyboardInterrupt()))
    assert ended.value.exit_code == 130
    assert "it goes on without you" in capsys.readouterr().err


def run(seed, generations, message=""):
    """A run at work."""
    counts = dict.fromkeys(("computed", "feasible", "failed", "front"), 0)
    return RunResource(
        id=seed, layout="default", seed=seed, state="running", generations=generations, **counts,
        designs=20 * generations, hypervolume=None, owner="", message=message, reasons=[], warnings=[],
    )  # fmt: skip


WAITS = "waiting for workers: the scheduler at 'tcp://far:8786' has none now"


def test_a_followed_study_says_once_that_its_runs_wait_for_workers(capsys, monkeypatch):
    """The first run has its designs and lost its workers; the second one has begun; the third one goes on."""
    listed = iter(
        [
            [run(1, 2), run(2, 0)],  # the first look
            [run(1, 2), run(2, 0)],
            [run(1, 2, WAITS), run(2, 0, WAITS)],
            [run(1, 2, WAITS), run(2, 0, WAITS), run(3, 1)],
        ]
    )
    checked = SimpleNamespace(layouts=[SimpleNamespace(layout="default", designs=100)])
    ops = SimpleNamespace(
        studies=SimpleNamespace(get=lambda _: SimpleNamespace(definition={}), check=lambda _: checked),
        runs=SimpleNamespace(list=lambda _: SimpleNamespace(items=next(listed))),
        events=SimpleNamespace(follow=lambda _: [SimpleNamespace(kind="running")] * 3),
    )
    monkeypatch.setattr("studies.definition.study_file.define", lambda _: None)
    running._show_until_ended(ops, "far")
    said = [line for line in capsys.readouterr().err.splitlines() if "waiting" in line]
    assert said == [
        "default, seed 2: waiting for its first designs", *[f"default, seed {seed}: {WAITS}" for seed in (1, 2)]
    ]  # fmt: skip
