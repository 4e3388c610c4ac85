"""A server under fire: it is killed with what belongs to it, and a study is launched and watched over REST."""

import time
from contextlib import suppress

import httpx
import psutil

from service.access.authenticator import Authenticator
from service.access.secret import server_key
from studies.store import Store
from tests.fault_injection.processes import Supervised, free_port
from tests.forked import Begun

VICTIMS = ("server", "runner", "worker", "all")


class Server(Supervised):
    """``tautline serve``, started again on the same port whenever it has ended, and a client of it."""

    def __init__(self, url, folder):
        self.port = free_port()
        self._key = folder / "server.key"
        self._log = folder / "serve.log"
        command = [
            "serve", "--store", url, "--port", self.port, "--workers", "1", "--secret-file", self._key,
        ]  # fmt: skip
        super().__init__(lambda: Begun(folder, command, {"TAUTLINE_WARM": "False"}, self._log))
        self._tended = []
        with Store(url) as store:
            token, _ = Authenticator(store, server_key(self._key), accounts=False).issue(
                "token", "", "fire", "run", 3600.0
            )
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}/api/v1", timeout=20,
            headers={"Authorization": f"Bearer {token}"},
        )  # fmt: skip

    def insist(self, method, path, **options):
        """The answer, asked for until there is one that is neither a broken connection nor a 503."""
        deadline = time.monotonic() + 300
        while True:
            self.tend()
            try:
                answer = self.client.request(method, path, **options)
                if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    return answer
            except httpx.TransportError:
                pass
            assert time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.1)

    def strike(self, chance, victim):
        """Kill -9 a part of the server; ``all`` is a machine that loses power."""
        family = [process for process in self._family() if process.is_running()]
        self._tended += family
        if victim == "all":
            self.kill()
            return
        chosen = [process for process in family if _part(process, self._process.pid) == victim]
        if chosen:
            with suppress(psutil.NoSuchProcess):  # it ended by itself
                chance.choice(chosen).kill()

    def kill(self):
        """The server, its runner and their children; also those whose parent is gone."""
        self._tended += self._family()
        super().kill()
        for process in self._tended:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue

    def close(self):
        self.client.close()
        self.kill()


def _part(process, server):
    try:
        if process.pid == server:
            return "server"
        return "runner" if process.ppid() == server else "worker"
    except psutil.NoSuchProcess:
        return "gone"
