"""Figures of the picked designs that only their back-end can draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dashboards.content.designs import picks
from dashboards.content.drawing import Drawing, Plot, placed
from dashboards.content.plugins import face_of
from dashboards.content.report_data import Material
from errors import TautlineError


@dataclass(frozen=True, slots=True)
class Exhibit:
    """Figures of one design or of several; ``notice`` says why there are none."""

    title: str
    plots: tuple[Plot, ...]
    notice: str = ""


def exhibits(material: Material) -> list[Exhibit]:
    """One per picked design, and one of a layout's designs together; none for most back-ends."""
    face = face_of(material.model.name)
    found: list[Exhibit] = []
    for number, layout in enumerate(material.layouts):
        chosen = {pick.title: material.parameters_of(pick.design) for pick in picks(material, layout)}
        named = {title: parameters for title, parameters in chosen.items() if parameters is not None}
        head = f"{layout}: " if len(material.layouts) > 1 else ""
        for place, (title, parameters) in enumerate(named.items()):
            identity = f"design-{number}-{place}"
            found.append(_exhibit(head + title, identity, lambda p=parameters: face.of_design(p)))
        if len(named) > 1:
            title = f"{head}Picked designs together"
            found.append(_exhibit(title, f"designs-{number}", lambda n=named: face.of_designs(n)))
    return [exhibit for exhibit in found if exhibit.plots or exhibit.notice]


def _exhibit(title: str, identity: str, draw: Callable[[], Sequence[Drawing]]) -> Exhibit:
    try:
        drawings = draw()
    except (TautlineError, ArithmeticError, ValueError) as error:
        return Exhibit(title, (), f"No figures: {type(error).__name__}: {error}")
    return Exhibit(title, tuple(placed(each, f"{identity}-{i}") for i, each in enumerate(drawings)))
