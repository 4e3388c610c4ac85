"""Answers written as JSON by the thread that found them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

from pydantic import BaseModel
from starlette.responses import Response

_OK = 200


def written(endpoint: Callable[..., Any], status: int | None) -> Callable[..., Any]:
    """The handler of a route, whose resource comes back as a response.

    FastAPI would check a resource once more, which checked itself when it was made, in another thread,
    and write it on the event loop, which all other requests wait for.
    """
    if iscoroutinefunction(endpoint):
        return endpoint

    @wraps(endpoint)
    def answered(**given: Any) -> Any:
        found = endpoint(**given)
        if not isinstance(found, BaseModel):
            return found
        told = next((value for value in given.values() if isinstance(value, Response)), None)
        code = (told.status_code if told is not None else None) or status or _OK
        answer = Response(found.model_dump_json(by_alias=True), code, media_type="application/json")
        if told is not None:
            answer.raw_headers.extend(told.raw_headers)
        return answer

    return answered
