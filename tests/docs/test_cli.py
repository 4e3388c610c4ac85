"""The page of the command line names every command, and every option that its help shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import typer

from docs.code_blocks import ROOT
from errors import EditConflictError
from service.cli import app, conflict_text
from service.cli import options_of as options_of_words
from service.settings import Settings
from studies.uncertainty.global_sensitivity import SobolIndices

PAGE = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
COMMANDS, OPTIONS = (PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0] for title in ("Commands", "Options"))


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
    """True if a cell such as '`study check`, `run`, `models ...`' names a command."""
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
    of_the_command = {"--config", "--show-settings", "--format", "--model"}
    for option in options_of(SHOWN["serve"]) - of_the_command:
        setting = option.removeprefix("--").removeprefix("no-").replace("-", "_")
        assert setting in Settings.model_fields


def test_the_messages_that_pages_quote_are_those_of_the_commands() -> None:
    few = SobolIndices(*(np.array([value]) for value in (-0.1, 0.34, 1.2, 0.2)), rows=16)
    assert (
        f"caution, f_max: {few.caution(['beta1'])}\n" in (ROOT / "docs" / "guide" / "robust.md").read_text()
    )
    standing = (
        "decision 1 of study 'robocab' stands: it chose design 01d2b74c42. Another one can only replace it"
    )
    refused = conflict_text(
        EditConflictError(standing, ("replaces", 1)), options_of_words(["study", "decide"])
    )
    assert f"error: {refused}\n" in (ROOT / "docs" / "guide" / "deciding.md").read_text()


def options_of(command: Any) -> set[str]:
    """Its long options."""
    found = (word for each in command.params for word in (*each.opts, *each.secondary_opts))
    return {word for word in found if word.startswith("--")} - {"--help"}
