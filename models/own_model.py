"""Models of the user's own: loaded from a file or a notebook's cell, and then found by their name.

Loading carries out the code. It is for the user's own machine, and for the processes that evaluate a
run which that user has started; a server never loads one, whatever it is sent.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from errors import ModelLoadError
from models import registry
from models.contract import Model, Origin
from models.model_output import printing_to_stderr
from models.model_source import ModelSource, file_digest, read_source, source_of_code

_NAME = re.compile(r"[a-z0-9-]{1,64}")
_TAUTLINE = ("errors", "models", "studies", "dashboards", "service", "tautline")
_loading: ContextVar[bool] = ContextVar("_loading", default=False)


def load_file(path: Path | str) -> Model:
    """Load the model that a Python file defines; from then on, this process finds it by its name.

    Raises ``ModelLoadError`` for a file that cannot be read or carried out, or that defines no model or
    several.
    """
    return _load(read_source(Path(path)))


def load_defined(model: Model) -> Model:
    """Load a model that was defined in a script or a notebook: its file or its cell is carried out again."""
    if model.origin is None:
        raise ModelLoadError(
            f"the model '{model.name}' does not say where it was defined: define it with @tautline.model or "
            "tautline.command_model, or give the file that makes it",
            ("model",),
        )
    return _load(source_of_code(model.origin.code))


def load_source(source: ModelSource) -> Model:
    """Load a model from the source that another process has loaded.

    Raises ``ModelLoadError`` when a file on which it depends is not here, or is another one.
    """
    return registry.own_model_of(source) or _load(source, expected=True)


def _load(source: ModelSource, *, expected: bool = False) -> Model:
    if _loading.get():
        raise ModelLoadError(
            "the code that defines a model is carried out by each process that evaluates it, so it cannot "
            'start a study: write that under if __name__ == "__main__":, or in another cell',
            ("model",),
        )
    module = _carried_out(source)
    if not expected:
        _refuse_neighbours(source)
    model = _only_model(module, source)
    origin = model.origin or Origin(_code_name(source))
    files = tuple((name, file_digest(source, name)) for name in origin.files)
    if expected and files != source.files:
        changed = [name for name, digest in files if (name, digest) not in source.files]
        raise ModelLoadError(
            f"{', '.join(changed)} has changed since this run began, or is another file on this machine; "
            "put it back, or begin again with the new one",
            (source.name,),
        )
    source = replace(source, files=files)
    loaded = replace(model, origin=replace(origin, digest=source.digest))
    registry.add_own(loaded, source)
    return loaded


def _carried_out(source: ModelSource) -> ModuleType:
    """The code as a new module; what it prints goes to stderr."""
    name, text = _code_name(source), source.text
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    module = ModuleType(source.module)
    module.__file__ = str(Path(source.folder) / source.name)
    sys.modules[source.module] = module  # records of parameters look up their annotations there
    try:
        with _while_loading(), printing_to_stderr():
            exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - the user's own code
    except ModelLoadError as error:
        del sys.modules[source.module]
        raise ModelLoadError(error.message, (source.name, *error.place)) from None
    except (Exception, SystemExit) as error:
        del sys.modules[source.module]
        raise ModelLoadError(_raised(error, name), (source.name,)) from error
    return module


@contextmanager
def _while_loading() -> Generator[None]:
    token = _loading.set(True)
    try:
        yield
    finally:
        _loading.reset(token)


def _code_name(source: ModelSource) -> str:
    """Python's name of the code; tracebacks show the last part of it."""
    return f"<{source.module}>/{source.name}"


def _raised(error: BaseException, name: str) -> str:
    """The error that the code raised, with the line."""
    if isinstance(error, SyntaxError):
        line = linecache.getline(name, error.lineno or 0).strip()[:100]
        return f"is no Python: {error.msg} (line {error.lineno}: {line})"
    lines = [
        line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == name
    ]
    where = f"line {lines[-1]} " if lines else ""
    text = f"{where}raised {type(error).__name__}: {error}"[:1000]
    if isinstance(error, ModuleNotFoundError):
        return f"{text}; a model is one file, and imports installed packages only"
    if isinstance(error, NameError):
        return f"{text}; the file or the cell that defines a model holds all that it needs, imports too"
    return text


def _refuse_neighbours(source: ModelSource) -> None:
    """Raise ``ModelLoadError`` where the code imports a module beside it, which may change unnoticed."""
    nodes = list(ast.walk(ast.parse(source.text)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    for name in sorted({name.partition(".")[0] for name in names} - {"", "__main__", *_TAUTLINE}):
        spec = find_spec(name)
        origin = None if spec is None or spec.origin is None else Path(spec.origin)
        if origin is not None and Path(source.folder) in (origin.parent, origin.parent.parent):
            raise ModelLoadError(
                f"imports {name} from its own folder ({origin.name}), whose changes would not be noticed: a "
                "model is one file. Write it into that file, or make an installed package of the model",
                (source.name,),
            )


def _only_model(module: ModuleType, source: ModelSource) -> Model:
    """The one model that the code defines."""
    found = {id(value): value for value in vars(module).values() if _is_defined_in(value, module, source)}
    if len(found) != 1:
        names = ", ".join(f"'{model.name}'" for model in found.values())
        what = f"defines {len(found)} models ({names})" if found else "defines no model"
        raise ModelLoadError(
            f"{what}; one file defines one, by @tautline.model on a function or by tautline.command_model",
            (source.name,),
        )
    model: Model = next(iter(found.values()))
    if not _NAME.fullmatch(model.name):
        raise ModelLoadError(
            f"names its model '{model.name}'; a name has 1 to 64 characters: a-z, 0-9 and '-'", (source.name,)
        )
    if model.name in registry.installed_names():
        raise ModelLoadError(
            f"names its model '{model.name}', as an installed model is called; choose another name",
            (source.name,),
        )
    return model


def _is_defined_in(value: object, module: ModuleType, source: ModelSource) -> bool:
    """True if it is a model of this code, and not one that the code imports."""
    if not isinstance(value, Model):
        return False
    if value.origin is not None:
        return value.origin.code == _code_name(source)
    return value.parameters.__module__ == module.__name__
