"""Figures of papers on the validation page, and where their pictures lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from docs import (
    continuum_dynamics_figures,
    continuum_kinematics_figures,
    continuum_statics_figures,
    flexible_arm_figures,
)
from docs.paper_figure import PaperFigure

FIGURES: Mapping[str, Sequence[PaperFigure]] = {
    "continuum-statics": continuum_statics_figures.FIGURES,
    "continuum-kinematics": continuum_kinematics_figures.FIGURES,
    "continuum-dynamics": continuum_dynamics_figures.FIGURES,
    "flexible-arm": flexible_arm_figures.FIGURES,
}
"""The figures of each back-end's paper that are drawn again."""


def picture(model: str, number: int) -> str:
    """Path of the picture of a figure, beside the page."""
    return f"images/{model}/figure-{number:02d}.webp"


def drawn_again(model: str) -> Iterator[str]:
    """The figures of a back-end's paper, as lines of Markdown."""
    for figure in FIGURES[model]:
        drawn = figure.drawing
        yield f"#### {drawn.title}\n"
        yield f"![{drawn.title}](../{picture(model, figure.number)})\n"
        yield f"{drawn.caption}\n"
