"""Protocol of the importance of variables; see :mod:`service.operations`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from service.resources import importances


class ImportanceOperations(Protocol):
    """How metrics depend on variables, from the stored evaluations of a study; nothing is evaluated."""

    def get(
        self, name: str, layout: str | None = None, metrics: Sequence[str] = ()
    ) -> importances.ImportancesResource:
        """Rank correlation and importance of each variable; none given: of objectives and constraints."""
        ...

    def slice(
        self, name: str, metric: str, variable: str, other: str | None = None, layout: str | None = None
    ) -> importances.SliceResource:
        """A metric over one or two variables: stored designs as points, and medians."""
        ...
