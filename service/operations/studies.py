"""Protocols of back-ends, algorithms, studies and drafts; see :mod:`service.operations`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from service.resources import algorithms, drafts, progress, reevaluation, review
    from service.resources import models as backends
    from service.resources import studies as records
    from service.resources.models import Page
    from studies.definition import StudyDefinition
    from studies.exchange.design import DesignFile
    from studies.exchange.formats import Format


class ModelOperations(Protocol):
    """Back-ends."""

    def list(self, *, cursor: str = "", limit: int | None = None) -> Page[backends.ModelSummary]:
        """The installed back-ends; of one that cannot be loaded, the reason."""
        ...

    def get(self, name: str) -> backends.ModelResource:
        """A back-end with its parameters, presets and metrics."""
        ...

    def check(self, name: str) -> Page[backends.ReferenceCaseResource]:
        """Published reference cases, computed now."""
        ...

    def evaluate(self, name: str, request: backends.EvaluationRequest) -> backends.EvaluationResource:
        """Evaluate one design; nothing is stored. An error names the field of the request."""
        ...

    def figure(self, name: str, request: backends.FigureRequest) -> review.SceneFigureResource:
        """The 3D view of one design as Plotly draws it; nothing is stored."""
        ...

    def export(self, name: str, request: backends.SettingsRequest, kind: Format) -> DesignFile:
        """One design as a file for other programs; nothing is stored.

        ``"json"`` has its numbers: parameters, and ends, length and stiffness of each cable.
        """
        ...


class AlgorithmOperations(Protocol):
    """Search algorithms."""

    def list(self) -> Page[algorithms.AlgorithmResource]:
        """The installed algorithms, ours first; of one that cannot be loaded, the reason."""
        ...

    def get(self, name: str) -> algorithms.AlgorithmResource:
        """An algorithm with its limits and settings."""
        ...


class StudyCheckOperations(Protocol):
    """What needs no stored study."""

    def check(self, definition: StudyDefinition) -> backends.StudyCheck:
        """Everything that can be known to be wrong with a study before it runs; nothing is stored."""
        ...


class StudyOperations(StudyCheckOperations, Protocol):
    """Stored studies."""

    def create(
        self, definition: StudyDefinition, *, launch: bool = True, key: str = "", replaces: str = ""
    ) -> records.StudyResource:
        """Store a study, as drafts or in the queue; the same study again is returned as it is.

        With ``replaces``, in the place of the draft of that name. A request that may be sent twice has a
        ``key`` that its sender chose: the second time returns the study that the first one made.
        """
        ...

    def list(
        self, search: str = "", *, archived: bool = False, cursor: str = "", limit: int | None = None
    ) -> Page[records.StudySummary]:
        """Studies that the caller may see, newest first; ``search`` in name, description and model.

        Either those that are archived, or those that are not.
        """
        ...

    def get(self, name: str) -> records.StudyResource:
        """A stored study."""
        ...

    def file(self, name: str) -> str:
        """The study as TOML."""
        ...

    def quantities(self, name: str) -> review.QuantitiesResource:
        """Variables, objectives and constraints in SI, and all metrics of the back-end."""
        ...

    def edit(self, name: str, edit: records.StudyEdit, revision: int | None = None) -> records.StudyResource:
        """Change metadata; with ``revision``, only if nobody else has changed it since."""
        ...

    def delete(
        self, name: str, revision: int | None = None, *, with_decisions: bool = False
    ) -> records.Deletion:
        """Delete a study that nobody works on, and evaluations that no other study uses.

        One on which somebody has decided is refused, unless its decisions shall go ``with_decisions``.
        """
        ...

    def launch(self, name: str) -> records.StudyResource:
        """Queue drafts and paused runs, for a runner."""
        ...

    def pause(self, name: str) -> records.StudyResource:
        """Ask the runs to pause."""
        ...

    def stop(self, name: str) -> records.StudyResource:
        """Cancel the runs for good."""
        ...

    def branch(self, name: str, new: str, *, launch: bool = True, key: str = "") -> records.StudyResource:
        """Store a study again under a new name, to be searched with the versions installed now.

        For ``key`` see :meth:`create`.
        """
        ...

    def extend(self, name: str, budget: records.ExtensionRequest) -> records.StudyResource:
        """Give a study a larger budget and queue it: its searches continue where they ended."""
        ...


class DraftOperations(Protocol):
    """Studies that are still being written, and what helps to write one. Nothing is stored."""

    def read(self, toml: str, replaces: str = "") -> drafts.StudyDraft:
        """A study file as a tree, with all its faults; the name of the draft that it ``replaces`` is free."""
        ...

    def check(self, tree: dict[str, Any], replaces: str = "") -> drafts.StudyDraft:
        """A tree as a study file, with all its faults."""
        ...

    def edit(self, edited: drafts.EditedDraft, replaces: str = "") -> drafts.StudyDraft:
        """A tree whose values are put into a file: comments and order stay if they can."""
        ...

    def begin(self, wanted: drafts.NewStudyRequest) -> drafts.StudyDraft:
        """A commented study of an example, of presets, or of robots in files, which it then holds.

        What was read, assumed and left out of files of other programs is said in ``robots``.
        """
        ...

    def examples(self) -> Page[drafts.ExampleResource]:
        """Study files to begin with, of installed models."""
        ...


class ProgressOperations(Protocol):
    """How far studies are."""

    def list(
        self,
        search: str = "",
        *,
        archived: bool = False,
        names: Sequence[str] | None = None,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[progress.StudyOverview]:
        """The same studies as :meth:`StudyOperations.list`, each with its progress and its best values."""
        ...

    def get(self, name: str) -> progress.ProgressResource:
        """Progress of a study, run by run."""
        ...

    def verdicts(self, name: str) -> progress.VerdictsResource:
        """How many designs are feasible, and why the others are not."""
        ...


class ReevaluationOperations(Protocol):
    """The front of a study, evaluated again under the installed version of its model."""

    def start(self, name: str) -> reevaluation.ReevaluationResource:
        """Evaluate the front again in the background; how far that is."""
        ...

    def get(self, name: str) -> reevaluation.ReevaluationResource:
        """How far the front is evaluated again."""
        ...

    def designs(
        self, name: str, *, cursor: str = "", limit: int | None = None
    ) -> Page[reevaluation.ReevaluatedResource]:
        """The designs as stored and as evaluated now; none before all are evaluated."""
        ...
