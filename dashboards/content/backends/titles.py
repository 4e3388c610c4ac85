"""Plain names of the back-ends, in a module that imports none of them and draws nothing."""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    "hybrid-cable-robot": "Cable robot",
    "continuum-statics": "Continuum robot at rest",
    "continuum-kinematics": "Continuum robot, shape only",
    "continuum-dynamics": "Continuum robot in motion",
    "flexible-arm": "Arm with elastic links",
}


def title_of_model(model: str) -> str:
    """The plain name of a back-end, such as "Cable robot"; of another one, the name that it has."""
    return TITLES.get(model) or model.replace("-", " ").replace("_", " ").capitalize()
