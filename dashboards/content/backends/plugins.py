"""Plugins of reports: one row for each back-end that adds to the common report.

A row names functions of the back-end's own module in this folder; a back-end without a row has the
common report. Nothing else in reports asks which back-end a study used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from dashboards.content.drawing import Drawing
from dashboards.content.tables import Table
from models.scene import Scene
from studies.problem.problem import Setup


def no_table(setup: Setup) -> Table | None:  # noqa: ARG001  the signature of a plugin's function
    """No table, for back-ends whose conditions need no words of their own."""
    return None


def no_numbers(setup: Setup, layout: str) -> Mapping[str, str]:  # noqa: ARG001  likewise
    """No numbers, for back-ends whose parameters say it all."""
    return {}


def no_tables(parameters: Any) -> Sequence[Table]:  # noqa: ARG001  likewise
    """No tables, for back-ends whose designs need none of their own."""
    return ()


def no_cables(parameters: Any) -> Table | None:  # noqa: ARG001  likewise
    """No table, for back-ends whose cables have no range of lengths and tensions."""
    return None


def no_facts(parameters: Any, scene: Scene | None) -> Mapping[str, str]:  # noqa: ARG001  likewise
    """No facts, for back-ends whose parameters say all that is needed to build the robot."""
    return {}


def same_scene(parameters: Any, scene: Scene) -> Scene:  # noqa: ARG001  likewise
    """The same scene, for back-ends whose scenes show all that a sheet draws."""
    return scene


def no_drawings(designs: Any) -> Sequence[Drawing]:  # noqa: ARG001  the signature of a plugin's function
    """No drawings, for back-ends without figures of their own."""
    return ()


@dataclass(frozen=True, slots=True)
class ReportPlugin:
    """Parts that a back-end adds to a report.

    Parameters
    ----------
    conditions : callable (setup) -> Table or None
        The study's conditions in numbers.
    numbers : callable (setup, layout) -> mapping of str to str
        A layout's conditions in numbers, by what they are called.
    of_design : callable (parameters) -> sequence of Drawing
        Figures of one design.
    of_designs : callable (mapping of name to parameters) -> sequence of Drawing
        Figures of a layout's picked designs together.
    tables_of_design : callable (parameters) -> sequence of Table
        What figures of one design cannot say.
    cables : callable (parameters) -> Table or None
        The cables of one design with their lengths and tensions over its workspace.
    building : callable (parameters, scene) -> mapping of str to str
        What is needed to build one design and to check it, by what it is called.
    told : set of str
        Fields that ``building`` tells.
    drawn : callable (parameters, scene) -> Scene
        The scene with what a sheet draws besides.
    """

    conditions: Callable[[Setup], Table | None] = no_table
    numbers: Callable[[Setup, str], Mapping[str, str]] = no_numbers
    of_design: Callable[[Any], Sequence[Drawing]] = no_drawings
    of_designs: Callable[[Mapping[str, Any]], Sequence[Drawing]] = no_drawings
    tables_of_design: Callable[[Any], Sequence[Table]] = no_tables
    cables: Callable[[Any], Table | None] = no_cables
    building: Callable[[Any, Scene | None], Mapping[str, str]] = no_facts
    told: frozenset[str] = frozenset()
    drawn: Callable[[Any, Scene], Scene] = same_scene


def _cable_robot() -> ReportPlugin:
    from dashboards.content.backends.cable_robot import (
        TOLD,
        building_facts,
        cable_table,
        design_drawings,
        robot_numbers,
        robot_table,
        with_task,
    )

    return ReportPlugin(
        conditions=robot_table, numbers=robot_numbers, cables=cable_table, of_design=design_drawings,
        building=building_facts, told=TOLD, drawn=with_task,
    )  # fmt: skip


def _continuum_statics() -> ReportPlugin:
    from dashboards.content.backends.continuum import design_drawings, designs_drawings

    return ReportPlugin(of_design=design_drawings, of_designs=designs_drawings)


def _continuum_kinematics() -> ReportPlugin:
    from dashboards.content.backends.continuum_kinematics import design_drawings, designs_drawings

    return ReportPlugin(of_design=design_drawings, of_designs=designs_drawings)


def _continuum_dynamics() -> ReportPlugin:
    from dashboards.content.backends.continuum_dynamics import design_drawings, designs_drawings

    return ReportPlugin(of_design=design_drawings, of_designs=designs_drawings)


def _flexible_arm() -> ReportPlugin:
    from dashboards.content.backends.flexible_arm import design_drawings, design_tables, designs_drawings

    return ReportPlugin(
        of_design=design_drawings, of_designs=designs_drawings, tables_of_design=design_tables
    )


PLUGINS: Mapping[str, Callable[[], ReportPlugin]] = {
    "hybrid-cable-robot": _cable_robot,
    "continuum-statics": _continuum_statics,
    "continuum-kinematics": _continuum_kinematics,
    "continuum-dynamics": _continuum_dynamics,
    "flexible-arm": _flexible_arm,
}
"""A report imports the back-end of its study alone: all five take half a second."""


@cache
def plugin_of(model: str) -> ReportPlugin:
    """The plugin of the back-end ``model``; one that adds nothing where it has no row."""
    return PLUGINS.get(model, ReportPlugin)()
