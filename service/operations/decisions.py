"""Protocols of decisions and annotations; see :mod:`service.operations`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from service.resources import annotations as written
    from service.resources import decisions
    from service.resources.models import Page


class DecisionOperations(Protocol):
    """Choosing a design of a study. What was decided is replaced, never erased."""

    def rules(self) -> Page[decisions.RuleResource]:
        """The rules that rank, with what each uses."""
        ...

    def rank(self, name: str, wanted: decisions.PreferencesRequest) -> decisions.RankingResource:
        """The designs on the fronts in the order of a rule; nothing is stored."""
        ...

    def list(self, name: str) -> Page[decisions.DecisionResource]:
        """The decisions of a study, the one that stands first."""
        ...

    def get(self, name: str, number: int) -> decisions.DecisionResource:
        """One of them."""
        ...

    def add(self, name: str, chosen: decisions.DecisionRequest) -> decisions.DecisionResource:
        """Record that a design is chosen, among which candidates and why.

        The design is a candidate of its rule; by ``judgement`` it may be any feasible design of the study.
        """
        ...

    def sheet(self, name: str, key: str = "", number: int | None = None) -> str:
        """One printed page of HTML about a decision with its design, or about the design with ``key``.

        ``number`` is that of the decision; without it and without ``key`` it is the one that stands.
        """
        ...


class AnnotationOperations(Protocol):
    """Notes, tags and favourites of designs and studies: for everybody who may read the study."""

    def list(self, name: str, key: str | None = None) -> Page[written.AnnotationResource]:
        """The annotations of a study and its designs, oldest first; of one design with ``key``.

        An empty ``key`` means those of the study itself. Of favourites only the caller's own are listed.
        """
        ...

    def add(self, name: str, annotation: written.AnnotationRequest) -> written.AnnotationResource:
        """Keep one; a tag or favourite that is there already is returned as it is."""
        ...

    def edit(self, name: str, annotation_id: int, edit: written.AnnotationEdit) -> written.AnnotationResource:
        """Give a note of one's own another text."""
        ...

    def remove(self, name: str, annotation_id: int) -> written.AnnotationResource:
        """Delete one; whose it is not may do so who may change the study, but for favourites."""
        ...
