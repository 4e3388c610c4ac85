"""The picked designs of every layout with their numbers and 3D views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dashboards.content.front.fronts import Pick
from dashboards.content.report.data import ReportData
from dashboards.content.report.designs import picks_table, scene_of
from dashboards.content.tables import Table
from dashboards.figures.axes import Figure
from dashboards.figures.scene import Bounds, has_extent, scene_bounds, scene_figure, scene_summary
from dashboards.formatting import prose
from dashboards.templating import script_json
from models.scene import Scene


@dataclass(frozen=True, slots=True)
class DesignView:
    """One design in space; ``figure`` is None where there is nothing to draw, ``caption`` says why."""

    id: str
    title: str
    caption: str
    summary: str
    figure: Figure | None

    @property
    def json(self) -> Markup:
        """The figure as text that is safe in a script element."""
        return Markup(script_json(self.figure))  # noqa: S704  script_json escapes what could end the element


@dataclass(frozen=True, slots=True)
class LayoutView:
    """The picked designs of a layout; ``numbers`` is None when it has no feasible design."""

    layout: str
    numbers: Table | None
    designs: tuple[DesignView, ...]

    @property
    def drawn(self) -> tuple[DesignView, ...]:
        """Designs with a figure."""
        return tuple(design for design in self.designs if design.figure is not None)


def layout_views(report_data: ReportData) -> list[LayoutView]:
    """Every layout's picked designs, all drawn in the same frame so that one can compare them."""
    chosen = {layout: report_data.picks(layout) for layout in report_data.layouts}
    scenes = {
        pick.design.key: scene_of(report_data, pick.design) for items in chosen.values() for pick in items
    }
    drawn = [scene for scene, _ in scenes.values() if scene is not None and has_extent(scene)]
    bounds = scene_bounds(drawn)
    views: list[LayoutView] = []
    for number, (layout, items) in enumerate(chosen.items()):
        designs = tuple(
            _view(f"view-{number}-{place}", pick, *scenes[pick.design.key], bounds)
            for place, pick in enumerate(items)
        )
        views.append(LayoutView(layout, _numbers(report_data, layout, items), designs))
    return views


def _numbers(report_data: ReportData, layout: str, items: Sequence[Pick]) -> Table | None:
    return picks_table(report_data, layout, items) if items else None


def _view(identity: str, pick: Pick, scene: Scene | None, reason: str, bounds: Bounds) -> DesignView:
    if scene is None:
        return DesignView(identity, pick.title, reason, "", None)
    figure = scene_figure(scene, bounds) if has_extent(scene) else None
    return DesignView(identity, pick.title, prose(scene.caption), scene_summary(scene), figure)
