"""The importance of variables, from a server."""

from __future__ import annotations

from collections.abc import Sequence

from service.client.requests import Requests
from service.client.wire import Query
from service.resources.importances import ImportancesResource, SliceResource


class ImportanceClient:
    """See :class:`service.operations.ImportanceOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def get(self, name: str, layout: str | None = None, metrics: Sequence[str] = ()) -> ImportancesResource:
        """Rank correlation and importance of each variable; none given: of objectives and constraints."""
        path = f"{self._requests.study(name)}/importances"
        return self._requests.get(path, ImportancesResource, {"layout": layout, "metrics": [*metrics]})

    def slice(
        self, name: str, metric: str, variable: str, other: str | None = None, layout: str | None = None
    ) -> SliceResource:
        """A metric over one or two variables: stored designs as points, and medians."""
        path = f"{self._requests.study(name)}/slice"
        query: Query = {"metric": metric, "variable": variable, "other": other, "layout": layout}
        return self._requests.get(path, SliceResource, query)
