"""Designs of a front in a report: the picked ones side by side, all in a table, and what a view shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dashboards.content.front.fronts import Pick
from dashboards.content.report.data import ReportData
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.figures.axes import Figure
from dashboards.figures.scene import Bounds, has_extent, scene_bounds, scene_figure, scene_summary
from dashboards.formatting import Scale, counted, heading, prose, scale_of, title_of, value_text
from dashboards.templating import script_json
from errors import TautlineError
from models.fields import unit_at
from models.parameter_names import option_words, parameter_words, words
from models.scene import Scene
from studies.comparison.comparison import unsafe_margins
from studies.records import FrontDesign
from studies.results.design_values import unit_of_variable

MOST_ROWS = 200
"""Designs of a front that a report lists; the export holds all."""


def picks_table(report_data: ReportData, layout: str, chosen: Sequence[Pick]) -> Table:
    """Variables and metrics of the picked designs, side by side."""
    record = report_data.model.parameters
    rows: list[list[Cell | str]] = [
        [
            Cell(parameter_words(record, path), "variable"),
            *(_variable(report_data, pick.design, path) for pick in chosen),
        ]
        for path in chosen[0].design.variables
    ]
    for path in chosen[0].design.linked:
        unit = unit_at(record, path)
        rows.append(
            [
                Cell(parameter_words(record, path), "linked"),
                *(value_text(p.design.linked[path], unit) for p in chosen),
            ]
        )
    errors, empty = {metric.error for metric in report_data.model.metrics}, list[str]()
    for metric in report_data.model.metrics:
        if metric.name not in chosen[0].design.metrics or metric.name in errors:
            continue
        values = [pick.design.metrics[metric.name] for pick in chosen]
        if not _any(values):
            empty.append(words(metric.name))
            continue
        scale = scale_of(values, metric.unit)
        kind = "objective" if metric.name in report_data.comparison.objectives else ""
        rows.append([Cell(words(metric.name), kind), *(scale.measured(value) for value in values)])
    rows.append([Cell("safety", "limits"), *(_safety(report_data, pick.design) for pick in chosen)])
    seeds = [", ".join(map(str, pick.design.seeds)) for pick in chosen]
    rows.append(["found by seed", *seeds])
    head = ["quantity", *(pick.title for pick in chosen)]
    return table(f"Picked designs of {layout}{_left_out(empty)}", head, rows, range(1, len(head)))


def front_table(report_data: ReportData, layout: str) -> Table:
    """The designs of a front, best first in the first objective; at most ``MOST_ROWS``."""
    front = sorted(report_data.comparison.fronts[layout], key=lambda design: design.objectives)
    paths = list(front[0].variables) if front else []
    every = report_data.model.metrics
    errors = {metric.error for metric in every}
    names = [m for m in every if front and m.name in front[0].metrics and m.name not in errors]
    shown = front[:MOST_ROWS]
    empty = [m.name for m in names if not _any([design.metrics[m.name] for design in front])]
    names = [m for m in names if m.name not in empty]
    names.sort(key=lambda metric: metric.name not in report_data.comparison.objectives)
    columns = [_column([design.metrics[m.name] for design in shown], m.name, m.unit) for m in names]
    rows = [
        [
            _place(report_data, i, design),
            *(_variable(report_data, design, path) for path in paths),
            *(cells[i] for _, cells in columns),
        ]
        for i, design in enumerate(shown)
    ]
    named = [parameter_words(report_data.model.parameters, path) for path in paths]
    head = ["place", *named, *(title for title, _ in columns)]
    more = f" (the first {MOST_ROWS} of {len(front)})" if len(front) > MOST_ROWS else ""
    title = f"Front of {layout}: {counted(len(front), 'design')}{more}{_left_out(map(words, empty))}"
    return table(title, head, rows, range(1, len(head)))


def _place(report_data: ReportData, number: int, design: FrontDesign) -> Cell:
    """The place of a design in the table, with the mark of an unsafe one."""
    mark = _safety(report_data, design)
    return Cell(str(number + 1), mark.text if mark.mark else "", mark.mark, tooltip=mark.note)


def _any(values: Sequence[float | None]) -> bool:
    return any(value is not None for value in values)


def _safety(report_data: ReportData, design: FrontDesign) -> Cell:
    """The margins of a design that are past their limit of safety."""
    beyond = unsafe_margins(report_data.model.metrics, report_data.definition.constraints, design.metrics)
    if not beyond:
        return Cell("within all limits")
    return Cell("unsafe", listed([title_of(each.name, each.label) for each in beyond]), "bad")


def _left_out(names: Iterable[str]) -> str:
    """The end of a caption: metrics that none of the designs has."""
    text = listed(list(names))
    return f"; without a value and left out: {text}" if text else ""


def _variable(report_data: ReportData, design: FrontDesign, path: str) -> str:
    value = design.variables[path]
    if value is None:
        return "does not act"
    if isinstance(value, str):
        return option_words(report_data.model.parameters, path, value)
    return value_text(value, unit_of_variable(report_data.model, design, path))


def _column(values: Sequence[float | None], name: str, unit: str) -> tuple[str, list[str]]:
    scale = scale_of(values, unit)
    plain = Scale(scale.factor, "")
    return heading(name, scale.unit), [plain.measured(value) for value in values]


def scene_of(report_data: ReportData, design: FrontDesign) -> tuple[Scene | None, str]:
    """The scene of a design in 3D, or the reason why there is none."""
    parameters, reason = report_data.read(design)
    if parameters is None:
        return None, f"No view: {reason}."
    try:
        return report_data.model.scene(parameters), ""
    except (TautlineError, ArithmeticError, ValueError) as error:
        return None, f"No view: {type(error).__name__}: {error}"


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
