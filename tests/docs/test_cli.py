"""The page of the command line names every command, and every option that its help shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from docs.fences import ROOT
from service.cli import app

PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
COMMANDS, OPTIONS = (PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0] for title in ("Commands", "Options"))
SETTINGS = (ROOT / "docs" / "server.md").read_text(encoding="utf-8").split("\n## Settings\n")[1]


def walked(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command that is shown, with its words."""
    if hasattr(command, "commands"):
        for name, each in command.commands.items():
            yield from walked(each, (*words, name))
    elif not command.hidden:
        yield " ".join(words), command


SHOWN = dict(walked(typer.main.get_command(app)))


def cells(text: str) -> list[list[str]]:
    """The rows of a table; 'the same' in the second cell is what stands above it."""
    rows: list[list[str]] = []
    for line in (line for line in text.splitlines() if line.startswith("| ")):
        row = [cell.strip() for cell in line.strip("|").split(" | ")]
        rows.append([row[0], rows[-1][1] if row[1] == "the same" else row[1], *row[2:]])
    return rows


def named(cell: str, command: str) -> bool:
    """Whether a cell such as '`study check`, `run`, `models ...`' names a command."""
    group = ""
    for name in re.findall(r"`([^`]+)`", cell):
        whole = name if " " in name or name in SHOWN else f"{group} {name}"
        group = whole.split(" ", maxsplit=1)[0]
        if whole == command or (whole.endswith(" ...") and command.startswith(whole[:-3])):
            return True
    return cell == "all commands that print data"


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_has_each_command(name: str) -> None:
    assert re.search(rf"`{name}[ `]", COMMANDS)


@pytest.mark.parametrize("name", [name for name in SHOWN if name != "serve"])
def test_the_page_has_each_option_of_a_command(name: str) -> None:
    rows = cells(OPTIONS)
    for option in options_of(SHOWN[name]):
        of = [row[1] for row in rows if re.search(rf"{option}\b(?!-)", row[0])]
        assert any(named(cell, name) for cell in of), option


def test_the_options_of_the_server_are_its_settings() -> None:
    of_the_command = {"--config", "--show-settings", "--format"}
    for option in options_of(SHOWN["serve"]) - of_the_command:
        setting = option.removeprefix("--").removeprefix("no-").replace("-", "_")
        assert f"| `{setting}` |" in SETTINGS


def options_of(command: Any) -> set[str]:
    """Its long options."""
    found = (word for each in command.params for word in (*each.opts, *each.secondary_opts))
    return {word for word in found if word.startswith("--")} - {"--help"}
