"""A PostgreSQL server of the tests' own: in a temporary folder, on a unix socket, seen by nobody else."""

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import psycopg
import pytest

from studies.store import Store
from studies.store.tables import metadata
from tests import left_out

# Waits until the tests' end of the pipe is closed, however they end; a server left behind then goes too.
GUARD = """
cat >/dev/null
read -r pid <data/postmaster.pid && kill -QUIT "$pid"
sleep 1
cd / && rm -rf "$0"
"""
HBA = """
local all locked scram-sha-256
local all all trust
"""
OPTIONS = ("listen_addresses=", "max_connections=60", "shared_buffers=32MB", "logging_collector=off")


def find_binaries() -> Path | None:
    """The folder of ``initdb`` and ``postgres``, which distributions keep off the path; None without."""
    config = shutil.which("pg_config")
    told = (
        subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False) if config else None
    )
    folders = [Path(told.stdout.strip())] if told and told.returncode == 0 else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)  # Debian, without libpq-dev
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


class Server:
    """A cluster that tests may stop, kill and start again.

    Runs as user ``postgres`` when the tests run as root, which ``initdb`` refuses.
    """

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        self._user = "postgres" if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="tautline-pg-", dir=_fast_folder()))
        if self._user is not None:
            entry = pwd.getpwnam(self._user)
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
        self.role = self._user or pwd.getpwuid(os.geteuid()).pw_name
        self._process: subprocess.Popen[bytes] | None = None
        self._guard = subprocess.Popen(
            ["sh", "-c", GUARD, str(self.folder)],
            stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.folder, start_new_session=True,
        )  # fmt: skip
        self._numbers = itertools.count()
        self._store: str | None = None
        self._run("initdb", "-D", "data", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        (self.folder / "data" / "pg_hba.conf").write_text(HBA)

    def _as_user(self) -> dict[str, object]:
        plain = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(self.folder)}
        user = {} if self._user is None else {"user": self._user, "group": self._user, "extra_groups": []}
        return {"cwd": self.folder, "env": plain, **user}

    def _run(self, name: str, *arguments: str) -> str:
        command = [str(self._binaries / name), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, **self._as_user())
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
        return done.stdout

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Rows that the first of several statements answers, one a line."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            found = connection.execute(statement)
            return "\n".join("|".join(map(str, row)) for row in found) if found.description else ""

    @property
    def running(self) -> bool:
        """True if the server was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start, or start again, and wait until it answers."""
        settings = [part for option in OPTIONS for part in ("-c", option)]
        end = time.monotonic() + 60
        while True:
            with (self.folder / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    [str(self._binaries / "postgres"), "-D", "data", "-k", str(self.folder), *settings],
                    stdout=log, stderr=log, start_new_session=True, **self._as_user(),
                )  # fmt: skip
            while self._process.poll() is None and not self._answers():
                assert time.monotonic() < end, self.log()
                time.sleep(0.02)
            if self._process.poll() is None:
                return
            # After a kill the last children may still hold the shared memory for a moment.
            assert time.monotonic() < end, self.log()
            time.sleep(0.1)

    def _answers(self) -> bool:
        command = [str(self._binaries / "pg_isready"), "-q", "-h", str(self.folder)]
        return subprocess.run(command, check=False, **self._as_user()).returncode == 0

    def log(self) -> str:
        """Text of the server's own log."""
        return (self.folder / "log").read_text()

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stop: ``fast`` ends sessions in order, ``immediate`` is as if it crashed."""
        self._end(signal.SIGINT if mode == "fast" else signal.SIGQUIT)

    def restart(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stop and start."""
        self.stop(mode)
        self.start()

    def kill(self) -> None:
        """``kill -9`` of the postmaster; its children notice and end by themselves."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)
            self._process.wait(timeout=60)
        self._process = None

    def close(self) -> None:
        """Stop for good and remove everything."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)
        self._guard.communicate()

    def url(self, database: str, user: str | None = None) -> str:
        """The store URL of a database."""
        return f"postgresql://{user or self.role}@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        name = f"store{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name}")
        return self.url(name)

    def empty_store(self) -> str:
        """The URL of a store without studies: always the same one, cleared. A database takes long to make."""
        if self._store is None:
            self._store = self.new_database()
            Store(self._store).close()
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        statements = [
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}",  # noqa: S608 - constants
            "SET session_replication_role = replica",  # no references are checked
            # TRUNCATE would make new files of all tables and indices.
            *(f"DELETE FROM {table}" for table in metadata.tables),  # noqa: S608
            "SELECT setval(sequencename::regclass, start_value, false) FROM pg_sequences",
        ]
        self.sql("; ".join(statements), self._store.split("/")[3].split("?")[0])
        return self._store


def _fast_folder() -> str:
    """Folder in memory, if that holds a server: commits wait for no disk. A socket's path has 107 bytes at most."""
    memory = Path("/dev/shm")  # noqa: S108 - in both, the server's folder is its user's alone
    return str(memory) if memory.is_dir() and shutil.disk_usage(memory).free > 2 * 1024**3 else "/tmp"  # noqa: S108


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """One server for all tests of a session, removed afterwards; whoever stops it starts it again.

    Tests that need it are skipped where PostgreSQL is not installed.
    """
    binaries = find_binaries()
    if binaries is None:
        pytest.skip(
            left_out.reason(
                "stores on PostgreSQL", "pg_config tells no folder with initdb", "`apt install postgresql`"
            )
        )
    server = Server(binaries)
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def postgresql_url(postgresql: Server) -> str:
    """A store without studies on the session's server."""
    return postgresql.empty_store()
