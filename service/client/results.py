"""What a server's studies found: runs, designs, fronts, comparisons, figures, files, events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from service.client.requests import Requests, design_file, figure_path, float_table, plain
from service.client.watching import watch
from service.client.wire import PATIENT, Query
from service.operations import Export, ExportFormat, FloatTable, ShapePart
from service.resources.comparison import ComparisonResource, ContestResource
from service.resources.figures import FigureResource, FigureSummary, SceneResource
from service.resources.models import EvaluationRequest, EvaluationResource, Page
from service.resources.results import (
    AskedDesignResource,
    DesignResource,
    FrontDesignResource,
    IndicatorsResource,
    ReproductionResource,
)
from service.resources.review import PickResource, SceneFigureResource
from service.resources.studies import EventResource, GenerationResource, RunResource, StudyResource
from studies.exchange.design import DesignFile
from studies.exchange.formats import Format
from studies.records import EvaluationState, FailureKind


class RunClient:
    """See :class:`service.operations.RunOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, name: str, *, cursor: str = "", limit: int | None = None) -> Page[RunResource]:
        """The runs with counts and messages, in the order of layouts and seeds in the study file."""
        path = f"{self._requests.study(name)}/runs"
        return self._requests.page(path, RunResource, None, cursor, limit)

    def get(self, name: str, run_id: int) -> RunResource:
        """One run."""
        return self._requests.get(f"{self._requests.study(name)}/runs/{run_id}", RunResource)

    def generations(
        self, name: str, run_id: int, *, cursor: str = "", limit: int | None = None
    ) -> Page[GenerationResource]:
        """The indicators of a run after each generation."""
        path = f"{self._requests.study(name)}/runs/{run_id}/generations"
        return self._requests.page(path, GenerationResource, None, cursor, limit)

    def provenance(self, name: str, run_id: int) -> Page[dict[str, Any]]:
        """Versions, host and commit of each process that worked on the run."""
        path = f"{self._requests.study(name)}/runs/{run_id}/provenance"
        return self._requests.whole(path, dict[str, Any])

    def indicators(self, name: str) -> IndicatorsResource:
        """The hypervolume of every run after each generation, against one point."""
        return self._requests.get(f"{self._requests.study(name)}/indicators", IndicatorsResource)


@dataclass(frozen=True, slots=True)
class ReceivedArray:
    """See :class:`service.operations.FloatStream`: an array that a server sent."""

    table: FloatTable
    designs: int
    etag: str

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        return self.table.columns

    @property
    def units(self) -> Sequence[str]:
        """A unit for each column."""
        return self.table.units

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        rows, columns = self.table.values.shape
        return rows, columns

    def pieces(self) -> Iterator[bytes]:
        """The rows as little-endian float32, all at once."""
        yield np.ascontiguousarray(self.table.values, dtype="<f4").tobytes()


class EvaluationClient:
    """See :class:`service.operations.EvaluationOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        name: str,
        *,
        layout: str | None = None,
        seed: int | None = None,
        state: EvaluationState | None = None,
        kind: FailureKind | None = None,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[AskedDesignResource]:
        """The designs; ``kind`` is the kind of failure."""
        query = {"layout": layout, "seed": seed, "state": state, "kind": kind}
        path = f"{self._requests.study(name)}/evaluations"
        return self._requests.page(path, AskedDesignResource, query, cursor, limit)

    def get(self, name: str, run_id: int, ask_no: int) -> AskedDesignResource:
        """One of them."""
        path = f"{self._requests.study(name)}/runs/{run_id}/evaluations/{ask_no}"
        return self._requests.get(path, AskedDesignResource)

    def array(
        self,
        name: str,
        *,
        layout: str | None = None,
        seed: int | None = None,
        columns: Sequence[str] = (),
        limit: int | None = None,
    ) -> ReceivedArray:
        """The designs as numbers in these ``columns``, none for all of them."""
        query: Query = {"layout": layout, "seed": seed, "column": [*columns], "most": limit}
        path = f"{self._requests.study(name)}/evaluations/array"
        answer = self._requests.wire.ask("GET", path, query, patience=PATIENT)
        table = float_table(answer)
        asked = answer.headers.get("Tautline-Asked", len(table.values))
        return ReceivedArray(table, int(asked), answer.headers.get("ETag", ""))


