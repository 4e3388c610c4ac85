"""A cable robot as files of other programs give it, and what of them was read, assumed and left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot.freedoms import FREEDOMS, NORMALS, PLANAR, POINTS, Freedoms, Plane
from studies.exchange.cable_values import CableValueError, CableValues
from studies.exchange.file_entries import Entry, unread
from studies.exchange.freedoms import (
    FittedFreedoms,
    cables_cross,
    fitted_freedoms,
    flat_inertia,
    plane_space,
)
from studies.exchange.plausible_body import plausible_body

MOST_CABLES = 16
FEWEST_CABLES = 2
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

    @property
    def matrix(self) -> FloatArray:
        """The rotation matrix (3, 3)."""
        from scipy.spatial.transform import Rotation

        return np.asarray(Rotation.from_rotvec(self.rotation).as_matrix(), dtype=np.float64)


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
    the ends of their paths. ``freedoms`` and ``plane`` are those that the file names, ``cables`` is what it
    says of single cables.
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
    freedoms: Freedoms = "3R3T"
    plane: Plane | None = None
    cables: CableValues = field(default_factory=CableValues)
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
        ends = [np.array([each[n] for n in numbers]) for each in (self.pulleys, self.attachments)]
        if not np.isfinite(ends).all():
            raise self.fault("has a point that is not three finite numbers")
        fitted = self._take_freedoms(ends[0], ends[1])
        self._take_cables(numbers, fitted)
        self._take_body(fitted)
        supposed = self._supposed(fitted)
        points = {"pulleys": fitted.pulleys.tolist(), "attachments": fitted.attachments.tolist()}
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

    def _take_freedoms(self, pulleys: FloatArray, attachments: FloatArray) -> FittedFreedoms:
        """Set freedoms, plane and the space along its normal; raises ``InputError`` for too few cables."""
        place = None if self.pose is None else np.array(self.pose.position)
        fitted = fitted_freedoms(self.freedoms, self.plane, pulleys, attachments, place)
        self.assumed += fitted.told
        if len(pulleys) < (needed := FREEDOMS[fitted.freedoms]):
            raise self.fault(
                f"has {len(pulleys)} cables; the motion pattern {fitted.freedoms} needs at least {needed}"
            )
        if fitted.freedoms != "3R3T":
            self.parameters["freedoms"] = fitted.freedoms
        if fitted.freedoms in PLANAR:
            self.parameters["plane"] = fitted.plane
            if (space := self.parameters.get("space")) is not None:
                place = sum(corner[NORMALS[fitted.plane]] for corner in space) / 2
                corners = plane_space(np.array(space[0]), np.array(space[1]), fitted.plane, place)
                self.parameters["space"] = [corner.tolist() for corner in corners]
            if cables_cross(fitted, self._middle(fitted)):
                self.parameters["check_interference"] = False
                self.assumed.append(
                    "cables cross in the plane, and so run in layers beside one another: crossing is no "
                    "collision (check_interference)"
                )
        if fitted.freedoms in POINTS and self.parameters.pop("platform_half_size", None) is not None:
            self.unread.append("the platform's box: a point mass has none")
        return fitted

    def _middle(self, fitted: FittedFreedoms) -> FloatArray:
        """Return a position (3,) m of the platform: the file's, else the middle of space or pulleys."""
        if self.pose is not None:
            return np.array(self.pose.position)
        corners = self.parameters.get("space", [fitted.pulleys.min(axis=0), fitted.pulleys.max(axis=0)])
        return np.asarray(np.mean(corners, axis=0), dtype=np.float64)

    def _take_cables(self, numbers: Sequence[int], fitted: FittedFreedoms) -> None:
        """Set what the file says of single cables; raises ``InputError`` for what no cable has."""
        try:
            found, told = self.cables.settings(numbers)
            if self.pose is not None:
                place, turned = np.array(self.pose.position), self.pose.matrix
                self.cables.require_outside(fitted.pulleys - place - fitted.attachments @ turned.T, numbers)
        except CableValueError as error:
            raise self.fault(str(error)) from None
        self.parameters |= found
        self.assumed += told

    def _take_body(self, fitted: FittedFreedoms) -> None:
        """Set the platform's body, as far as one of its size can have what was read."""
        if self._body is None:
            return
        mass, centre, inertia = self._body
        if not mass > 0:
            raise self.fault(f"gives the platform a mass of {mass:g} kg; a mass must be positive")
        if fitted.freedoms in POINTS:
            if centre.any() or inertia.any():
                self.unread.append("centre of mass and inertia of the platform: it is a point mass")
            where = fitted.attachments[0].tolist()
            self.parameters["platform_body"] = body_record(mass, where, np.zeros((3, 3)))
            return
        if fitted.freedoms in PLANAR:
            inertia = flat_inertia(inertia, fitted.plane)
        found = plausible_body(mass, centre, inertia, fitted.attachments)
        self.assumed += found.doubts
        self.parameters["platform_body"] = body_record(mass, found.centre.tolist(), found.inertia)
        if found.doubts:
            given = body_record(mass, centre.tolist(), inertia)
            self.alternatives.append(Alternative("that the file's body is none", {"platform_body": given}))

    def _supposed(self, fitted: FittedFreedoms) -> dict[str, Any]:
        """Values for a robot of known mass where its file is silent: the back-end's arm is the paper's."""
        found: dict[str, Any] = {}
        if "platform_body" not in self.parameters:
            return found
        if "arm_links" not in self.parameters:
            found["arm_links"] = [_NO_BODY] * ARM_LINKS
            self.assumed.append("the platform carries no arm (arm_links)")
        found["wrench_set"] = "gravity"
        load = "the robot's own weight and no other load"
        if fitted.freedoms in PLANAR and fitted.plane == "xy":
            load = "no load: the plane is level, so that its guides hold the weight"
        self.assumed.append(f"the cables hold {load} (wrench_set)")
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
