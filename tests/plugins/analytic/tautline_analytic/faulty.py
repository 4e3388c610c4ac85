"""A back-end that fails on request, in every way that is known."""

import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Literal

import numpy as np
from pydantic import Field

from models import Evaluation, Infeasible, Metric, Model, Outcome, Parameters, Preset, quantity
from tautline_analytic.shared import no_scene, objective

STEP = 8 * 1024**2
HOARD = 1536 * 1024**2
"""No fault takes more memory than this, so that a broken limit does not harm the machine."""
LARGE = 800 * 1024**2
HOUR = 3600.0


class FaultyParameters(Parameters):
    """Faults of the back-end: designs with ``x`` above ``threshold`` have one."""

    x: float = quantity(0.0, unit="1", description="position", ge=0, le=1)
    y: float = quantity(0.0, unit="1", description="trade-off", ge=0, le=1)
    threshold: float = quantity(2.0, unit="1", description="designs above it fail", ge=0, le=2)
    fault: Literal[
        "raise", "nan", "inf", "missing", "infeasible", "shape", "none", "huge", "exit", "quit", "crash",
        "segfault", "sleep", "hoard", "gulp", "no_memory", "grandchild", "kill_worker", "stop_worker",
        "chatter", "forge", "fork_twice", "close_files", "truncate", "daemon", "daemon_crash", "surrogate",
        "enormous", "large",
    ] = Field("raise", description="how designs above the threshold fail")  # fmt: skip
    delay: float = quantity(0.0, unit="s", description="time that every evaluation sleeps", ge=0, le=60)
    note: str = Field("", description="file that every evaluation adds its process and x to")
    size: int = quantity(1, unit="1", description="a whole number to vary", ge=1, le=9)
    shape: Literal["round", "square", "flat"] = Field("round", description="an option to vary")


def _plain(parameters: FaultyParameters) -> Evaluation:
    offset = {"round": 0.0, "square": 0.25, "flat": 0.5}[parameters.shape]
    absent = None if parameters.x < 0.05 else parameters.x
    f2 = 1 - parameters.x + parameters.y / parameters.size
    return Evaluation({"f1": parameters.x + parameters.y + offset, "f2": f2, "sometimes": absent})


def _raise() -> Outcome:
    raise RuntimeError("the back-end gave up <img src=x onerror=alert(1)>")


def _kill(process: Callable[[], int], number: signal.Signals) -> Outcome:
    os.kill(process(), number)
    time.sleep(HOUR)
    return _raise()


def _sleep() -> Outcome:
    time.sleep(HOUR)
    return _raise()


