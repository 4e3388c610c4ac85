"""A cable robot as files of other programs give it, and what of them was read, assumed and left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import InputError
from studies.exchange.entries import Entry, unread

FloatArray = NDArray[np.float64]
MOST_CABLES = 12
FEWEST_CABLES = 6
ARM_LINKS = 6
GREATEST = 1e30
"""SI; beyond it a number is taken as infinite, before squares of it are."""
_MOST_REPORTED = 50
_NO_BODY = {"mass": 0.0, "inertia": [0.0] * 6}


@dataclass(frozen=True, slots=True)
class ImportedRobot:
    """A robot of another program.

    Attributes
    ----------
    source : str
        The file, and its format with the version.
    parameters : mapping
        Settings of the cable robot in SI units, ``pulleys`` and ``attachments`` at least.
    assumed, unread : tuple of str
        Sentences: what the file does not say, and what it says that the back-end has no place for.
    supposed : frozenset of str
        Names of ``parameters`` that the file does not give.
    """

    source: str
    parameters: Mapping[str, Any]
    assumed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    supposed: frozenset[str] = frozenset()


@dataclass
class RobotReading:
    """What a reader has found so far; :meth:`robot` checks it and completes it.

    ``trees`` are the files: what the reader took from none of them is listed, with ``remarks`` on entries by
    the ends of their paths.
    """

    source: str
    trees: Sequence[Entry] = ()
    remarks: Mapping[str, str] = field(default_factory=dict[str, str])
    pulleys: dict[int, FloatArray] = field(default_factory=dict[int, FloatArray])
    attachments: dict[int, FloatArray] = field(default_factory=dict[int, FloatArray])
    parameters: dict[str, Any] = field(default_factory=dict[str, Any])
    assumed: list[str] = field(default_factory=list[str])
    unread: list[str] = field(default_factory=list[str])

    def fault(self, message: str) -> InputError:
        """The error that the file holds no robot that can be read."""
        return InputError(f"{self.source}: {message}", ("from_file",))

    def body(self, mass: float, centre: Sequence[float], inertia: FloatArray) -> None:
        """Take the platform: mass kg, centre of mass (3,) m, inertia (3, 3) kg m^2 about it."""
        self.parameters["platform_body"] = body_record(mass, centre, inertia)

    def limits(self, least: Sequence[float], greatest: Sequence[float]) -> None:
        """Take tension limits of the cables, N: the tightest, because the back-end has one pair for all."""
        for name, values, choose in (("f_min", least, max), ("f_max", greatest, min)):
            if not values:
                continue
            self.parameters[name] = float(choose(values))
            if len(set(values)) > 1:
                self.assumed.append(
                    f"{name} is {choose(values):g} N for all cables, the tightest of {min(values):g} N to "
                    f"{max(values):g} N"
                )

    def common(self, name: str, values: Sequence[float], choose: Callable[[Sequence[float]], float]) -> None:
        """Take a number of which the back-end has one for all cables."""
        if values:
            self.parameters[name] = float(choose(values))
            if len(set(values)) > 1:
                self.assumed.append(
                    f"{name} is {choose(values):g} for all cables, of {min(values):g} to {max(values):g} (SI)"
                )

    def robot(self) -> ImportedRobot:
        """The robot; raises ``InputError`` where its points do not make one."""
        numbers = sorted(self.pulleys)
        if numbers != sorted(self.attachments):
            odd = sorted(set(self.pulleys) ^ set(self.attachments))
            listed = ", ".join(map(str, odd[:MOST_CABLES]))
            raise self.fault(f"cable {listed} has only one end; each needs a pulley and an attachment")
        if not FEWEST_CABLES <= len(numbers) <= MOST_CABLES:
            raise self.fault(
                f"has {len(numbers)} cables; the back-end has robots with {FEWEST_CABLES} to {MOST_CABLES}"
            )
        points = {
            "pulleys": [self.pulleys[n].tolist() for n in numbers],
            "attachments": [self.attachments[n].tolist() for n in numbers],
        }
        if not np.isfinite([points["pulleys"], points["attachments"]]).all():
            raise self.fault("has a point that is not three finite numbers")
        supposed = self._supposed()
        found = {**points, **self.parameters, **supposed}
        left = [text for tree in self.trees for text in unread(tree, self.remarks)]
        return ImportedRobot(
            self.source, found, tuple(self.assumed), _brief([*self.unread, *left]), frozenset(supposed)
        )

    def _supposed(self) -> dict[str, Any]:
        """What a robot of known mass has where its file is silent: the back-end's own arm is the paper's."""
        found: dict[str, Any] = {}
        if "platform_body" not in self.parameters:
            return found
        if "arm_links" not in self.parameters:
            found["arm_links"] = [_NO_BODY] * ARM_LINKS
            self.assumed.append("the platform carries no arm (arm_links)")
        found["wrench_set"] = "gravity"
        self.assumed.append("the cables hold the robot's own weight and no other load (wrench_set)")
        return found


def _brief(sentences: Sequence[str]) -> tuple[str, ...]:
    """The first of many sentences, and how many more there are."""
    more = len(sentences) - _MOST_REPORTED
    return (*sentences[:_MOST_REPORTED], *([f"{more} more such things"] if more > 0 else []))


def body_record(mass: float, centre: Sequence[float], inertia: FloatArray) -> dict[str, Any]:
    """A rigid body as the cable robot's record has it, the tensor's entries as xx, yy, zz, xy, xz, yz."""
    entries = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return {
        "mass": float(mass),
        "centre_of_mass": [float(value) for value in centre],
        "inertia": [float(value) for value in entries],
    }


def moved_inertia(mass: float, offset: FloatArray) -> FloatArray:
    """What the inertia (3, 3) about a point ``offset`` (3,) m from the centre of mass has in addition."""
    return mass * (float(offset @ offset) * np.eye(3) - np.outer(offset, offset))


def number(text: str | None) -> float:
    """A finite number that no robot exceeds; raises ``ValueError`` for anything else."""
    value = float(text if text is not None else "")
    if not abs(value) <= GREATEST:
        raise ValueError(text)
    return value
