"""The verbs of Tautline, wherever the store is.

:class:`service.app.studies.Local` carries them out on a store, ``tautline.Client`` asks a server to.

The REST interface and the command line are thin faces over these protocols, so that one thing is done
in one place and looks the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from service.resources.access import (
    AccountEdit,
    AccountRequest,
    AccountResource,
    IdentityResource,
    NewTokenResource,
    PasswordRequest,
    TokenRequest,
    TokenResource,
)
from service.resources.comparison import ContestResource
from service.resources.reevaluation import ReevaluatedResource, ReevaluationResource
from service.resources.review import PickResource, SceneFigureResource
from service.resources.studies import (
    AskedDesignResource,
    ComparisonResource,
    Deletion,
    DesignResource,
    EvaluationRequest,
    EvaluationResource,
    EventResource,
    ExtensionRequest,
    FigureResource,
    FigureSummary,
    FrontDesignResource,
    ModelResource,
    ModelSummary,
    ReferenceCaseResource,
    ReproductionResource,
    RunResource,
    StudyCheck,
    StudyEdit,
    StudyResource,
    StudySummary,
)
from studies.definition import StudyDefinition


class AccessOperations(Protocol):
    """What can be done about who may use a server. Errors are those of :mod:`errors`, also over REST.

    Admins do all of it. Others see their own account alone, and manage their own password and tokens; by
    a token only where its scope is ``admin``.
    """

    def me(self) -> IdentityResource:
        """The caller, and what they may do; without a name for the person at the store itself."""
        ...

    def accounts(self) -> list[AccountResource]:
        """All accounts by name, for admins."""
        ...

    def account(self, name: str) -> AccountResource:
        """An account: one's own, or any for admins."""
        ...

    def add_account(self, wanted: AccountRequest) -> AccountResource:
        """Make an account."""
        ...

    def edit_account(self, name: str, edit: AccountEdit) -> AccountResource:
        """Give an account another role, let nobody in by it any more, or let them in again."""
        ...

    def set_password(self, name: str, wanted: PasswordRequest) -> None:
        """Set a password; for one's own the current one is needed. All sessions of the account end."""
        ...

    def tokens(self, account: str | None = None, *, everybody: bool = False) -> list[TokenResource]:
        """One's own tokens, newest first; those of another account or everybody's for admins."""
        ...

    def make_token(self, wanted: TokenRequest) -> NewTokenResource:
        """Make a token, which is shown this once: of one's own, or for another account by an admin.

        A token that is asked for with a token ends with it at the latest, whosever it is.
        """
        ...

    def revoke_token(self, token_id: str) -> None:
        """Refuse a token from now on: one of one's own, or any for admins."""
        ...


ExportFormat = Literal["csv", "parquet", "json"]


@dataclass(frozen=True, slots=True)
class Export:
    """A table of designs as a file's content, and how many designs it has."""

    content: bytes
    designs: int


class ModelOperations(Protocol):
    """What needs no store: see :class:`Operations`."""

    def models(self) -> list[ModelSummary]:
        """The installed back-ends."""
        ...

    def model(self, name: str) -> ModelResource:
        """A back-end with its parameters, presets and metrics."""
        ...

    def check_model(self, name: str) -> list[ReferenceCaseResource]:
        """Published reference cases, computed now."""
        ...

    def evaluate(self, model: str, request: EvaluationRequest) -> EvaluationResource:
        """Evaluate one design; nothing is stored."""
        ...

    def check(self, definition: StudyDefinition) -> StudyCheck:
        """Everything that can be known to be wrong with a study before it runs; nothing is stored."""
        ...


class Operations(ModelOperations, Protocol):
    """What can be done. Errors are those of :mod:`errors`, also over REST.

    A study that the caller may not see is unknown to every method, and never named in an error.
    """

    def create(self, definition: StudyDefinition, *, launch: bool = True) -> StudyResource:
        """Store a study, as drafts or in the queue; the same study again is returned as it is."""
        ...

    def launch(self, name: str) -> StudyResource:
        """Queue drafts and paused runs, for a runner."""
        ...

    def pause(self, name: str) -> StudyResource:
        """Ask the runs to pause."""
        ...

    def stop(self, name: str) -> StudyResource:
        """Cancel the runs for good."""
        ...

    def branch(self, name: str, new: str) -> StudyResource:
        """Store a study again under a new name, to be searched with the versions installed now."""
        ...

    def extend(self, name: str, budget: ExtensionRequest) -> StudyResource:
        """Give a study a larger budget and queue it: its searches continue where they ended."""
        ...

    def reevaluate(self, name: str) -> ReevaluationResource:
        """Evaluate the front again under the installed version, in the background; how far that is."""
        ...

    def reevaluation(self, name: str) -> ReevaluationResource:
        """How far the front is evaluated again under the installed version."""
        ...

    def reevaluated(self, name: str) -> list[ReevaluatedResource]:
        """The designs of the front as stored and as evaluated now; none before all are evaluated."""
        ...

    def edit(self, name: str, edit: StudyEdit, revision: int | None = None) -> StudyResource:
        """Change metadata; with ``revision``, only if nobody else has changed it since."""
        ...

    def delete(self, name: str) -> Deletion:
        """Delete a study that nobody works on, and evaluations that no other study uses."""
        ...

    def failed(self, name: str) -> list[AskedDesignResource]:
        """The first designs of a study that failed, with the reason of each."""
        ...

    def studies(self, search: str = "", *, archived: bool = False) -> list[StudySummary]:
        """Studies that the caller may see, newest first; ``search`` in name, description and model.

        Either those that are archived, or those that are not.
        """
        ...

    def study(self, name: str) -> StudyResource:
        """A stored study."""
        ...

    def runs(self, name: str) -> list[RunResource]:
        """The runs of a study, with counts and messages."""
        ...

    def front(
        self, name: str, layout: str | None = None, seed: int | None = None
    ) -> list[FrontDesignResource]:
        """The front of each layout, joint over its seeds, sorted by key."""
        ...

    def picks(self, name: str) -> list[PickResource]:
        """Designs of each front to begin with: best of each objective, knee, nearest to the ideal."""
        ...

    def compare(self, name: str) -> ComparisonResource:
        """The comparison of the layouts of a study."""
        ...

    def compare_studies(self, names: Sequence[str]) -> ContestResource:
        """The comparison of studies in the objectives that all have, and whether conditions differ."""
        ...

    def comparison_figure(self, names: Sequence[str], figure: str) -> FigureResource:
        """One of the figures that a comparison of studies names."""
        ...

    def figures(self, name: str) -> list[FigureSummary]:
        """The figures of a study that are available now."""
        ...

    def figure(self, name: str, figure: str) -> FigureResource:
        """One of them as Plotly draws it."""
        ...

    def scene_figure(self, key: str, study: str) -> SceneFigureResource:
        """The 3D view of a design that the study asked for, as Plotly draws it."""
        ...

    def report(self, name: str) -> str:
        """A self-contained HTML report."""
        ...

    def export(self, name: str, kind: ExportFormat, *, only_front: bool = False) -> Export:
        """All designs of a study, or its fronts, as a table with units in its headers."""
        ...

    def design(self, key: str) -> DesignResource:
        """The stored design with ``key``, or the only one whose key begins with it."""
        ...

    def reproduce(self, key: str) -> ReproductionResource:
        """Evaluate a stored design again and compare every bit."""
        ...

    def events(self, name: str, after: int = 0) -> Iterator[EventResource]:
        """What happened to a study's runs since event ``after``, then what happens.

        Ends when none of the runs waits for a runner or is worked on: see
        :data:`studies.records.MOVING`.
        """
        ...
