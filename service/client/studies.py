"""Back-ends, algorithms, studies, drafts, progress and reevaluations of a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.client.requests import Requests, design_file, once, plain
from service.client.wire import PATIENT
from service.resources.algorithms import AlgorithmResource
from service.resources.drafts import EditedDraft, ExampleResource, NewStudyRequest, StudyDraft
from service.resources.models import (
    EvaluationRequest,
    EvaluationResource,
    FigureRequest,
    ModelResource,
    ModelSummary,
    Page,
    ReferenceCaseResource,
    SettingsRequest,
    StudyCheck,
)
from service.resources.progress import ProgressResource, StudyOverview, VerdictsResource
from service.resources.reevaluation import ReevaluatedResource, ReevaluationResource
from service.resources.review import QuantitiesResource, SceneFigureResource
from service.resources.studies import Deletion, ExtensionRequest, StudyEdit, StudyResource, StudySummary
from studies.definition import StudyDefinition
from studies.exchange.design import DesignFile
from studies.exchange.formats import Format


class ModelClient:
    """See :class:`service.operations.ModelOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, *, cursor: str = "", limit: int | None = None) -> Page[ModelSummary]:
        """The back-ends that are installed there."""
        return self._requests.page("models", ModelSummary, None, cursor, limit)

    def get(self, name: str) -> ModelResource:
        """A back-end with its parameters, presets and metrics."""
        return self._requests.get(self._requests.model(name), ModelResource)

    def check(self, name: str) -> Page[ReferenceCaseResource]:
        """Published reference cases, computed now, there."""
        return self._requests.post_page(f"{self._requests.model(name)}/check", ReferenceCaseResource)

    def evaluate(self, name: str, request: EvaluationRequest) -> EvaluationResource:
        """Evaluate one design; nothing is stored."""
        path = f"{self._requests.model(name)}/evaluate"
        return self._requests.post(path, EvaluationResource, plain(request), again=True, patience=PATIENT)

    def figure(self, name: str, request: FigureRequest) -> SceneFigureResource:
        """The 3D view of one design as Plotly draws it; nothing is stored."""
        path = f"{self._requests.model(name)}/figure"
        return self._requests.post(path, SceneFigureResource, plain(request), again=True, patience=PATIENT)

    def export(self, name: str, request: SettingsRequest, kind: Format) -> DesignFile:
        """One design as a file for other programs, such as ``"urdf"``; nothing is stored."""
        path, wire = f"{self._requests.model(name)}/export", self._requests.wire
        query = {"format": kind}
        return design_file(wire.ask("POST", path, query, plain(request), again=True, patience=PATIENT))


class StudyClient:
    """See :class:`service.operations.StudyOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def check(self, definition: StudyDefinition) -> StudyCheck:
        """Everything that can be known to be wrong with a study before it runs; nothing is stored."""
        return self._requests.post("studies/check", StudyCheck, plain(definition), again=True)

    def create(
        self, definition: StudyDefinition, *, launch: bool = True, key: str = "", replaces: str = ""
    ) -> StudyResource:
        """Store a study, as drafts or in the queue; the same study again is returned as it is.

        It happens once, however often the connection breaks before the answer is here.
        """
        query = {"launch": launch, "replaces": replaces or None}
        body = plain(definition)
        return self._requests.post("studies", StudyResource, body, query=query, headers=once(key), again=True)

    def list(
        self, search: str = "", *, archived: bool = False, cursor: str = "", limit: int | None = None
    ) -> Page[StudySummary]:
        """Studies that the caller may see, newest first; ``search`` in name, description and model."""
        query = {"search": search, "archived": archived}
        return self._requests.page("studies", StudySummary, query, cursor, limit)

    def get(self, name: str) -> StudyResource:
        """A stored study."""
        return self._requests.get(self._requests.study(name), StudyResource)

    def file(self, name: str) -> str:
        """The study as TOML."""
        return self._requests.wire.ask("GET", f"{self._requests.study(name)}/file").text

    def quantities(self, name: str) -> QuantitiesResource:
        """Variables, objectives and constraints in SI, and all metrics of the back-end."""
        return self._requests.get(f"{self._requests.study(name)}/quantities", QuantitiesResource)

    def edit(self, name: str, edit: StudyEdit, revision: int | None = None) -> StudyResource:
        """Change metadata; with ``revision``, only if nobody else has changed it since."""
        wire = self._requests.wire
        answer = wire.ask("PATCH", self._requests.study(name), None, plain(edit), _if_match(revision))
        return wire.read(StudyResource, answer)

    def delete(self, name: str, revision: int | None = None, *, with_decisions: bool = False) -> Deletion:
        """Delete a study that nobody works on, and evaluations that no other study uses."""
        path, wire = self._requests.study(name), self._requests.wire
        query = {"with_decisions": with_decisions or None}
        answer = wire.ask("DELETE", path, query, headers=_if_match(revision), patience=PATIENT)
        return wire.read(Deletion, answer)

    def launch(self, name: str) -> StudyResource:
        """Queue drafts and paused runs, for a runner."""
        return self._requests.post(f"{self._requests.study(name)}/launch", StudyResource, again=True)

    def pause(self, name: str) -> StudyResource:
        """Ask the runs to pause."""
        return self._requests.post(f"{self._requests.study(name)}/pause", StudyResource, again=True)

    def stop(self, name: str) -> StudyResource:
        """Cancel the runs for good."""
        return self._requests.post(f"{self._requests.study(name)}/stop", StudyResource, again=True)

    def branch(self, name: str, new: str, *, launch: bool = True, key: str = "") -> StudyResource:
        """Store a study again under a new name, to be searched with the versions installed there."""
        path, body = f"{self._requests.study(name)}/branch", {"name": new, "launch": launch}
        return self._requests.post(path, StudyResource, body, headers=once(key), again=True)

    def extend(self, name: str, budget: ExtensionRequest) -> StudyResource:
        """Give a study a larger budget and queue it: its searches continue where they ended."""
        path = f"{self._requests.study(name)}/extend"
        return self._requests.post(path, StudyResource, plain(budget), again=True)


