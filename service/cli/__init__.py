"""The command line: data on stdout, progress and messages on stderr.

Exit codes: 0 done, 1 failed, 2 bad input, 3 infeasible, 130 interrupted. Commands import what
they need when they run, so that ``tautline evaluate`` never loads a search or a database.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from typer.core import TyperGroup

from errors import Fault, InputError, TautlineError
from service.cli import accounts, demo, evaluate, models, runner, serve, store, study, tokens
from service.cli.output import emit_version, say

app = typer.Typer(
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


app.add_typer(models.app, name="models")
app.add_typer(study.app, name="study")
app.add_typer(store.app, name="store")
app.add_typer(accounts.account, name="account")
app.add_typer(tokens.token, name="token")
app.command("evaluate")(evaluate.evaluate)
app.command("runner")(runner.runner)
app.command("serve")(serve.serve)
app.command("demo")(demo.demo)


def fault_text(fault: Fault, options: Mapping[str, str]) -> str:
    """A fault of a command line: an argument is shown as the option that gives it."""
    name, *inside = fault.place or ("",)
    option = options.get(str(name))
    if option is None:
        return fault.text
    path = f" {'.'.join(map(str, inside))}" if inside else ""
    return f"{option}{path}: {fault.message}"


def options_of(words: Sequence[str]) -> dict[str, str]:
    """The options of the command that a command line names, by the argument that each gives."""
    command = typer.main.get_command(app)
    for word in words:
        if isinstance(command, TyperGroup) and word in command.commands:
            command = command.commands[word]
    options = {str(each.name): max(each.opts, key=len) for each in command.params if each.opts[0][0] == "-"}
    return options | {"settings": options[_SET]} if _SET in options else options


_SET = "set_"
"""The option of settings, whose name is a word of Python."""


def main() -> None:
    """Run the command line; every error of ours is one message and an exit code."""
    try:
        app()
    except InputError as error:
        options = options_of(sys.argv[1:])
        say("error: " + "\n".join(fault_text(fault, options) for fault in error.faults))
        sys.exit(2)
    except TautlineError as error:
        say(f"error: {error}")
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
