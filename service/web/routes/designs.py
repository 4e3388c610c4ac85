"""Single designs: what is stored of one, its scene, and evaluating it again."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from service.resources.figures import SceneResource
from service.resources.models import DesignEvaluationRequest, EvaluationResource, FieldName, PostureValues
from service.resources.results import DesignResource, ReproductionResource
from service.resources.review import SceneFigureResource
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.responses import ARRAY, DESIGN_FILE, FileKind, array_response, design_file_response
from service.web.routes.studies import StudyName
from studies.evaluation_key import short_key
from studies.exchange.design import DesignFile
from studies.exchange.formats import Format

router = APIRouter(tags=["designs"], route_class=StrictRoute)

Key = Annotated[str, Path(max_length=64, description="key of a design, or its first characters (6 or more)")]
_OF_STUDY = "/studies/{name}/designs/{key}"


@router.get("/designs/{key}", responses=problems(404, 422))
def find_design(services: Services, key: Key) -> DesignResource:
    """A stored design that a study which you may see asked for."""
    return services.designs.get(key)


@router.post("/designs/{key}/reproduce", responses=problems(404, 415, 422, 503))
def reproduce_found_design(services: Services, key: Key) -> ReproductionResource:
    """Evaluate a stored design again and compare every bit."""
    return services.designs.reproduce(key)


@router.get(_OF_STUDY, responses=problems(404, 422))
def show_design(services: Services, name: StudyName, key: Key) -> DesignResource:
    """A design that the study asked for: parameters, metrics, time and counters."""
    return services.designs.get(key, name)


@router.post(f"{_OF_STUDY}/reproduce", responses=problems(404, 415, 422, 503))
def reproduce_design(services: Services, name: StudyName, key: Key) -> ReproductionResource:
    """Evaluate the design again and compare every bit."""
    return services.designs.reproduce(key, name)


@router.post(f"{_OF_STUDY}/evaluate", responses=problems(404, 413, 415, 422, 503))
def evaluate_design(
    services: Services, name: StudyName, key: Key, wanted: DesignEvaluationRequest
) -> EvaluationResource:
    """Evaluate the design with other settings or other values of its variables; nothing is stored."""
    return services.designs.evaluate(key, name, wanted)


@router.get(f"{_OF_STUDY}/scene", responses=problems(404, 422, 503))
def show_scene(services: Services, name: StudyName, key: Key) -> SceneResource:
    """What a 3D view of the design shows: lines and boxes; points and surfaces are fetched one by one."""
    return services.designs.scene(key, name)


@router.get(f"{_OF_STUDY}/figure", responses=problems(404, 422, 503))
def show_scene_figure(
    services: Services,
    name: StudyName,
    key: Key,
    field: Annotated[FieldName, Query()] = "",
    posture: Annotated[PostureValues | None, Query()] = None,
) -> SceneFigureResource:
    """The 3D view of the design as Plotly draws it, with what it shows in words."""
    return services.designs.figure(key, name, field, posture)


_ANSWERS: dict[int | str, dict[str, Any]] = {**problems(404, 422, 503), 200: DESIGN_FILE}


@router.get("/designs/{key}/export", response_class=Response, responses=_ANSWERS)
def export_found_design(services: Services, key: Key, kind: FileKind = "json") -> Response:
    """A stored design as a file for other programs: CAD, simulators, viewers."""
    return _file(services.designs.export(key, kind), key, kind)


@router.get(f"{_OF_STUDY}/export", response_class=Response, responses=_ANSWERS)
def export_design(services: Services, name: StudyName, key: Key, kind: FileKind = "json") -> Response:
    """The design as a file for other programs: CAD, simulators, viewers."""
    return _file(services.designs.export(key, kind, name), key, kind)


def _file(found: DesignFile, key: str, kind: Format) -> Response:
    return design_file_response(found, kind, f"design-{short_key(re.sub('[^0-9a-f]', '', key))}")


@router.get(
    f"{_OF_STUDY}/scene/{{shape}}",
    response_class=Response,
    responses={**problems(404, 422, 503), 200: ARRAY},
)
def get_shape(
    services: Services,
    name: StudyName,
    key: Key,
    shape: Annotated[int, Path(ge=0, lt=2**31, description="`shape` of the scene")],
    part: Annotated[
        Literal["points", "triangles", "values", "moments"],
        Query(description="what of a surface, of points, or of a line that moves"),
    ] = "points",
) -> Response:
    """The points of a shape in m, the triangles of a surface as places in its points, or values of points.

    Of a line that moves also the points at all moments, one moment after the other.
    """
    table = services.designs.shape(key, name, shape, part)
    return array_response(
        (len(table.values), len(table.columns)), table.columns, table.units, [table.values.tobytes()]
    )
