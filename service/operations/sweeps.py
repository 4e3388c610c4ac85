"""Protocol of sweeps: a study under a grid of conditions; see :mod:`service.operations`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from service.resources import sweeps
    from service.resources.figures import FigureResource
    from service.resources.models import Page


class SweepOperations(Protocol):
    """The front of a study, or its search, under a grid of conditions."""

    def start(self, name: str, request: sweeps.SweepRequest) -> sweeps.SweepResource:
        """Store a sweep, and compute what is missing of it; the same one again goes on.

        Stored fronts are evaluated in the background, one sweep of an account at a time; studies that search
        are queued for a runner.
        """
        ...

    def list(self, name: str, *, cursor: str = "", limit: int | None = None) -> Page[sweeps.SweepResource]:
        """The sweeps of a study, oldest first."""
        ...

    def get(self, name: str, sweep_id: int) -> sweeps.SweepResource:
        """How far one of them is."""
        ...

    def map(self, name: str, sweep_id: int) -> sweeps.VerdictMapResource:
        """Which layout wins under which conditions, as far as they are computed."""
        ...

    def figure(self, name: str, sweep_id: int, criterion: str = "") -> FigureResource:
        """The map of one criterion as Plotly draws it; the first one without a name."""
        ...

    def delete(self, name: str, sweep_id: int) -> sweeps.SweepResource:
        """Delete a sweep, and return it; its evaluations and the studies that searched for it stay."""
        ...
