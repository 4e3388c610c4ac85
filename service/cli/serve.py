"""``tautline serve``: the server, with a runner beside it, and a flag for each of its settings."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from errors import InputError
from service.cli.connect import location_option, prepare
from service.cli.machines import stop_on_signals
from service.cli.options import FormatOption, OwnModelOption
from service.cli.output import Format, emit, say
from service.settings import FILE_VARIABLE, Settings, flag, origins, printable, read_settings, variable

if TYPE_CHECKING:
    from fastapi import FastAPI

    from service.webhooks import Sender
    from studies.store import Store


def with_setting_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the ``**flags`` of a command by one option per setting, which is None when not given."""
    own = inspect.signature(command, eval_str=True)
    options = [_option(name, field) for name, field in Settings.model_fields.items()]
    others = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    vars(command)["__signature__"] = own.replace(parameters=[*options, *others])
    return command


def _option(name: str, field: FieldInfo) -> inspect.Parameter:
    kinds = [kind for kind in get_args(field.annotation) if kind is not type(None)]
    optional = type(None) in get_args(field.annotation)
    kind: Any = kinds[0] if optional else field.annotation
    kind = str if kind is SecretStr else kind
    written = f"{flag(name)}/{flag(name, negated=True)}" if kind is bool else flag(name)
    option = f"{_sentence(field.description or name)} [{variable(name)}{_default(field)}]"
    return inspect.Parameter(
        name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=None,
        annotation=Annotated[kind | None, typer.Option(written, help=option, show_default=False)],
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    if isinstance(value, bool):
        value = "yes" if value else "no"
    return "" if value is None or value == [] else f"; default {value}"


@with_setting_flags
def serve(
    config: Annotated[
        Path | None,
        typer.Option("--config", envvar=FILE_VARIABLE, metavar="FILE", help="Settings in a TOML file."),
    ] = None,
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print settings and where they come from, and stop.")
    ] = False,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    format_: FormatOption = "table",
    **flags: Any,
) -> None:
    """Serve studies to browsers, to Python and to `tautline --server`.

    For this machine alone it prints a link that opens a session once. Others reach the server when it has
    accounts and a certificate, or a proxy that has one. Ctrl-C ends it; its runs go back to the queue.
    """
    settings = read_settings(flags, config)
    if show_settings:
        _show(settings, origins(flags, config), format_)
        return
    _require_server()
    from service.exposure import check_exposure
    from service.webhooks import senders

    check_exposure(settings)
    _serve(settings, senders(settings))


def _require_server() -> None:
    """Raise ``InputError`` where the libraries of the server are not installed."""
    missing = [name for name in ("fastapi", "uvicorn") if find_spec(name) is None]
    if missing:
        raise InputError(
            f"the server needs {' and '.join(missing)}, not installed here: pip install 'tautline[server]'"
        )


def _show(settings: Settings, sources: Mapping[str, str], format_: Format) -> None:
    shown = printable(settings)
    emit(
        [
            {"setting": name, "value": shown[name], "from": sources[name], "meaning": field.description}
            for name, field in Settings.model_fields.items()
        ],
        format_,
    )


STORE_SECONDS = 3.0
"""A request whose store is locked for longer is answered so; nobody waits a minute for a page."""


def _serve(settings: Settings, receivers: Sequence[Sender]) -> None:
    from service.exposure import address_of, listen
    from service.logs import configure_logs
    from service.report_process import ReportProcess
    from service.server import RunnerProcess, run_server
    from service.web.app import create_app
    from service.webhooks import Deliveries
    from studies.store import Store

    os.umask(0o077)  # whatever the server and its runner write is for the server's account alone
    configure_logs(settings.log_format)
    left = "queued and running studies continue when it is started again"
    with (
        listen(settings) as listener,
        Store(settings.store.get_secret_value(), patience=STORE_SECONDS) as store,
        stop_on_signals(left) as should_stop,
    ):
        runner = RunnerProcess(settings) if settings.runner else None
        app = create_app(
            settings,
            store,
            runner_lives=None if runner is None else lambda: runner.alive,
            render_large=ReportProcess(settings, should_stop),
        )
        address = address_of(settings, listener)
        _print_address(app, settings, store, address)
        store.keep_models()
        with Deliveries(store, receivers, (settings.site or address).rstrip("/")):
            run_server(app, settings, listener, runner, should_stop)


def _print_address(app: FastAPI, settings: Settings, store: Store, address: str) -> None:
    """Say where the server is, and how to get in."""
    say(f"serving {store.name} at {address}; Ctrl-C ends it")
    prepare(store)
    if not settings.accounts:
        say(f"open {address}/login?token={app.state.sessions.link_text()} (works once, within an hour)")
    elif not store.accounts.exist():
        option = location_option(settings.store.get_secret_value(), None)
        say(f"nobody can log in yet: make an account with `tautline account add NAME --role admin{option}`")
