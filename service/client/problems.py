"""Problems (RFC 9457) that a server sends, as the errors that they were there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from errors import (
    AbsentError,
    EditConflictError,
    Fault,
    FaultsError,
    ForbiddenError,
    IdentityError,
    InputError,
    LimitError,
    Place,
    ServerError,
    StateError,
    StoreFullError,
    TautlineError,
    TooLargeError,
    UnknownNameError,
    UnreachableError,
)
from service.problem_types import PROBLEMS

_STATUS: Mapping[int, type[TautlineError]] = {
    400: InputError, 401: IdentityError, 403: ForbiddenError, 404: AbsentError, 409: StateError,
    412: EditConflictError, 413: TooLargeError, 415: InputError, 422: InputError, 429: LimitError,
    502: UnreachableError, 503: UnreachableError, 504: UnreachableError, 507: StoreFullError,
}  # fmt: skip
"""Error for each status where the problem's type says no more."""

_TYPES = {kind.uri: kind for kind in PROBLEMS}


class _Fault(BaseModel):
    """One of several faults."""

    model_config = ConfigDict(extra="ignore")
    detail: str
    path: Sequence[str | int] = ()


class _Remedy(BaseModel):
    """A verb that mends what a problem says."""

    model_config = ConfigDict(extra="ignore")
    noun: str
    verb: str
    names: tuple[str, ...] = ()
    given: dict[str, str] = {}


class _Problem(BaseModel):
    """The members of a problem that are looked at."""

    model_config = ConfigDict(extra="ignore")
    type: str
    title: str = ""
    detail: str = ""
    path: Sequence[str | int] = ()
    needed: int | None = None
    request_id: str = ""
    errors: list[_Fault] = []
    remedy: _Remedy | None = None


def error_of(status: int, headers: Mapping[str, str], content: bytes, server: str) -> TautlineError:
    """The error for an answer that is not a success."""
    try:
        problem = _Problem.model_validate_json(content)
    except ValidationError:
        return _without_problem(status, server)
    known = _TYPES.get(problem.type)
    kind = known.error if known else _STATUS.get(status, TautlineError)
    text = problem.detail or problem.title or f"status {status}"
    if known is None or not known.shows_message:
        text = f"{text} (the server at {server}, request {problem.request_id or 'without number'})"
    if kind is TautlineError:
        return ServerError(f"the server failed: {text}")
    if issubclass(kind, InputError) and len(problem.errors) > 1:
        return FaultsError([Fault(tuple(fault.path), fault.detail) for fault in problem.errors])
    if kind is EditConflictError and problem.needed is not None and problem.path:
        return EditConflictError(text, (str(problem.path[0]), problem.needed))
    error = _error(kind, text, tuple(problem.path), headers)
    if (remedy := problem.remedy) is not None:
        error.mended_by(remedy.noun, remedy.verb, *remedy.names, **remedy.given)
    return error


def _error(kind: type[TautlineError], text: str, place: Place, headers: Mapping[str, str]) -> TautlineError:
    if issubclass(kind, InputError):
        plain = InputError if kind is UnknownNameError else kind  # the names are in its text
        return plain(text, place)
    if kind is LimitError:
        stated = headers.get("Retry-After", "")
        return LimitError(text, float(stated) if stated.isdecimal() else None)
    if kind is IdentityError:
        text = (
            f"{text}; `tautline token create` on the server's machine prints a token; put it into the "
            "variable TAUTLINE_TOKEN or into a token file here"
        )
    return kind(text)


def _without_problem(status: int, server: str) -> TautlineError:
    """Something else than a Tautline answered, such as a proxy in front of it."""
    kind = UnreachableError if status in {502, 503, 504} else ServerError
    return kind(
        f"the program that answers at {server} is not a Tautline server (status {status}); check the address"
    )
