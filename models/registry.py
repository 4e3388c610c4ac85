"""Back-ends by name: ours, those that other distributions offer, and those of the user's own.

Another package adds a back-end by an entry point in the group ``tautline.models`` whose name is
the model's and whose value is the :class:`~models.contract.Model`. A study file can name a back-end, never
bring one: a model of the user's own is here only after :mod:`models.own_model` loaded it in this process.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from errors import ModelLoadError, UnknownNameError
from models.contract import Model
from models.model_source import ModelSource

ENTRY_POINT_GROUP = "tautline.models"
_OURS = {
    "hybrid-cable-robot": "models.hybrid_cable_robot",
    "continuum-statics": "models.continuum_statics",
    "continuum-kinematics": "models.continuum_kinematics",
    "continuum-dynamics": "models.continuum_dynamics",
    "flexible-arm": "models.flexible_arm",
}
_users: dict[str, tuple[Model, ModelSource]] = {}
"""The models of the user's own that this process has loaded, and their sources."""
_ADVICE = (
    "a server has installed models only: install the package that offers it; on your own machine, start the "
    "server with the file of a model of your own, or give it in Python as tautline.run(study, model=...)"
)


def installed_names() -> tuple[str, ...]:
    """All back-ends that are installed, ours first."""
    others = sorted({entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)} - _OURS.keys())
    return (*_OURS, *others)


def names() -> tuple[str, ...]:
    """All back-ends that are installed, ours first, then those of the user's own that were loaded."""
    return (*installed_names(), *_users)


def is_built_in(name: str) -> bool:
    """True for a back-end that comes with Tautline."""
    return name in _OURS


def add_own(model: Model, source: ModelSource) -> None:
    """Let a model of the user's own be found by its name; it replaces an earlier one of that name."""
    _users[model.name] = (model, source)
    load.cache_clear()


def own_source(name: str) -> ModelSource | None:
    """The source of a model of the user's own; None for an installed one."""
    return _users[name][1] if name in _users else None


def own_model_of(source: ModelSource) -> Model | None:
    """The model that this process has loaded from a source; None before."""
    return next((model for model, known in _users.values() if known == source), None)


@cache
def load(name: str) -> Model:
    """The back-end called ``name``.

    Raises ``UnknownNameError`` with the nearest name, and ``ModelLoadError`` for a back-end of another
    package that does not import or is no model; the others can be used all the same.
    """
    if name in _OURS:
        return import_module(_OURS[name]).MODEL
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        if entry.name == name:
            return _of_package(entry)
    if name in _users:
        return _users[name][0]
    raise unknown_model(name, names())


def unknown_model(name: str, known: Iterable[str]) -> UnknownNameError:
    """The error that there is no back-end of this name, here or on a server."""
    return UnknownNameError("model", name, known, ("model",), _ADVICE).mended_by("models", "use", "FILE")


def _of_package(entry: EntryPoint) -> Model:
    try:
        model = entry.load()
    except (Exception, SystemExit) as error:
        raise ModelLoadError(
            f"the model '{entry.name}' cannot be loaded from {entry.value}: {type(error).__name__}: {error}; "
            "correct the package that offers it, or uninstall it",
            ("model",),
        ) from error
    if not isinstance(model, Model) or model.name != entry.name:
        raise ModelLoadError(
            f"the entry point '{entry.name}' must lead to a Model of that name, but {entry.value} is none",
            ("model",),
        )
    return model
