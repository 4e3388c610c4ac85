"""The OpenAPI document, made from the routes; :mod:`service.openapi` writes it to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from service.problem_types import MEDIA_TYPE
from service.web.problems import ProblemDescription
from studies.definition.study_definition import StudyDefinition

if TYPE_CHECKING:
    from collections.abc import Callable

_REFERENCE = "#/components/schemas/{model}"
_SECURITY: dict[str, Any] = {
    "token": {"type": "http", "scheme": "bearer", "description": "a token, `tl_...`"},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "__Host-tautline",
        "description": "set by logging in; on loopback without TLS its name is `tautline-` and the port",
    },
}


def describe(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """Return the maker of the description of the routes, which makes it at its first call."""
    made: list[dict[str, Any]] = []

    def description() -> dict[str, Any]:
        if not made:
            made.append(_described(app))
        return made[0]

    return description


def _described(app: FastAPI) -> dict[str, Any]:
    """Routes, with the schemas that they refer to by name, and how a caller authenticates."""
    found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    components = found.setdefault("components", {})
    for record in (ProblemDescription, StudyDefinition):
        _add(components.setdefault("schemas", {}), record)
    components["responses"] = _shared_problems(found["paths"])
    components["securitySchemes"] = _SECURITY
    found["security"] = [{name: []} for name in _SECURITY]
    return found


def _shared_problems(paths: dict[str, Any]) -> dict[str, Any]:
    """Every kind of problem once; the operations refer to it."""
    shared: dict[str, Any] = {}
    operations = (operation for path in paths.values() for operation in path.values())
    for operation in operations:
        for status, response in operation["responses"].items():
            if MEDIA_TYPE in response.get("content", {}):
                shared[f"Problem{status}"] = response
                operation["responses"][status] = {"$ref": f"#/components/responses/Problem{status}"}
    return dict(sorted(shared.items()))


def _add(schemas: dict[str, Any], record: type[BaseModel]) -> None:
    schema = record.model_json_schema(ref_template=_REFERENCE)
    schemas.update(schema.pop("$defs", {}))
    schemas[record.__name__] = schema
