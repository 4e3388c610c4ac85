"""Figures of papers on the validation page, and where their pictures lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dashboards.content import (
    continuum_dynamics_paper,
    continuum_kinematics_paper,
    continuum_paper,
    flexible_arm_paper,
)
from dashboards.content.paper_figure import PaperFigure

FIGURES: Mapping[str, Sequence[PaperFigure]] = {
    "continuum-statics": continuum_paper.FIGURES,
    "continuum-kinematics": continuum_kinematics_paper.FIGURES,
    "continuum-dynamics": continuum_dynamics_paper.FIGURES,
    "flexible-arm": flexible_arm_paper.FIGURES,
}
"""The figures of each back-end's paper that are drawn again."""


def picture(model: str, number: int) -> str:
    """Where the picture of a figure lies, beside the page."""
    return f"images/{model}/figure-{number:02d}.webp"


def drawn_again(model: str) -> Iterator[str]:
    """The figures of a back-end's paper, as lines of Markdown."""
    for figure in FIGURES[model]:
        drawn = figure.drawing
        yield f"#### {drawn.title}\n"
        yield f"![{drawn.title}]({picture(model, figure.number)})\n"
        yield f"{drawn.caption}\n"
