"""A model from a program of any language: ``command_model(...)`` makes a back-end of it.

For each design the program is started in an empty folder of its own, which holds the parameters in
``parameters.json`` and ``parameters.toml``. It writes its metrics to ``metrics.json`` or ``metrics.toml``.
"""

from __future__ import annotations

import inspect
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from errors import InputError, ModelLoadError
from models.command_run import WRITTEN, CommandRun
from models.contract import Model, Origin, Preset, ReferenceCase
from models.function_model import own_model
from models.metrics import Metric
from models.parameters import Parameters
from models.scene import Scene
from models.units import parse_quantity

MIN_MEMORY = 1024**2


def command_model(
    command: Sequence[str],
    *,
    name: str,
    parameters: type[Parameters],
    metrics: Sequence[Metric],
    version: int = 1,
    timeout: float | str = "10 min",
    memory: float | str | None = None,
    files: Sequence[str] = (),
    summary: str = "",
    source: str = "",
    presets: Mapping[str, Preset] | None = None,
    scene: Callable[[Any], Scene] | None = None,
    reference_cases: Callable[[], Sequence[ReferenceCase]] = tuple,
) -> Model:
    """Make a model of a program.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments. A word that names a file beside the model's (``"./solver"``,
        ``"solver.py"``) stands for that file, whose content is part of the identity of every evaluation.
    name : str
        As study files write it.
    parameters : type of Parameters
        The parameter record.
    metrics : sequence of Metric
        What the program computes.
    version : int
        See :func:`models.model`; raise it when a program that is no file beside the model changes.
    timeout : float or str
        Time that one design may take, s or text with a unit.
    memory : float or str, optional
        Memory that one design may take, bytes or text with a unit; any amount if left out.
    files : sequence of str
        More files beside the model's that the program reads.
    summary, source, presets, scene, reference_cases
        See :func:`models.model`.

    Raises
    ------
    ModelLoadError
        When the program cannot be found or started, or the tables cannot be those of a model.
    """
    caller = _caller_of(inspect.currentframe())
    own = caller.f_globals.get("__file__")
    folder = Path(own).resolve().parent if own else Path.cwd()
    words = _words(command)
    needed = tuple(dict.fromkeys([*_files_of(words, folder), *map(os.path.normpath, files)]))
    _check_files(needed, folder)
    started = _started(words, folder)
    seconds = _amount(timeout, "s", "timeout", 0.0)
    most_memory = None if memory is None else int(_amount(memory, "byte", "memory", MIN_MEMORY))
    return own_model(
        name=name,
        version=version,
        summary=summary or f"Computed by {Path(words[0]).name}.",
        source=source,
        parameters=parameters,
        presets=presets,
        metrics=metrics,
        stage=CommandRun(name, started, folder, needed, tuple(metrics), seconds, most_memory),
        scene=scene,
        reference_cases=reference_cases,
        origin=Origin(caller.f_code.co_filename, needed),
    )


def _caller_of(function: FrameType | None) -> FrameType:
    """The frame in which a function was called."""
    caller = None if function is None else function.f_back
    if caller is None:
        raise ModelLoadError("this Python does not say where a model is defined", ("model",))
    return caller


def _words(command: Any) -> list[str]:
    if not isinstance(command, (list, tuple)) or not command or not all(map(_is_word, command)):
        raise ModelLoadError(
            f'is {command!r}; write a list of words, as in ["python3", "solver.py"]', ("command",)
        )
    return list(command)


def _is_word(word: object) -> bool:
    return isinstance(word, str) and bool(word)


def _files_of(words: Sequence[str], folder: Path) -> list[str]:
    """The words that name files beside the model, without the ``./`` before them."""
    plain = [os.path.normpath(word) for word in words]
    return [word for word in plain if not word.startswith(("..", os.sep)) and (folder / word).is_file()]


def _check_files(files: Sequence[str], folder: Path) -> None:
    """Raise ``ModelLoadError`` for a file that is not beside the model, or has a name that is written."""
    for file in files:
        if file.startswith(("..", os.sep)):
            raise ModelLoadError(
                f"'{file}' does not lie beside the model, in {folder}; put it there", ("files",)
            )
        if file in WRITTEN:
            raise ModelLoadError(
                f"'{file}' is a name that each design writes anew; rename the file", ("files",)
            )
        if not (folder / file).is_file():
            raise ModelLoadError(f"there is no file '{file}' in {folder}", ("files",))


def _started(words: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The words with which the program is started, after a look whether it can be."""
    program = words[0]
    own = folder / program
    if own.is_dir():
        raise ModelLoadError(f"'{program}' is a folder, not a program", ("command",))
    if own.is_file():
        if not os.access(own, os.X_OK):
            raise ModelLoadError(
                f"'{program}' is not executable; allow it by chmod +x, or name its interpreter, as in "
                f'["python3", "{program}"]',
                ("command",),
            )
        return (str(own), *words[1:])
    found = None if os.sep in program else shutil.which(program)
    if found is None:
        raise ModelLoadError(
            f"there is no program '{program}': neither a file in {folder} nor one that is installed",
            ("command",),
        )
    return (found, *words[1:])


def _amount(given: float | str, unit: str, place: str, least: float) -> float:
    """A time or an amount of memory in its unit."""
    try:
        value = parse_quantity(given, unit) if isinstance(given, str) else float(given)
    except (InputError, ValueError, TypeError) as error:
        raise ModelLoadError(f"is {given!r}: {error}", (place,)) from None
    if not value > least:
        raise ModelLoadError(f"is {given!r}; it must be more than {least:g} {unit}", (place,))
    return value
