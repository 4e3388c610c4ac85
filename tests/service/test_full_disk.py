"""A server whose files may grow no more, as under a quota: the run is paused with its reason, and everybody reads it."""

import resource

import psutil

from studies.store import Store
from tests.service.test_serve import STUDY, wait_until


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
