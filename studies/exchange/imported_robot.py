"""A cable robot as files of other programs give it, and what of them was read, assumed and left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from studies.exchange.file_entries import Entry, unread
from studies.exchange.plausible_body import plausible_body

MOST_CABLES = 12
FEWEST_CABLES = 6
ARM_LINKS = 6
GREATEST = 1e30
"""SI; beyond it a number is taken as infinite, before squares of it are."""
_MOST_REPORTED = 50
_NO_BODY = {"mass": 0.0, "inertia": [0.0] * 6}


class Alternative(NamedTuple):
    """Settings that an assumption has kept out, such as the file's own centre of mass."""

    assumption: str
    settings: Mapping[str, Any]


class Pose(NamedTuple):
    """A pose of the platform: position (3,) m and rotation vector (3,) rad."""

    position: tuple[float, ...]
    rotation: tuple[float, ...]

    @classmethod
    def of(cls, position: FloatArray, turned: FloatArray) -> Pose:
        """The pose with a rotation matrix (3, 3)."""
        from scipy.spatial.transform import Rotation

        return cls(tuple(position.tolist()), tuple(Rotation.from_matrix(turned).as_rotvec().tolist()))


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
    alternatives : tuple of Alternative
        Settings that would hold without one of the assumptions.
    pose : Pose, optional
        Where the file says that the platform is at first.
    """

    source: str
    parameters: Mapping[str, Any]
    assumed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    supposed: frozenset[str] = frozenset()
    alternatives: tuple[Alternative, ...] = ()
    pose: Pose | None = None


@dataclass
class RobotReading:
    """Parts that a reader has found so far; :meth:`robot` checks them and completes the robot.

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
    alternatives: list[Alternative] = field(default_factory=list[Alternative])
    pose: Pose | None = None
    _body: tuple[float, FloatArray, FloatArray] | None = None

    def fault(self, message: str) -> InputError:
        """The error that the file holds no robot that can be read."""
        return InputError(f"{self.source}: {message}", ("from_file",))

    def body(self, mass: float, centre: Sequence[float], inertia: FloatArray) -> None:
        """Take the platform: mass kg, centre of mass (3,) m, inertia (3, 3) kg m^2 about it.

        What no body of its size has is not believed, see :func:`plausible_body`. A mass of zero is none.
        """
        if mass == 0:
            self.assumed.append("the platform's mass, which is 0 in the file, is not known")
        else:
            self._body = mass, np.array(centre, dtype=np.float64), inertia

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
                loosest = min(values) if choose is max else max(values)
                self.alternatives.append(
                    Alternative(f"that {name} is the tightest of the cables'", {name: loosest})
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
        self._take_body(np.array(points["attachments"]))
        supposed = self._supposed()
        found = {**points, **self.parameters, **supposed}
        left = [text for tree in self.trees for text in unread(tree, self.remarks)]
        return ImportedRobot(
            self.source,
            found,
            tuple(self.assumed),
            _brief([*self.unread, *left]),
            frozenset(supposed),
            tuple(self.alternatives),
            self.pose,
        )

    def _take_body(self, attachments: FloatArray) -> None:
        """Set the platform's body, as far as one of its size can have what was read."""
        if self._body is None:
            return
        mass, centre, inertia = self._body
        if not mass > 0:
            raise self.fault(f"gives the platform a mass of {mass:g} kg; a mass must be positive")
        found = plausible_body(mass, centre, inertia, attachments)
        self.assumed += found.doubts
        self.parameters["platform_body"] = body_record(mass, found.centre.tolist(), found.inertia)
        if found.doubts:
            given = body_record(mass, centre.tolist(), inertia)
            self.alternatives.append(Alternative("that the file's body is none", {"platform_body": given}))

    def _supposed(self) -> dict[str, Any]:
        """Values for a robot of known mass where its file is silent: the back-end's arm is the paper's."""
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
    """Inertia (3, 3) that a point ``offset`` (3,) m from the centre of mass has in addition."""
    return mass * (float(offset @ offset) * np.eye(3) - np.outer(offset, offset))


def number(text: str | None) -> float:
    """A finite number that no robot exceeds; raises ``ValueError`` for anything else."""
    value = float(text if text is not None else "")
    if not abs(value) <= GREATEST:
        raise ValueError(text)
    return value
