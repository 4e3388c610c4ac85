"""Data of the decision sheet of one design, read from the store once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from errors import AbsentError, InputError, StateError
from models import Model
from models.messages import explain
from models.parameters import Parameters
from models.scene import Scene
from studies.decision_records import DecisionRecord, numbered, refuse_key_and_number
from studies.execution.evaluation import is_source_of
from studies.execution.evaluation_key import short_key
from studies.problem.problem import Setup, setup_of
from studies.records import EvaluationRecord, StudyRecord, Task
from studies.results.design_values import DesignReader, DesignValues
from studies.store import Store
from studies.store.trials import TrialFilter


@dataclass(frozen=True, slots=True)
class SheetData:
    """A design of a study with everything that a sheet shows.

    ``decision`` is the one that the sheet shows, None for a design that nobody chose; ``standing`` is the
    number of the one that stands, None where there is none. ``parameters`` are None where ``fault`` says why
    the installed back-end cannot read them.
    """

    setup: Setup
    evaluation: EvaluationRecord
    layout: str
    seeds: tuple[int, ...]
    values: DesignValues
    units: Mapping[str, str]
    decision: DecisionRecord | None
    standing: int | None
    parameters: Parameters | None
    scene: Scene | None
    fault: str
    provenance: Mapping[str, Any]

    @property
    def replaced_by(self) -> int | None:
        """The number of the decision that took the place of the one shown; None where it stands."""
        if self.decision is None or self.decision.number == self.standing:
            return None
        return self.decision.number + 1


def shown_decision(
    study: str, decisions: Sequence[DecisionRecord], key: str = "", number: int | None = None
) -> DecisionRecord | None:
    """The decision that a sheet shows: the one with ``number``, else the last one that chose ``key``.

    Without both it is the one that stands; None for a design that nobody chose. ``decisions`` are those of
    the study, the one that stands first. Raises ``StateError`` where nothing was chosen, ``AbsentError``
    where no decision has the number, and ``InputError`` for both a key and a number.
    """
    refuse_key_and_number(key, number)
    if number is not None:
        return numbered(study, decisions, number)
    if not key and not decisions:
        raise StateError(
            f"nothing is decided about study '{study}'; choose a design first, or name one by its key"
        )
    return next((one for one in decisions if key in ("", one.key)), None)


def read_sheet_data(
    store: Store,
    study: StudyRecord,
    decisions: Sequence[DecisionRecord],
    key: str = "",
    number: int | None = None,
) -> SheetData:
    """Read a design: that of the decision with ``number``, the one with ``key``, else the one that stands.

    See :func:`shown_decision` for what is raised; a design that has no metrics is an ``InputError``.
    """
    chosen = shown_decision(study.name, decisions, key, number)
    wanted = key if chosen is None else chosen.key
    layout, seeds, values, reader = _values(store, study, wanted, chosen)
    evaluation = store.evaluations([wanted])[wanted]
    if evaluation.state != "done":
        raise InputError(f"design {short_key(wanted)} has no metrics: {evaluation.reason}", ("key",))
    setup = setup_of(study)
    parameters, fault = _parameters(setup.model, evaluation.task)
    scene, fault = (None, fault) if parameters is None else _scene(setup.model, parameters)
    return SheetData(
        setup, evaluation, layout, seeds, values, reader.free_units, chosen,
        decisions[0].number if decisions else None, parameters, scene, fault,
        _provenance(store, study, layout),
    )  # fmt: skip


def _values(
    store: Store, study: StudyRecord, key: str, chosen: DecisionRecord | None
) -> tuple[str, tuple[int, ...], DesignValues, DesignReader]:
    """Layout, seeds and values of the design as the study's runs asked for it."""
    runs = {run.id: run for run in study.runs}
    trials = store.trials(TrialFilter(list(runs), limit=1000, key=key))
    if not trials:
        raise AbsentError(f"no run of study '{study.name}' holds design {short_key(key)} any longer")
    layout = chosen.layout if chosen is not None else runs[trials[0].run_id].layout
    own = [trial for trial in trials if runs[trial.run_id].layout == layout] or trials
    reader = DesignReader(study, layout)
    values = reader.read(own[0].parameters, own[0].metrics, own[0].point)
    return layout, tuple(sorted({runs[trial.run_id].seed for trial in own})), values, reader


def _parameters(model: Model, task: Task) -> tuple[Parameters | None, str]:
    """The full record of the design, or a sentence on why the installed back-end does not read it."""
    if task.model_version != model.version or not is_source_of(model, task):
        return None, (
            f"No drawing: the design was evaluated by version {task.model_version} of {model.name}, and "
            f"another one ({model.version}) is installed."
        )
    try:
        return model.parameters.model_validate(task.parameters), ""
    except ValidationError as error:
        return None, f"No drawing: {explain(error, (), model.parameters)}."


def _scene(model: Model, parameters: Parameters) -> tuple[Scene | None, str]:
    try:
        return model.scene(parameters), ""
    except (InputError, ArithmeticError, ValueError) as error:
        return None, f"No drawing: {error}"


def _provenance(store: Store, study: StudyRecord, layout: str) -> Mapping[str, Any]:
    """Versions and host of the last process on the layout's first run; empty where nothing is known."""
    run = next(run for run in study.runs if run.layout == layout)
    found = store.provenance(run)
    return found[-1] if found else {}
