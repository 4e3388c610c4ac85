"""``tautline runner``: works on queued runs until it is stopped."""

from __future__ import annotations

from typing import Annotated

import typer

from service.cli.machines import Machines, stop_on_signals
from service.cli.options import (
    DEFAULT_STORE,
    OwnModelOption,
    SchedulerOption,
    StoreOption,
    TlsCaOption,
    TlsCertOption,
    TlsKeyOption,
    WorkersOption,
)
from service.cli.output import say
from service.cli.progress import ProgressDisplay


def runner(
    store: StoreOption = DEFAULT_STORE,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    once: Annotated[bool, typer.Option("--once", help="End when the queue is empty.")] = False,
) -> None:
    """Work on the runs that `study run --queue` stored, until it is stopped.

    Any number of runners may share a store, which must exist: `study run --queue` makes it. A run
    whose runner was killed is continued by another runner. Runs of a model of your own are left paused
    unless --model gives it.
    """
    from studies.run.runner import Runner
    from studies.store import open_existing

    machines = Machines(workers, scheduler, tls_ca, tls_cert, tls_key)
    left = "its run goes back to the queue"
    with (
        open_existing(store) as opened,
        stop_on_signals(left) as should_stop,
        ProgressDisplay(name_studies=True) as show,
    ):
        say(f"working on the queue of {opened.name}" + ("" if once else "; Ctrl-C ends it"))
        sound = Runner(opened, machines.open, should_stop, show, once=once, complain=say).run()
    if once and not sound:
        raise typer.Exit(1)
