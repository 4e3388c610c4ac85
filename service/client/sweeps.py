"""Sweeps of a server's studies."""

from __future__ import annotations

from service.client.requests import Requests, plain
from service.client.wire import PATIENT
from service.resources.figures import FigureResource
from service.resources.models import Page
from service.resources.sweeps import SweepRequest, SweepResource, VerdictMapResource


class SweepClient:
    """See :class:`service.operations.SweepOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def start(self, name: str, request: SweepRequest) -> SweepResource:
        """Store a sweep, and have what is missing of it computed there; the same one again goes on."""
        path = f"{self._requests.study(name)}/sweeps"
        return self._requests.post(path, SweepResource, plain(request), again=True, patience=PATIENT)

    def list(self, name: str, *, cursor: str = "", limit: int | None = None) -> Page[SweepResource]:
        """The sweeps of a study, oldest first."""
        path = f"{self._requests.study(name)}/sweeps"
        return self._requests.page(path, SweepResource, None, cursor, limit)

    def get(self, name: str, sweep_id: int) -> SweepResource:
        """How far one of them is."""
        return self._requests.get(f"{self._requests.study(name)}/sweeps/{sweep_id}", SweepResource)

    def map(self, name: str, sweep_id: int) -> VerdictMapResource:
        """Which layout wins under which conditions, as far as they are computed."""
        return self._requests.get(f"{self._requests.study(name)}/sweeps/{sweep_id}/map", VerdictMapResource)

    def figure(self, name: str, sweep_id: int, criterion: str = "") -> FigureResource:
        """The map of one criterion as Plotly draws it; the first one without a name."""
        path = f"{self._requests.study(name)}/sweeps/{sweep_id}/figure"
        return self._requests.get(path, FigureResource, {"criterion": criterion or None})

    def delete(self, name: str, sweep_id: int) -> SweepResource:
        """Delete a sweep, and return it; its evaluations and the studies that searched for it stay."""
        path = f"{self._requests.study(name)}/sweeps/{sweep_id}"
        return self._requests.wire.read(SweepResource, self._requests.wire.ask("DELETE", path))
