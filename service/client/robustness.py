"""A server's designs under tolerances."""

from __future__ import annotations

from service.client.requests import Requests, plain
from service.client.wire import PATIENT
from service.resources.robustness import (
    RobustRequest,
    RobustResource,
    SensitivityRequest,
    SensitivityResource,
)


class RobustnessClient:
    """See :class:`service.operations.RobustnessOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def design(
        self, key: str, study: str | None = None, request: RobustRequest | None = None
    ) -> RobustResource:
        """Statistics, robots, tornado and Sobol indices of a stored design."""
        path = f"{self._requests.design(key, study)}/robust"
        body = plain(request or RobustRequest())
        return self._requests.post(path, RobustResource, body, again=True, patience=PATIENT)

    def variables(self, name: str, request: SensitivityRequest | None = None) -> SensitivityResource:
        """Sobol indices of objectives and constraints to the variables of a layout."""
        path = f"{self._requests.study(name)}/sensitivity"
        body = plain(request or SensitivityRequest())
        return self._requests.post(path, SensitivityResource, body, again=True, patience=PATIENT)
