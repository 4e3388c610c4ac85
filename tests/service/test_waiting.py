"""Commands that wait for a server's runners: they say how far it is, and why nothing happens."""

from types import SimpleNamespace

import pytest
import typer

from service.cli import progress


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
