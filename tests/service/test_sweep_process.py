"""A sweep in a child process of the server: done, failed, told to stop, and killed."""

import psutil
import pytest

from errors import WorkerError
from service.app.sweep_computation import compute_while_wanted
from service.settings import Settings
from service.sweep_process import SweepProcess
from studies.definition.study_file import parse_study
from studies.execution import Interrupted
from studies.run.launch import run_study
from studies.store import Store
from studies.uncertainty.sweep import carry_out, read_plan, store_sweep, wanted_keys
from tests.conftest import InlineExecutor
from tests.fault_injection.ledger import at_once
from tests.service.test_sweep_interruptions import STUDY


@pytest.fixture
def swept(tmp_path, inline):
    """A store with a finished study and a sweep of it, of which nothing is computed."""
    with Store(str(tmp_path / "tautline.db")) as store:
        run_study(store, parse_study(STUDY), inline(InlineExecutor()))
        yield store, store_sweep(store, "lines", {"delay": ["10 ms", "11 ms"]})


@pytest.fixture
def sweeper(tmp_path):
    return SweepProcess(Settings(store=str(tmp_path / "tautline.db"), workers=1))


def computed(store, record):
    keys = wanted_keys(read_plan(store, record))
    return store.count_evaluations(keys), len(keys)


def children():
    return [each for each in psutil.Process().children() if "sweep_process" in " ".join(each.cmdline())]


def test_it_is_told_to_stop_and_its_rest_can_be_computed(swept, sweeper, inline):
    store, record = swept
    with pytest.raises(Interrupted):
        sweeper(record, lambda: computed(store, record)[0] > 0)
    assert children() == []
    done, wanted = computed(store, record)
    assert 0 < done < wanted
    with at_once():
        carry_out(store, record, inline(InlineExecutor()))
    assert computed(store, record) == (wanted, wanted)


def test_why_it_failed_is_said(swept, sweeper):
    store, record = swept
    store.sweeps.remove("lines", record.id)
    with pytest.raises(WorkerError, match=f"unknown sweep '{record.id}'"):
        sweeper(record, lambda: False)


@pytest.mark.soak
def test_one_deleted_and_asked_for_again_while_its_child_starts_is_computed(swept, sweeper):
    store, record = swept
    begun = []

    def compute(wanted, should_stop):
        begun.append(wanted)
        if wanted == record:
            store.sweeps.remove("lines", record.id)
            store_sweep(store, "lines", record.grid)
        sweeper(wanted, should_stop)

    compute_while_wanted(store, record, compute, lambda: False)
    assert [each.id for each in begun] == [record.id, store.sweeps.of("lines")[0].id]
    done, wanted = computed(store, record)
    assert done == wanted


def test_a_child_that_is_killed_is_a_failure(swept, sweeper):
    _, record = swept

    def kill():
        for child in children():
            child.kill()
        return False

    with pytest.raises(WorkerError, match="SIGKILL"):
        sweeper(record, kill)
