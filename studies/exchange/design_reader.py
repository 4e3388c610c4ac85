"""Cable robots in the JSON that Tautline writes of a design."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from errors import InputError
from models import load
from studies.exchange.file_entries import unread, value_entry
from studies.exchange.imported_robot import ImportedRobot, RobotReading
from studies.exchange.source_text import SourceFile, yaml_or_json

if TYPE_CHECKING:
    from models.hybrid_cable_robot.parameters import HybridCableRobot

_CABLE_ROBOT = "hybrid-cable-robot"
_REPEATED = (
    "origin",
    "model",
    "model_version",
    "units",
    "caption",
    "up",
    "cables",
    "links",
    "joints",
    "lines",
)
"""Keys of a file beside its parameters, from which they follow."""
_QUESTION = ("cells", "orientations")
"""Parameters that a new study states for itself."""
_KEPT = frozenset({
    "attachments", "platform_half_size", "platform_body", "arm_links", "cable_stiffness", "axial_stiffness",
    "cable_diameter", "f_min", "f_max", "wrench_set", "space",
})  # fmt: skip
"""Parameters that a new study would assume; of the others, those with their default are left out."""
_REMARKS = dict.fromkeys(_QUESTION, "a new study states its own")


def read_design(file: SourceFile) -> ImportedRobot:
    """Read the robot of a file, which has the parameters of a design.

    Raises
    ------
    InputError
        For designs of other back-ends, and for parameters that the back-end does not accept.
    """
    tree = yaml_or_json(file.text, file.name)
    model_of = tree.get("model") if isinstance(tree, dict) else None
    reading = RobotReading(f"{file.name} (Tautline)")
    if model_of != _CABLE_ROBOT or not isinstance(tree.get("parameters"), dict):
        raise reading.fault(
            f"is a design of {str(model_of)[:40]}; files give cable robots ({_CABLE_ROBOT}) to begin with: "
            "of another back-end, begin with a preset"
        )
    design = value_entry(tree)
    for name in _REPEATED:
        design.get(name)
    values = _robot_values(reading, tree["parameters"])
    given = design.find("parameters")
    for name in tree["parameters"].keys() - set(_QUESTION):
        if given is not None:
            given.get(name)
    return ImportedRobot(reading.source, values, (), tuple(unread(design, _REMARKS)))


def _robot_values(reading: RobotReading, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that give the robot again, with the points from which its cables run."""
    from models.hybrid_cable_robot.robot import pulley_points

    try:
        record = cast("HybridCableRobot", load(_CABLE_ROBOT).resolve_over(parameters, {}))
    except InputError as error:
        told = "; ".join(fault.text for fault in error.faults)
        raise reading.fault(f"has parameters that the back-end does not accept: {told}") from None
    found = {"pulleys": pulley_points(record).tolist()}
    replaced = {"pulleys", "cable_order", *_QUESTION}
    for winner, losers in record.supersedes.items():
        replaced |= set(losers) if winner == "pulleys" or parameters.get(winner) is not None else set()
    for name, value in parameters.items():
        default = type(record).model_fields[name].get_default(call_default_factory=True)
        is_default = getattr(record, name) == default and name not in _KEPT
        if name not in replaced and value is not None and not is_default:
            found[name] = value
    return found
