"""Running studies from the command line, and the tables that tell how it went."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import typer

from service.cli.options import DEFAULT_STORE
from service.cli.output import Format, Row, emit, emit_json, say
from service.cli.progress import ProgressDisplay
from service.cli.stopping import stop_on_signals

if TYPE_CHECKING:
    from studies.comparison import Comparison
    from studies.definition import StudyDefinition
    from studies.execution import Executor
    from studies.records import RunRecord, StudyRecord
    from studies.store import Store

Outcome = tuple["StudyRecord", list[Row]]
_MOST_PER_CENT = 10.0
_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Machines:
    """Where designs are evaluated, as the options say."""

    workers: int | None
    scheduler: str | None
    tls_ca: str | None = None
    tls_cert: str | None = None
    tls_key: str | None = None

    @contextmanager
    def open(self) -> Generator[Executor]:
        """The executor on these machines."""
        from studies.execution import open_executor, tls_security

        security = tls_security(self.tls_ca, self.tls_cert, self.tls_key)
        with open_executor(self.workers, self.scheduler, security) as executor:
            yield executor


def run(store: str, definition: StudyDefinition, machines: Machines) -> Outcome:
    """Run a checked study in ``store``; its record and one row per run."""
    from studies.launch import run_study
    from studies.store import Store

    with Store(store) as opened, stop_on_signals() as should_stop, ProgressDisplay() as show:
        study = run_study(opened, definition, machines.open, should_stop, show)
        return study, run_rows(opened, study)


def resume(store: str, name: str, machines: Machines) -> Outcome:
    """Go on with a stored study; its record and one row per run."""
    from studies.launch import resume_study
    from studies.store import open_existing

    with open_existing(store) as opened, stop_on_signals() as should_stop, ProgressDisplay() as show:
        study = resume_study(opened, name, machines.open, should_stop, show)
        return study, run_rows(opened, study)


def queue_new(store: str, definition: StudyDefinition) -> None:
    """Store a checked study with queued runs, for a runner."""
    from studies.launch import check
    from studies.store import Store

    with Store(store) as opened:
        opened.create_study(definition, check(definition))
    queue(store, definition.name)


def queue(store: str, name: str) -> None:
    """Queue what is unfinished of a stored study, for a runner."""
    from studies.store import open_existing

    with open_existing(store) as opened:
        study = opened.study(name)
        if study.state in ("done", "failed", "cancelled", "diverged"):
            say(f"'{name}' is {study.state}; nothing is left to queue")
            return
        study = opened.queue_study(name)
    queued = sum(run.state == "queued" for run in study.runs)
    say(f"{queued} of {len(study.runs)} runs of '{name}' are queued; `tautline runner` works on them")


def branch(store: str, name: str, new: str) -> str:
    """Store a branch of a study; its name."""
    from studies.launch import branch_study
    from studies.store import open_existing

    with open_existing(store) as opened:
        branch_study(opened, name, new)
    say(f"'{new}' is a branch of '{name}': the search starts anew, evaluated designs are found in the store")
    return new


def leave(store: str, name: str, how: Literal["pause", "stop"], *, wait: bool) -> None:
    """Pause or stop a study's runs, and wait until those who work on them have left them."""
    from studies.store import open_existing

    with open_existing(store) as opened:
        study = opened.pause_study(name) if how == "pause" else opened.stop_study(name)
        told = False
        while wait and any(run.state in ("pausing", "cancelling") for run in study.runs):
            if not told:
                say("waiting for the runs to be left, at most a minute")
                told = True
            time.sleep(_POLL_SECONDS)
            opened.settle()
            study = opened.study(name)
    for run in study.runs:
        say(f"{run.layout}, seed {run.seed}: {run.state}")


def finish(outcome: Outcome, kind: Format, store: str) -> None:
    """Print how the runs ended and exit with the code that says so."""
    study, rows = outcome
    if kind == "json":
        emit_json({"name": study.name, "state": study.state, "runs": rows})
    else:
        emit_runs(rows, kind, study.name)
    states = {row["state"] for row in rows}
    if states & {"paused", "running", "queued"}:
        elsewhere = "" if store == DEFAULT_STORE else f" --store {shlex.quote(_printable(store))}"
        say(f"go on with: tautline study resume {study.name}{elsewhere}")
        raise typer.Exit(130)
    if states != {"done"}:
        raise typer.Exit(1)
    if not any(row["feasible"] for row in rows):
        say("no feasible design was found; the report and the export list every design with its reason")
        raise typer.Exit(3)