def _hoard() -> Outcome:
    """Memory in steps, each touched, a step every few milliseconds."""
    taken: list[bytes] = []
    for _ in range(HOARD // STEP):
        taken.append(b"x" * STEP)
        time.sleep(0.005)
    return _sleep()


def _gulp() -> Outcome:
    """Memory in one allocation, touched at once."""
    taken = b"x" * HOARD
    return _sleep() if taken else _raise()


def _large(parameters: FaultyParameters) -> Evaluation:
    """Results like those of other designs, with much memory on the way."""
    taken = b"x" * LARGE
    time.sleep(0.5 if taken else 0.0)
    return _plain(parameters)


def _no_memory() -> Outcome:
    raise MemoryError("the back-end asked for too much")


def _grandchild(note: str) -> Outcome:
    """A process of the back-end's own, in a session of its own, which it waits for."""
    code = f"import time; time.sleep({HOUR})"
    subprocess.run([sys.executable, "-c", code, note], check=False, start_new_session=True)
    return _raise()


def _daemon(note: str) -> None:
    """A process in a session of its own that nobody waits for and whose parent has ended."""
    if os.fork() == 0:
        os.setsid()
        code = f"import time; time.sleep({HOUR})"
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", code, note])  # noqa: S606
        os._exit(0)
    os.wait()


def _enormous(parameters: FaultyParameters) -> Evaluation:
    """Finite numbers whose differences and products are not."""
    f1 = 1.7e308 * (2 * parameters.y - 1)
    return Evaluation({"f1": f1, "f2": -1.7e308 * (2 * parameters.x - 1) * parameters.y, "sometimes": None})


def _exit() -> Outcome:
    os._exit(3)


def _sockets() -> list[int]:
    """File descriptors of the process that are connections."""
    found: list[int] = []
    for number in range(3, 256):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                found.append(number)
    return found


def _write_to_sockets(text: bytes) -> Outcome:
    for number in _sockets():
        with contextlib.suppress(OSError):
            os.write(number, text)
    return _plain(FaultyParameters())


def _fork_twice() -> Outcome:
    os.fork()
    return _plain(FaultyParameters())


def _close_files() -> Outcome:
    os.closerange(3, 256)
    return _plain(FaultyParameters())


def _truncate() -> Outcome:
    for number in range(3, 256):
        with contextlib.suppress(OSError):
            os.ftruncate(number, 0)
    return _plain(FaultyParameters())


FAULTS: dict[str, Callable[[], Outcome]] = {
    "raise": _raise,
    "nan": lambda: Evaluation({"f1": float("nan"), "f2": 0.0, "sometimes": None}),
    "inf": lambda: Evaluation({"f1": float("-inf"), "f2": 0.0, "sometimes": None}),
    "missing": lambda: Evaluation({"f1": 0.0}),
    "infeasible": lambda: Infeasible("too far right", 1.0),
    "shape": lambda: Evaluation({"f1": np.zeros(3), "f2": np.zeros((2, 2)), "sometimes": None}),
    "none": lambda: None,
    "huge": lambda: Infeasible("x" * 50_000_000, 1.0, {}, tuple("y" * 100_000 for _ in range(500))),
    "exit": _exit,
    "quit": lambda: sys.exit(4),
    "crash": lambda: _kill(os.getpid, signal.SIGKILL),
    "segfault": lambda: _kill(os.getpid, signal.SIGSEGV),
    "sleep": _sleep,
    "hoard": _hoard,
    "gulp": _gulp,
    "no_memory": _no_memory,
    "kill_worker": lambda: _kill(os.getppid, signal.SIGKILL),
    "stop_worker": lambda: _kill(os.getppid, signal.SIGSTOP),
    "chatter": lambda: _write_to_sockets(b"iteration 1: residual 0.5\n\x80\x04K\x00."),
    "forge": lambda: _write_to_sockets(b'{"kind": "finished", "outcomes": [[1, {"state": "done"}]]}\n' * 2),
    "fork_twice": _fork_twice,
    "close_files": _close_files,
    "truncate": _truncate,
    "surrogate": lambda: Infeasible("no text: \ud800", 1.0),
}


def _faulty(parameters: FaultyParameters) -> Outcome:
    if parameters.note:
        with open(parameters.note, "a") as file:  # noqa: PTH123
            file.write(f"{os.getpid()} {parameters.x!r}\n")
    time.sleep(parameters.delay)
    if parameters.x > parameters.threshold:
        if parameters.fault == "grandchild":
            return _grandchild(parameters.note)
        if parameters.fault in {"daemon", "daemon_crash"}:
            _daemon(parameters.note)
            return _plain(parameters) if parameters.fault == "daemon" else FAULTS["crash"]()
        if parameters.fault == "enormous":
            return _enormous(parameters)
        if parameters.fault == "large":
            return _large(parameters)
        return FAULTS[parameters.fault]()
    return _plain(parameters)


FAULTY = Model(
    "faulty", 1, "Fails on request.", "none", FaultyParameters,
    {"sound": Preset("never fails", "none", {})},
    (objective("f1"), objective("f2"), Metric("sometimes", "m", "absent below x = 0.05", "minimize", absent=9.0)),
    {"plain": _faulty}, no_scene, list, test_problem=True,
    title="Test problem: evaluations that fail",
)  # fmt: skip
