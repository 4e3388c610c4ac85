"""Everything about a study that a report is made of, read from the store once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from dashboards.content.front.fronts import Pick, picks
from dashboards.content.front.importances import read_importances
from dashboards.content.front.tolerances import TolerancePick, tolerance_picks
from dashboards.figures.history import History, hypervolume_histories
from models.messages import explain
from models.parameters import Parameters
from studies.comparison.comparison import Comparison, compare_layouts
from studies.comparison.conditions import version_remarks
from studies.comparison.verdict_map import VerdictMap, verdict_map
from studies.decision_records import DecisionRecord
from studies.execution.evaluation import is_source_of
from studies.problem.problem import Setup, setup_of
from studies.records import (
    FAILED,
    AnnotationRecord,
    EvaluationRecord,
    FrontDesign,
    GenerationRecord,
    RunRecord,
    Task,
)
from studies.results.variable_importance import LayoutImportances
from studies.store import Outcome, Store

Results = tuple[Mapping[str, Any], Mapping[str, float | None]]
"""Parameters and metrics of a design."""


@dataclass(frozen=True, slots=True)
class RunData:
    """A run with its progress, everything it asked for, and what it ran on."""

    run: RunRecord
    generations: Sequence[GenerationRecord]
    outcomes: Sequence[Outcome]
    provenance: Sequence[Mapping[str, Any]]

    @property
    def broken(self) -> list[Outcome]:
        """The designs that were evaluated and break a constraint."""
        return [one for one in self.outcomes if one.state == "done" and 0 < one.violation < FAILED]

    @property
    def finished(self) -> bool:
        """True if the search came to its end."""
        return self.run.state == "done"


@dataclass(frozen=True, slots=True)
class ReportData(Setup):
    """A study as stored, with all that its runs found."""

    comparison: Comparison
    histories: Sequence[History]
    runs: Sequence[RunData]
    remarks: Sequence[str] = ()
    """Sentences on versions of the back-end that evaluated it, and on what the installed one refuses."""
    maps: Sequence[VerdictMap] = ()
    """Winners under the conditions of each sweep."""
    tolerance_picks: Mapping[str, Sequence[TolerancePick]] = field(
        default_factory=dict[str, Sequence[TolerancePick]]
    )
    """Designs to look at first, for each layout of a study with tolerances."""
    importances: Sequence[LayoutImportances] = ()
    """Importances of variables for the objectives, layout by layout."""
    annotations: Sequence[AnnotationRecord] = ()
    """Notes and tags of the study and its designs, and the reader's favourites, oldest first."""
    decisions: Sequence[DecisionRecord] = ()
    """Decisions for designs; the one that stands comes first."""
    evaluations: Mapping[str, EvaluationRecord] = field(default_factory=dict[str, EvaluationRecord])
    """Evaluations of picked and of marked designs, by key."""
    broken: Mapping[str, Results] = field(default_factory=dict[str, Results])
    """Parameters and metrics of designs that break a constraint, by key."""

    @property
    def unfinished(self) -> list[RunData]:
        """Runs whose search did not come to its end."""
        return [run for run in self.runs if not run.finished]

    @property
    def asked(self) -> int:
        """Designs that all runs asked for."""
        return sum(len(run.outcomes) for run in self.runs)

    def picks(self, layout: str) -> list[Pick]:
        """The designs of a layout's front to look at first."""
        return picks(self.comparison.fronts[layout], self.comparison.objectives)

    def parameters_of(self, design: FrontDesign) -> Parameters | None:
        """The full parameter record of a picked design; None when the model no longer accepts it."""
        return self.read(design)[0]

    def read(self, design: FrontDesign) -> tuple[Parameters | None, str]:
        """The same, and if it is None a sentence on why."""
        installed = f"version {self.model.version} of {self.model.name}"
        found = self.evaluations.get(design.key)
        if found is None:
            return None, "no run of the study asked for it"
        return self._validated(found.task, installed)

    def _validated(self, task: Task, installed: str) -> tuple[Parameters | None, str]:
        if task.model_version != self.model.version:
            return None, f"the study ran with another version of the back-end ({installed} is installed)"
        if not is_source_of(self.model, task):
            return None, f"the study ran with another source of {self.model.name} than the one that is given"
        try:
            return self.model.parameters.model_validate(task.parameters), ""
        except ValidationError as error:
            refused = explain(error, (), self.model.parameters)
            return None, f"{installed}, which is installed, refuses the design: {refused}"


def read_report_data(store: Store, name: str, reader: str = "") -> ReportData:
    """Read a study; raises ``UnknownNameError`` when the store does not hold it.

    ``reader`` is the account for which the report is made. Favourites are one person's: only those of the
    reader are read.
    """
    study = store.study(name)
    setup = setup_of(study)
    comparison = compare_layouts(store, study)
    notes = store.annotations.of(name)
    annotations = [one for one in notes if one.kind != "favourite" or one.author == reader]
    runs = [
        RunData(run, store.generations(run), store.outcomes(run), store.provenance(run)) for run in study.runs
    ]
    return ReportData(
        study,
        setup.definition,
        setup.model,
        setup.problems,
        setup.refusal,
        comparison,
        hypervolume_histories(store, comparison),
        runs,
        (*version_remarks(store, study), *([setup.refusal] if setup.refusal else [])),
        [] if setup.refusal else [verdict_map(store, sweep) for sweep in store.sweeps.of(name)],
        tolerance_picks(store, setup, comparison),
        read_importances(store, setup),
        annotations,
        store.decisions.of(name),
        store.evaluations(_seen(comparison, annotations)),
        store.results(list({one.key for run in runs for one in run.broken})),
    )


def _seen(comparison: Comparison, annotations: Sequence[AnnotationRecord]) -> list[str]:
    """Keys of designs of which the report says everything: picked ones, and those with an annotation."""
    found = [
        pick.design.key
        for front in comparison.fronts.values()
        for pick in picks(front, comparison.objectives)
    ]
    return list(dict.fromkeys([*found, *(one.key for one in annotations if one.key)]))
