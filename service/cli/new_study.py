"""``tautline study new``: a commented study file to begin with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errors import InputError
from service.cli.options import BackEndOption, FormatOption
from service.cli.output import Format, emit, say

if TYPE_CHECKING:
    from service.new_studies import BegunStudy

_NAME = re.compile(r"[a-z0-9-]{1,64}")


FileArgument = Annotated[
    Path | None,
    typer.Argument(metavar="[FILE]", help="Study file to write; if not given, named after its beginning."),
]
NamesOption = Annotated[
    list[str] | None,
    typer.Option("--from", metavar="NAME", help="An example, or a preset; several presets become layouts."),
]
TablesOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--from-csv",
        metavar="CSV",
        help="A cable robot: a row for each cable, with columns such as pulley_x [mm] and "
        "attachment_x [mm]. Several files become layouts.",
    ),
]
FilesOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--from-file",
        metavar="FILE",
        help="A cable robot of another program: URDF, SDF, CASPR, WireX, cdpyr, YAML of Gazebo; or JSON "
        "of Tautline. Several become layouts.",
    ),
]


def new(
    file: FileArgument = None,
    from_: NamesOption = None,
    from_csv: TablesOption = None,
    from_file: FilesOption = None,
    model: BackEndOption = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
    examples: Annotated[
        bool, typer.Option("--list", help="List the examples, with what each answers; write nothing.")
    ] = False,
    format: FormatOption = "table",
) -> None:
    """Write a study file to begin with.

    It has comments, and is of an example, of presets, or of your own robot in files.
    """
    from service.new_studies import begin_study
    from studies.exchange.robot_files import read_robot

    if examples:
        _list_examples(format)
        return
    names, tables, others = from_ or [], from_csv or [], from_file or []
    target = file or Path(f"{_stem([*names, *(each.stem for each in (*tables, *others))])}.toml")
    _require_target(target, force)
    robots = [read_robot(each) for each in others]
    begun = begin_study(names, tables, target.parent, target.stem, model, robots)
    try:
        target.write_text(begun.text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror or error}", ("file",)) from None
    _say_what_was_read(begun)
    say(f"{target} is written. `tautline robot show {target}` draws its robot, `tautline study run` runs it")


def _require_target(target: Path, force: bool) -> None:
    """Refuse a file whose name no study can have, and one that exists unless ``force`` is given."""
    if not _NAME.fullmatch(target.stem):
        raise InputError(
            f"'{target.stem}' cannot be the name of a study: use 1 to 64 of a-z, 0-9 and '-', then .toml",
            ("file",),
        )
    if target.exists() and not force:
        raise InputError(f"{target} exists; give another name, or --force to overwrite it", ("file",))


def _say_what_was_read(begun: BegunStudy) -> None:
    """Say what was read of files of other programs, and the verdicts on their robots."""
    for report in begun.reports.values():
        for sentence in report.sentences:
            say(sentence)
    for layout, sentences in begun.verdicts.items():
        for sentence in sentences:
            say(sentence if len(begun.verdicts) == 1 else f"{layout}: {sentence}")


def _list_examples(kind: Format) -> None:
    from service.examples import examples

    emit([each.model_dump(include={"example", "model", "answers", "time"}) for each in examples()], kind)


def _stem(names: list[str]) -> str:
    """A name for the study from those of what it begins with."""
    return re.sub(r"[^a-z0-9]+", "-", "-and-".join(names).lower()).strip("-")[:64] or "study"
