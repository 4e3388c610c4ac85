"""The files for Slurm and Kubernetes: what they make is read, and run where a local process can stand in."""

import importlib.util
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
import yaml
from dask_jobqueue.local import LocalCluster
from distributed import Security

from docs.code_blocks import ROOT
from service.settings import Settings, variable
from studies.definition.study_file import parse_study
from studies.execution import open_executor, tls_security
from studies.results.fronts import fronts
from studies.run.launch import run_study
from studies.store import Store

DEPLOY = ROOT / "examples" / "deploy"
SLURM = yaml.safe_load((DEPLOY / "slurm.yaml").read_text(encoding="utf-8"))
DOCUMENTS = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")))
KUBERNETES = {(each["kind"], each["metadata"]["name"]): each["spec"] for each in DOCUMENTS}
DASK = KUBERNETES["DaskCluster", "tautline"]
SCHEDULER, WORKER = (DASK[part]["spec"]["containers"][0] for part in ("scheduler", "worker"))
SERVER = KUBERNETES["Deployment", "tautline-server"]["template"]["spec"]["containers"][0]
STUDY = """
name = "on-jobs"
model = "faulty"
[parameters]
delay = {delay}
[variables]
x = {{ lower = 0, upper = 1 }}
y = {{ lower = 0, upper = 1 }}
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 12
generations = 2
"""


@pytest.fixture(scope="module")
def cluster_of():
    spec = importlib.util.spec_from_file_location("slurm", DEPLOY / "slurm.py")
    # pyrefly: ignore[bad-argument-type]
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.cluster_of


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    folder, made = tmp_path_factory.mktemp("certificates"), Security.temporary()
    texts = {"ca": made.tls_ca_file, "cert": made.tls_client_cert, "key": made.tls_client_key}
    for name, text in texts.items():
        (folder / f"{name}.pem").write_text(text)
    return {name: str(folder / f"{name}.pem") for name in texts}


def settings(tls, **job):
    """The file, on this machine."""
    left = {name: value for name, value in {**SLURM["job"], **job}.items() if value is not None}
    return {**SLURM, "scheduler": {"host": "127.0.0.1", "port": 0}, "tls": tls, "job": left}


def test_a_job_of_slurm_has_the_python_memory_time_and_certificates_of_the_file(cluster_of, tls):
    with cluster_of(settings(tls)) as cluster:
        script = cluster.job_script()
        assert cluster.scheduler_address.startswith("tls://127.0.0.1:")
    head, command = script.rsplit("\n", 2)[0].splitlines(), script.splitlines()[-1]
    assert head[0] == "#!/usr/bin/env bash"
    told = dict(
        line.removeprefix("#SBATCH ").split(maxsplit=1)
        for line in head
        if re.match("#SBATCH -[A-Zpt] ", line)
    )
    assert (told["-J"], told["-p"], told["-A"], told["-t"]) == (
        "tautline",
        "normal",
        "my-project",
        "04:00:00",
    )
    assert {"#SBATCH --cpus-per-task=8", "#SBATCH --mem=30G"} <= set(head)
    assert "export OPENBLAS_NUM_THREADS=1" in head
    words = command.split()
    assert words[:3] == [sys.executable, "-m", "distributed.cli.dask_worker"]
    given = dict(zip(words[4::2], words[5::2], strict=False))
    assert (given["--nworkers"], given["--nthreads"], given["--memory-limit"]) == ("8", "1", "3.73GiB")
    for option, file in (("--tls-ca-file", "ca"), ("--tls-cert", "cert"), ("--tls-key", "key")):
        assert words[words.index(option) + 1] == tls[file]
    assert words[words.index("--lifetime") + 1] == "225m"


def test_workers_leave_before_their_job_ends():
    hours, minutes, _ = map(int, SLURM["job"]["walltime"].split(":"))
    extra = SLURM["job"]["worker_extra_args"]
    lifetime, stagger = (
        int(extra[extra.index(name) + 1].rstrip("m")) for name in ("--lifetime", "--lifetime-stagger")
    )
    assert lifetime + stagger < 60 * hours + minutes


