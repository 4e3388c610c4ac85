"""Writes all drawings: the names of their files, and the functions that draw them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from docs.drawings import arm, cable_robot, dynamics, icons, kinematics, statics

FOLDER = Path(__file__).parents[1] / "models" / "drawings"
DRAWINGS: Mapping[str, Callable[[], str]] = {
    "hybrid-cable-robot": cable_robot.robot,
    "wrench-box": cable_robot.wrench_box,
    "cell-tests": cable_robot.cell_tests,
    "obstacles": cable_robot.obstacles,
    "continuum-statics": statics.robot,
    "fold": statics.fold,
    "continuum-kinematics": kinematics.robot,
    "reach-and-dexterity": kinematics.reach,
    "continuum-dynamics": dynamics.robot,
    "tension-and-settling": dynamics.response,
    "flexible-arm": arm.robot,
    "contact-law": arm.contact,
    **{f"small-{name}": draw for name, draw in icons.DRAWINGS.items()},
}

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for stale in FOLDER.glob("*.svg"):
        stale.unlink()
    for name, draw in DRAWINGS.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8", newline="\n")
