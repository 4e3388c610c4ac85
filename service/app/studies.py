"""Every verb of :class:`service.operations.Operations`, on a store, for an identity."""

from __future__ import annotations

import hashlib

from errors import AbsentError, EditConflictError
from service.access.identity import HERE as SOMEBODY_HERE
from service.access.identity import Identity
from service.app import model_calls as work
from service.app.drafts import Drafting
from service.app.reevaluations import Reevaluations, reevaluated_resource, reevaluation_resource
from service.app.request_limits import NO_LIMITS, Allowance
from service.resources.reevaluation import ReevaluatedResource, ReevaluationResource
from service.resources.studies import Deletion, ExtensionRequest, StudyEdit, StudyResource
from studies.definition import StudyDefinition
from studies.extension import extend_study
from studies.launch import branched
from studies.reevaluation import front_tasks
from studies.store import Store
from studies.store.idempotency import Request


class Local(Drafting):
    """See :class:`service.operations.Operations`. Several threads may use one.

    Parameters
    ----------
    store : Store
        Where the studies are; whoever opened it closes it.
    identity, allowance, work
        See :class:`~service.app.models.Bench`.
    reevaluations : Reevaluations, optional
        The fronts that are evaluated again in this process.
    """

    def __init__(
        self,
        store: Store,
        identity: Identity = SOMEBODY_HERE,
        allowance: Allowance = NO_LIMITS,
        work: work.Work = work.HERE,
        reevaluations: Reevaluations | None = None,
    ) -> None:
        super().__init__(store, identity, allowance, work)
        self._reevaluations = reevaluations or Reevaluations(store)

    def create(
        self, definition: StudyDefinition, *, launch: bool = True, key: str = "", replaces: str = ""
    ) -> StudyResource:
        """Store a study, as drafts or in the queue; the same study again is returned as it is.

        With ``replaces``, in the place of the draft of that name.

        A request that may be sent twice has a ``key`` of its sender's choice: the second time gives the
        study that the first one made.
        """
        self._identity.require_writes()
        return self._store_new(definition, launch=launch, key=key, replaces=replaces)

    def branch(self, name: str, new: str, *, launch: bool = True, key: str = "") -> StudyResource:
        """Store a study once more under a new name, to be searched by the versions installed now."""
        old = self._sight.study(name)
        self._identity.require_writes()
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
        layouts = self.problems(definition)
        self._sight.require_free(definition.name)
        account = self._identity.account
        content = f"{definition.digest()} {launch} {branch_of}" + (f" {replaces}" if replaces else "")
        request = Request(account, key, hashlib.sha256(content.encode()).hexdigest()) if key else None
        study = self._store.create_study(
            definition,
            layouts,
            branch_of=branch_of,
            owner=account,
            launch=launch,
            request=request,
            most_running=self._allowance.running_studies,
            replaces=self._replaceable(replaces),
        )
        return self._shown(self._sight.changeable(study.name))

    def _replaceable(self, name: str) -> str:
        """The name of a draft that may be replaced; none where it is gone. Raises ``ForbiddenError``."""
        if not name:
            return ""
        try:
            return self._sight.changeable(name).name
        except AbsentError:
            return ""

    def launch(self, name: str) -> StudyResource:
        """Queue drafts and paused runs, for a runner."""
        self._sight.changeable(name)
        most = self._allowance.running_studies
        return self._shown(self._store.queue_study(name, most_running=most))

    def pause(self, name: str) -> StudyResource:
        """Ask that the runs pause."""
        self._sight.changeable(name)
        return self._shown(self._store.pause_study(name))

    def stop(self, name: str) -> StudyResource:
        """Ask that the runs be cancelled for good."""
        self._sight.changeable(name)
        return self._shown(self._store.stop_study(name))

    def extend(self, name: str, budget: ExtensionRequest) -> StudyResource:
        """Give a study a larger budget and queue it: its searches go on where they ended."""
        self._sight.changeable(name)
        most = self._allowance.running_studies
        return self._shown(
            extend_study(self._store, name, budget.model_dump(), most_running=most, checked=self.problems)
        )

    def reevaluate(self, name: str) -> ReevaluationResource:
        """Evaluate the front again under the installed version, in the background; how far that is."""
        self._sight.changeable(name)
        front = front_tasks(self._store, name)
        missing = front.missing(self._store)
        if missing:
            self._reevaluations.begin(name, self._identity.account, missing, self._work)
        return reevaluation_resource(name, front, self._store, self._reevaluations)

    def reevaluation(self, name: str) -> ReevaluationResource:
        """How far the front is evaluated again under the installed version."""
        front = front_tasks(self._store, self._sight.study(name).name)
        return reevaluation_resource(name, front, self._store, self._reevaluations)

    def reevaluated(self, name: str) -> list[ReevaluatedResource]:
        """The designs of the front as stored and as evaluated now; none before all are evaluated."""
        front = front_tasks(self._store, self._sight.study(name).name)
        found = self._store.known(front.wanted)
        if len(found) < len(front.wanted):
            return []
        return [reevaluated_resource(one) for one in front.compared(found)]

    def edit(self, name: str, edit: StudyEdit, revision: int | None = None) -> StudyResource:
        """Change metadata; with ``revision``, only if nobody else did meanwhile."""
        study = self._sight.changeable(name)
        names = {"description": "note"}
        given = edit.model_dump(exclude_unset=True)
        changes = {names.get(field, field): "" if value is None else value for field, value in given.items()}
        if "owner" in changes:
            self._sight.require_owner(changes["owner"])
        if not changes:
            if revision not in (None, study.revision):
                raise EditConflictError(
                    f"study '{name}' is at revision {study.revision}, not {revision}; look at it again"
                )
            return self._shown(study)
        return self._shown(self._store.edit_study(name, changes, revision))

    def delete(self, name: str, revision: int | None = None) -> Deletion:
        """Delete a study that nobody works on, and evaluations that no other study uses."""
        self._sight.changeable(name)
        return Deletion(name=name, evaluations=self._store.delete_study(name, revision))
