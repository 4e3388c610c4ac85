"""``tautline mcp``: the verbs as tools of an agent."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import SecretStr

from service.cli.connect import prepare
from service.cli.options import DEFAULT_STORE, OwnModelOption, ServerOption, StoreOption, WorkersOption

if TYPE_CHECKING:
    from service.app.services import Services


def mcp(
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    workers: WorkersOption = None,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    allow_changes: Annotated[
        bool,
        typer.Option(
            "--allow-changes", help="Let the agent also edit, stop, decide on and delete what is stored."
        ),
    ] = False,
) -> None:
    """Let an agent read, check, launch and compare studies, by the Model Context Protocol.

    An agent's program starts it and talks to it on standard input and output. With --server it has the
    rights of your token there. On a store it does what commands do, and a runner starts when it launches.
    """
    from service.agents.server import AgentServer, require_mcp

    require_mcp()
    opened = _on_server(server) if server is not None else _on_store(store, workers)
    with opened as (services, start_runner):
        AgentServer(services, allow_changes=allow_changes, after_queueing=start_runner).run()


@contextmanager
def _on_server(address: str) -> Generator[tuple[Services, Callable[[], None]]]:
    """The services of a server, which has runners of its own."""
    from service.client import Client

    with Client(address) as client:
        yield client, lambda: None


@contextmanager
def _on_store(store: str, workers: int | None) -> Generator[tuple[Services, Callable[[], None]]]:
    """Services on a store, and a function that starts a runner unless it runs."""
    from service.app.context import Context
    from service.app.sandbox import Sandbox
    from service.app.services import StoreServices
    from service.logs import configure_logs
    from service.server import RunnerProcess
    from service.settings import Settings
    from studies.execution import Limits
    from studies.store import open_existing

    configure_logs("text")
    settings = Settings(store=SecretStr(store), workers=workers)
    most = Limits(settings.compute_seconds, settings.compute_memory * 2**20)
    with (
        open_existing(store) as opened,
        closing(Sandbox(most, settings.compute_children)) as sandbox,
        ExitStack() as stack,
    ):
        prepare(opened)

        lock, running = Lock(), list[RunnerProcess]()

        def start_runner() -> None:
            with lock:  # an agent may call several tools at once
                if not running:
                    running.append(stack.enter_context(RunnerProcess(settings)))

        yield StoreServices(Context(store=opened, sandbox=sandbox)), start_runner
