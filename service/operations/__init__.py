"""What can be done with Tautline, wherever the store is: one protocol per noun, composed at the end.

:class:`service.app.services.StoreServices` does it on a store, ``tautline.Client`` by a server. The routes of
REST and the commands of the command line call nothing else, so a thing is done in one place and the same way
everywhere. Errors are those of :mod:`errors`, also over REST. A study that the caller may not see counts as
missing for every method, and no error names it.

Every list is a :class:`~service.resources.studies.Page`. Without ``limit`` it holds all items. With ``limit``
it holds at most so many, and ``next`` is the ``cursor`` of the following page.
"""

from __future__ import annotations

from typing import Protocol

from service.operations.access import (
    AccountOperations,
    TokenOperations,
)
from service.operations.decisions import AnnotationOperations, DecisionOperations
from service.operations.importances import ImportanceOperations
from service.operations.results import (
    ComparisonOperations,
    DesignOperations,
    EvaluationOperations,
    EventOperations,
    Export,
    ExportFormat,
    ExportOperations,
    FigureOperations,
    FloatStream,
    FloatTable,
    FrontOperations,
    RunOperations,
    ShapePart,
)
from service.operations.robustness import RobustnessOperations
from service.operations.studies import (
    AlgorithmOperations,
    DraftOperations,
    ModelOperations,
    ProgressOperations,
    ReevaluationOperations,
    StudyCheckOperations,
    StudyOperations,
)
from service.operations.sweeps import SweepOperations

__all__ = [
    "AccountOperations",
    "AlgorithmOperations",
    "AnnotationOperations",
    "ComparisonOperations",
    "DecisionOperations",
    "DesignOperations",
    "DraftOperations",
    "EvaluationOperations",
    "EventOperations",
    "Export",
    "ExportFormat",
    "ExportOperations",
    "FigureOperations",
    "FloatStream",
    "FloatTable",
    "FrontOperations",
    "ImportanceOperations",
    "ModelOperations",
    "Operations",
    "ProgressOperations",
    "ReevaluationOperations",
    "RobustnessOperations",
    "RunOperations",
    "ShapePart",
    "StorelessOperations",
    "StudyCheckOperations",
    "StudyOperations",
    "SweepOperations",
    "TokenOperations",
]


class StorelessOperations(Protocol):
    """What needs no store."""

    @property
    def models(self) -> ModelOperations:
        """See :class:`ModelOperations`."""
        ...

    @property
    def algorithms(self) -> AlgorithmOperations:
        """See :class:`AlgorithmOperations`."""
        ...

    @property
    def studies(self) -> StudyCheckOperations:
        """See :class:`StudyCheckOperations`."""
        ...


class Operations(Protocol):
    """Everything, noun by noun."""

    @property
    def models(self) -> ModelOperations:
        """See :class:`ModelOperations`."""
        ...

    @property
    def algorithms(self) -> AlgorithmOperations:
        """See :class:`AlgorithmOperations`."""
        ...

    @property
    def studies(self) -> StudyOperations:
        """See :class:`StudyOperations`."""
        ...

    @property
    def drafts(self) -> DraftOperations:
        """See :class:`DraftOperations`."""
        ...

    @property
    def progress(self) -> ProgressOperations:
        """See :class:`ProgressOperations`."""
        ...

    @property
    def runs(self) -> RunOperations:
        """See :class:`RunOperations`."""
        ...

    @property
    def evaluations(self) -> EvaluationOperations:
        """See :class:`EvaluationOperations`."""
        ...

    @property
    def fronts(self) -> FrontOperations:
        """See :class:`FrontOperations`."""
        ...

    @property
    def designs(self) -> DesignOperations:
        """See :class:`DesignOperations`."""
        ...

    @property
    def decisions(self) -> DecisionOperations:
        """See :class:`DecisionOperations`."""
        ...

    @property
    def annotations(self) -> AnnotationOperations:
        """See :class:`AnnotationOperations`."""
        ...

    @property
    def comparisons(self) -> ComparisonOperations:
        """See :class:`ComparisonOperations`."""
        ...

    @property
    def figures(self) -> FigureOperations:
        """See :class:`FigureOperations`."""
        ...

    @property
    def reevaluations(self) -> ReevaluationOperations:
        """See :class:`ReevaluationOperations`."""
        ...

    @property
    def sweeps(self) -> SweepOperations:
        """See :class:`SweepOperations`."""
        ...

    @property
    def robustness(self) -> RobustnessOperations:
        """See :class:`RobustnessOperations`."""
        ...

    @property
    def importances(self) -> ImportanceOperations:
        """See :class:`ImportanceOperations`."""
        ...

    @property
    def exports(self) -> ExportOperations:
        """See :class:`ExportOperations`."""
        ...

    @property
    def events(self) -> EventOperations:
        """See :class:`EventOperations`."""
        ...

    @property
    def accounts(self) -> AccountOperations:
        """See :class:`AccountOperations`."""
        ...

    @property
    def tokens(self) -> TokenOperations:
        """See :class:`TokenOperations`."""
        ...
