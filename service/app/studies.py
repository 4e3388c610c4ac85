"""Stored studies: made, listed, edited, launched, paused, stopped, extended, deleted.

Read, not checked again: that takes the search libraries, and a review of an old study needs no more.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from errors import AbsentError, EditConflictError, FaultList, InputError, UnknownNameError
from models import Model
from models.fields import unit_at
from models.parameter_names import factor_words, option_words, parameter_words
from models.parameters import Parameters, difference_to_si, to_si
from service.app.authorization import Authorization
from service.app.context import Context
from service.app.jobs import Machines
from service.app.models import TITLES, metric_resource, model_resource, title_of_model
from service.app.paging import decoded, first_part, one_more
from service.app.study_checks import StudyCheckService
from service.resources.models import ModelResource, Page, StudyCheck, moment
from service.resources.parameters import MOST_SEARCHED, ProposalId, SearchText, StudyName
from service.resources.review import (
    ConstraintResource,
    LayoutVariables,
    ObjectiveResource,
    QuantitiesResource,
    VariableResource,
)
from service.resources.studies import (
    Deletion,
    ExtensionRequest,
    ImportedStudy,
    ProposalRequest,
    ProposalResource,
    ResultsImport,
    StudyEdit,
    StudyResource,
    StudySummary,
)
from studies.comparison.conditions import version_remarks
from studies.definition.derived_quantities import study_model, variables_of
from studies.definition.link_tables import LinkTables, fixed_settings, links_of
from studies.definition.stored_model import back_end
from studies.definition.study_definition import StudyDefinition, VariableTable
from studies.definition.study_file import check_text
from studies.problem.problem import Problem, branched, stored_definition
from studies.records import Proposal, StudyRecord
from studies.results.design_values import meaning_of_path, unit_of_path, values_of_condition
from studies.results.warm_start import Beginning, with_earlier_designs
from studies.run.extension import extend_study
from studies.run.launch import resume_study
from studies.search import load as load_algorithm
from studies.store.store import Request
from studies.store.studies import Wanted


def quantities_resource(study: StudyRecord) -> QuantitiesResource:
    """Variables of each layout, objectives, constraints and metrics; all layouts share the last three."""
    definition = stored_definition(study)
    model = study_model(definition)
    layouts = list(dict.fromkeys(run.layout for run in study.runs))
    return QuantitiesResource(
        study=study.name,
        model=model.name,
        layouts=[
            LayoutVariables(layout=layout, variables=_variables(model, definition, layout))
            for layout in layouts
        ],
        objectives=[
            ObjectiveResource(metric=name, sense=s, counts_as=_counts_as(model, definition, name, layouts))
            for name, s in definition.objectives.items()
        ],
        constraints=[
            ConstraintResource(
                metric=name,
                lower=_bound(bound.lower, model.metric(name).unit),
                upper=_bound(bound.upper, model.metric(name).unit),
            )
            for name, bound in definition.constraints.items()
        ],
        metrics=[metric_resource(model, metric) for metric in model.metrics],
        labels={path: factor_words(model.parameters, path) for path in _named(model, definition, layouts)},
    )


def _named(model: Model, definition: StudyDefinition, layouts: Sequence[str]) -> dict[str, None]:
    """The paths of what layouts vary, of what follows from that, and of what has a tolerance."""
    found: dict[str, None] = {}
    for layout in layouts:
        found |= dict.fromkeys(variables_of(definition, layout))
        links = links_of(model, definition, LinkTables.of(definition, layout), FaultList())
        found |= dict.fromkeys(link.path for link in links.links)
    found |= dict.fromkeys(definition.tolerances.independent)
    return found | dict.fromkeys(", ".join(each.parameters) for each in definition.tolerances.correlated)


def _counts_as(
    model: Model, definition: StudyDefinition, name: str, layouts: Sequence[str]
) -> dict[str, float]:
    """Value of a design without the metric, by layout (:func:`studies.definition.objectives.objectives`)."""
    absent = model.metric(name).absent
    if not isinstance(absent, str):
        return dict.fromkeys(layouts, 0.0 if absent is None else absent)
    found: dict[str, float] = {}
    for layout in layouts:
        tables = LinkTables.of(definition, layout)
        try:
            found[layout] = float(getattr(model.resolve(tables.preset, fixed_settings(tables)), absent))
        except InputError:  # the back-end no longer takes these settings; the review shows what is stored
            continue
    return found


def _variables(model: Model, definition: StudyDefinition, layout: str) -> list[VariableResource]:
    return [
        _variable(
            model.parameters,
            path,
            table,
            unit_at(model.parameters, path) or unit_of_path(model, definition, layout, path) or None,
            meaning_of_path(model, path),
        ).model_copy(update={"when": values_of_condition(definition, layout, path)})
        for path, table in variables_of(definition, layout).items()
    ]


def _variable(
    record: type[Parameters], path: str, table: VariableTable, unit: str | list[str] | None, meaning: str
) -> VariableResource:
    label = parameter_words(record, path)
    shown = unit if isinstance(unit, str) else "1"
    if table.options is not None:
        options = [_si(option, unit) for option in table.options]
        names = {each: option_words(record, path, each) for each in options if isinstance(each, str)}
        return VariableResource(
            path=path, label=label, unit=shown, options=options, option_names=names, meaning=meaning
        )
    return VariableResource(
        path=path,
        label=label,
        unit=shown,
        lower=_bound(table.lower, shown),
        upper=_bound(table.upper, shown),
        step=1.0 if table.type == "integer" else _difference(table.step, shown),
        scale=table.scale,
        meaning=meaning,
    )


def _bound(value: Any, unit: str) -> float | None:
    return None if value is None else float(to_si(value, unit, ()))


def _difference(value: Any, unit: str) -> float | None:
    return None if value is None else float(difference_to_si(value, unit, ()))


def _si(value: Any, unit: str | list[str] | None) -> Any:
    return value if unit is None else to_si(value, unit, ())


class StudyService:
    """Stored studies."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store
        self._authorization = context.authorization
        self._checks = StudyCheckService(context)

    def check(self, definition: StudyDefinition) -> StudyCheck:
        """Everything that can be known to be wrong with a study before it runs; nothing is stored."""
        problems = self._checks.problems(definition)
        begun = self._begun(definition, problems)
        found = self._checks.checked(definition, problems)
        return found.model_copy(update={"begins": list(begun.remarks)})

    def _begun(self, definition: StudyDefinition, problems: Mapping[str, Problem]) -> Beginning:
        """The study with the designs of others that it begins with; only of those that you may see."""
        return with_earlier_designs(self._store, definition, problems, self._authorization.study)

    def create(
        self, definition: StudyDefinition, *, launch: bool = True, key: str = "", replaces: str = ""
    ) -> StudyResource:
        """Store a study, as drafts or in the queue; the same study again is returned as it is.

        With ``replaces``, in the place of the draft of that name. A request that may be sent twice has a
        ``key`` that its sender chose: the second time returns the study that the first one made.
        """
        self._context.identity.require_writes()
        return self._store_new(definition, launch=launch, key=key, replaces=replaces)

    def import_results(self, results: ResultsImport) -> ImportedStudy:
        """Store results from elsewhere as a study that is marked with their source.

        Its designs are never found as evaluated here. All faults of the table are reported, and then nothing
        is stored; the same import again is answered with what is stored.
        """
        from studies.run.imported_definition import ImportRequest
        from studies.run.result_import import import_results

        self._context.identity.require_writes()
        definition = None
        if results.toml:
            definition, _ = check_text(results.toml, "toml", self._checks.problems)
        name = results.name or (definition.name if definition else "")
        self._authorization.require_free(name)
        request = ImportRequest(
            name,
            results.source,
            definition,
            results.model,
            results.preset,
            results.objectives,
            results.columns,
        )
        account = self._context.identity.account
        content = results.table.encode()
        study, remarks = import_results(
            self._store, content, results.file, request, time.time(), owner=account
        )
        return ImportedStudy(study=self._resource(study), remarks=remarks)

    def branch(self, name: str, new: str, *, launch: bool = True, key: str = "") -> StudyResource:
        """Store a study again under a new name, to be searched with the versions installed now.

        For ``key`` see :meth:`create`.
        """
        old = self._authorization.study(name)
        self._context.identity.require_writes()
        return self._store_new(branched(old, new), launch=launch, key=key, branch_of=name)

    def _store_new(
        self,
        definition: StudyDefinition,
        *,
        launch: bool,
        key: str,
        branch_of: str | None = None,
        replaces: str = "",
    ) -> StudyResource:
        problems = self._checks.problems(definition)
        self._authorization.require_free(definition.name)
        account = self._context.identity.account
        begun = self._begun(definition, problems).definition
        layouts = problems if begun is definition else self._checks.problems(begun)
        content = f"{definition.digest()} {launch} {branch_of}" + (f" {replaces}" if replaces else "")
        request = Request(account, key, hashlib.sha256(content.encode()).hexdigest()) if key else None
        study = self._store.create_study(
            begun,
            layouts,
            branch_of=branch_of,
            owner=account,
            launch=launch,
            request=request,
            most_running=self._context.limits.running_studies,
            replaces=self._replaceable(replaces),
        )
        return self._resource(self._authorization.changeable(study.name))

    def _replaceable(self, name: str) -> str:
        """The name of a draft that may be replaced; none where it is gone. Raises ``ForbiddenError``."""
        if not name:
            return ""
        try:
            return self._authorization.changeable(name).name
        except AbsentError:
            return ""

    def list(
        self, search: SearchText = "", *, archived: bool = False, cursor: str = "", limit: int | None = None
    ) -> Page[StudySummary]:
        """Studies that you may see, newest first: those that are archived, or those that are not."""
        found = listed_studies(self._authorization, search, archived, cursor, limit)
        part = first_part(found, limit, study_place)
        return Page(items=[StudySummary(**summary_fields(study)) for study in part.items], next=part.next)

    def get(self, name: StudyName) -> StudyResource:
        """A stored study."""
        return self._resource(self._authorization.study(name))

    def _resource(self, study: StudyRecord) -> StudyResource:
        remarks = version_remarks(self._store, study)
        known = self._authorization.without_hidden_names(study)
        return StudyResource(
            **summary_fields(known),
            definition=dict(known.definition),
            branch_of=known.branch_of,
            revision=known.revision,
            remarks=list(remarks),
        )

    def file(self, name: StudyName) -> str:
        """The study as TOML."""
        from dashboards.content.robot.study_file import study_toml

        study = self._authorization.without_hidden_names(self._authorization.study(name))
        return study_toml(stored_definition(study))

    def quantities(self, name: StudyName) -> QuantitiesResource:
        """Variables and objectives of the study in SI, and all metrics of its back-end."""
        return quantities_resource(self._authorization.study(name))

    def model(self, name: StudyName) -> ModelResource:
        """The back-end of the study; where its code is not here, as the study has stored it."""
        return model_resource(back_end(stored_definition(self._authorization.study(name))))

    def edit(self, name: StudyName, edit: StudyEdit, revision: int | None = None) -> StudyResource:
        """Change metadata; with ``revision``, only if nobody else has changed it since."""
        study = self._authorization.changeable(name)
        names = {"description": "note"}
        given = edit.model_dump(exclude_unset=True)
        changes = {names.get(field, field): "" if value is None else value for field, value in given.items()}
        if "owner" in changes:
            self._authorization.require_owner(changes["owner"])
        if not changes:
            if revision not in (None, study.revision):
                raise EditConflictError(
                    f"study '{name}' is at revision {study.revision}, not {revision}; look at it again"
                )
            return self._resource(study)
        return self._resource(self._store.edit_study(name, changes, revision))

    def delete(
        self, name: StudyName, revision: int | None = None, *, with_decisions: bool = False
    ) -> Deletion:
        """Delete a study that nobody works on, and evaluations that no other study uses.

        One on which somebody has decided is refused, unless its decisions shall go ``with_decisions``.
        """
        self._authorization.changeable(name)
        count = self._store.delete_study(name, revision, with_decisions=with_decisions)
        return Deletion(name=name, evaluations=count)

    def launch(self, name: StudyName, *, machines: Machines | None = None) -> StudyResource:
        """Queue drafts and paused runs for a runner."""
        self._authorization.changeable(name)
        if machines is not None:
            return self._resource(machines.search(partial(resume_study, self._store, name)))
        most = self._context.limits.running_studies
        return self._resource(self._store.queue_study(name, most_running=most))

    def pause(self, name: StudyName) -> StudyResource:
        """Pause the runs; launching continues them."""
        self._authorization.changeable(name)
        return self._resource(self._store.pause_study(name))

    def stop(self, name: StudyName) -> StudyResource:
        """Cancel the runs for good; their results stay."""
        self._authorization.changeable(name)
        return self._resource(self._store.stop_study(name))

    def extend(self, name: StudyName, budget: ExtensionRequest) -> StudyResource:
        """Give the study a larger budget: its searches continue where they ended, with the same log.

        Budgets are totals per run, so that the same request again changes nothing. A search whose designs
        depend on the budget, as a Latin hypercube's do, is refused.
        """
        self._authorization.changeable(name)
        most = self._context.limits.running_studies
        extended = extend_study(
            self._store, name, budget.model_dump(), most_running=most, checked=self._checks.problems
        )
        return self._resource(extended)

    def propose(self, name: StudyName, proposal: ProposalRequest) -> ProposalResource:
        """Put a design into a study at work: each run of its layout evaluates it with its next designs.

        It counts as a design of the budget. Searches that can learn from it do, and it may enter the front.
        """
        study = self._authorization.changeable(name)
        definition = stored_definition(study)
        algorithm = load_algorithm(definition.search.algorithm)
        if algorithm.fixed:
            raise InputError(
                f"{algorithm.name} evaluates its own list of designs and takes no other", ("design",)
            )
        problems = self._checks.problems(definition)
        layout = proposal.layout or (next(iter(problems)) if len(problems) == 1 else "")
        if layout not in problems:
            raise UnknownNameError("layout", layout, problems, ("layout",))
        space = problems[layout].space
        point = problems[layout].point(proposal.design, ("design",))
        made = self._store.propose(name, layout, space.design(point), self._context.identity.author)
        return _proposal(name, made, ())

    def proposals(self, name: StudyName) -> Page[ProposalResource]:
        """Designs that were put into the study at work, oldest first."""
        found = self._store.proposals_of(self._authorization.require(name))
        return Page(items=[_proposal(name, each, told) for each, told in found])

    def withdraw(self, name: StudyName, proposal_id: ProposalId) -> None:
        """Take a proposal back that no run has begun to evaluate; one that a run has taken is refused."""
        self._authorization.changeable(name)
        try:
            self._store.withdraw_proposal(name, proposal_id)
        except UnknownNameError:
            raise AbsentError(f"study '{name}' has no proposal {proposal_id}") from None


