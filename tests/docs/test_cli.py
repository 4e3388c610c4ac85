"""The reference of the command line, the settings of the server, and messages that pages quote."""

import re

import numpy as np
import pytest

from docs.code_blocks import ROOT
from docs.references import command_line, shown_commands
from errors import EditConflictError
from service.cli import conflict_text
from service.cli import options_of as options_of_words
from service.settings import Settings
from studies.uncertainty.global_sensitivity import SobolIndices

SHOWN = shown_commands()
COMMON, COMMANDS = command_line().split("\n## Commands\n")


@pytest.mark.parametrize("name", SHOWN)
def test_the_reference_has_each_command_with_its_help_and_options(name):
    chapter = re.split(r"\n### ", COMMANDS.split(f"### {name}\n")[1])[0]
    assert f"`tautline {name}" in chapter
    assert SHOWN[name].help.strip().splitlines()[0] in chapter
    for option in options_of(SHOWN[name]):
        assert re.search(rf"{option}\b(?!-)", chapter), option
    for option in re.findall(r"`(--[a-z-]+)`", chapter.partition("\nAlso ")[2]):
        assert f"| `{option} " in COMMON


def test_the_options_of_the_server_are_its_settings():
    of_the_command = {"--config", "--show-settings", "--format", "--model"}
    for option in options_of(SHOWN["serve"]) - of_the_command:
        setting = option.removeprefix("--").removeprefix("no-").replace("-", "_")
        assert setting in Settings.model_fields


def test_the_messages_that_pages_quote_are_those_of_the_commands():
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


def options_of(command):
    """Its long options."""
    found = (word for each in command.params for word in (*each.opts, *each.secondary_opts))
    return {word for word in found if word.startswith("--")} - {"--help"}