def test_a_study_runs_on_the_jobs_that_the_file_starts_and_ends(cluster_of, tls, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    here = settings(
        tls, account=None, job_script_prologue=None, cores=1, processes=1, memory="1GB", nanny=False
    )
    here["adapt"] = {**SLURM["adapt"], "maximum_jobs": 2, "target_duration": "1s", "interval": "200ms"}
    found = []
    said = []
    with Store(str(tmp_path / "jobs.db")) as store, cluster_of(here, LocalCluster) as cluster:
        address = cluster.scheduler_address
        run_study(
            store,
            parse_study(STUDY.format(delay=0.5)),
            lambda: open_executor(None, address, tls_security(**tls), say=said.append),
        )
        study = store.study("on-jobs")
        assert study.state == "done"
        workers = {each.evaluation.worker for run in study.runs for each in store.front(run)}
        found.append([design.objectives for design in fronts(store, study)["default"]])
        deadline = time.monotonic() + 120
        while cluster.scheduler.workers:
            assert time.monotonic() < deadline, "idle jobs did not end"
            time.sleep(0.1)
    assert "waiting for workers" in said[0]
    assert workers - {"driver"}
    with Store(str(tmp_path / "here.db")) as store:
        run_study(store, parse_study(STUDY.format(delay=0.001)), lambda: open_executor(1))
        found.append([design.objectives for design in fronts(store, store.study("on-jobs"))["default"]])
    assert sorted(found[0]) == sorted(found[1])


def test_kubernetes_has_a_cluster_that_follows_the_work_and_a_server():
    assert [each["kind"] for each in DOCUMENTS] == [
        "DaskCluster", "DaskAutoscaler", "NetworkPolicy", "Deployment", "PersistentVolumeClaim", "Service"
    ]  # fmt: skip
    assert {each["metadata"]["namespace"] for each in DOCUMENTS} == {"tautline"}
    scaler = KUBERNETES["DaskAutoscaler", "tautline"]
    assert (scaler["cluster"], scaler["minimum"]) == ("tautline", 0)
    assert {SCHEDULER["image"], WORKER["image"], SERVER["image"]} == {SERVER["image"]}
    claims = [
        each["persistentVolumeClaim"]["claimName"]
        for each in volumes(SERVER_POD)
        if "persistentVolumeClaim" in each
    ]
    assert ("PersistentVolumeClaim", claims[0]) in KUBERNETES
    for pod in (DASK["scheduler"]["spec"], DASK["worker"]["spec"], SERVER_POD):
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["automountServiceAccountToken"] is False
        names = {each["name"] for each in volumes(pod)}
        assert {mount["name"] for one in pod["containers"] for mount in one["volumeMounts"]} == names


SERVER_POD = KUBERNETES["Deployment", "tautline-server"]["template"]["spec"]


def volumes(pod):
    return pod["volumes"]


def environment(container):
    return {each["name"]: each.get("value") for each in container["env"]}


def test_the_memory_of_a_worker_leaves_room_in_its_pod():
    (limit,) = (word for word in WORKER["args"] if word.startswith("--memory-limit="))
    pod = WORKER["resources"]["limits"]["memory"]
    assert limit.endswith("MiB")
    assert int(re.findall(r"\d+", limit)[0]) + 512 <= 1024 * int(pod.removesuffix("Gi"))


@pytest.mark.parametrize("container", [SCHEDULER, WORKER], ids=["scheduler", "worker"])
def test_commands_of_the_pods_have_their_options(container):
    dask, command, *options = container["args"]
    told = subprocess.run(
        [Path(sys.executable).with_name(dask), command, "--help"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    for option in options:
        assert re.search(rf"{option.split('=')[0]}\b", told.stdout), option


def test_variables_of_the_server_are_settings_and_lead_to_the_scheduler():
    given = environment(SERVER)
    variables = {variable(name): name for name in Settings.model_fields}
    assert set(given) <= set(variables)
    read = Settings.model_validate({variables[name]: value or "x.db" for name, value in given.items()})
    assert read.accounts
    assert read.scheduler == environment(WORKER)["DASK_SCHEDULER_ADDRESS"]
    name, namespace = read.scheduler.removeprefix("tls://").split(".")[:2]
    assert (name, namespace) == ("tautline-scheduler", "tautline")
    assert read.scheduler.endswith(f":{SCHEDULER['ports'][0]['containerPort']}")


def test_the_scheduler_of_the_pod_tells_the_operator_how_many_workers_it_wants(tls, tmp_path):
    words = [
        re.sub(r"/certificates/(\w+)\.pem", lambda found: tls[found[1]], word) for word in SCHEDULER["args"]
    ]
    port, page = 18786, 18787
    command = [
        Path(sys.executable).with_name(words[0]), words[1], *words[2:], f"--port={port}",
        f"--dashboard-address=127.0.0.1:{page}", "--host=127.0.0.1",
    ]  # fmt: skip
    with subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, **environment(SCHEDULER)}, stderr=subprocess.DEVNULL
    ) as scheduler:
        try:
            assert asked(page, SCHEDULER["readinessProbe"]["httpGet"]["path"]) == b"ok"
            assert asked(page, "/api/v1/adaptive_target") == b'{"workers": 0}'
        finally:
            scheduler.terminate()


def asked(port, path):
    """The answer, once somebody listens."""
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return answer.read()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
