"""A design as JSON, with everything that is known of it, and as CSV, with a row for each cable.

A robot without cables of a mechanism has a row for each point of the lines that are drawn of it. The rows
of a cable robot can be read again: ``tautline study new --from-csv``.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from models import Joint, Mechanism, RigidLink
from models.mechanism import Cuboid, Cylinder
from studies.exchange.design import Design, DesignFile

LIMITS = {
    "f_min": "N", "f_max": "N", "cable_diameter": "m", "pulley_radius": "m", "length_min": "m",
    "length_max": "m",
}  # fmt: skip
"""Numbers of cables, each with its unit, that a table of cables has in every row."""
_ABSENT = ("freedoms", "plane", "pulley_axis")
"""Parameters that make another robot of a table, which has no columns for them."""
_ALWAYS = ("f_min", "f_max", "cable_diameter")
_AXES = "xyz"


def json_file(design: Design) -> DesignFile:
    """Parameters, and the cables, links and joints of a mechanism, or else the lines of the drawing."""
    mechanism = design.mechanism
    found: dict[str, Any] = {
        "origin": design.origin,
        "model": design.model.name,
        "model_version": design.model.version,
        "units": "SI: m, kg, s, rad, N",
        "parameters": design.parameters.model_dump(mode="json"),
    }
    if mechanism is None:
        found |= {"caption": design.scene.caption, "up": design.scene.up, "lines": _lines(design)}
    else:
        found |= {
            "caption": mechanism.caption, "up": mechanism.up, "cables": _cables(mechanism),
            "links": [_link(link) for link in mechanism.links],
            "joints": [_joint(joint) for joint in mechanism.joints],
        }  # fmt: skip
    content = (json.dumps(found, indent=1, allow_nan=False) + "\n").encode()
    return DesignFile(content, () if mechanism is None else mechanism.warnings)


def _lines(design: Design) -> list[dict[str, Any]]:
    return [
        {"group": group, "name": name, "points": points.tolist()} for group, name, points in design.lines()
    ]


def _cables(mechanism: Mechanism) -> list[dict[str, Any]]:
    """The cables; ``start`` in the world, ``end`` in the frame of ``link``, ``length`` at the pose shown."""
    return [
        {
            "name": cable.name,
            "start": cable.start.tolist(),
            "link": cable.link,
            "end": cable.end.tolist(),
            "length": float(np.linalg.norm(ends[0] - ends[1])),
            "diameter": cable.diameter,
            "axial_stiffness" if cable.axial else "stiffness": cable.stiffness,
        }
        for cable, ends in mechanism.cable_ends()
    ]


def _link(link: RigidLink) -> dict[str, Any]:
    found = {
        "name": link.name,
        "mass": link.mass,
        "centre_of_mass": link.centre_of_mass.tolist(),
        "inertia": link.inertia.tolist(),
    }
    if link.shape is not None:
        found |= _solid(link.shape)
    return found


def _solid(shape: Cuboid | Cylinder) -> dict[str, Any]:
    """A shape by its kind."""
    center = shape.center.tolist()
    if isinstance(shape, Cuboid):
        return {"box": {"center": center, "half_size": shape.half_size.tolist()}}
    kind = "capsule" if shape.capped else "cylinder"
    return {kind: {"center": center, "radius": shape.radius, "length": shape.length}}


def _joint(joint: Joint) -> dict[str, Any]:
    return {
        "name": joint.name,
        "kind": joint.kind,
        "parent": joint.parent,
        "child": joint.child,
        "position": joint.position.tolist(),
        "rotation": joint.rotation.tolist(),
        "axis": joint.axis.tolist(),
        "limits": None if joint.limits is None else list(joint.limits),
    }


def csv_file(design: Design) -> DesignFile:
    """A row for each cable, with units in the headings; else a row for each point of a line."""
    mechanism = design.mechanism
    if mechanism is None or not mechanism.cables:
        return DesignFile(_table(["line", "group", *(f"{axis} [m]" for axis in _AXES)], _point_rows(design)))
    axial = mechanism.cables[0].axial
    stiffness = "axial_stiffness [N]" if axial else "cable_stiffness [N/m]"
    cables = len(mechanism.cables)
    limits = {
        f"{name} [{unit}]": np.broadcast_to(value, cables).tolist()
        for name, unit in LIMITS.items()
        if (value := getattr(design.parameters, name, None)) is not None
        and (np.any(value) or name in _ALWAYS)
    }
    head = [
        "cable",
        *(f"pulley_{axis} [m]" for axis in _AXES),
        *(f"attachment_{axis} [m]" for axis in _AXES),
        "length [m]", stiffness, *limits,
    ]  # fmt: skip
    rows = [
        [
            cable.name, *cable.start.tolist(), *cable.end.tolist(),
            float(np.linalg.norm(ends[0] - ends[1])), cable.stiffness,
            *(values[place] for values in limits.values()),
        ]
        for place, (cable, ends) in enumerate(mechanism.cable_ends())
    ]  # fmt: skip
    return DesignFile(_table(head, rows), (*mechanism.warnings, *_absent(design)))


def _absent(design: Design) -> list[str]:
    """A sentence on parameters of a design that differ from their defaults and are not in a table."""
    fields = type(design.parameters).model_fields
    names = [
        name
        for name in _ABSENT
        if name in fields and getattr(design.parameters, name) != fields[name].get_default()
    ]
    return [f"the table has no {', '.join(names)}: write them in the study file"] if names else []


def _point_rows(design: Design) -> list[list[Any]]:
    return [[name, group, *point] for group, name, points in design.lines() for point in points.tolist()]


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    """Numbers with all their digits, so that whoever reads them gets the same bits."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=os.linesep)
    writer.writerow(head)
    writer.writerows([[repr(cell) if isinstance(cell, float) else cell for cell in row] for row in rows])
    return text.getvalue().encode()