def _printable(store: str) -> str:
    """The store without its password."""
    from sqlalchemy.engine import make_url

    return make_url(store).render_as_string(hide_password=True) if "://" in store else store


def emit_runs(rows: list[Row], kind: Format, title: str) -> None:
    """Print the rows; a table leaves the owner out and what a run has to say below."""
    if kind != "table":
        emit(rows, kind)
        return
    left_out = {"owner", "message", "reasons", "warnings"}
    if len({row["layout"] for row in rows}) > 1:
        left_out.add("hypervolume")  # each run has a point of its own; `study compare` has one for all
    emit([{name: row[name] for name in row if name not in left_out} for row in rows], kind, title)
    for row in rows:
        if row["message"] and (row["state"] != "done" or row["reasons"]):
            say(f"{row['layout']}, seed {row['seed']}: {row['message']}")
        for reason in row["reasons"]:
            say(f"  {reason}")
        for warning in row["warnings"]:
            say(f"warning, {row['layout']}, seed {row['seed']}: {warning}")


def run_rows(store: Store, study: StudyRecord) -> list[Row]:
    """One row per run: state, counts, front and hypervolume."""
    rows: list[Row] = []
    for item in study.runs:
        history = store.generations(item)
        last = history[-1] if history else None
        rows.append(
            {
                "layout": item.layout,
                "seed": item.seed,
                "state": item.state,
                "generations": last.number if last else 0,
                "designs": last.asked if last else 0,
                "computed": last.computed if last else 0,
                "feasible": last.feasible if last else 0,
                "failed": last.failed if last else 0,
                "front": last.front_size if last else 0,
                "hypervolume": last.hypervolume if last else None,
                "owner": item.owner,
                "message": item.message,
                "reasons": _reasons(store, item) if last and not last.feasible else [],
                "warnings": _warnings(store, item) if last and last.front_size else [],
            }
        )
    return rows


def _warnings(store: Store, item: RunRecord) -> list[str]:
    """What the model warns of in designs on the front, the most frequent warnings first."""
    found = Counter(text for member in store.front(item) for text in member.evaluation.warnings)
    return [f"{count} on the front: {text}" for text, count in found.most_common(3)]


def _reasons(store: Store, item: RunRecord) -> list[str]:
    """Why designs were not feasible, the most frequent reasons first."""
    found = Counter(member.evaluation.reason or "a constraint is broken" for member in store.history(item))
    return [f"{count} x {reason}" for reason, count in found.most_common(3)]


def comparison_rows(comparison: Comparison) -> list[Row]:
    """One row per criterion with a column per layout."""
    return [
        {
            "criterion": criterion.name,
            "unit": criterion.unit,
            **criterion.values,
            "winner": criterion.winner,
            "margin": _lead(criterion.margin),
            "meaning": criterion.meaning,
        }
        for criterion in comparison.criteria
    ]


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """The whole comparison as plain values."""
    return {
        "study": comparison.study,
        "reference_point": dict(zip(comparison.objectives, comparison.reference_point, strict=True)),
        "seed_hypervolumes": comparison.seed_hypervolumes,
        "criteria": [asdict(criterion) for criterion in comparison.criteria],
    }


def reference_text(comparison: Comparison) -> str:
    """The point against which all hypervolumes of the comparison are measured."""
    columns = zip(comparison.objectives, comparison.reference_point, comparison.units, strict=True)
    return ", ".join(f"{name} = {value + 0.0:.6g} {unit}".removesuffix(" 1") for name, value, unit in columns)


def _lead(margin: float | None) -> str | None:
    """A relative lead in per cent, or in times where per cents say nothing."""
    if margin is None:
        return None
    return f"{100 * margin:.3g} %" if margin < _MOST_PER_CENT else f"{1 + margin:.3g} times"
