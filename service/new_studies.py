"""Beginnings of a new study: an example, presets, or robots in files."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dashboards.content.robot.cable_robot_files import RobotReport
from dashboards.content.robot.new_study import study_of_presets
from dashboards.content.robot.robot_study import robots_of_files, study_of_robots
from dashboards.content.robot.robot_verdict import missing_workspace, robot_verdict
from dashboards.content.robot.robots import RobotView, robot_view
from dashboards.content.robot.study_file import edited_toml
from errors import InputError, UnknownNameError
from models import Model, Parameters, load, names
from service.examples import example_named, examples
from studies.definition.data_files import DataFiles
from studies.definition.documents import flattened
from studies.definition.study_file import check_text, read_text, read_toml
from studies.exchange.design import DesignFile
from studies.exchange.formats import Format, design_file, format_named
from studies.exchange.imported_robot import ImportedRobot
from studies.execution.model_calls import LOCAL, ModelCalls
from studies.problem.problem import Problem, check

if TYPE_CHECKING:
    from pandas import DataFrame

_SAMPLE = 1024
_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}\.csv")


class BegunStudy(NamedTuple):
    """The text of a study file; what was read of robots in files and how they work, by their layouts."""

    text: str
    reports: Mapping[str, RobotReport]
    verdicts: Mapping[str, list[str]]


def new_study(
    sources: Sequence[str] = (),
    tables: Sequence[Path] = (),
    folder: Path = Path(),
    name: str = "new-study",
    model: str | None = None,
    robots: Sequence[ImportedRobot] = (),
) -> str:
    """Write a study to begin with, as the commented text of a sound study file.

    ``sources`` are an example or presets of one back-end, ``tables`` CSV files of cable robots with a row
    for each cable, ``robots`` those that ``read_robot`` has read; several become layouts. ``folder`` is the
    place of the file, ``model`` the back-end of presets that several have. Raises ``InputError`` for what
    cannot be read.
    """
    return begin_study(sources, tables, folder, name, model, robots).text


def begin_study(
    sources: Sequence[str] = (),
    tables: Sequence[Path] = (),
    folder: Path = Path(),
    name: str = "new-study",
    model: str | None = None,
    robots: Sequence[ImportedRobot] = (),
    calls: ModelCalls = LOCAL,
) -> BegunStudy:
    """A study file that is sound, with comments; robots in files are evaluated as they were read.

    Parameters
    ----------
    sources : sequence of str
        An example, or presets of one back-end.
    tables : sequence of Path
        CSV files of cable robots, with a row for each cable.
    folder : Path
        Where the study file will stand, with the tables.
    name : str
        Of the study.
    model : str, optional
        The back-end of the presets.
    robots : sequence of ImportedRobot
        Cable robots of other programs, as ``tautline.read_robot(file)`` gives them.
    calls : ModelCalls
        Where robots are evaluated.

    Raises
    ------
    InputError
        For unknown names, for nothing to begin with, and for tables that cannot be read.
    """
    if bool(sources) == bool(tables or robots):
        what = "both" if sources else "nothing"
        raise InputError(
            f"gives {what} to begin with; name an example or presets, or files of robots. {_known()}",
            ("from",),
        )
    if sources:
        text = _of_names(sources, name, model)
        check_text(text, f"{name}.toml", check, folder)
        return BegunStudy(text, {}, {})
    found = robots_of_files(tables, folder, robots)
    _, problems = check_text(study_of_robots(found, name, {}), f"{name}.toml", check, folder)
    layouts = dict(zip((robot.layout for robot in found), problems.values(), strict=True))
    verdicts = {robot.layout: robot_verdict(robot, layouts[robot.layout], calls) for robot in found}
    reports = {robot.layout: robot.report for robot in found}
    return BegunStudy(study_of_robots(found, name, verdicts), reports, verdicts)


def begin_study_of_tables(
    tables: Mapping[str, str], name: str, robots: Sequence[ImportedRobot] = (), calls: ModelCalls = LOCAL
) -> BegunStudy:
    """The same of robots in CSV texts by the names of their files, and of robots of other programs.

    The study holds the rows of the tables. Raises ``InputError`` for a name that is more than that of a file.
    """
    for file in tables:
        if not _TABLE.fullmatch(file):
            text = f"'{file[:80]}' cannot be the name of a table; use letters, digits, '-' and '_', then .csv"
            raise InputError(text, ("from_csv",))
    with TemporaryDirectory(prefix="tautline-tables-") as holder:
        folder = Path(holder)
        for file, content in tables.items():
            (folder / file).write_text(content, encoding="utf-8", newline="")
        begun = begin_study((), [folder / file for file in tables], folder, name, robots=robots, calls=calls)
        filled = DataFiles(folder).fill_study(flattened(read_toml(begun.text)))
        return begun._replace(text=edited_toml(begun.text, filled))


class RobotViews(NamedTuple):
    """Robots to look at before any search: of the layouts of a study, or of a preset."""

    title: str
    note: str
    views: list[RobotView]

    def table(self) -> DataFrame:
        """The ends and the length of each cable, or other line, in m, as a pandas DataFrame."""
        from pandas import DataFrame

        return DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """The same as dictionaries."""
        return [
            {
                "layout": view.layout,
                "line": line.name,
                **dict(zip(("from x", "from y", "from z"), line.start, strict=True)),
                **dict(zip(("to x", "to y", "to z"), line.end, strict=True)),
                "length": line.length,
            }
            for view in self.views
            for line in view.lines
        ]

    def write(self, path: Path) -> Path:
        """Write a page in which the robots can be turned; raises ``InputError`` where that fails."""
        from dashboards.robot_page import robot_page

        try:
            path.write_text(robot_page(self.title, self.note, self.views, time.time()), encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}", ("output",)) from None
        return path


_SHOWN = (
    "The first of the initial designs. Without one, every variable is in the middle of its range, or at the "
    "value nearest to it at which the robot is valid."
)


def robots_of(source: Path | str, model: str | None = None) -> RobotViews:
    """The robots of a study file, an example or a preset, before any search.

    Raises ``InputError`` for a file that is no sound study, and for an unknown name.
    """
    found = _designs_of(source, model)
    return RobotViews(found.title, found.note, [_judged(robot_view(*each)) for each in found.designs])


def _judged(view: RobotView) -> RobotView:
    """A robot whose caption says why its workspace is empty, if it is."""
    told = missing_workspace(view.model, view.record, LOCAL)
    return replace(view, caption=f"{view.caption} {told}".strip())


def exported_robot(
    source: Path | str, kind: Format, layout: str | None = None, model: str | None = None
) -> tuple[str, DesignFile]:
    """A robot of a study file, an example or a preset as a file for other programs, and a name for it.

    Parameters
    ----------
    source : Path or str
    kind : str
        The format, one of :data:`studies.exchange.formats.FORMATS`.
    layout : str, optional
        Of a study that has several.
    model : str, optional
        The back-end of the preset, if several have that name.

    Raises
    ------
    InputError
        Where there is no such robot, or its back-end does not offer the format.
    """
    found = _designs_of(source, model)
    layouts = [name for name, *_ in found.designs]
    if layout is None and len(layouts) > 1:
        raise InputError(f"name one of the layouts {', '.join(layouts)}", ("layout",))
    if layout is not None and layout not in layouts:
        raise UnknownNameError("layout", layout, layouts, ("layout",))
    name, backend, record = found.designs[0 if layout is None else layouts.index(layout)]
    title = found.title if len(layouts) == 1 else f"{found.title}-{name}"
    return title, design_file(backend, record, format_named(kind))


class _Designs(NamedTuple):
    """Designs with their layouts and back-ends."""

    title: str
    note: str
    designs: list[tuple[str, Model, Parameters]]


def _designs_of(source: Path | str, model: str | None) -> _Designs:
    file, source = Path(source), str(source)
    if model is None and (file.suffix == ".toml" or file.is_file()):
        definition, problems = check_text(read_text(file), str(file), check, file.parent)
        return _Designs(definition.name, _SHOWN, _middles(problems))
    if model is None and source not in _presets() and (example := example_named(source)):
        definition, problems = check_text(example.toml, source, check, Path())
        return _Designs(definition.name, _SHOWN, _middles(problems))
    found = _model_of([source], model)
    preset = found.preset(source, ("robot",))
    note = f"{preset.description} ({preset.source})"
    return _Designs(source, note, [(source, found, found.resolve(source, {}))])


def _middles(problems: Mapping[str, Problem]) -> list[tuple[str, Model, Parameters]]:
    return [(layout, problem.model, _shown(problem)) for layout, problem in problems.items()]


def _shown(problem: Problem) -> Parameters:
    """The first initial design, else the middle of the ranges, else the first of a sample that is valid."""
    count = len(problem.space)
    sample = np.random.default_rng(0).random((_SAMPLE, count))
    nearest = sorted(sample, key=lambda u: float(np.abs(u - 0.5).max()))
    for point in (*problem.initial[:1], np.full(count, 0.5), *nearest):
        with suppress(InputError):
            return problem.model.resolve(problem.preset, {**problem.settings, **problem.space.decode(point)})
    raise InputError("no valid design was found near the middle of the ranges; narrow them", ("variables",))


def _of_names(sources: Sequence[str], name: str, model: str | None) -> str:
    if model is None and (example := example_named(sources[0])):
        if len(sources) > 1:
            raise InputError(f"'{sources[0]}' is an example, which stands alone", ("from",))
        tree = flattened(read_toml(example.toml))
        return edited_toml(example.toml, {**tree, "name": name})
    return study_of_presets(_model_of(sources, model), sources, name)


def _model_of(presets: Sequence[str], model: str | None) -> Model:
    """The back-end that has a preset; raises ``InputError`` where none or several have it."""
    if model is not None:
        return load(model)
    found = [each for each in _installed() if presets[0] in each.presets]
    if not found:
        known = [each.example for each in examples()]
        raise UnknownNameError("example or preset", presets[0], [*known, *_presets()], ("from",))
    if len(found) > 1:
        listed = ", ".join(each.name for each in found)
        raise InputError(f"'{presets[0]}' is a preset of {listed}; add --model", ("from",))
    return found[0]


def _installed() -> Iterator[Model]:
    """The back-ends that can be loaded."""
    for name in names():
        with suppress(InputError):
            yield load(name)


def _presets() -> list[str]:
    return list(dict.fromkeys(preset for model in _installed() for preset in model.presets))


def _known() -> str:
    return f"Examples: {', '.join(each.example for each in examples())}. Presets: {', '.join(_presets())}"
