"""The child process and who keeps it."""

import os
import signal
import subprocess
import time
from types import SimpleNamespace

import psutil
import pytest

from errors import WorkerError
from studies.execution import NO_LIMITS, Interrupted, Limits, processes, supervision
from studies.execution.channel import MalformedError
from studies.execution.code_version import CodeVersion, code_version
from studies.execution.messages import Drawn
from studies.execution.processes import clean_environment
from studies.execution.supervision import SupervisedProcess
from tests import forked
from tests.studies.execution.contract import gone_within, named, processes_in, row, tasks_of


@pytest.fixture(scope="module")
def process():
    """Its child outlives a test that does not end it."""
    opened = SupervisedProcess()
    yield opened
    opened.close()


@pytest.fixture
def childless(process):
    """The process before it has a child: what is set now, the child will meet when it starts."""
    process.close()
    return process


def outcomes(process, tasks, limits=NO_LIMITS, should_stop=lambda: False):
    found = {}
    process.evaluate(tasks, code_version("faulty"), limits, found.update, should_stop)
    assert sorted(found) == list(range(len(tasks)))
    return found


def child_of(process):
    return psutil.Process(process._child.process.pid)


def test_one_child_serves_many_orders(process):
    outcomes(process, row(5))
    first = child_of(process)
    outcomes(process, row(5, y=0.5))
    assert child_of(process) == first
    assert os.getsid(first.pid) == first.pid != os.getsid(0)


def test_only_the_guilty_one_of_many_cheap_designs_is_reported(process):
    tasks = row(301, threshold=2)
    tasks[200] = tasks_of("faulty", [{"x": 0.9, "threshold": 0.1, "fault": "crash"}])[0]
    found = outcomes(process, tasks)
    assert [number for number, outcome in found.items() if outcome.state != "done"] == [200]
    assert found[200].kind == "worker_lost"


def test_an_evaluation_that_was_killed_from_outside_is_reported_with_the_signal(process, tmp_path):
    note = tmp_path / "note"

    def kill_it():
        for number in processes_in(note):
            os.kill(number, signal.SIGTERM)
        return False

    found = outcomes(process, row(1 + 1, note=str(note), delay=0.3)[:1], should_stop=kill_it)
    assert (found[0].kind, found[0].reason) == (
        "worker_lost",
        "the evaluation process was ended by signal 15 (SIGTERM)",
    )


def test_limits_of_one_order_do_not_bind_the_next(process):
    first = outcomes(process, row(2, threshold=0.5, fault="gulp"), Limits(memory=50 * 1024**2))
    assert first[1].kind == "out_of_memory"
    second = outcomes(process, row(2, threshold=0.5, fault="gulp"), Limits(timeout=0.5))
    assert second[1].kind == "timeout"


def test_memory_of_processes_that_the_design_started_counts(process, monkeypatch):
    monkeypatch.setattr("studies.execution.supervision.TREE_SECONDS", 0.0)
    tasks = row(2, threshold=0.5, fault="grandchild")
    found = outcomes(process, tasks, Limits(timeout=20.0, memory=3 * 1024**2))
    assert found[1].kind == "out_of_memory"


def test_a_stop_ends_the_child_and_all_that_it_started(process, tmp_path):
    note = tmp_path / "note"
    tasks = row(2, threshold=0.5, fault="grandchild", note=str(note))
    with pytest.raises(Interrupted):
        outcomes(process, tasks, should_stop=lambda: bool(named(str(note))))
    assert not named(str(note))
    assert gone_within(30.0, note)


@pytest.mark.parametrize("fault", ["daemon", "daemon_crash"])
def test_processes_that_a_design_has_left_behind_end_with_the_child(process, tmp_path, fault):
    note = tmp_path / "note"
    outcomes(process, row(2, threshold=0.5, fault=fault, note=str(note)))
    deadline = time.monotonic() + 30
    while fault == "daemon" and not named(str(note)):  # it has a name once it runs its program
        assert time.monotonic() < deadline, "it left one"
        time.sleep(0.01)
    process.close()
    assert not named(str(note))


ORPHAN = """
import sys
from studies.execution import NO_LIMITS
from studies.execution.code_version import code_version
from studies.execution.supervision import SupervisedProcess
from tests import forked
from tests.studies.execution.contract import row
SupervisedProcess().evaluate(
    row(2, threshold=0.5, fault="sleep", note=sys.argv[1]), code_version("faulty"), NO_LIMITS,
    lambda _: None, lambda: False,
)
"""


def begun(folder, code, note):
    script = folder / "parent.py"
    script.write_text(code)
    return forked.Begun(folder, [note], script=script)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_child_dies_with_its_parent_in_the_middle_of_an_evaluation(tmp_path, how):
    note = tmp_path / "note"
    parent = begun(tmp_path, ORPHAN, note)
    try:
        deadline = time.monotonic() + 30
        while not processes_in(note) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert processes_in(note)
    finally:
        parent.send_signal(how)
        parent.wait()
    assert gone_within(30.0, note)


