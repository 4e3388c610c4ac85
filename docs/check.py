"""Faults of the pages, each with its page and line: ``python -m docs.check``, a part of ``make check``."""

from __future__ import annotations

import ast
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import tomli
import typer
from markdown.extensions.toc import slugify, unique

from docs.code_blocks import ROOT, code_blocks
from docs.references import REFERENCES, model_page, own_models
from errors import InputError
from service.cli import app
from studies.definition.study_file import check_text
from studies.problem.problem import check

_LINK = re.compile(r"(?P<picture>!?)\[(?:[^\]\[]|\[[^\]]*\])*\]\((?P<target>[^)\s]*)\)")
_PICTURE = re.compile(r"<img\b[^>]*\bsrc=\"(?P<target>[^\"]+)\"")
_HEADING = re.compile(r"^#{1,6}[ ]+(?P<text>.+?)[ ]*(?:\{[ ]*#(?P<id>[^}\s]+)[ ]*\})?$", re.MULTILINE)
_REFERENCE = re.compile(r"<!-- reference: ([a-z-]+) -->")
_FENCED = re.compile(r"^[ ]*```.*?^[ ]*```[ ]*$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"(`+)(.+?)\1", re.DOTALL)
_NAMED = re.compile(r"^::: (\S+)$|<a id=\"([^\"]+)\"", re.MULTILINE)

_PARSERS: dict[str, Callable[[str], object]] = {"toml": tomli.loads, "python": ast.parse, "json": json.loads}


class Fault(NamedTuple):
    """A fault in a line of a file."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def faults(root: Path = ROOT) -> list[Fault]:
    """Everything that is wrong with the pages and examples below a folder."""
    pages = sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])
    texts = {page.resolve(): page.read_text(encoding="utf-8") for page in pages}
    texts |= {
        (root / "docs/reference/models" / f"{model.name}.md").resolve(): model_page(model)
        for model in own_models()
    }
    anchors = {page: _anchors(text) for page, text in texts.items()}
    found = [
        Fault(page.relative_to(root).as_posix(), line, message)
        for page in pages
        for line, message in sorted([*_links(page, anchors), *_blocks(page), *_commands(page)])
    ]
    return [*found, *_examples(root)]


def _anchors(text: str) -> set[str]:
    """Places of a page that a link can name."""
    whole = _REFERENCE.sub(lambda put: REFERENCES.get(put[1], str)(), text)
    plain, found = _FENCED.sub("", whole), set[str]()
    for heading in _HEADING.finditer(plain):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading["text"])
        found.add(heading["id"] or unique(slugify(re.sub(r"[`*]", "", shown), "-"), found))
    return found | {name or place for name, place in _NAMED.findall(plain)}


def _blank(text: str, *parts: re.Pattern[str]) -> str:
    """The text with parts left out, each line at its place."""
    for part in parts:
        text = part.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    return text


def _links(page: Path, anchors: dict[Path, set[str]]) -> Iterator[tuple[int, str]]:
    """Links and pictures that lead nowhere."""
    text = _blank(page.read_text(encoding="utf-8"), _FENCED, _COMMENT, _CODE)
    for found in (*_LINK.finditer(text), *_PICTURE.finditer(text)):
        path, _, anchor = found["target"].partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        line, target = (
            text.count("\n", 0, found.start()) + 1,
            (page.parent / path).resolve() if path else page.resolve(),
        )
        if not target.exists() and target not in anchors:
            kind = "picture" if found.groupdict().get("picture", "!") else "link"
            yield line, f"{kind} {found['target']}: there is no such file"
        elif anchor and target in anchors and anchor not in anchors[target]:
            yield line, f"link {found['target']}: that page has no such heading"


def _blocks(page: Path) -> Iterator[tuple[int, str]]:
    """Blocks of code that their language cannot read."""
    for block in code_blocks(page, *_PARSERS):
        try:
            _PARSERS[block.language](block.text)
        except (ValueError, SyntaxError) as error:
            inside = getattr(error, "lineno", None) or 1
            yield block.line + inside - 1, f"{block.language}: {error}"


def _commands(page: Path) -> Iterator[tuple[int, str]]:
    """Command lines, in blocks and within sentences, that the command line does not know."""
    text = page.read_text(encoding="utf-8")
    lines = [
        (block.line + number, line.removeprefix("$ "))
        for block in code_blocks(page, "bash", "console")
        for number, line in _joined(block.text)
    ]
    prose = _blank(text, _FENCED)
    lines += [
        (prose.count("\n", 0, found.start()) + 1, re.sub(r"\s+", " ", found[2]))
        for found in _CODE.finditer(prose)
    ]
    for line, command in lines:
        if command.startswith("tautline ") and (message := unknown(command)):
            yield line, f"`{command}`: {message}"


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Lines of a shell with their numbers; a backslash at the end joins one to the next."""
    number, begun = 0, ""
    for at, line in enumerate(text.splitlines()):
        number, begun = (number, begun + line) if begun else (at, line)
        if begun.endswith("\\"):
            begun = begun[:-1]
            continue
        yield number, begun
        begun = ""


def unknown(line: str) -> str:
    """Name the first command or option of a line that there is not; empty if all are known."""
    words = shlex.split(line.partition(" | ")[0].partition(" > ")[0].partition(" && ")[0], comments=True)[1:]
    command: Any = typer.main.get_command(app)
    for word in words:
        if not hasattr(command, "commands") or word.startswith(("-", "...")) or word.isupper():
            break
        if word not in command.commands:
            return f"there is no command {word}"
        command = command.commands[word]
    if hasattr(command, "commands"):
        return ""
    known = {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help"}
    given = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
    missing = [word for word in given if word not in known and not word.endswith("...")]
    return f"there is no option {missing[0]}" if missing else ""


def _examples(root: Path) -> Iterator[Fault]:
    """Example studies that fail their check."""
    for path in sorted((root / "examples").glob("*.toml")):
        try:
            check_text(path.read_text(encoding="utf-8"), path.name, check, path.parent)
        except InputError as error:
            for line in str(error).splitlines():
                at = re.search(r"line (\d+)", line)
                yield Fault(path.relative_to(root).as_posix(), int(at[1]) if at else 1, line)


def main() -> int:
    """Print each fault in a line; return 1 if there is any."""
    found = faults()
    sys.stderr.writelines(f"{fault}\n" for fault in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
