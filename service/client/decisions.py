"""Decisions and annotations of a server's studies."""

from __future__ import annotations

from service.client.requests import Requests, plain
from service.client.wire import PATIENT
from service.resources.annotations import AnnotationEdit, AnnotationRequest, AnnotationResource
from service.resources.decisions import (
    DecisionRequest,
    DecisionResource,
    PreferencesRequest,
    RankingResource,
    RuleResource,
)
from service.resources.models import Page
from studies.decision_records import refuse_key_and_number


class DecisionClient:
    """See :class:`service.operations.DecisionOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def rules(self) -> Page[RuleResource]:
        """The rules that rank, with what each uses."""
        return self._requests.whole("decision-rules", RuleResource)

    def rank(self, name: str, wanted: PreferencesRequest) -> RankingResource:
        """The designs on the fronts in the order of a rule; nothing is stored."""
        path = f"{self._requests.study(name)}/ranking"
        return self._requests.post(path, RankingResource, plain(wanted), again=True, patience=PATIENT)

    def list(self, name: str) -> Page[DecisionResource]:
        """The decisions of a study, the one that stands first."""
        return self._requests.whole(f"{self._requests.study(name)}/decisions", DecisionResource)

    def get(self, name: str, number: int) -> DecisionResource:
        """One of them."""
        return self._requests.get(f"{self._requests.study(name)}/decisions/{number}", DecisionResource)

    def add(self, name: str, chosen: DecisionRequest) -> DecisionResource:
        """Record that a design is chosen, among which candidates and why."""
        path = f"{self._requests.study(name)}/decisions"
        return self._requests.post(path, DecisionResource, plain(chosen), patience=PATIENT)

    def sheet(self, name: str, key: str = "", number: int | None = None) -> str:
        """One printed page of HTML about a decision with its design, or about the design with ``key``."""
        refuse_key_and_number(key, number)
        path = self._requests.study(name)
        path = f"{path}/sheet" if number is None else f"{path}/decisions/{number}/sheet"
        return self._requests.wire.ask("GET", path, {"key": key or None}, patience=PATIENT).text


class AnnotationClient:
    """See :class:`service.operations.AnnotationOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, name: str, key: str | None = None) -> Page[AnnotationResource]:
        """The annotations of a study and its designs, oldest first; of one design with ``key``."""
        path = f"{self._requests.study(name)}/annotations"
        return self._requests.whole(path, AnnotationResource, {"key": key})

    def add(self, name: str, annotation: AnnotationRequest) -> AnnotationResource:
        """Keep one; a tag or favourite that is there already is returned as it is."""
        path = f"{self._requests.study(name)}/annotations"
        return self._requests.post(path, AnnotationResource, plain(annotation))

    def edit(self, name: str, annotation_id: int, edit: AnnotationEdit) -> AnnotationResource:
        """Give a note of one's own another text."""
        wire = self._requests.wire
        answer = wire.ask("PATCH", self._one(name, annotation_id), body=plain(edit), again=True)
        return wire.read(AnnotationResource, answer)

    def remove(self, name: str, annotation_id: int) -> AnnotationResource:
        """Delete one; whose it is not may do so who may change the study, but for favourites."""
        wire = self._requests.wire
        return wire.read(AnnotationResource, wire.ask("DELETE", self._one(name, annotation_id)))

    def _one(self, name: str, annotation_id: int) -> str:
        return f"{self._requests.study(name)}/annotations/{annotation_id}"
