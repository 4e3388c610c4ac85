"""The client of a server, noun by noun."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import httpx

from service.client.access import AccountClient, TokenClient
from service.client.credentials import find_token
from service.client.decisions import AnnotationClient, DecisionClient
from service.client.importances import ImportanceClient
from service.client.requests import Requests
from service.client.results import (
    ComparisonClient,
    DesignClient,
    EvaluationClient,
    EventClient,
    ExportClient,
    FigureClient,
    FrontClient,
    RunClient,
)
from service.client.robustness import RobustnessClient
from service.client.studies import (
    AlgorithmClient,
    DraftClient,
    ModelClient,
    ProgressClient,
    ReevaluationClient,
    StudyClient,
)
from service.client.sweeps import SweepClient
from service.client.wire import Wire


class Client:
    """A Tautline server; see :class:`service.operations.Operations` for what it does.

    A client may be used by several threads, and as a context manager::

        with tautline.Client("https://robots.example.org") as server:
            for study in server.studies.list().items:
                print(study.name, study.state)

    Parameters
    ----------
    server : str
        Address, as in ``"https://robots.example.org"``.
    token : str, optional
        By which the server knows you. Without it the environment and the token file are read,
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
        requests = Requests(self._wire)
        self.models = ModelClient(requests)
        self.algorithms = AlgorithmClient(requests)
        self.studies = StudyClient(requests)
        self.drafts = DraftClient(requests)
        self.progress = ProgressClient(requests)
        self.runs = RunClient(requests)
        self.evaluations = EvaluationClient(requests)
        self.fronts = FrontClient(requests)
        self.designs = DesignClient(requests)
        self.decisions = DecisionClient(requests)
        self.annotations = AnnotationClient(requests)
        self.comparisons = ComparisonClient(requests)
        self.figures = FigureClient(requests)
        self.reevaluations = ReevaluationClient(requests)
        self.sweeps = SweepClient(requests)
        self.robustness = RobustnessClient(requests)
        self.importances = ImportanceClient(requests)
        self.exports = ExportClient(requests)
        self.events = EventClient(requests)
        self.accounts = AccountClient(requests)
        self.tokens = TokenClient(requests)

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
