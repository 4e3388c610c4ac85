"""`study pause` and `study stop` wait for who works on a run, but not for ever for one who does not answer."""

import time

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from service.cli import running
from studies.definition.study_file import parse_study
from studies.store import Store, this_process


@pytest.mark.parametrize(("how", "left"), [("pause", "paused"), ("stop", "cancelled")])
def test_a_process_that_does_not_answer_is_waited_for_a_minute(
    tmp_path, bnh_study, capsys, monkeypatch, how, left
):
    waited = []
    clock = lambda: time.time() + 10.0 * len(waited)  # noqa: E731 - a fixture would hide what it is

    def wait(seconds):
        waited.append(seconds)
        assert len(waited) < 20, "it is waited for ever"

    monkeypatch.setattr(running.time, "sleep", wait)
    with Store(str(tmp_path / "tautline.db"), clock=clock) as store:
        study = store.create_study(parse_study(bnh_study), ["default"])
        ((_, claim),) = store.claim_runs(study.runs, this_process())
        store.begin_run(claim, {})  # and then this process, its owner, does not listen
        running.pause_or_stop(StoreServices(Context(store=store)), "bnh", how, wait=True)
    assert 1 < len(waited) <= 7
    told = capsys.readouterr().err.splitlines()
    assert told == ["waiting until the runs have stopped, at most a minute", f"default, seed 1: {left}"]
