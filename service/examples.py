"""Study files to begin with: ``examples/`` of the sources, which an installed package holds as well."""

from __future__ import annotations

from functools import cache
from itertools import takewhile
from pathlib import Path

from service.resources.drafts import ExampleResource
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import parse_study

DEMO = "robocab"
"""The study that the demo searches with fewer designs."""
_INSTALLED = Path(__file__).with_name("example_studies")
FOLDER = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[1] / "examples"
"""Folder of the study files."""


@cache
def examples() -> list[ExampleResource]:
    """The study of the demo, and the others by name."""
    found = [_example(file) for file in sorted(FOLDER.glob("*.toml"))]
    return sorted(found, key=lambda each: each.example != DEMO)


def example_named(name: str) -> ExampleResource | None:
    """An example; ``None`` if no example has this name."""
    return next((each for each in examples() if each.example == name), None)


def _example(file: Path) -> ExampleResource:
    toml = file.read_text(encoding="utf-8")
    study = parse_study(toml, file.name)
    question, _, time = _first_paragraph(toml).partition("; takes ")
    return ExampleResource(
        example=file.stem,
        model=study.model,
        description=study.description,
        answers=f"{question}.",
        time=time.removesuffix(" on two cores."),
        changes=_changes(study),
        goals=[*study.objectives, *study.constraints],
        toml=toml,
    )


def _changes(study: StudyDefinition) -> list[str]:
    """Parameters that the study or one of its layouts sets or varies, each once."""
    tables = [study.parameters, study.variables]
    for layout in study.layouts.values():
        tables += [layout.parameters, layout.variables]
    return list(dict.fromkeys(path.split(".")[0] for table in tables for path in table))


def _first_paragraph(toml: str) -> str:
    """The first paragraph of the comment that the file begins with."""
    lines = (line.removeprefix("#").strip() for line in toml.splitlines())
    return " ".join(takewhile(bool, lines))
