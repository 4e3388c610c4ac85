"""A child process of the server: it learns its orders on standard input, and leaves when that ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

from service.settings import Settings


def start_child(
    main: str, settings: Settings, order: object = None, stdout: int | IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    """Start a Python process that runs ``main``.

    Its standard input brings a line with the settings, so that no other process can read the store's
    password, and one with ``order`` where there is any. The end of that pipe tells it to leave, also when
    this process was killed outright.
    """
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-P", "-c", main],
        stdin=subprocess.PIPE,
        stdout=stdout,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(part or str(Path.cwd()) for part in sys.path)},
        start_new_session=True,  # Ctrl-C is for the server, which stops its children
    )
    values = {**settings.model_dump(mode="json"), "store": settings.store.get_secret_value()}
    lines = [values] if order is None else [values, order]
    assert process.stdin is not None  # noqa: S101 - it was asked for
    try:
        process.stdin.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        process.stdin.flush()
    except BrokenPipeError:
        pass  # it has died already, which is noticed where its end is waited for
    return process
