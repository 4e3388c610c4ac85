"""The tests' own server leaves nothing behind, not even when the tests are killed."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

STARTED = """
import sys
from tests.postgresql import Server, find_binaries
server = Server(find_binaries())
server.start()
print(server.folder, server._process.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.soak  # of the tests themselves
def test_a_server_ends_with_the_tests_that_were_killed(postgresql):
    tests = subprocess.Popen(
        [sys.executable, "-c", STARTED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    folder, number = tests.stdout.readline().split()
    server = psutil.Process(int(number))
    tests.send_signal(signal.SIGKILL)
    tests.communicate()
    end = time.monotonic() + 30
    while Path(folder).exists() or (server.is_running() and server.status() != psutil.STATUS_ZOMBIE):
        assert time.monotonic() < end
        time.sleep(0.1)
