"""One design computed by a program: its folder, its limits, and what it wrote."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
import tomli

from errors import OutcomeError, WorkerError
from models.contract import Evaluation, Infeasible, Outcome
from models.messages import json_fault
from models.metrics import Metric, metric_faults
from models.parameters import Parameters

MOST_OUTPUT = 16 * 1024**2
"""Bytes that a program may print while it computes one design."""
MOST_METRICS = 1024**2
"""Bytes of the file of its metrics."""
MOST_KEPT = 20
"""Folders of failed designs that one process keeps; the oldest goes first."""
SHOWN = 1200
"""Bytes from the end of what it printed that are part of a failure's reason."""
_POLL_SECONDS = 0.05
_TREE_SECONDS = 0.25
"""Time between looks at the whole table of processes, which find those that a program has started."""
_OUTPUT = "output.txt"
WRITTEN = frozenset({"parameters.json", "parameters.toml", "metrics.json", "metrics.toml", _OUTPUT})
"""Files of the folder of a design."""


class CommandRun:
    """Computes designs; a stage of a model.

    Parameters
    ----------
    name : str
        Of the model.
    command : sequence of str
        The program, by its whole path, and its arguments.
    home : Path
        The folder of the model's file.
    files : sequence of str
        Files in ``home`` that the program finds in its folder as well.
    metrics : sequence of Metric
        What it computes.
    timeout : float
        Longest time of one design, s.
    memory : int or None
        Most memory of one design, bytes.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        home: Path,
        files: Sequence[str],
        metrics: Sequence[Metric],
        timeout: float,
        memory: int | None,
    ) -> None:
        self._name = name
        self._command = tuple(command)
        self._home = home
        self._files = tuple(files)
        self._metrics = tuple(metrics)
        self._timeout = timeout
        self._memory = memory
        self._states = self._states_of_files()
        self._kept: deque[Path] = deque()

    def __call__(self, parameters: Parameters) -> Outcome:
        """The metrics of a design, or why there are none.

        Raises ``OutcomeError`` when the program fails, whose folder is kept then, and ``WorkerError`` when a
        file on which it depends has changed: what it would compute is no result of this model.
        """
        self._require_same_files()
        folder = Path(tempfile.mkdtemp(prefix=f"tautline-{self._name}-"))
        try:
            self._fill(folder, parameters)
            self._carry_out(folder)
            found = self._outcome(_written(folder))
        except OutcomeError as error:
            self._require_same_files()
            self._keep(folder)
            raise OutcomeError(_reason(str(error), folder), error.kind) from None
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        shutil.rmtree(folder, ignore_errors=True)
        self._require_same_files()
        return found

    def _states_of_files(self) -> list[tuple[int, int, int] | None]:
        """Place, size and time of change of each file; None for one that is not there."""
        states: list[tuple[int, int, int] | None] = []
        for name in self._files:
            try:
                found = (self._home / name).stat()
                states.append((found.st_ino, found.st_size, found.st_mtime_ns))
            except OSError:
                states.append(None)
        return states

    def _require_same_files(self) -> None:
        now = self._states_of_files()
        if now != self._states:
            changed = [name for name, a, b in zip(self._files, self._states, now, strict=True) if a != b]
            raise WorkerError(
                f"{', '.join(changed)}, with which '{self._name}' computes, has changed meanwhile; designs "
                "that were evaluated are kept. Put it back and go on, or begin again with the new one"
            )

    def _fill(self, folder: Path, parameters: Parameters) -> None:
        """Write the parameters, and link the files."""
        plain = parameters.model_dump(mode="json")
        (folder / "parameters.json").write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
        lines = [f"{name} = {_toml(value)}\n" for name, value in plain.items() if value is not None]
        (folder / "parameters.toml").write_text("".join(lines), encoding="utf-8")
        for name in self._files:
            link = folder / name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(self._home / name)

    def _carry_out(self, folder: Path) -> None:
        """Run the program to its end, or end it where it takes too much; raises ``OutcomeError``."""
        output = folder / _OUTPUT
        with output.open("wb") as file:
            try:
                process = subprocess.Popen(  # noqa: S603 - the user's own program
                    self._command, cwd=folder, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                    start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                raise OutcomeError(f"the program cannot be started: {error.strerror}") from None
        try:
            self._wait(process, output)
        finally:
            _end(process)
        if output.stat().st_size > MOST_OUTPUT:
            raise OutcomeError(_TOO_MUCH)
        if process.returncode:
            raise OutcomeError(f"the program ended with {_exit(process.returncode)}")

    def _wait(self, process: subprocess.Popen[bytes], output: Path) -> None:
        begin = time.monotonic()
        look = begin + _TREE_SECONDS
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_SECONDS)
                return
            now = time.monotonic()
            if now - begin > self._timeout:
                raise OutcomeError(
                    f"the program took longer than its limit of {self._timeout:g} s", "timeout"
                )
            if output.stat().st_size > MOST_OUTPUT:
                raise OutcomeError(_TOO_MUCH)
            if self._memory is not None and now > look:
                look = now + _TREE_SECONDS
                if (used := _memory(process.pid)) > self._memory:
                    raise OutcomeError(
                        f"the program used {used / 1024**2:.0f} MiB of memory, more than its limit of "
                        f"{self._memory / 1024**2:.6g} MiB",
                        "out_of_memory",
                    )

    def _outcome(self, found: Mapping[str, Any]) -> Outcome:
        """Check the values that the program wrote, and return the outcome."""
        if "infeasible" in found:
            reason, violation = found["infeasible"], found.get("violation")
            if isinstance(violation, bool) or not isinstance(violation, int | float):
                raise OutcomeError("an infeasible design needs a violation, a number of at least 0")
            return Infeasible(str(reason), float(violation))
        names = [metric.name for metric in self._metrics]
        if unknown := sorted(set(found) - set(names)):
            raise OutcomeError(
                f"the program wrote '{unknown[0][:100]}', which is none of its metrics ({', '.join(names)})"
            )
        for metric in self._metrics:
            for kind, text in metric_faults(metric, found):
                raise OutcomeError(text.replace("the back-end", "the program"), kind)
        return Evaluation(dict(found))

    def _keep(self, folder: Path) -> None:
        """Keep the folder of a failed design, and remove the oldest if there are too many."""
        self._kept.append(folder)
        if len(self._kept) > MOST_KEPT:
            shutil.rmtree(self._kept.popleft(), ignore_errors=True)


_TOO_MUCH = f"the program printed more than {MOST_OUTPUT // 1024**2} MiB; let it write large results to files"


def _written(folder: Path) -> Mapping[str, Any]:
    """The metrics as the program wrote them."""
    paths = [path for path in (folder / "metrics.json", folder / "metrics.toml") if path.is_file()]
    if len(paths) != 1:
        what = "both metrics.json and metrics.toml; write one" if paths else "no metrics.json or metrics.toml"
        raise OutcomeError(f"the program wrote {what}")
    path = paths[0]
    if path.stat().st_size > MOST_METRICS:
        raise OutcomeError(f"{path.name} has more than {MOST_METRICS // 1024} KiB")
    text = ""
    try:
        text = path.read_text(encoding="utf-8")
        found = json.loads(text) if path.suffix == ".json" else tomli.loads(text)
    except (ValueError, RecursionError) as error:
        raise OutcomeError(f"{path.name} cannot be read: {json_fault(text, error)}") from None
    if not isinstance(found, dict):
        raise OutcomeError(f'{path.name} holds no table of numbers, as in {{"mass": 1.5}}')
    return found


def _reason(text: str, folder: Path) -> str:
    """The reason of a failure, with the end of what the program printed and the folder of all of it.

    The folder is named without its place, so that no folder of this machine is stored or shown.
    """
    with contextlib.suppress(OSError), (folder / _OUTPUT).open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - SHOWN))
        printed = file.read(SHOWN).decode("utf-8", "replace").strip()
        if printed:
            text = f"{text}. The end of what it printed:\n{printed}\n"
    return (
        f"{text.rstrip('.')}; its files are kept in {folder.name}, among the temporary files of its machine"
    )


def _toml(value: Any) -> str:
    """A plain value as TOML, in one line."""
    if isinstance(value, Mapping):
        inside = ", ".join(
            f"{json.dumps(name)} = {_toml(one)}" for name, one in value.items() if one is not None
        )
        return f"{{ {inside} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


def _exit(code: int) -> str:
    if code > 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"signal {-code} ({signal.Signals(-code).name})"
    return f"signal {-code}"


def _memory(number: int) -> int:
    """Bytes that a program and what it has started hold."""
    used = 0
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(number)
        for one in (root, *root.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                used += int(one.memory_info().rss)
    return used


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and whatever it has started and left in its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
