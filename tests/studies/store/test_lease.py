"""Owners are told apart from later processes with the same number, whatever the wall clock does."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from studies.process_identity import started
from studies.store import this_process
from studies.store.lease import is_held

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="leases: only Linux tells ticks since boot")


def held_by(pid, started):
    lease = {"host": "here", "pid": pid, "process_started": started, "expires": 10.0}
    return is_held(lease, "here", 0.0)


@on_linux
@pytest.mark.parametrize("step", [-86400.0, -3.0, 3.0, 86400.0])
def test_a_step_of_the_wall_clock_kills_nobody(monkeypatch, step):
    """The time of the boot moves with the clock, and psutil's times of creation with it."""
    me = this_process()
    created = psutil.Process().create_time()
    monkeypatch.setattr(psutil, "boot_time", lambda: 1e9 + step)
    monkeypatch.setattr(psutil.Process, "create_time", lambda _: created + step)
    assert held_by(me.pid, me.started)
    assert started(me.pid) == me.started


@on_linux
def test_the_start_is_counted_from_boot():
    now = float(Path("/proc/uptime").read_text().split()[0])
    assert 0.0 < this_process().started < now


def test_a_number_that_was_given_out_anew_is_another_process():
    assert not held_by(os.getpid(), this_process().started - 60.0)


def test_processes_that_ended_hold_nothing():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    began = started(child.pid)
    assert held_by(child.pid, began)
    child.stdin.close()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not held_by(child.pid, began), "a zombie"
    child.wait()
    assert not held_by(child.pid, began)