def _proposal(study: str, made: Proposal, told: Sequence[tuple[int, str]]) -> ProposalResource:
    return ProposalResource(
        id=made.id, study=study, layout=made.layout, design=dict(made.design), author=made.author,
        created=moment(made.created), taken=made.taken, evaluated=[seed for seed, _ in told],
        key=told[0][1] if told else None,
    )  # fmt: skip


# ---------------------------------------------------------------- lists of studies


def listed_studies(
    authorization: Authorization,
    search: str,
    archived: bool,
    cursor: str,
    limit: int | None,
    names: Sequence[str] | None = None,
) -> list[StudyRecord]:
    """The studies after a cursor, newest first: one more than ``limit`` where more follow.

    Those that search under one condition of a sweep are there only if they are searched for, or named.
    A character that no text in a store has counts as a space.
    """
    after = decoded(cursor, float, str)
    text = _storable(search[:MOST_SEARCHED])
    wanted = Wanted(
        search=text,
        models=tuple(name for name, title in TITLES.items() if text.lower() in title.lower()),
        archived=archived,
        after=None if after is None else (after[0], _storable(after[1])),
        limit=one_more(limit),
        names=None if names is None else tuple(map(_storable, names)),
        of_sweeps=bool(search) or names is not None,
    )
    return authorization.studies(wanted)


def _storable(text: str) -> str:
    return text.replace("\0", " ")


def study_place(study: StudyRecord) -> tuple[float, str]:
    """The place of a study in a list."""
    return study.created, study.name


def summary_fields(study: StudyRecord) -> dict[str, Any]:
    """Fields that every list shows of a study."""
    return {
        "name": study.name,
        "model": study.definition["model"],
        "model_title": title_of_model(study.definition["model"], (study.model or {}).get("title", "")),
        "description": study.description,
        "state": study.state,
        "runs": len(study.runs),
        "done": sum(run.state == "done" for run in study.runs),
        "created": moment(study.created),
        "owner": study.owner,
        "visibility": study.visibility,
        "archived": study.archived,
        "source": study.source,
    }
