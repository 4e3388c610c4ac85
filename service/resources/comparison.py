"""What the comparison of studies shows, besides the numbers that every comparison has."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from service.resources.models import Resource
from service.resources.studies import ComparisonResource


class CellResource(Resource):
    """A cell of a table; ``mark`` says why it is marked, ``tip`` explains it in a tooltip."""

    text: str
    note: str = ""
    mark: Literal["", "best", "differs", "good", "bad", "unsure"] = ""
    tip: str = ""


class TableResource(Resource):
    """A table as people read it; the first column heads the rows, ``numeric`` are aligned to the right."""

    caption: str
    head: list[str]
    rows: list[list[CellResource]]
    numeric: list[int]


class ContenderResource(Resource):
    """A layout of a study that is compared; ``label`` names it in all else."""

    label: str
    study: str
    layout: str
    model: str
    state: str
    runs: int
    done: int
    asked: int
    front: int


class ComparedFigure(Resource):
    """A figure of a comparison: its name in addresses, its title, and in words what it shows.

    ``kind`` says how to show it: ``space`` is 3D, ``flat`` has room for others next to it, ``full`` and
    ``wide`` take the width of the page.
    """

    figure: str
    title: str
    caption: str
    kind: Literal["space", "flat", "full", "wide"]


class KneeResource(Resource):
    """The design of a front that is the best compromise, or the best one of a single objective."""

    label: str
    study: str
    layout: str
    key: str


class DifferenceResource(Resource):
    """A condition that two of the studies do not share, with what it is for each contender."""

    topic: str
    condition: str
    values: dict[str, str]


class ContestResource(ComparisonResource):
    """A comparison of studies in the objectives that all of them have.

    ``study`` holds their names, ``others`` the objectives that not all of them have; ``stated`` is true
    when all study files give the same reference point. ``verdict`` and ``conditions`` are sentences.
    """

    contenders: list[ContenderResource]
    others: dict[str, list[str]] = Field(description="objectives of a study that are not compared")
    stated: bool
    point: str = Field(description="the reference point in words")
    verdict: list[str]
    conditions: list[str]
    across: str = Field(
        default="", description="decisive conditions that differ, as every figure is marked; empty if none do"
    )
    knees: list[KneeResource] = Field(
        default=[],
        description="the best compromise of each front, the front of the greatest hypervolume first",
    )
    same_conditions: bool
    differences: list[DifferenceResource]
    tables: dict[
        Literal["scoreboard", "criteria", "seeds", "seed_tests", "not_optimised", "differing", "same"],
        TableResource,
    ]
    figures: list[ComparedFigure]
    seed_tests_note: str = Field(default="", description="how to read the table seed_tests")
    not_optimised_note: str = Field(default="", description="what the table not_optimised holds, in words")
