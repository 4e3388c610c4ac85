"""Values of single cables in a file: one for all where they are the same, else a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables.pulleys import wraps

_UP = (0.0, 0.0, 1.0)
_LONGEST = 1e5  # [m]; the greatest length that the back-end knows
_MISSING: Mapping[str, Callable[[Sequence[float]], float]] = {
    "f_min": max, "f_max": min, "cable_diameter": max, "pulley_radius": lambda _: 0.0,
    "length_min": lambda _: 0.0, "length_max": lambda _: _LONGEST,
}  # fmt: skip
"""Value of a cable for which the file gives none, from those that it gives."""
_TIGHTEST = ("f_min", "f_max", "cable_diameter")
_UNITS = {"f_min": "N", "f_max": "N"}
_ORDERED = (("f_min", "f_max"), ("length_min", "length_max"))
_SHORTEST = 1e-9  # of an axis


class CableValueError(ValueError):
    """A value of a cable that no cable has; the text names the cable."""


class CableValues:
    """Values by the names of parameters and the numbers of cables; ``names`` are those of the file."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self._given: dict[str, dict[int, Any]] = {}

    def take(self, cable: int, name: str, value: float | None) -> None:
        """Take a number of a cable, if there is one."""
        if value is not None:
            self._given.setdefault(name, {})[cable] = float(value)

    def wheel(self, cable: int, radius: float, axis: FloatArray) -> None:
        """Take a wheel: radius [m], and the direction (3,) in which the cable reaches it."""
        self.take(cable, "pulley_radius", radius)
        self._given.setdefault("pulley_axis", {})[cable] = axis.tolist()

    def settings(self, cables: Sequence[int]) -> tuple[dict[str, Any], list[str]]:
        """Return parameters of a robot, and sentences on cables for which the file gives nothing.

        Raises ``CableValueError`` for a value that no cable has.
        """
        self._require_sound()
        found: dict[str, Any] = {}
        told: list[str] = []
        for name, given in self._given.items():
            if name == "pulley_axis":
                found[name] = _one_or_all([given.get(cable, list(_UP)) for cable in cables])
                continue
            missing = [cable for cable in cables if cable not in given]
            other = _MISSING[name](list(given.values()))
            if missing and name in _TIGHTEST:
                listed = ", ".join(map(str, missing))
                told.append(f"{name} of cable {listed}, which the file does not give, is {other:g} (SI)")
            found[name] = _one_or_all([given.get(cable, other) for cable in cables])
        if not np.any(found.get("pulley_radius", 0.0)):
            found.pop("pulley_radius", None)
            found.pop("pulley_axis", None)
        return found, told

    def _require_sound(self) -> None:
        for cable, radius in self._given.get("pulley_radius", {}).items():
            if radius < 0:
                raise CableValueError(
                    f"{self._named(cable)} has a pulley with a radius of {radius:g} m; give 0 or more"
                )
        for cable, axis in self._given.get("pulley_axis", {}).items():
            if self._given["pulley_radius"].get(cable) and np.linalg.norm(axis) < _SHORTEST:
                raise CableValueError(
                    f"{self._named(cable)} has a pulley whose swivel axis has no length; give a direction "
                    "such as 0 0 1"
                )
        for least, greatest in _ORDERED:
            lower, upper = self._given.get(least, {}), self._given.get(greatest, {})
            for cable in lower.keys() & upper.keys():
                if not lower[cable] < upper[cable]:
                    unit = _UNITS.get(least, "m")
                    raise CableValueError(
                        f"{self._named(cable)} has {least} = {lower[cable]:g} {unit}, which must be less "
                        f"than its {greatest} = {upper[cable]:g} {unit}"
                    )

    def require_outside(self, straight: FloatArray, cables: Sequence[int]) -> None:
        """Raise ``CableValueError`` where a wheel holds an attachment.

        ``straight`` (m, 3) m are the vectors from the attachments to the points where cables reach wheels.
        """
        radii = np.array([self._given.get("pulley_radius", {}).get(cable, 0.0) for cable in cables])
        if not radii.any():
            return
        given = self._given["pulley_axis"]
        axes = np.array([given.get(cable, _UP) for cable in cables], dtype=np.float64)
        axes /= np.where(radii > 0, np.linalg.norm(axes, axis=1), 1.0)[:, None]
        inside = np.flatnonzero((wraps(straight, radii, axes).lengths <= 0) & (radii > 0))
        if inside.size:
            place = inside[0]
            raise CableValueError(
                f"{self._named(cables[place])} has a pulley with a radius of {radii[place]:g} m, which holds "
                "the attachment at the pose of the file: check radius, points and pose"
            )

    def _named(self, cable: int) -> str:
        return self.names.get(cable, f"cable {cable}")


def _one_or_all(values: Sequence[Any]) -> Any:
    """Return the value of all, or the list."""
    return values[0] if all(value == values[0] for value in values) else list(values)
