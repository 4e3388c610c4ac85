"""What reports show of a back-end beyond what they show of all: one row per back-end.

A row names functions of the back-end's own module in this folder; a back-end without a row has the
common report. Nothing else in reports asks which back-end a study used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.content import continuum, continuum_dynamics, continuum_kinematics, flexible_arm
from dashboards.content.cable_ranges import cable_table
from dashboards.content.cable_robot import robot_numbers, robot_table
from dashboards.content.drawing import Drawing
from dashboards.content.tables import Table
from studies.setup import Setup


def no_table(setup: Setup) -> Table | None:  # noqa: ARG001  the signature of a plugin's function
    """For back-ends whose conditions need no words of their own."""
    return None


def no_numbers(setup: Setup, layout: str) -> Mapping[str, str]:  # noqa: ARG001  likewise
    """For back-ends whose parameters say it all."""
    return {}


def no_tables(parameters: Any) -> Sequence[Table]:  # noqa: ARG001  likewise
    """For back-ends whose designs need no tables of their own."""
    return ()


def no_cables(parameters: Any) -> Table | None:  # noqa: ARG001  likewise
    """For back-ends whose cables have no range of lengths and tensions."""
    return None


def no_drawings(designs: Any) -> Sequence[Drawing]:  # noqa: ARG001  the signature of a plugin's function
    """For back-ends without figures of their own."""
    return ()


@dataclass(frozen=True, slots=True)
class ReportPlugin:
    """What a back-end adds to a report.

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
    """

    conditions: Callable[[Setup], Table | None] = no_table
    numbers: Callable[[Setup, str], Mapping[str, str]] = no_numbers
    of_design: Callable[[Any], Sequence[Drawing]] = no_drawings
    of_designs: Callable[[Mapping[str, Any]], Sequence[Drawing]] = no_drawings
    tables_of_design: Callable[[Any], Sequence[Table]] = no_tables
    cables: Callable[[Any], Table | None] = no_cables


PLUGINS: Mapping[str, ReportPlugin] = {
    "hybrid-cable-robot": ReportPlugin(conditions=robot_table, numbers=robot_numbers, cables=cable_table),
    "continuum-statics": ReportPlugin(
        of_design=continuum.design_drawings, of_designs=continuum.designs_drawings
    ),
    "continuum-kinematics": ReportPlugin(
        of_design=continuum_kinematics.design_drawings, of_designs=continuum_kinematics.designs_drawings
    ),
    "continuum-dynamics": ReportPlugin(
        of_design=continuum_dynamics.design_drawings, of_designs=continuum_dynamics.designs_drawings
    ),
    "flexible-arm": ReportPlugin(
        of_design=flexible_arm.design_drawings,
        of_designs=flexible_arm.designs_drawings,
        tables_of_design=flexible_arm.design_tables,
    ),
}


def plugin_of(model: str) -> ReportPlugin:
    """The face of the back-end called ``model``; one that adds nothing when it has no row."""
    return PLUGINS.get(model, ReportPlugin())
