"""Cable robots in SDF: links, frames and joints of one model, in which frames mark where cables run.

SDF knows no cables. Frames or links mark their ends by their names, as in URDF, and
:mod:`studies.exchange.robot_from_links` reads the robot from the structure of the tree. A link that no joint
holds moves freely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from studies.exchange.file_entries import Entry, xml_entry
from studies.exchange.imported_robot import FloatArray, ImportedRobot, RobotReading
from studies.exchange.link_tree import (
    HERE,
    Body,
    Box,
    Frame,
    Joint,
    Link,
    LinkTree,
    direction,
    numbers,
    rotation_of,
    tensor_of,
)
from studies.exchange.robot_description import LEAST_MASS
from studies.exchange.robot_from_links import read_tree
from studies.exchange.source_text import SourceFile, xml_root

_WORLD, _MODEL = "world", "__model__"
_REMARKS = {"visual": "how links look"}
_SHOWN = 40  # characters of a name
_UNLIMITED = 1e16  # rad, and above


def read_sdf(file: SourceFile) -> ImportedRobot:
    """Read the robot of a file; models and meshes that it includes are not opened."""
    reading = RobotReading(f"{file.name} (SDF)")
    root = xml_root(file.text, file.name)
    sdf = xml_entry(root)
    models = [*sdf.findall("model"), *sdf.findall("world/model")]
    if root.tag != "sdf" or len(models) != 1:
        raise reading.fault(f"holds {len(models)} models in <sdf>; a robot is one model")
    if sum(1 for _ in root.iter("include")) or models[0].find("model") is not None:
        raise reading.fault("includes other models, which are not opened: write one model without <include>")
    if (models[0].text("static") or "").strip() in ("true", "1"):
        raise reading.fault("is static: nothing in it moves")
    reading.trees, reading.remarks = [sdf], _REMARKS
    sdf.get("version")
    read_tree(reading, _Sdf(reading, models[0]).tree())
    return reading.robot()


class _Sdf:
    """Elements of a model as links and joints; a frame is a link without mass that is fixed to another."""

    def __init__(self, reading: RobotReading, model: Entry) -> None:
        self._reading = reading
        self._model = model
        model.get("name")
        self._links = self._named("link")
        self._frames = self._named("frame")
        self._found: dict[str, Frame] = {_MODEL: self._pose(model)[0], _WORLD: HERE}

    def tree(self) -> LinkTree:
        """Return links and frames as a tree; ``world`` is its root where a joint holds the model."""
        links = {name: _massless(name) for name in (*self._frames, _WORLD)}
        for name, entry in self._links.items():
            links[name] = Link(name, partial(self._body, entry), partial(self._boxes, entry))
        joints = list(self._joints(links))
        held = {joint.child for joint in joints}
        roots = {name: self._placed(name) for name in links if name not in held}
        return LinkTree(self._reading, links, joints, roots)

    def _named(self, kind: str) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for entry in self._model.findall(kind):
            name = str(entry.get("name", ""))
            if name in found or name in (_WORLD, _MODEL):
                raise self._reading.fault(f"has two elements <{kind}> of the name '{name[:_SHOWN]}'")
            found[name] = entry
        return found

    # ------------------------------------------------------------ places

    def _pose(self, entry: Entry) -> tuple[Frame, str]:
        """Return the pose of an element, and the frame in which it is given; '' for the usual one."""
        element = entry.find("pose")
        if element is None:
            return HERE, ""
        values = numbers(self._reading, element.text() or "0 0 0 0 0 0", 6)
        return Frame(values[:3], rotation_of(values[3:])), str(element.get("relative_to", ""))

    def _placed(self, name: str) -> Frame:
        """Return the pose of a link or frame in the world."""
        way: dict[str, Frame] = {}
        while name not in self._found:
            entry = self._links.get(name) or self._frames.get(name)
            if entry is None or name in way:
                what = "is not there" if entry is None else "is given in itself"
                raise self._reading.fault(f"a pose is given in '{name[:_SHOWN]}', which {what}")
            way[name], given_in = self._pose(entry)
            name = given_in or (_MODEL if name in self._links else self._attached(entry))
        pose = self._found[name]
        for each, inner in reversed(way.items()):
            pose = self._found[each] = pose.then(inner)
        return pose

    def _attached(self, frame: Entry) -> str:
        return str(frame.get("attached_to", "")) or _MODEL

    # ------------------------------------------------------------ links and joints

    def _joints(self, links: dict[str, Link]) -> Iterator[Joint]:
        """Yield joints, and a fixed one for each frame; a joint beside its child gets a link of its own."""
        for name, frame in self._frames.items():
            holder = self._attached(frame)
            if holder == _MODEL:
                holder = next(iter(self._links), _WORLD)
            yield self._joint(f"of {name}", "fixed", holder, name)
        for entry in self._model.findall("joint"):
            name, kind = str(entry.get("name", "")), str(entry.get("type", ""))
            parent, child = ((entry.text(end) or "").strip() for end in ("parent", "child"))
            inner, given_in = self._pose(entry)
            if given_in not in ("", child):
                raise self._reading.fault(
                    f"the pose of the joint '{name[:_SHOWN]}' is not given in its child"
                )
            joint = self._joint(name, kind, parent, child)._replace(
                axis=partial(self._axis, entry, name), limits=partial(self._limits, entry)
            )
            if inner is HERE or kind == "fixed":
                yield joint
                continue
            beside = f"{name} of {child}"
            links[beside] = _massless(beside)
            yield joint._replace(child=beside, pose=joint.pose.then(inner))
            yield joint._replace(name=beside, kind="fixed", parent=beside, pose=inner.back())

    def _joint(self, name: str, kind: str, parent: str, child: str) -> Joint:
        """Return a joint whose child stands where the file places it."""
        pose = self._placed(parent).back().then(self._placed(child))
        return Joint(name, kind, parent, child, pose, lambda: np.eye(3)[2], lambda: None)

    def _axis(self, entry: Entry, name: str) -> FloatArray:
        """Return the axis (3,) of a joint, of length 1; z without one, as SDF has it."""
        return direction(self._reading, entry.text("axis/xyz") or "0 0 1", name)

    def _limits(self, entry: Entry) -> tuple[float, float] | None:
        texts = [entry.text(f"axis/limit/{end}") for end in ("lower", "upper")]
        lower, upper = (float(numbers(self._reading, text or "1e16", 1)[0]) for text in texts)
        return None if max(abs(lower), abs(upper)) >= _UNLIMITED else (lower, upper)

    def _body(self, link: Entry) -> Body | None:
        """Return the body of a link; None of one that has the mass with which Tautline writes none."""
        inertial = link.find("inertial")
        if inertial is None:
            return None
        mass = float(numbers(self._reading, inertial.text("mass") or "1", 1)[0])
        tensor = tensor_of(self._reading, lambda name: inertial.text(f"inertia/{name}"))
        pose, _ = self._pose(inertial)
        return None if mass == LEAST_MASS else Body(mass, np.zeros(3), tensor).seen_from(pose)

    def _boxes(self, link: Entry) -> Sequence[Box]:
        """Return the boxes of a link, those that collide first."""
        found: list[Box] = []
        for shape in (*link.findall("collision"), *link.findall("visual")):
            if (size := shape.text("geometry/box/size")) is not None:
                shape.get("name")
                found.append(Box(self._pose(shape)[0], numbers(self._reading, size, 3) / 2))
        return found


def _massless(name: str) -> Link:
    return Link(name, lambda: None, tuple)
