"""The command line: data on stdout, progress and messages on stderr.

Exit codes: 0 done, 1 failed, 2 bad input, 3 infeasible, 130 interrupted. A command is imported when it
is called, so that ``tautline evaluate`` never loads a search or a database.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from errors import EditConflictError, Fault, InputError, TautlineError
from service.cli.output import emit_version, say, with_remedy

COMMANDS = {
    "evaluate": ("service.cli.evaluate:evaluate", "Evaluate one design and print its metrics."),
    "runner": ("service.cli.runner:runner", "Work on the runs that `study run --queue` stored."),
    "serve": ("service.cli.serve:serve", "Serve studies to browsers, to Python and to the shell."),
    "mcp": ("service.cli.mcp:mcp", "Let an agent use studies, by the Model Context Protocol."),
    "demo": ("service.cli.demo:demo", "Optimise two layouts, compare them, write a report."),
    "models": ("service.cli.models:app", "Physics back-ends: list, describe, check."),
    "algorithms": ("service.cli.algorithms:app", "Search algorithms: list, describe."),
    "robot": ("service.cli.robot:app", "The robot of a study or preset: numbers and drawing."),
    "design": ("service.cli.design:app", "One stored design: under tolerances; export for other programs."),
    "study": ("service.cli.study:app", "Studies: check, run, pause, stop, list, show, compare."),
    "store": ("service.cli.store:app", "Upgrade, copy and check the database."),
    "webhooks": ("service.cli.webhooks:app", "Addresses that a server tells when a run ends."),
    "account": ("service.cli.accounts:account", "Accounts of a server."),
    "token": ("service.cli.accounts:token", "Tokens, with which programs use a server."),
}
"""Place of each command, and its line in the list of commands."""


@cache  # Typer takes a tenth of a second for a group, and one line asks for it three times
def _command(name: str, place: str) -> Any:
    """The command or group that stands at ``place``: a module, a colon and an attribute."""
    module, attribute = place.split(":")
    try:
        found = getattr(import_module(module), attribute)
    except KeyError as error:  # which would mean that there is no such command
        raise ImportError(f"{module} cannot be imported") from error
    holder = typer.Typer(add_completion=False, rich_markup_mode=None)
    holder.callback()(lambda: None)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, name=name)
    else:
        holder.command(name)(found)
    group: Any = typer.main.get_command(holder)
    return group.commands[name]


class Imported(Mapping[str, Any]):
    """The commands by name; each is imported when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        return _command(name, COMMANDS[name][0])

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class Commands(TyperGroup):
    """The group of all commands."""

    def __init__(self, *, commands: Any = None, **settings: Any) -> None:
        super().__init__(commands=commands, **settings)
        self.commands: Any = Imported()

    def invoke(self, ctx: Any) -> Any:
        """Carry out the command; a faulty value of an option is told in our words, not in pydantic's."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            from models.messages import plainer

            error.message = plainer(error.message)
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - click's signature
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


app = typer.Typer(
    cls=Commands,
    name="tautline",
    help="Design optimisation and experiment management for cable-driven and continuum robots.",
    no_args_is_help=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback()
def _version(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    if version:
        emit_version()
        raise typer.Exit


def fault_text(fault: Fault, options: Mapping[str, str]) -> str:
    """A fault of a command line: an argument is shown as the option that gives it."""
    name, *inside = fault.place or ("",)
    option = options.get(str(name))
    if option is None:
        return fault.text
    path = f" {'.'.join(map(str, inside))}" if inside else ""
    return f"{option}{path}: {fault.message}"


def conflict_text(error: EditConflictError, options: Mapping[str, str]) -> str:
    """A conflict of a command line, with the option that resolves it."""
    name, value = error.needed or ("", 0)
    if name not in options:
        return str(error)
    return f"{error.message}; give {options[name]} {value}"


def options_of(words: Sequence[str]) -> dict[str, str]:
    """The options of the command that a command line names, by the argument that each gives."""
    command = typer.main.get_command(app)
    for word in words:
        if isinstance(command, TyperGroup) and word in command.commands:
            command = command.commands[word]
    options = {
        str(each.name).rstrip("_"): max(each.opts, key=len)
        for each in command.params
        if each.opts[0][0] == "-"
    }
    return options | {"settings": options[_SET]} if _SET in options else options


_SET = "set"
"""The option of settings."""


def main() -> None:
    """Run the command line; every error of ours is one message and an exit code."""
    try:
        app()
    except InputError as error:
        options = options_of(sys.argv[1:])
        text = "\n".join(fault_text(fault, options) for fault in error.faults)
        say(f"error: {with_remedy(text, error)}")
        sys.exit(2)
    except EditConflictError as error:
        say(f"error: {conflict_text(error, options_of(sys.argv[1:]))}")
        sys.exit(1)
    except TautlineError as error:
        say(f"error: {with_remedy(str(error), error)}")
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
