"""Protocols of what a study found: runs, designs, fronts, figures, files; see :mod:`service.operations`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from service.resources import comparison, figures, results, review
    from service.resources import models as backends
    from service.resources import studies as records
    from service.resources.models import Page
    from service.resources.parameters import Failure
    from studies.exchange.design import DesignFile
    from studies.exchange.formats import Format
    from studies.records import EvaluationState

ExportFormat = Literal["csv", "parquet", "json"]
ShapePart = Literal["points", "triangles", "values", "moments"]


@dataclass(frozen=True, eq=False)
class Export:
    """Tables of designs as a file that comes in pieces, and how many designs they have.

    From a store, pieces are read as they are taken. They can be taken once, or ``content`` be asked for.
    """

    pieces: Iterator[bytes]
    designs: int

    @cached_property
    def content(self) -> bytes:
        """The content of the file."""
        return b"".join(self.pieces)


@dataclass(frozen=True, slots=True)
class FloatTable:
    """Rows of numbers: ``values`` (n, m) float32, a name and a unit for each column."""

    values: NDArray[np.float32]
    columns: Sequence[str]
    units: Sequence[str]


class FloatStream(Protocol):
    """The same as :class:`FloatTable` for any number of rows, which come in pieces."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        ...

    @property
    def units(self) -> Sequence[str]:
        """A unit for each column."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        ...

    @property
    def designs(self) -> int:
        """How many designs there are; more than rows where only every second, third and so on is sent."""
        ...

    @property
    def etag(self) -> str:
        """A text that changes whenever the array does."""
        ...

    def pieces(self) -> Iterator[bytes]:
        """The rows as little-endian float32, some at a time."""
        ...


class RunOperations(Protocol):
    """The runs of a study."""

    def list(self, name: str, *, cursor: str = "", limit: int | None = None) -> Page[records.RunResource]:
        """The runs with counts and messages, in the order of layouts and seeds in the study file.

        A run that shall pause or end, and whose process is gone or late, does so now.
        """
        ...

    def get(self, name: str, run_id: int) -> records.RunResource:
        """One run."""
        ...

    def generations(
        self, name: str, run_id: int, *, cursor: str = "", limit: int | None = None
    ) -> Page[records.GenerationResource]:
        """The indicators of a run after each generation."""
        ...

    def provenance(self, name: str, run_id: int) -> Page[dict[str, Any]]:
        """Versions, host and commit of each process that worked on the run."""
        ...

    def indicators(self, name: str) -> results.IndicatorsResource:
        """The hypervolume of every run after each generation, against one point."""
        ...


class EvaluationOperations(Protocol):
    """The designs that the runs of a study evaluated, in the order of runs and of asking."""

    def list(
        self,
        name: str,
        *,
        layout: str | None = None,
        seed: int | None = None,
        state: EvaluationState | None = None,
        kind: Failure = None,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[results.AskedDesignResource]:
        """The designs; ``kind`` is the kind of failure."""
        ...

    def get(self, name: str, run_id: int, ask_no: int) -> results.AskedDesignResource:
        """One of them."""
        ...

    def array(
        self,
        name: str,
        *,
        layout: str | None = None,
        seed: int | None = None,
        columns: Sequence[str] = (),
        limit: int | None = None,
    ) -> FloatStream:
        """The designs as numbers in these ``columns``, none for all of them.

        Of more than ``limit`` rows, every second, third and so on is there.
        """
        ...


class FrontOperations(Protocol):
    """The front of each layout, joint over its seeds."""

    def list(
        self,
        name: str,
        layout: str | None = None,
        seed: int | None = None,
        *,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[results.FrontDesignResource]:
        """The designs on the fronts, sorted by key."""
        ...

    def picks(self, name: str) -> Page[review.PickResource]:
        """Designs of each front to begin with: best of each objective, knee, nearest to the ideal."""
        ...


class DesignOperations(Protocol):
    """Single stored designs, by key or by the first characters of it."""

    def get(self, key: str, study: str | None = None) -> results.DesignResource:
        """A stored design; with ``study``, only one that this study evaluated."""
        ...

    def reproduce(self, key: str, study: str | None = None) -> results.ReproductionResource:
        """Evaluate a stored design again and compare every bit."""
        ...

    def evaluate(
        self, key: str, study: str, request: backends.EvaluationRequest
    ) -> backends.EvaluationResource:
        """Evaluate a stored design with other settings, such as a finer grid; nothing is stored.

        A ``DesignEvaluationRequest`` also has other values of its variables in the study.
        """
        ...

    def scene(self, key: str, study: str) -> figures.SceneResource:
        """What a 3D view of a design shows; large shapes are fetched by :meth:`shape`."""
        ...

    def shape(self, key: str, study: str, shape: int, part: ShapePart = "points") -> FloatTable:
        """Of one shape of a scene the points (n, 3) in m, the triangles as rows of points, or the values.

        ``moments`` are the points of a line that moves, (k n, 3) in m: those of all k moments in turn.
        """
        ...

    def figure(
        self, key: str, study: str, field: str = "", posture: Sequence[float] | None = None
    ) -> review.SceneFigureResource:
        """The 3D view as Plotly draws it.

        ``field`` is one of the model's fields, which colours the cells of the workspace. ``posture`` has the
        values of what can be moved, such as the joints of an arm, as the figure's own ``posture`` lists them.
        """
        ...

    def export(self, key: str, kind: Format, study: str | None = None) -> DesignFile:
        """A stored design as a file for other programs, such as ``"urdf"`` or ``"step"``."""
        ...


class ComparisonOperations(Protocol):
    """Studies, and layouts of a study, against each other."""

    def layouts(self, name: str) -> comparison.ComparisonResource:
        """The comparison of the layouts of a study."""
        ...

    def studies(self, names: Sequence[str], *, across_conditions: bool = False) -> comparison.ContestResource:
        """The comparison of studies in the objectives that all have, and whether conditions differ.

        Studies with other loads, limits, resolutions or versions are refused, unless ``across_conditions``
        is true.
        """
        ...

    def figure(
        self, names: Sequence[str], figure: str, *, across_conditions: bool = False
    ) -> figures.FigureResource:
        """One of the figures that a comparison of studies names."""
        ...


class FigureOperations(Protocol):
    """The figures of a study."""

    def list(self, name: str) -> Page[figures.FigureSummary]:
        """The figures that are available now."""
        ...

    def get(self, name: str, figure: str) -> figures.FigureResource:
        """One of them as Plotly draws it."""
        ...


class ExportOperations(Protocol):
    """Studies as files."""

    def table(self, name: str, kind: ExportFormat, *, only_front: bool = False) -> Export:
        """All designs of a study, or its fronts, as a table with units in its headers."""
        ...

    def tables(self, names: Sequence[str], kind: ExportFormat, *, only_front: bool = False) -> Export:
        """The same of several studies, at most 100: a zip file with a table of each."""
        ...

    def report(self, name: str) -> str:
        """A self-contained HTML report."""
        ...


class EventOperations(Protocol):
    """What happens to the runs of a study."""

    def follow(self, name: str, after: int = 0) -> Iterator[records.EventResource]:
        """The events since event ``after``, then new ones as they happen.

        Ends when no run waits for a runner or is worked on: see :data:`studies.records.MOVING`.
        """
        ...
