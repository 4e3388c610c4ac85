"""The first Ctrl-C is a wish; telling so must not fail, whatever the process is doing."""

import signal
import sys

import pytest

from service.cli.machines import stop_on_signals


def test_a_wish_to_stop_is_reported_while_stderr_is_in_use(capfd, monkeypatch):
    def busy(_text):
        raise RuntimeError("reentrant call inside <_io.BufferedWriter name='<stderr>'>")

    with stop_on_signals() as asked:
        with monkeypatch.context() as patched:
            patched.setattr(sys.stderr, "write", busy)
            signal.raise_signal(signal.SIGTERM)
        assert asked()
        assert "stopping: the run is left paused" in capfd.readouterr().err
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
