"""Joining a cluster that others started: certificates, versions, secrets."""

import os
import shutil
from pathlib import Path

import pytest
from distributed import Security

from errors import InputError, WorkerError
from studies.execution import open_executor, tls_security
from studies.execution.code_version import code_version
from tests.studies.execution.contract import evaluated, row

HOME = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Two sets of files, each of an authority of its own."""

    def written(name):
        folder = tmp_path_factory.mktemp(name)
        made = Security.temporary()
        for file, text in (
            ("ca", made.tls_ca_file),
            ("cert", made.tls_client_cert),
            ("key", made.tls_client_key),
        ):
            (folder / f"{file}.pem").write_text(text)
        return {file: str(folder / f"{file}.pem") for file in ("ca", "cert", "key")}

    return written("lab"), written("stranger")


@pytest.fixture(scope="module")
def encrypted(separate_cluster, certificates):
    ours, _ = certificates
    options = [
        "--protocol",
        "tls",
        "--tls-ca-file",
        ours["ca"],
        "--tls-cert",
        ours["cert"],
        "--tls-key",
        ours["key"],
    ]
    with separate_cluster(1, options=options) as cluster:
        yield cluster


def test_a_tls_cluster_is_joined_with_its_certificates(encrypted, certificates):
    assert encrypted.address.startswith("tls://")
    with open_executor(None, encrypted.address, tls_security(**certificates[0])) as executor:
        heard = evaluated(executor, row(4, delay=0.4))
    assert {r.worker for r in heard.records} != {"driver"}


def test_a_stranger_is_turned_away(encrypted, certificates):
    stranger = tls_security(**certificates[1])
    with (
        pytest.raises(InputError, match="no Dask scheduler answers"),
        open_executor(None, encrypted.address, stranger),
    ):
        pass


@pytest.mark.parametrize(
    ("address", "files", "said"),
    [
        (
            "tls://127.0.0.1:1",
            {},
            "scheduler: .* needs the cluster's certificates",
        ),
        ("tcp://127.0.0.1:1", {"ca", "cert", "key"}, "not an encrypted address.*write tls://"),
        ("tls://127.0.0.1:1", {"ca"}, "tls_cert: is missing"),
    ],
)
def test_files_and_address_must_belong_together(certificates, address, files, said):
    given = {name: file if name in files else None for name, file in certificates[0].items()}
    with pytest.raises(InputError, match=said), open_executor(None, address, tls_security(**given)):
        pass


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"tls_ca: there is no file 'nowhere.pem'"):
        tls_security("nowhere.pem", str(tmp_path), str(tmp_path))


@pytest.fixture(scope="module")
def other_code(tmp_path_factory):
    """A copy of the sources with one comment more, as the import path of a worker."""
    folder = tmp_path_factory.mktemp("code")
    for package in ("models", "studies"):
        shutil.copytree(HOME / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HOME / "errors.py", folder)
    with (folder / "models" / "units.py").open("a") as file:
        file.write("# changed\n")
    plugin = HOME / "tests" / "plugins" / "analytic"
    return os.pathsep.join([str(folder), str(plugin), os.environ.get("PYTHONPATH", "")])


def test_workers_with_other_code_are_refused_when_they_join_later_and_when_they_are_met(
    separate_cluster, other_code
):
    with separate_cluster(1) as cluster:
        with open_executor(None, cluster.address) as executor:
            evaluated(executor, row(3, delay=0.4))
            cluster.end_workers()
            cluster.environment = {"PYTHONPATH": other_code}
            cluster.start_workers()
            with pytest.raises(WorkerError, match=f"the worker at tcp.*{code_version('faulty').digest[:12]}"):
                evaluated(executor, row(3, y=0.5, delay=0.4))
        with pytest.raises(WorkerError) as raised, open_executor(None, cluster.address):
            pass
    assert code_version().digest[:12] in str(raised.value)
    assert "install the same version on all machines" in str(raised.value)


def test_versions_name_the_distribution_of_the_model():
    assert code_version("faulty").distribution == "tautline-analytic"
    assert code_version("hybrid-cable-robot").distribution == "tautline"
    assert code_version("faulty").digest != code_version().digest


def test_workers_of_ours_see_no_database(monkeypatch):
    monkeypatch.setenv("TAUTLINE_STORE", "postgresql://me:hush@db/lab")
    monkeypatch.setenv("PGPASSWORD", "hush")
    with open_executor(1) as executor:
        evaluated(executor, row(2, delay=0.4))
        client = executor._cluster.current().client
        (seen,) = client.run(lambda: dict(__import__("os").environ)).values()
    environment = {name: value for name, value in seen.items() if value}
    assert "hush" not in str(environment)
    assert "TAUTLINE_STORE" not in environment
