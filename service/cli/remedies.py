"""Remedies of errors as commands of the shell."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from errors import Remedy, TautlineError

_COMMANDS: Mapping[tuple[str, str], str] = {
    ("store", "upgrade"): "tautline store upgrade",
    ("store", "check"): "tautline store check",
    ("store", "dump"): "pg_dump {} --format custom",
    ("models", "use"): "--model {}, or the variable TAUTLINE_MODEL",
    ("studies", "create"): "tautline study run {}",
    ("studies", "pause"): "tautline study pause {}",
    ("studies", "extend"): "tautline study extend {}",
    ("studies", "branch"): "tautline study resume {} --branch NEW-NAME",
    ("fronts", "list"): "tautline study front {}",
}
"""Commands by noun and verb, with places for the names."""


def command_of(remedy: Remedy) -> str:
    """The line that applies a remedy; empty for a verb that is no command."""
    command = _COMMANDS.get((remedy.noun, remedy.verb), "")
    names = [shlex.quote(name) for name in remedy.names]
    given = [f"--{name.replace('_', '-')} {shlex.quote(value)}" for name, value in remedy.given.items()]
    return " ".join([command.format(*names), *given]) if command else ""


def with_remedy(text: str, error: TautlineError) -> str:
    """The text of an error, and the command that mends it."""
    command = command_of(error.remedy) if error.remedy is not None else ""
    return f"{text}: {command}" if command else text
