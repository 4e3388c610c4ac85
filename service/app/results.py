"""The verbs that read a store: lists, details, fronts, comparisons, exports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from errors import AbsentError, StoreFullError
from service.access.identity import HERE as SOMEBODY_HERE
from service.access.identity import Identity
from service.app import model_calls as work
from service.app.authorization import Authorization
from service.app.cache import kept
from service.app.events import follow
from service.app.figures import draw, figure_names
from service.app.logged_array import WHOLE, Choice, LoggedArray
from service.app.models import Bench
from service.app.outcomes import run_resources
from service.app.request_limits import NO_LIMITS, Allowance
from service.app.serializers import (
    asked_resource,
    comparison_resource,
    event_resource,
    front_resource,
    generation_resource,
    indicators_resource,
    study_resource,
    study_summary,
)
from service.operations import Export, ExportFormat
from service.resources.studies import (
    MOST_FAILED,
    AskedDesignResource,
    ComparisonResource,
    EventResource,
    FigureResource,
    FigureSummary,
    FrontDesignResource,
    GenerationResource,
    IndicatorsResource,
    RunResource,
    StudyResource,
    StudySummary,
)
from studies.fronts import choose_runs, designs_on, joint_fronts, part_of, variable_paths
from studies.launch import stored_definition
from studies.model_versions import version_remarks
from studies.records import RunRecord, StudyRecord
from studies.store import Store
from studies.store.asked_designs import Asked
from studies.store.events import News
from studies.store.run_lock import PASSING
from studies.store.studies import Wanted

if TYPE_CHECKING:
    from studies.comparison import Comparison

MOST_SEARCHED = 200
"""Letters of a search."""
_PAGE = 100


@dataclass(frozen=True, slots=True)
class Happened:
    """Events, the number to go on after, and whether more may be there already."""

    events: list[EventResource]
    last: int
    more: bool


class Reading(Bench):
    """See :class:`~service.app.studies.Local`."""

    def __init__(
        self,
        store: Store,
        identity: Identity = SOMEBODY_HERE,
        allowance: Allowance = NO_LIMITS,
        work: work.Work = work.HERE,
    ) -> None:
        super().__init__(identity, allowance, work)
        self._store = store
        self._sight = Authorization(store, identity)

    # ------------------------------------------------------------ studies and runs

    def studies(self, search: str = "", *, archived: bool = False) -> list[StudySummary]:
        """Studies that the caller may see, newest first; ``search`` in name, description and model."""
        wanted = Wanted(search=search[:MOST_SEARCHED], archived=archived)
        return [study_summary(study) for study in self._sight.studies(wanted)]

    def page_of_studies(self, wanted: Wanted) -> tuple[list[StudySummary], tuple[float, str] | None]:
        """A part of :meth:`studies`, and what to give as ``after`` for the next one if there is one."""
        limit = wanted.limit or _PAGE
        search = wanted.search[:MOST_SEARCHED]
        found = self._sight.studies(replace(wanted, search=search, limit=limit + 1))
        last = found[limit - 1] if len(found) > limit else None
        return [study_summary(s) for s in found[:limit]], (last.created, last.name) if last else None

    def study(self, name: str) -> StudyResource:
        """A stored study."""
        return self._shown(self._sight.study(name))

    def _shown(self, study: StudyRecord) -> StudyResource:
        return study_resource(self._sight.shown(study), version_remarks(self._store, study))

    def study_file(self, name: str) -> str:
        """TOML that declares the same study."""
        from dashboards.content.study_file import study_toml

        return study_toml(stored_definition(self._sight.study(name)))

    def runs(self, name: str) -> list[RunResource]:
        """The runs of a study, with counts and what they have to say.

        One that shall pause or end, and whose process is gone or late, does so now: no runner may be there.
        """
        return self.page_of_runs(name)[0]

    def page_of_runs(
        self, name: str, after: int = -1, limit: int | None = None
    ) -> tuple[list[RunResource], int | None]:
        """A part of :meth:`runs`, and the number to go on after if there are more."""
        study = self._settled(name)
        left = [run for run in study.runs if run.id > after]
        shown = left[:limit]
        return run_resources(self._store, study, shown), shown[-1].id if len(left) > len(shown) else None

    def _settled(self, name: str) -> StudyRecord:
        """The study, once runs that shall pause or end and whose process is gone or late have done so."""
        study = self._sight.study(name)
        if any(run.state in PASSING for run in study.runs):
            with suppress(StoreFullError):  # what there is can be read all the same
                self._store.settle()
            study = self._sight.study(name)
        return study

    def run(self, name: str, run_id: int) -> RunResource:
        """One run of a study; raises ``AbsentError``."""
        study, run = self._run(name, run_id)
        return run_resources(self._store, study, [run])[0]

    def page_of_generations(
        self, name: str, run_id: int, after: int, limit: int
    ) -> tuple[list[GenerationResource], int | None]:
        """A run's indicators after each generation, a part of them, and the number to go on after."""
        _, run = self._run(name, run_id)
        found = self._store.generations(run, after, limit + 1)
        shown = [generation_resource(record) for record in found[:limit]]
        return shown, shown[-1].number if len(found) > limit else None

    def provenance(self, name: str, run_id: int) -> list[dict[str, Any]]:
        """What ran the run: versions, host, commit, one record per process that took it up."""
        return self._store.provenance(self._run(name, run_id)[1])

    def _run(self, name: str, run_id: int) -> tuple[StudyRecord, RunRecord]:
        study = self._sight.study(name)
        for run in study.runs:
            if run.id == run_id:
                return study, run
        raise AbsentError(f"study '{name}' has no run {run_id}")

    def events(self, name: str, after: int = 0) -> Iterator[EventResource]:
        """What happened to a study's runs since event ``after``, then what happens, while any run moves."""
        self._sight.study(name)
        return map(event_resource, follow(self._store, lambda: self._sight.study(name), after))

    def may_read(self, news: News) -> bool:
        """Whether the caller may see what an event happened to."""
        return self._sight.may_read(news.owner, news.visibility)

    def require(self, name: str) -> None:
        """Raise ``AbsentError`` unless the caller may see the study."""
        self._sight.require(name)

    def last_event(self) -> int:
        """The number of the newest event of all: what is read from now on holds what happened until it."""
        return self._store.last_event()

    def happened(self, after: int, limit: int, study: str | None = None) -> Happened:
        """Events after a number, of one study or of all in sight."""
        name = None if study is None else self._sight.require(study)
        found = self._store.events(after, limit, name)
        events = [event_resource(event) for event in self._sight.events(found)]
        return Happened(events, found[-1].id if found else after, len(found) == limit)

    # ------------------------------------------------------------ results

    def asked(
        self, name: str, wanted: Asked, layout: str | None = None, seed: int | None = None
    ) -> tuple[list[AskedDesignResource], tuple[int, int] | None]:
        """A page of what the runs asked for, and what to give as ``after`` for the next one."""
        study = self._sight.study(name)
        runs = {run.id: run for run in choose_runs(study, layout, seed)}
        found = self._store.asked(replace(wanted, runs=list(runs), limit=wanted.limit + 1))
        paths = {run.layout: variable_paths(study, run.layout) for run in runs.values()}
        shown = found[: wanted.limit]
        items = [asked_resource(runs[d.run_id], paths[runs[d.run_id].layout], d) for d in shown]
        last = shown[-1] if len(found) > wanted.limit else None
        return items, (last.run_id, last.ask_no) if last else None

    def failed(self, name: str) -> list[AskedDesignResource]:
        """The first designs that failed, at most ``MOST_FAILED``."""
        return self.asked(name, Asked([], limit=MOST_FAILED, state="failed"))[0]

    def asked_array(
        self, name: str, layout: str | None = None, seed: int | None = None, choice: Choice = WHOLE
    ) -> LoggedArray:
        """What the runs asked for, as one array of numbers, read piece by piece."""
        study = self._sight.study(name)
        return LoggedArray(self._store, study, choose_runs(study, layout, seed), choice)

    def front(
        self, name: str, layout: str | None = None, seed: int | None = None
    ) -> list[FrontDesignResource]:
        """The front of each layout, joint over its seeds, sorted by key."""
        return self.page_of_front(name, layout, seed)[0]

    def page_of_front(
        self,
        name: str,
        layout: str | None = None,
        seed: int | None = None,
        after: tuple[str, str] | None = None,
        limit: int | None = None,
    ) -> tuple[list[FrontDesignResource], tuple[str, str] | None]:
        """A part of :meth:`front`, after a key and layout, and what to give as ``after`` for the next one."""
        study = self._sight.study(name)
        runs = choose_runs(study, layout, seed)

        def compute() -> tuple[list[FrontDesignResource], tuple[str, str] | None]:
            found = kept(
                self._store, "front", study, runs, lambda: joint_fronts(self._store, study, layout, seed)
            )
            shown, last = part_of(found, after, limit)
            return [front_resource(design) for design in designs_on(self._store, study, shown)], last

        items, last = kept(self._store, f"front after {after}, {limit}", study, runs, compute)
        return list(items), last

    def compare(self, name: str) -> ComparisonResource:
        """The layouts of a study against each other."""
        study = self._sight.study(name)
        told = [*_set_up(study), *version_remarks(self._store, study)]
        return comparison_resource(self._comparison(study), told)

    def _comparison(self, study: StudyRecord) -> Comparison:
        """What figures and indicators are made of as well."""
        from studies.comparison import compare_layouts

        return kept(self._store, "comparison", study, study.runs, lambda: compare_layouts(self._store, study))

    def indicators(self, name: str) -> IndicatorsResource:
        """Every run's hypervolume after each generation, against the comparison's point."""
        from dashboards.figures import hypervolume_histories

        study = self._sight.study(name)

        def compute() -> IndicatorsResource:
            comparison = self._comparison(study)
            return indicators_resource(comparison, hypervolume_histories(self._store, comparison))

        return kept(self._store, "indicators", study, study.runs, compute)

    def figures(self, name: str) -> list[FigureSummary]:
        """The figures that there are of a study now."""
        study = self._sight.study(name)
        return figure_names(self._store, study, self._comparison(study))

    def figure(self, name: str, figure: str) -> FigureResource:
        """One of :meth:`figures`; raises ``AbsentError``."""
        study = self._sight.study(name)
        return kept(
            self._store, f"figure {figure}", study, study.runs,
            lambda: draw(self._store, study, self._comparison(study), figure),
        )  # fmt: skip

    def report(self, name: str) -> str:
        """A self-contained HTML report."""
        from dashboards.content.report_data import read_report_data
        from dashboards.report import render

        study = self._sight.study(name)
        return render(read_report_data(self._store, study.name), datetime.now(UTC).timestamp())

    def export(self, name: str, kind: ExportFormat, *, only_front: bool = False) -> Export:
        """All designs of a study, or its fronts, as a table with units in its headers."""
        from studies.export import export_bytes

        return Export(*export_bytes(self._store, self._sight.study(name), kind, only_front=only_front))


def _set_up(study: StudyRecord) -> list[str]:
    """In what else than geometry its layouts differ, and why the installed version would not run it."""
    from dashboards.content.confounders import confounder_sentences
    from dashboards.content.setup import setup_of

    setup = setup_of(study)
    return [*confounder_sentences({study.name: setup}), *([setup.refusal] if setup.refusal else [])]
