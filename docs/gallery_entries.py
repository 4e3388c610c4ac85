"""Entries of the gallery: the heads of the pages of ``docs/gallery``, and the studies behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mkdocs.utils.meta import get_data
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from docs.code_blocks import ROOT
from errors import InputError, TautlineError
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import read_study
from studies.problem.problem import Problem, check

HERE = ROOT / "docs" / "gallery"
PICTURES = HERE / "pictures"
SECTIONS = ("## The decision", "## Beside the literature")
"""Headings that each page has, in this order; the study and its front stand before the first."""


class Less(BaseModel):
    """A smaller search than the file's, for the picture of its front."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    population: PositiveInt
    generations: PositiveInt


class Head(BaseModel):
    """The head of a page.

    ``question`` is one sentence, ``study`` a file relative to the sources, ``front`` says in words what the
    picture of the front shows, ``why`` is the reason stored with the decision.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str = Field(pattern=r"^[A-Z][^?]+\?$")
    study: str = Field(min_length=1)
    front: str = Field(min_length=1)
    why: str = Field(min_length=1)
    search: Less | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the gallery: its file, title, head, and text below the title."""

    page: Path
    title: str
    head: Head
    text: str

    @property
    def name(self) -> str:
        """Name of the page and of its pictures."""
        return self.page.stem

    @property
    def study(self) -> Path:
        """The study file."""
        return ROOT / self.head.study

    @property
    def is_example(self) -> bool:
        """True if the study is one of ``examples/``, which ``tautline study new`` writes."""
        return self.study.parent == ROOT / "examples"

    @property
    def front(self) -> Path:
        """Picture of the front, which holds its designs as numbers."""
        return self.page.with_suffix(".svg")

    @property
    def picture(self) -> Path:
        """Picture of the robot."""
        return self.page.parent / "pictures" / f"{self.name}.svg"


def pages() -> list[Path]:
    """The pages of the gallery, without the overview."""
    return sorted(page for page in HERE.glob("*.md") if page.stem != "index")


def entries() -> list[Entry]:
    """The entries of all pages."""
    return [entry_of(page) for page in pages()]


def entry_of(page: Path) -> Entry:
    """The entry of a page; raises ``InputError`` for a head or a text that lacks something."""
    text, head = get_data(page.read_text(encoding="utf-8"))
    title, _, rest = text.strip().partition("\n")
    if not title.startswith("# "):
        raise InputError(f"{page.name} has no title: begin the text below the head with '# '", ("title",))
    missing = [heading for heading in SECTIONS if heading not in text]
    if missing:
        raise InputError(f"{page.name} has no section '{missing[0].removeprefix('## ')}'", ("text",))
    try:
        return Entry(page, title.removeprefix("# "), Head.model_validate(head), rest.strip())
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise InputError(f"{page.name}: '{name}' in the head: {first['msg']}", (name,)) from None


def definition_of(entry: Entry) -> StudyDefinition:
    """The study as the gallery searches it: with one seed where the head says how many designs."""
    study, less = read_study(entry.study), entry.head.search
    if less is None:
        return study
    search = study.search.model_copy(update=less.model_dump())
    return study.model_copy(update={"seeds": study.seeds[:1], "search": search})


def problems_of(entry: Entry) -> Mapping[str, Problem]:
    """The checked study of an entry, a problem for each layout."""
    return check(definition_of(entry))


def faults(found: list[Path]) -> Iterator[str]:
    """Faults of pages of the gallery, a sentence each: head, study, pictures."""
    for page in found:
        try:
            entry = entry_of(page)
            problems_of(entry)
        except TautlineError as error:
            yield f"gallery/{page.name}: {error}"
            continue
        for picture in (entry.picture, entry.front):
            if not picture.is_file():
                where = f"{picture.name} in {picture.parent.name}/"
                yield f"gallery/{page.name} has no {where}: run make gallery UPDATE=1"