def _if_match(revision: int | None) -> dict[str, str] | None:
    return None if revision is None else {"If-Match": f'"{revision}"'}


class AlgorithmClient:
    """See :class:`service.operations.AlgorithmOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self) -> Page[AlgorithmResource]:
        """The algorithms that are installed there; of one that cannot be loaded, the reason."""
        return self._requests.whole("algorithms", AlgorithmResource)

    def get(self, name: str) -> AlgorithmResource:
        """An algorithm with its limits and settings."""
        return self._requests.get(self._requests.algorithm(name), AlgorithmResource)


class DraftClient:
    """See :class:`service.operations.DraftOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def read(self, toml: str, replaces: str = "") -> StudyDraft:
        """A study file as a tree, with all its faults."""
        wire, query = self._requests.wire, {"replaces": replaces or None}
        answer = wire.ask("POST", "studies/draft", query, toml, again=True)
        return wire.read(StudyDraft, answer)

    def check(self, tree: dict[str, Any], replaces: str = "") -> StudyDraft:
        """A tree as a study file, with all its faults."""
        query = {"replaces": replaces or None}
        return self._requests.post("studies/draft", StudyDraft, tree, query=query, again=True)

    def edit(self, edited: EditedDraft, replaces: str = "") -> StudyDraft:
        """A tree whose values are put into a file: comments and order stay if they can."""
        path, query = "studies/draft/edited", {"replaces": replaces or None}
        return self._requests.post(path, StudyDraft, plain(edited), query=query, again=True)

    def begin(self, wanted: NewStudyRequest) -> StudyDraft:
        """A commented study of an example, of presets, or of robots in files, which it then holds."""
        return self._requests.post("studies/draft/new", StudyDraft, plain(wanted), again=True)

    def examples(self) -> Page[ExampleResource]:
        """Study files to begin with, of models that are installed there."""
        return self._requests.whole("examples", ExampleResource)


class ProgressClient:
    """See :class:`service.operations.ProgressOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        search: str = "",
        *,
        archived: bool = False,
        names: Sequence[str] | None = None,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[StudyOverview]:
        """Studies as :class:`StudyClient` lists them, each with its progress and its best values."""
        query = {"search": search, "archived": archived, "name": None if names is None else [*names]}
        return self._requests.page("overview", StudyOverview, query, cursor, limit)

    def get(self, name: str) -> ProgressResource:
        """Progress of a study, run by run."""
        return self._requests.get(f"{self._requests.study(name)}/progress", ProgressResource)

    def verdicts(self, name: str) -> VerdictsResource:
        """How many designs are feasible, and why the others are not."""
        return self._requests.get(f"{self._requests.study(name)}/verdicts", VerdictsResource)


class ReevaluationClient:
    """See :class:`service.operations.ReevaluationOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def start(self, name: str) -> ReevaluationResource:
        """Evaluate the front again under the version installed there, in the background; how far that is."""
        path = f"{self._requests.study(name)}/reevaluate"
        return self._requests.post(path, ReevaluationResource, again=True)

    def get(self, name: str) -> ReevaluationResource:
        """How far the front is evaluated again under the version installed there."""
        return self._requests.get(f"{self._requests.study(name)}/reevaluation", ReevaluationResource)

    def designs(self, name: str, *, cursor: str = "", limit: int | None = None) -> Page[ReevaluatedResource]:
        """The designs as stored and as evaluated now; none before all are evaluated."""
        path = f"{self._requests.study(name)}/reevaluation/designs"
        return self._requests.page(path, ReevaluatedResource, None, cursor, limit)
