"""The code blocks of the pages, so that tests can run them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])

_FENCE = re.compile(r"^```(\w+)[ ]*(?:title=\"([^\"]*)\")?[ ]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block: its language, its title (may be empty), its text, and the line of its first one."""

    page: Path
    number: int
    language: str
    title: str
    text: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT).as_posix()}-{self.number}"


def code_blocks(page: Path, *languages: str) -> list[CodeBlock]:
    """The blocks of a page in the given languages, in order; all blocks when none is given."""
    blocks = code_blocks_of(page.read_text(encoding="utf-8"), page)
    return [block for block in blocks if not languages or block.language in languages]


def code_blocks_of(text: str, page: Path = ROOT) -> list[CodeBlock]:
    """The blocks of a text, in order."""
    found = _FENCE.finditer(text)
    return [
        CodeBlock(page, number, match[1], match[2] or "", match[3], text.count("\n", 0, match.start()) + 2)
        for number, match in enumerate(found)
    ]


def commands(page: Path) -> list[str]:
    """The ``tautline`` lines of a page's shell blocks, prompts removed, in order."""
    return commands_of(page.read_text(encoding="utf-8"))


def commands_of(text: str) -> list[str]:
    """The ``tautline`` lines of a text's shell blocks, prompts removed, in order."""
    lines = (
        line.removeprefix("$ ")
        for block in code_blocks_of(text)
        if block.language in ("bash", "console")
        for line in block.text.splitlines()
    )
    return [line for line in lines if line.startswith("tautline ")]
