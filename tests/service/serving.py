"""A real server in a process of its own, and a browser's view of it."""

import os
import re
import signal
import time
from contextlib import contextmanager, suppress

import httpx
import psutil

from tests.forked import Begun

START_SECONDS = 300


class Serving:
    """``tautline serve`` with its own folder; everything it writes is in ``log``. ``begin`` starts the process."""

    def __init__(self, folder, *flags, env=None, number=0, begin=Begun):
        self.log = folder / f"serve-{number}.log"
        self.log.touch()
        self.process = begin(
            folder,
            ["serve", "--port", "0", "--secret-file", folder / "server.key", *flags],
            {"TAUTLINE_LOG_FORMAT": "json", **(env or {})},
            self.log,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Nothing of it is left, also when a test failed while it held the runner still."""
        self.kill()
        for pid in map(int, re.findall(r'"pid": (\d+)[^\n]*"runner started"', self.text())):
            with suppress(psutil.Error):
                process = psutil.Process(pid)
                if "service.runner_child" in " ".join(process.cmdline()):
                    process.kill()

    def text(self):
        return self.log.read_text(encoding="utf-8")

    def wait_for(self, pattern, seconds=START_SECONDS):
        """Match of a pattern in the server's output; fails when the server ends before."""
        deadline = time.monotonic() + seconds
        while (found := re.search(pattern, self.text())) is None:
            assert self.process.poll() is None, self.text()
            assert time.monotonic() < deadline, self.text()
            time.sleep(0.05)
        return found

    @property
    def address(self):
        return self.wait_for(r"serving .* at (https?://\S+);")[1]

    @property
    def link(self):
        return self.wait_for(r"open (http\S+)")[1]

    @contextmanager
    def browser(self):
        """A client with the session that the login link opens."""
        with httpx.Client(base_url=self.address, headers={"Origin": self.address}, timeout=60) as client:
            assert client.get(self.link).status_code == 303
            yield client

    @property
    def runner(self):
        """The number of the runner that was started last."""
        self.wait_for("runner started")
        return int(re.findall(r'"pid": (\d+)[^\n]*"runner started"', self.text())[-1])

    def stop(self, number=signal.SIGTERM, seconds=40):
        """Exit code of the server, and seconds until it ended."""
        begin = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(seconds)
        return code, time.monotonic() - begin

    def kill(self):
        """Like a machine that loses power, but for the runner, which has a session of its own and notices."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def is_gone(pid, seconds=30):
    """True if a process ends within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
