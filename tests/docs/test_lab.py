"""A lab's server is set up as its page says: accounts, certificates, a remote worker, a proxy, a study."""

import re
import shlex
import subprocess

import httpx
import psutil
import pytest

from docs.code_blocks import ROOT, code_blocks_of
from studies.store import Store
from tests.fault_injection.processes import free_port
from tests.forked import dask, run
from tests.service.serving import Serving

GUIDE = ROOT / "docs" / "guide"
PAGE = (GUIDE / "server.md").read_text(encoding="utf-8")
STEPS = {
    title: [block.text.replace("\\\n", " ") for block in code_blocks_of(text)]
    for title, text in re.findall(r"^### \d\. ([^\n]+)\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
}
ADDRESS = "10.0.0.5:8786"
"""The scheduler of the page."""
HOST = "tautline.lab.example"
STUDY = """
name = "robocab"
model = "faulty"
parameters = { delay = 0.01 }
variables = { x = { lower = 0, upper = 1 }, y = { lower = 0, upper = 1 } }
objectives = { f1 = "minimize", f2 = "minimize" }
search = { population = 8, generations = 2 }
"""


def test_the_steps_lead_from_nothing_to_a_study_on_the_remote_worker(tmp_path):
    accounts, certificates, cluster, server, proxy, use = STEPS.values()
    (tmp_path / "robocab.toml").write_text(STUDY)
    key = ("--secret-file", str(tmp_path / "server.key"))
    for line in accounts[0].splitlines():
        run(tmp_path, *shlex.split(line)[1:], "--no-password", check=0)
    local = "\n".join(line for line in certificates[0].splitlines() if not line.startswith("scp "))
    subprocess.run(["sh", "-ec", local], cwd=tmp_path, check=True, capture_output=True, timeout=60)

    port = free_port()
    here = f"127.0.0.1:{port}"
    started = [*start(cluster, here, tmp_path)]
    try:
        (line,) = server
        words = [word.replace(ADDRESS, here) for word in shlex.split(line)[2:]]
        with Serving(tmp_path, *words) as serving:
            through_proxy = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "10.0.0.77"}
            assert f"reverse_proxy {words[words.index('--behind-proxy') + 1]}:8000" in proxy[0]
            for host, status in ((HOST, 200), ("other", 400)):
                asked = httpx.get(serving.address, headers=through_proxy | {"Host": host}, timeout=60)
                assert asked.status_code == status
            token = run(tmp_path, "token", "create", "t", "--account", "ben", "--scope", "run", *key, check=0)
            there = {"TAUTLINE_SERVER": serving.address, "TAUTLINE_TOKEN": token.stdout.strip()}
            called = next(line for line in use[0].splitlines() if line.startswith("tautline study run"))
            run(tmp_path, *shlex.split(called)[1:], env=there, check=0)
            for port in ports_open_to_others(started):
                with pytest.raises(httpx.TransportError):
                    httpx.get(f"http://127.0.0.1:{port}/health", timeout=60)
            assert serving.stop()[0] == 0, serving.text()
    finally:
        for process in started:
            process.kill()
    with Store(str(tmp_path / "tautline.db")) as store:
        (done,) = store.study("robocab").runs
        assert {each.evaluation.worker.split(":")[0] for each in store.front(done)} == {"tls"}


def test_the_certificate_of_a_server_without_proxy_is_one_for_its_name(tmp_path):
    _, certificates, _, _, proxy, _ = STEPS.values()
    made = "\n".join(line for line in certificates[0].splitlines() if not line.startswith("scp "))
    checked = f"openssl verify -CAfile ca.pem -verify_hostname {HOST} site.pem"
    for text in (made, proxy[1], checked):
        subprocess.run(["sh", "-ec", text], cwd=tmp_path, check=True, capture_output=True, timeout=60)


def test_dask_tells_the_network_nothing_over_http():
    lines = [
        (page.name, line)
        for page in sorted(GUIDE.glob("*.md"))
        for line in page.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
        if line.startswith(("dask scheduler", "dask worker"))
    ]
    assert len(lines) >= 6
    for page, line in lines:
        assert "--dashboard-address 127.0.0.1:0" in line, page


def ports_open_to_others(processes):
    """Ports on which processes and their children listen beyond this machine."""
    every = [psutil.Process(each.pid) for each in processes]
    every += [child for each in every for child in each.children(recursive=True)]
    found = [socket for each in every for socket in each.net_connections(kind="inet")]
    listening = [socket.laddr for socket in found if socket.status == psutil.CONN_LISTEN]
    return {address.port for address in listening if not address.ip.startswith("127.")}


def start(lines, here, folder):
    """The scheduler and one worker, by the options of the page."""
    address, port = here.split(":")
    for line in lines:
        command, *words = shlex.split(line)[1:]
        options = [port if word == "8786" else word.replace(ADDRESS, here) for word in words]
        options = ["1" if word == "8" else word for word in options]
        host = (
            ["--host", address] if command == "scheduler" else ["--local-directory", str(folder / "worker")]
        )
        yield dask(command, folder, [*options, *host], log=folder / f"{command}.log")
