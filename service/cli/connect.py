"""Connections of commands: to a store, or to a server."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from errors import InputError, ModelLoadError
from service.cli.output import say

if TYPE_CHECKING:
    from service.app.services import Services
    from service.app.study_checks import StorelessServices
    from service.resources.models import Resource
    from studies.store import Store

R = TypeVar("R", bound="Resource")
DEFAULT_STORE = "tautline.db"
OWN_MODEL_VARIABLE = "TAUTLINE_MODEL"


@contextmanager
def operations(
    store: str, server: str | None, *, make: bool = False, secret_file: Path | None = None
) -> Generator[Services]:
    """The operations of a server if one is named, else on a store; ``make`` makes one that is not there."""
    if server is not None:
        from service.client import Client

        with Client(server) as client:
            yield client
        return
    from service.app.context import Context
    from service.app.services import StoreServices, open_authenticator
    from studies.store import Store, open_existing

    with Store(store) if make else open_existing(store) as opened:
        prepare(opened)
        yield StoreServices(
            Context(store=opened), authenticator=lambda: open_authenticator(opened, secret_file)
        )


def prepare(store: Store) -> None:
    """Make a store that was opened private, and say what must be known about it."""
    notices = store.prepared()
    for notice in notices:
        say(notice)
    if notices:
        say_how_to_accept(store)


def say_how_to_accept(store: Store) -> None:
    """Print the command that goes on with what is left of a store, where something was lost."""
    if store.lost:
        say("to go on with what is left: tautline store check --accept-loss")


@contextmanager
def operations_without_store(
    server: str | None, *, seconds: float | None = None, ready: Callable[[], None] = lambda: None
) -> Generator[Services | StorelessServices]:
    """Services without a store, of a server or here: there models compute for ``seconds``, once ``ready``."""
    if server is not None:
        from service.client import Client

        with Client(server) as client:
            yield client
        return
    from service.app.study_checks import StorelessServices

    ready()
    if seconds is None:
        yield StorelessServices()
        return
    from service.app.context import StorelessContext
    from service.app.sandbox import Sandbox
    from studies.execution import Limits

    with closing(Sandbox(Limits(seconds, None), children=1)) as sandbox:
        yield StorelessServices(StorelessContext(sandbox=sandbox))


def request(kind: type[R], values: dict[str, Any]) -> R:
    """Build a request from values; raises ``InputError`` for values that it cannot have."""
    from pydantic import ValidationError

    from models.messages import explain

    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise explain(error, (), kind) from None


def refuse_store_with_server(context: typer.Context, value: Any) -> Any:
    """Raise ``InputError`` where a command gets a store, or a model of the user's own, and a server."""
    if not _given(context, "server", "COMMANDLINE", "ENVIRONMENT"):
        return value
    if _given(context, "own_model", "COMMANDLINE"):
        raise InputError(
            "a model of your own runs on your own machine, and a server has installed models only: leave out "
            "--server (the variable TAUTLINE_SERVER counts as --server), or make an installed package of it",
            ("own_model",),
        )
    if _given(context, "store", "COMMANDLINE"):
        raise InputError(
            "a command uses a store or a server: give only one of --store and --server (the variable "
            "TAUTLINE_SERVER counts as --server)"
        )
    return value


def load_own_model(context: typer.Context, file: str | None) -> str | None:
    """Load the model that a file defines, so that this command finds it; its name.

    Raises ``InputError`` for the option together with ``--server``. The variable of the environment gives
    way: to a server, which has installed models only, and to another model that the command names.
    """
    refuse_store_with_server(context, file)
    by_variable = _given(context, "own_model", "ENVIRONMENT")
    if file is None or context.resilient_parsing or (by_variable and context.params.get("server")):
        return None
    from models.own_model import load_file

    try:
        name = load_file(file).name
    except ModelLoadError as error:
        if not by_variable:
            raise
        text = f"{error.message} (the variable {OWN_MODEL_VARIABLE} names this file)"
        raise ModelLoadError(text, error.place) from None
    return None if by_variable and context.params.get("model") not in (None, name) else name


def one_model(name: str | None, own: str | None) -> str:
    """The name of the model that a command is about: an installed one, or one of the user's own."""
    if name is not None and own is not None and name != own:
        raise InputError(f"is '{own}' and MODEL is '{name}'; give one of the two", ("own_model",))
    found = name or own
    if found is None:
        raise InputError(
            "name a model as in `tautline models list`, or give --model FILE (or set the variable "
            f"{OWN_MODEL_VARIABLE})",
            ("model",),
        )
    return found


def works_here(context: typer.Context, server: str | None) -> bool:
    """True unless a server is named; raises ``InputError`` for options about machines together with one."""
    refuse_beside_server(
        context, server, ("workers", "scheduler", "tls_ca", "tls_cert", "tls_key"),
        "the server's runners evaluate the designs; give this option to `tautline serve` or `tautline "
        "runner`",
    )  # fmt: skip
    return server is None


def refuse_beside_server(
    context: typer.Context, server: str | None, names: Sequence[str], reason: str
) -> None:
    """Raise ``InputError`` where one of these options is given with ``--server``, with the reason."""
    if server is None:
        return
    for name in names:
        if _given(context, name, "COMMANDLINE"):
            raise InputError(f"has no effect with --server: {reason}", (name,))


def _given(context: typer.Context, name: str, *sources: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name in sources


def location_option(store: str, server: str | None) -> str:
    """Options, after a space, by which a command reaches the same studies again; no password."""
    if server is not None:
        return f" --server {shlex.quote(server)}"
    return "" if store == DEFAULT_STORE else f" --store {shlex.quote(_printable(store))}"


def own_model_option(model: str) -> str:
    """Option, after a space, by which a command finds a model again that came from a file."""
    from models.registry import own_source

    source = own_source(model)
    return "" if source is None else f" --model {shlex.quote(str(Path(source.folder) / source.name))}"


def _printable(store: str) -> str:
    """The store without its password."""
    from sqlalchemy.engine import make_url

    return make_url(store).render_as_string(hide_password=True) if "://" in store else store