class FrontClient:
    """See :class:`service.operations.FrontOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        name: str,
        layout: str | None = None,
        seed: int | None = None,
        *,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[FrontDesignResource]:
        """The designs on the fronts, sorted by key."""
        query: Query = {"layout": layout, "seed": seed}
        path = f"{self._requests.study(name)}/front"
        return self._requests.page(path, FrontDesignResource, query, cursor, limit)

    def picks(self, name: str) -> Page[PickResource]:
        """Designs of each front to begin with: best of each objective, knee, nearest to the ideal."""
        return self._requests.whole(f"{self._requests.study(name)}/picks", PickResource)


class DesignClient:
    """See :class:`service.operations.DesignOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def get(self, key: str, study: str | None = None) -> DesignResource:
        """A stored design; with ``study``, only one that this study evaluated."""
        return self._requests.get(self._requests.design(key, study), DesignResource)

    def reproduce(self, key: str, study: str | None = None) -> ReproductionResource:
        """Evaluate a stored design again and compare every bit."""
        path = f"{self._requests.design(key, study)}/reproduce"
        return self._requests.post(path, ReproductionResource, again=True, patience=PATIENT)

    def evaluate(self, key: str, study: str, request: EvaluationRequest) -> EvaluationResource:
        """Evaluate a stored design with other settings, such as a finer grid; nothing is stored."""
        path = f"{self._requests.design(key, study)}/evaluate"
        return self._requests.post(path, EvaluationResource, plain(request), again=True, patience=PATIENT)

    def scene(self, key: str, study: str) -> SceneResource:
        """What a 3D view of a design shows; large shapes are fetched by :meth:`shape`."""
        return self._requests.get(f"{self._requests.design(key, study)}/scene", SceneResource)

    def shape(self, key: str, study: str, shape: int, part: ShapePart = "points") -> FloatTable:
        """The points of one shape of a scene, its triangles, its values, or its points at all moments."""
        path = f"{self._requests.design(key, study)}/scene/{shape}"
        return float_table(self._requests.wire.ask("GET", path, {"part": part}, patience=PATIENT))

    def figure(
        self, key: str, study: str, field: str = "", posture: Sequence[float] | None = None
    ) -> SceneFigureResource:
        """The 3D view as Plotly draws it, with a field of its workspace, in a posture."""
        values = None if posture is None else [repr(float(value)) for value in posture]
        query = {"field": field or None, "posture": values}
        return self._requests.get(f"{self._requests.design(key, study)}/figure", SceneFigureResource, query)

    def export(self, key: str, kind: Format, study: str | None = None) -> DesignFile:
        """A stored design as a file for other programs, such as ``"urdf"`` or ``"step"``."""
        path = f"{self._requests.design(key, study)}/export"
        return design_file(self._requests.wire.ask("GET", path, {"format": kind}, patience=PATIENT))


class ComparisonClient:
    """See :class:`service.operations.ComparisonOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def layouts(self, name: str) -> ComparisonResource:
        """The comparison of the layouts of a study."""
        return self._requests.get(f"{self._requests.study(name)}/comparison", ComparisonResource)

    def studies(self, names: Sequence[str], *, across_conditions: bool = False) -> ContestResource:
        """The comparison of studies in the objectives that all have, and whether conditions differ."""
        return self._requests.get("comparison", ContestResource, _compared(names, across_conditions))

    def figure(self, names: Sequence[str], figure: str, *, across_conditions: bool = False) -> FigureResource:
        """One of the figures that a comparison of studies names."""
        query = _compared(names, across_conditions)
        return self._requests.get(f"comparison/{figure_path(figure)}", FigureResource, query)


def _compared(names: Sequence[str], across_conditions: bool) -> Query:
    return {"of": list(names), "across_conditions": across_conditions or None}


class FigureClient:
    """See :class:`service.operations.FigureOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, name: str) -> Page[FigureSummary]:
        """The figures that are available now."""
        return self._requests.whole(f"{self._requests.study(name)}/figures", FigureSummary)

    def get(self, name: str, figure: str) -> FigureResource:
        """One of them as Plotly draws it."""
        return self._requests.get(f"{self._requests.study(name)}/{figure_path(figure)}", FigureResource)


class ExportClient:
    """See :class:`service.operations.ExportOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def table(self, name: str, kind: ExportFormat, *, only_front: bool = False) -> Export:
        """All designs of a study, or its fronts, as a table with units in its headers."""
        query: Query = {"format": kind, "front": only_front}
        path = f"{self._requests.study(name)}/export"
        answer = self._requests.wire.ask("GET", path, query, patience=PATIENT)
        return Export(iter([answer.content]), int(answer.headers["Tautline-Designs"]))

    def tables(self, names: Sequence[str], kind: ExportFormat, *, only_front: bool = False) -> Export:
        """The same of several studies: a zip file with a table of each."""
        query: Query = {"study": list(names), "format": kind, "front": only_front}
        answer = self._requests.wire.ask("GET", "exports", query, patience=PATIENT)
        return Export(iter([answer.content]), int(answer.headers["Tautline-Designs"]))

    def report(self, name: str) -> str:
        """A self-contained HTML report."""
        path = f"{self._requests.study(name)}/report"
        return self._requests.wire.ask("GET", path, patience=PATIENT).text


class EventClient:
    """See :class:`service.operations.EventOperations`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def follow(self, name: str, after: int = 0) -> Iterator[EventResource]:
        """The events since event ``after``, then new ones as they happen, while any run moves.

        A connection that breaks is opened again, and continues after the last event that came.
        """
        path = self._requests.study(name)
        found = self._requests.get(path, StudyResource)

        def runs() -> list[RunResource]:
            return self._requests.page(f"{path}/runs", RunResource).items

        return watch(self._requests.wire, found.name, runs, after)
