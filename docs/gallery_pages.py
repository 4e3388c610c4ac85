"""Pages of the gallery as the site shows them; ``mkdocs.yml`` names this file among its hooks.

A page states what only a person can say. Picture, study file, commands, front and the numbers of the decision
are added here, and the overview is made of the heads of all pages. The build fails if a page lacks something.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import unescape

from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

from docs.gallery_entries import (
    HERE,
    SECTIONS,
    Entry,
    definition_of,
    entries,
    entry_of,
    faults,
    pages,
    problems_of,
)
from models.fields import unit_at
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import read_study
from studies.problem.problem import Problem

CABLE_ROBOTS = "hybrid-cable-robot"
_TIME = re.compile(r"\btakes (.+?) on\s+(?:#\s*)?two\s+(?:#\s*)?cores", re.IGNORECASE | re.DOTALL)
_DESIGNS = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)


def on_pre_build(**_: object) -> None:
    """End the build if an entry lacks its question, picture or front, or if its study fails its check."""
    found = list(faults(pages()))
    if found:
        raise PluginError("\n".join(found))


def on_page_markdown(markdown: str, page: Page, **_: object) -> str | None:
    """The text of a page of the gallery, completed; None for all other pages."""
    path = Path(page.file.abs_src_path or "")
    if path.parent != HERE:
        return None
    return page_text(entry_of(path)) if path.stem != "index" else f"{markdown}\n{wall()}"


def wall() -> str:
    """A card for each entry: its picture and question."""
    every = entries()
    first = [entry for entry in every if read_study(entry.study).model == CABLE_ROBOTS]
    others = [entry for entry in every if entry not in first]
    parts = {"Cable robots": first, "Continuum robots and arms": others}
    return "\n".join(line for title, found in parts.items() for line in _cards(title, found))


def _cards(title: str, found: list[Entry]) -> Iterator[str]:
    yield f'## {title}\n\n<div class="grid cards wall" markdown>\n'
    for entry in found:
        yield f"- [![{entry.title}](pictures/{entry.name}.svg)]({entry.page.name})\n"
        yield f"    **[{entry.title}]({entry.page.name})**\n\n    {entry.head.question}\n"
    yield "</div>\n"


def page_text(entry: Entry) -> str:
    """The text of a page with all that follows from its head, its study and the picture of its front."""
    before, _, after = entry.text.partition(SECTIONS[0])
    heading = "" if "## The study" in before else "## The study\n\n"
    parts = [
        f"# {entry.title}",
        f"**{entry.head.question}**",
        f"![The chosen robot](pictures/{entry.name}.svg){{ .robot }}",
        before.strip(),
        f"{heading}{_study(entry)}",
        f"## The front\n\n![{entry.head.front}]({entry.name}.svg){{ .front }}",
        SECTIONS[0],
        _numbers(entry),
        after.strip(),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _study(entry: Entry) -> str:
    """Size and time of the search, the file, and commands up to the choice."""
    text, study = entry.study.read_text(encoding="utf-8"), read_study(entry.study)
    file = entry.study.name
    begin = [f"tautline study new {file} --from {entry.study.stem}"] if entry.is_example else []
    compare = [f"tautline study compare {study.name}"] if len(study.layouts) > 1 else []
    rank = f"tautline study rank {study.name} --rule knee --top 1"
    lines = "\n".join([*begin, f"tautline study run {file}", *compare, rank])
    size, block = _size(entry, study, text), f'```toml title="{file}"\n{text}```'
    return f'{size}\n\n<div class="study" markdown>\n\n{block}\n\n</div>\n\n```bash\n{lines}\n```'


def _size(entry: Entry, study: StudyDefinition, text: str) -> str:
    """Sentences on the number of designs and the time that they take."""
    time, problem = _TIME.search(text), next(iter(problems_of(entry).values()))
    took = f", and takes {' '.join(time[1].replace('#', ' ').split())} on two cores" if time else ""
    asked, drawn = (_designs(each, problem) for each in (study, definition_of(entry)))
    said = f"The file asks for {asked}{took}."
    return said if asked == drawn else f"{said} The front below is of a smaller search: {drawn}."


def _designs(study: StudyDefinition, problem: Problem) -> str:
    """Number of designs of a search, in words."""
    layouts = f" for each of {len(study.layouts)} layouts" if len(study.layouts) > 1 else ""
    seeds = f" and {len(study.seeds)} seeds" if len(study.seeds) > 1 else ""
    return f"{problem.planned_designs(study.search)} designs{layouts}{seeds}"


def designs_of(entry: Entry) -> dict[str, Any]:
    """The designs that the picture of a front holds: ``front``, ``file`` (or None) and ``chosen``."""
    found = _DESIGNS.search(entry.front.read_text(encoding="utf-8"))
    if found is None:
        raise PluginError(f"gallery/{entry.front.name} holds no designs: run make gallery UPDATE=1")
    return json.loads(unescape(found[1]))


def _numbers(entry: Entry) -> str:
    """The chosen design beside that of the file, and the command that records the decision."""
    shown = designs_of(entry)
    chosen, file = shown["chosen"], shown["file"]
    problem = problems_of(entry)[chosen["layout"]]
    units = _units(problem)
    stated = bool(definition_of(entry).search.initial)
    rows = [["", *(["as in the file"] if stated else []), "chosen"]]
    if len(problems_of(entry)) > 1:
        rows.append(
            ["layout", *(["" if file is None else file["layout"]] if stated else []), chosen["layout"]]
        )
    for name, value in {**chosen["variables"], **chosen["objectives"]}.items():
        known = {} if file is None else {**file["variables"], **file["objectives"]}
        was = [_amount(known[name], units[name]) if name in known else "infeasible"] if stated else []
        rows.append([f"`{name}`", *was, _amount(value, units[name])])
    rows.insert(1, ["---"] * len(rows[0]))
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    study = read_study(entry.study).name
    decide = f'tautline study decide {study} {chosen["key"]} --rule knee --why "{entry.head.why}"'
    return f"{table}\n\n```bash\n{decide}\n```"


def _units(problem: Problem) -> Mapping[str, str]:
    """Units of the variables and objectives of a problem."""
    record = problem.model.parameters
    variables = {each.path: unit_at(record, each.path) or each.unit for each in problem.space.variables}
    return {**variables, **{goal.metric: goal.unit for goal in problem.objectives}}


def _amount(value: Any, unit: str) -> str:
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text if unit in ("", "1") else f"{text} {unit.replace('**', '^')}"
