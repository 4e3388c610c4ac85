"""Back-ends by name: our own, and those that other distributions offer.

Another package adds a back-end by an entry point in the group ``tautline.models`` whose name is
the model's and whose value is the :class:`~models.contract.Model`. Only installed packages are
looked at; a study file can name a back-end, never bring one.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from errors import ModelLoadError, UnknownNameError
from models.contract import Model

ENTRY_POINT_GROUP = "tautline.models"
_OWN = {
    "hybrid-cable-robot": "models.hybrid_cable_robot",
    "continuum-statics": "models.continuum_statics",
    "continuum-kinematics": "models.continuum_kinematics",
    "continuum-dynamics": "models.continuum_dynamics",
    "flexible-arm": "models.flexible_arm",
}


def names() -> tuple[str, ...]:
    """All back-ends that are installed, our own first."""
    others = sorted({entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)} - _OWN.keys())
    return (*_OWN, *others)


@cache
def load(name: str) -> Model:
    """The back-end called ``name``.

    Raises ``UnknownNameError`` with the nearest name, and ``ModelLoadError`` for a back-end of another
    package that does not import or is no model; the others can be used all the same.
    """
    if name in _OWN:
        return import_module(_OWN[name]).MODEL
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        if entry.name == name:
            return _of_package(entry)
    raise UnknownNameError("model", name, names(), ("model",))


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
