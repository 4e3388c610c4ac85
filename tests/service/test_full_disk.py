"""A server whose files may grow no more, as under a quota: the run is paused with its reason, and everybody reads it."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from studies.store import Store
from tests.service.test_serve import STUDY, wait_until

ROOT = Path(__file__).parents[2]


def limit(server, size):
    """The largest file, bytes, that the server, its runner and its workers may write; -1 lifts the limit."""
    for process in (server.process.pid, server.runner):
        for one in (psutil.Process(process), *psutil.Process(process).children(recursive=True)):
            resource.prlimit(one.pid, resource.RLIMIT_FSIZE, (size, -1))


def state_of(tmp_path):
    with Store(str(tmp_path / "tautline.db")) as store:
        return {run.state for run in store.study("slow").runs}


def test_a_run_whose_files_may_not_grow_is_paused_with_its_reason_and_goes_on(serve, tautline, tmp_path):
    (tmp_path / "slow.toml").write_text(STUDY.replace("generations = 200", "generations = 20"))
    server = serve("--workers", 1)
    assert server.runner
    with server.browser() as browser:
        limit(server, 300_000)
        tautline("study", "run", "slow.toml", "--queue", check=0)
        wait_until(lambda: state_of(tmp_path) == {"paused"}, 120)
        for run in browser.get("/api/v1/studies/slow/runs").json()["items"]:
            assert "a limit on the size of files is reached" in run["message"]
            assert "free some space, then resume" in run["message"]
        assert browser.get("/studies/slow").status_code == 200
        shown = tautline("study", "show", "slow", check=0)
        assert "a limit on the size of files is reached" in shown.stderr
        limit(server, -1)
        assert browser.post("/api/v1/studies/slow/launch").status_code < 300
        wait_until(lambda: state_of(tmp_path) == {"done"}, 120)
    with Store(str(tmp_path / "tautline.db")) as store:
        assert store.check() == []


@pytest.fixture
def begin_limited(tmp_path):
    """Runs the command line where no file may be larger than so many bytes."""
    (tmp_path / "slow.toml").write_text(STUDY.replace("delay = 0.02", "delay = 0.0"))

    def run(size, *arguments):
        code = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, -1)); "
        code += "import sys; from service.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", code, *map(str, arguments)]
        return subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    return run


def test_several_runs_say_once_that_the_disk_is_full(begin_limited):
    done = begin_limited(300_000, "study", "run", "slow.toml", "--workers", 1)
    assert done.returncode == 130
    assert done.stderr.count("free some space, then resume") == 1, done.stderr
    assert "default, seed 6: paused: for the same reason" in done.stderr
    shown = begin_limited(-1, "study", "show", "slow")
    assert shown.stderr.count("free some space, then resume") == 1, shown.stderr
    assert "default, seeds 5, 6: the disk of the store tautline.db takes no more" in shown.stderr
