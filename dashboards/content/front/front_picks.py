"""Designs of a front to begin with (:mod:`studies.results.fronts`), and their meaning in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboards.formatting import statistic_words
from models.parameter_names import words
from studies.definition.robust_metrics import is_robust
from studies.records import FrontDesign
from studies.results.fronts import FrontPick, front_picks, objectives_of


@dataclass(frozen=True, slots=True)
class Pick:
    """A design and what it stands for, as one label."""

    design: FrontDesign
    title: str


def picks(front: Sequence[FrontDesign], objectives: Sequence[str]) -> list[Pick]:
    """The best of each objective, the knee and the nearest to ideal; one design may stand for several."""
    texts: dict[int, list[str]] = {}
    for pick in front_picks(objectives_of(front, len(objectives)), objectives):
        texts.setdefault(pick.row, []).append(_reason(pick))
    titles = {row: ", ".join(reasons) for row, reasons in texts.items()}
    return [Pick(front[row], title[:1].upper() + title[1:]) for row, title in titles.items()]


def _reason(pick: FrontPick) -> str:
    if pick.kind == "best":
        name = pick.objective
        return f"best {statistic_words(name) if is_robust(name) else words(name)}"
    return {"knee": "knee", "ideal": "closest to ideal"}[pick.kind]
