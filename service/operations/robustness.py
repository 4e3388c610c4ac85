"""Protocol of designs under tolerances and of sensitivities; see :mod:`service.operations`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from service.resources import robustness


class RobustnessOperations(Protocol):
    """Designs under tolerances, and what a study is sensitive to.

    A call evaluates for a few seconds and stores what it has. The same call goes on, until ``done``.
    """

    def design(
        self, key: str, study: str | None = None, request: robustness.RobustRequest | None = None
    ) -> robustness.RobustResource:
        """Statistics, robots, tornado and Sobol indices of a stored design.

        Without ``study``, of the first one that evaluated the design.
        """
        ...

    def variables(
        self, name: str, request: robustness.SensitivityRequest | None = None
    ) -> robustness.SensitivityResource:
        """Sobol indices of objectives and constraints to the variables of a layout."""
        ...
