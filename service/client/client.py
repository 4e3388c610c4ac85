"""The verbs of Tautline, asked of a server."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel

from errors import InputError, UnknownNameError
from service.client.access import AccessClient
from service.client.credentials import find_token
from service.client.watching import watch
from service.client.wire import PATIENT, Query, Wire
from service.operations import Export, ExportFormat
from service.resources.comparison import ContestResource
from service.resources.models import Edit
from service.resources.reevaluation import ReevaluatedResource, ReevaluationResource
from service.resources.review import PickResource, SceneFigureResource
from service.resources.studies import (
    MOST_FAILED,
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

T = TypeVar("T")
_STUDY = re.compile(r"[a-z0-9-]{1,64}")
_MODEL = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")
_KEY = re.compile(r"[0-9a-f]{6,64}")
PAGE = 1000


class Client(AccessClient):
    """A Tautline server; see :class:`service.operations.Operations` for what it does.

    Accounts and tokens: see :class:`service.operations.AccessOperations`. A client may be used by
    several threads, and as a context manager.

    Parameters
    ----------
    server : str
        Address, as in ``"https://robots.example.org"``.
    token : str, optional
        By which the server knows you. Without it the environment and the token file are looked at,
        see :func:`service.client.credentials.find_token`.
    transport : httpx.BaseTransport, optional
        How requests travel, instead of over the network.

    Raises
    ------
    InputError
        For an address that is none, and for a token that would travel unencrypted.
    """

    def __init__(
        self, server: str, token: str | None = None, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._wire = Wire(server, find_token() if token is None else token, transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._wire.close()

    @property
    def server(self) -> str:
        """The server's address."""
        return self._wire.server

    # ------------------------------------------------------------ models

    def models(self) -> list[ModelSummary]:
        """The back-ends that are installed there."""
        return self._list("models", ModelSummary)

    def model(self, name: str) -> ModelResource:
        """A back-end with its parameters, presets and metrics."""
        return self._get(self._model(name), ModelResource)

    def check_model(self, name: str) -> list[ReferenceCaseResource]:
        """Published reference cases, computed now, there."""
        answer = self._wire.ask("POST", f"{self._model(name)}/check", again=True, patience=PATIENT)
        return self._wire.read_page(ReferenceCaseResource, answer)[0]

    def evaluate(self, model: str, request: EvaluationRequest) -> EvaluationResource:
        """Evaluate one design; nothing is stored."""
        path = f"{self._model(model)}/evaluate"
        return self._post(path, EvaluationResource, _plain(request), again=True, patience=PATIENT)

    # ------------------------------------------------------------ studies

    def check(self, definition: StudyDefinition) -> StudyCheck:
        """Everything that can be known to be wrong with a study before it runs; nothing is stored."""
        return self._post("studies/check", StudyCheck, _plain(definition), again=True)

    def create(self, definition: StudyDefinition, *, launch: bool = True) -> StudyResource:
        """Store a study, as drafts or in the queue; the same study again is returned as it is.

        It happens once, however often the connection breaks before the answer is here.
        """
        body = _plain(definition)
        answer = self._wire.ask("POST", "studies", {"launch": launch}, body, _once(), again=True)
        return self._wire.read(StudyResource, answer)

    def launch(self, name: str) -> StudyResource:
        """Queue drafts and paused runs, for a runner."""
        return self._post(f"{self._study(name)}/launch", StudyResource, again=True)

    def pause(self, name: str) -> StudyResource:
        """Ask that the runs pause."""
        return self._post(f"{self._study(name)}/pause", StudyResource, again=True)

    def stop(self, name: str) -> StudyResource:
        """Ask that the runs be cancelled for good."""
        return self._post(f"{self._study(name)}/stop", StudyResource, again=True)

    def branch(self, name: str, new: str) -> StudyResource:
        """Store a study once more under a new name, to be searched by the versions installed there."""
        body = {"name": new, "launch": True}
        answer = self._wire.ask("POST", f"{self._study(name)}/branch", None, body, _once(), again=True)
        return self._wire.read(StudyResource, answer)

    def extend(self, name: str, budget: ExtensionRequest) -> StudyResource:
        """Give a study a larger budget and queue it: its searches go on where they ended."""
        return self._post(f"{self._study(name)}/extend", StudyResource, _plain(budget), again=True)

    def reevaluate(self, name: str) -> ReevaluationResource:
        """Evaluate the front again under the version installed there, in the background; how far that is."""
        return self._post(f"{self._study(name)}/reevaluate", ReevaluationResource, again=True)

    def reevaluation(self, name: str) -> ReevaluationResource:
        """How far the front is evaluated again under the version installed there."""
        return self._get(f"{self._study(name)}/reevaluation", ReevaluationResource)

    def reevaluated(self, name: str) -> list[ReevaluatedResource]:
        """The designs of the front as stored and as evaluated now; none before all are evaluated."""
        return self._list(f"{self._study(name)}/reevaluation/designs", ReevaluatedResource)

    def edit(self, name: str, edit: StudyEdit, revision: int | None = None) -> StudyResource:
        """Change metadata; with ``revision``, only if nobody else did meanwhile."""
        headers = None if revision is None else {"If-Match": f'"{revision}"'}
        answer = self._wire.ask("PATCH", self._study(name), None, _plain(edit), headers)
        return self._wire.read(StudyResource, answer)

    def delete(self, name: str) -> Deletion:
        """Delete a study that nobody works on, and evaluations that no other study uses."""
        answer = self._wire.ask("DELETE", self._study(name), patience=PATIENT)
        return self._wire.read(Deletion, answer)

    def studies(self, search: str = "", *, archived: bool = False) -> list[StudySummary]:
        """Studies that the caller may see, newest first; ``search`` in name, description and model."""
        return self._list("studies", StudySummary, {"search": search, "archived": archived})

    def study(self, name: str) -> StudyResource:
        """A stored study."""
        return self._get(self._study(name), StudyResource)

    def runs(self, name: str) -> list[RunResource]:
        """The runs of a study, with counts and what they have to say."""
        return self._list(f"{self._study(name)}/runs", RunResource)

    # ------------------------------------------------------------ results

    def failed(self, name: str) -> list[AskedDesignResource]:
        """The first designs that failed, at most ``MOST_FAILED``."""
        query: Query = {"state": "failed", "limit": MOST_FAILED}
        answer = self._wire.ask("GET", f"{self._study(name)}/evaluations", query, patience=PATIENT)
        return self._wire.read_page(AskedDesignResource, answer)[0]

    def front(
        self, name: str, layout: str | None = None, seed: int | None = None
    ) -> list[FrontDesignResource]:
        """The front of each layout, joint over its seeds, sorted by key."""
        query: Query = {"layout": layout, "seed": seed}
        return self._list(f"{self._study(name)}/front", FrontDesignResource, query)

    def picks(self, name: str) -> list[PickResource]:
        """Designs of each front to begin with: best of each objective, knee, nearest to the ideal."""
        return self._list(f"{self._study(name)}/picks", PickResource)

    def compare(self, name: str) -> ComparisonResource:
        """The layouts of a study against each other."""
        return self._get(f"{self._study(name)}/comparison", ComparisonResource)

    def compare_studies(self, names: Sequence[str]) -> ContestResource:
        """Studies against each other in the objectives that all have, and whether conditions differ."""
        query: Query = {"of": list(names)}
        return self._wire.read(ContestResource, self._wire.ask("GET", "comparison", query, patience=PATIENT))

    def comparison_figure(self, names: Sequence[str], figure: str) -> FigureResource:
        """One of the figures that a comparison of studies names."""
        path, query = f"comparison/figures/{quote(figure, safe='')}", {"of": list(names)}
        return self._wire.read(FigureResource, self._wire.ask("GET", path, query, patience=PATIENT))

    def figures(self, name: str) -> list[FigureSummary]:
        """The figures that there are of a study now."""
        return self._list(f"{self._study(name)}/figures", FigureSummary)

    def figure(self, name: str, figure: str) -> FigureResource:
        """One of them as Plotly draws it."""
        return self._get(f"{self._study(name)}/figures/{quote(figure, safe='')}", FigureResource)

    def scene_figure(self, key: str, study: str) -> SceneFigureResource:
        """The 3D view of a design that the study asked for, as Plotly draws it."""
        return self._get(f"{self._study(study)}/{_design(key)}/figure", SceneFigureResource)

    def report(self, name: str) -> str:
        """A self-contained HTML report."""
        return self._wire.ask("GET", f"{self._study(name)}/report", patience=PATIENT).text

    def export(self, name: str, kind: ExportFormat, *, only_front: bool = False) -> Export:
        """All designs of a study, or its fronts, as a table with units in its headers."""
        query: Query = {"format": kind, "front": only_front}
        answer = self._wire.ask("GET", f"{self._study(name)}/export", query, patience=PATIENT)
        return Export(answer.content, int(answer.headers["Tautline-Designs"]))

    def design(self, key: str) -> DesignResource:
        """The stored design with ``key``, or the only one whose key begins with it."""
        return self._get(_design(key), DesignResource)

    def reproduce(self, key: str) -> ReproductionResource:
        """Evaluate a stored design again and compare every bit."""
        return self._post(f"{_design(key)}/reproduce", ReproductionResource, again=True, patience=PATIENT)

    def events(self, name: str, after: int = 0) -> Iterator[EventResource]:
        """What happened to a study's runs since ``after``, then what happens, until all runs have ended.

        A connection that breaks is opened again, and goes on after the last event that came.
        """
        return watch(self._wire, self.study(name).name, lambda: self.runs(name), after)

    # ------------------------------------------------------------ how it is asked

    def _get(self, path: str, kind: type[T]) -> T:
        return self._wire.read(kind, self._wire.ask("GET", path, patience=PATIENT))

    def _post(
        self, path: str, kind: type[T], body: Any = None, *, again: bool = False, patience: float = 60.0
    ) -> T:
        answer = self._wire.ask("POST", path, None, body, again=again, patience=patience)
        return self._wire.read(kind, answer)

    def _list(self, path: str, kind: type[T], query: Query | None = None) -> list[T]:
        """All items of a list, page by page."""
        found: list[T] = []
        asked: dict[str, Any] = {**(query or {}), "limit": PAGE}
        while True:
            items, cursor = self._wire.read_page(kind, self._wire.ask("GET", path, asked, patience=PATIENT))
            found += items
            if cursor is None:
                return found
            asked["cursor"] = cursor

    def _model(self, name: str) -> str:
        """The path of a back-end; a name that cannot be one is not put into an address."""
        if not _MODEL.fullmatch(name):
            raise UnknownNameError("model", name, [model.model for model in self.models()], ("model",))
        return f"models/{quote(name)}"

    def _study(self, name: str) -> str:
        """The path of a study; a name that cannot be one is not put into an address."""
        if not _STUDY.fullmatch(name):
            raise UnknownNameError("study", name, sorted(study.name for study in self.studies()))
        return f"studies/{name}"


def _once() -> dict[str, str]:
    """The header by which a server recognises a repeated request."""
    return {"Idempotency-Key": str(uuid.uuid4())}


def _design(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise InputError(
            f"'{key}' is not a key; give the first 6 to 64 characters of a key (0-9, a-f)", ("key",)
        )
    return f"designs/{key}"


def _plain(record: BaseModel) -> Any:
    """A record as what JSON can hold; raises ``InputError`` for numbers that it cannot."""
    try:
        json.dumps(record.model_dump(exclude_unset=isinstance(record, Edit)), allow_nan=False, default=str)
    except ValueError:
        raise InputError("every number must be finite, not nan or inf") from None
    return record.model_dump(mode="json", exclude_unset=isinstance(record, Edit))
