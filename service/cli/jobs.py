"""``tautline study jobs``: questions about a study that runners answer by evaluations."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from errors import InputError
from service.cli.connect import operations
from service.cli.options import DEFAULT_STORE, FormatOption, NameArgument, ServerOption, StoreOption
from service.cli.output import emit

Change = Literal["pause", "resume", "stop"]


def jobs(
    name: NameArgument,
    job: Annotated[int | None, typer.Argument(metavar="[JOB]", min=0, help="Only this job.")] = None,
    change: Annotated[
        Change | None, typer.Option("--do", help="Pause, resume or stop the job; what it evaluated is kept.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List the jobs of a study: re-evaluations, sweeps, tolerances, Sobol indices."""
    if change is not None and job is None:
        raise InputError("needs the number of a job, as `tautline study jobs NAME` lists them", ("do",))
    with operations(store, server) as ops:
        found = ops.jobs.list(name).items if job is None else [getattr(ops.jobs, change or "get")(name, job)]
    emit(
        [
            {
                "job": one.job, "kind": one.kind, "state": one.state, "asked by": one.account,
                "evaluated": f"{one.evaluated}/{one.wanted}", "message": one.message,
            }
            for one in found
        ],
        format,
    )  # fmt: skip