def test_what_a_killed_parent_could_not_end_is_ended_by_the_next_child(childless, tmp_path):
    note = tmp_path / "note"
    script = ORPHAN.replace('fault="sleep"', 'fault="daemon"')
    script += "import time; time.sleep(3600)"
    parent = begun(tmp_path, script.replace("SupervisedProcess()", "(k := SupervisedProcess())"), note)
    try:
        wait_until(lambda: named(str(note)))
    finally:
        parent.kill()
        parent.wait()
    # It outlives them until anybody's next child starts; one of a test beside this one may be the first.
    outcomes(childless, row(2))
    assert not named(str(note))


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_no_secret_reaches_a_child(childless, monkeypatch):
    monkeypatch.setenv("TAUTLINE_STORE", "postgresql://me:hush@db/lab")
    monkeypatch.setenv("TAUTLINE_TOKEN", "tl_a_hush")
    monkeypatch.setenv("PGPASSWORD", "hush")
    monkeypatch.setenv("KEPT", "yes")
    outcomes(childless, row(2))
    seen = child_of(childless).environ()
    assert seen["KEPT"] == "yes"
    assert not [name for name in seen if name.startswith(("TAUTLINE_STORE", "TAUTLINE_TOKEN", "PG"))]
    assert "hush" not in str(seen)
    assert "hush" not in str(clean_environment())


def test_a_child_finds_the_packages_of_its_parent_and_none_in_the_working_folder(
    childless, tmp_path, monkeypatch
):
    (tmp_path / "models.py").write_text("raise SystemExit('shadowed')")
    monkeypatch.chdir(tmp_path)
    outcomes(childless, row(2))


def test_sources_that_changed_under_a_running_process_are_refused(childless):
    other = CodeVersion("0" * 64, "tautline-analytic", "0.1.0")
    with pytest.raises(
        WorkerError, match=r"this evaluation process has tautline-analytic .*sources 000000000000"
    ):
        childless.evaluate(row(2), other, NO_LIMITS, lambda _: None, lambda: False)
    outcomes(childless, row(2))


def test_a_child_that_cannot_start_is_reported(childless, monkeypatch):
    monkeypatch.setattr("studies.execution.supervision.MAIN", "raise SystemExit(7)")
    with pytest.raises(WorkerError, match="could not start: it was ended by exit code 7"):
        outcomes(childless, row(2))


@pytest.fixture
def carrying():
    """Starts a process that carries a mark as descendants of evaluation processes do."""
    begun = []

    def start(mark):
        begun.append(subprocess.Popen(["sleep", "600"], env={**os.environ, processes.MARK: mark}))
        return begun[-1]

    yield start
    for process in begun:
        process.kill()
        process.wait()


def test_only_orphans_of_this_system_are_ended_and_marks_of_others_stop_nothing(carrying):
    here = processes._namespace()
    gone = subprocess.Popen(["true"])
    gone.wait()
    orphan = carrying(f"{here}-{gone.pid}-1.0-abc")
    others = [
        carrying(mark) for mark in ("x", "", f"{here}-", f"{here}-a-b-c", f"1{here}-{gone.pid}-1.0-abc")
    ]
    processes.kill_orphans()
    assert orphan.wait(60) == -signal.SIGKILL
    assert [process.poll() for process in others] == [None] * 5


def test_a_child_that_claims_to_have_held_much_memory_is_not_believed():
    child = SimpleNamespace(resident=lambda: 1000)
    # pyrefly: ignore[bad-argument-type]
    watch = supervision._Watch(child, Limits(memory=1), 2)
    assert watch.take(b'{"kind": "begun", "number": 1, "memory": 1000000000000000}') == []
    assert watch._memory_before == 1000
    watch.take(b'{"kind": "begun", "number": 2, "memory": 400}')
    assert watch._memory_before == 400


REFUSED = b'{"kind": "refused", "faults": [%s], "at_fault": "process"}'


def test_a_refusal_without_a_fault_is_no_answer():
    # pyrefly: ignore[bad-argument-type]
    watch = supervision._Watch(SimpleNamespace(), NO_LIMITS, 1)
    with pytest.raises(MalformedError):
        watch.take(REFUSED % b"")
    with pytest.raises(WorkerError, match="other version"):
        watch.take(REFUSED % b'{"place": [], "message": "other version"}')


def test_an_answer_to_another_order_is_no_answer():
    # pyrefly: ignore[bad-argument-type]
    watch = supervision._Watch(SimpleNamespace(), NO_LIMITS, 1)
    drawn = b'{"kind": "drawn", "scene": {}}'
    with pytest.raises(MalformedError, match="wrong time"):
        watch.take_answer(drawn, Drawn)  # the order has not begun
    assert watch.take_answer(b'{"kind": "begun", "number": 1, "memory": 0}', Drawn) is None
    with pytest.raises(MalformedError, match="wrong time"):
        watch.take_answer(b'{"kind": "compared", "cases": []}', Drawn)
    assert watch.take_answer(drawn, Drawn) == Drawn({})
