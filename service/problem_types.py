"""Problems that a server answers with (RFC 9457): the table of types, and places as JSON pointers.

A problem is JSON: ``type``, ``title``, ``status``, ``detail``; ``place``, where in what was given the
fault lies, as errors say it; ``errors``, where one can be found, with ``pointer`` (RFC 6901) into the
body or the name of a ``parameter``; ``request_id``, under which the server's log has the details.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from errors import (
    AbsentError,
    ConditionsDifferError,
    DivergedError,
    EditConflictError,
    ForbiddenError,
    IdentityError,
    InputError,
    LeaseError,
    LimitError,
    NameTakenError,
    NotReadyError,
    Place,
    SchemaError,
    StateError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    TautlineError,
    TooLargeError,
    UnknownNameError,
    VersionError,
    WorkerError,
)
from studies.definition.documents import keys_to


def pointer(place: Place, document: Any) -> str:
    """A place as a JSON pointer into the document that was sent, whose keys may hold dots too."""
    return joined(keys_to(place, document))


def joined(keys: Sequence[str]) -> str:
    """Keys as a JSON pointer."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)


MEDIA_TYPE = "application/problem+json"
STATUS_TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    408: "Request Timeout",
    409: "Conflict",
    410: "Gone",
    411: "Length Required",
    412: "Precondition Failed",
    413: "Content Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    416: "Range Not Satisfiable",
    417: "Expectation Failed",
    421: "Misdirected Request",
    422: "Unprocessable Content",
    426: "Upgrade Required",
    428: "Precondition Required",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
    505: "HTTP Version Not Supported",
    507: "Insufficient Storage",
}
"""Titles of statuses (RFC 9110, 6585, 4918); Python's own change between its versions."""
TYPE_PREFIX = "urn:tautline:problem:"


@dataclass(frozen=True, slots=True)
class ProblemType:
    """One kind of problem; ``shows_message`` says whether the error's own sentence may leave the server."""

    error: type[TautlineError]
    status: int
    name: str
    title: str
    shows_message: bool = True

    @property
    def uri(self) -> str:
        """The value of ``type``."""
        return TYPE_PREFIX + self.name


PROBLEMS: tuple[ProblemType, ...] = (
    ProblemType(AbsentError, 404, "absent", "Not found"),
    ProblemType(UnknownNameError, 422, "unknown-name", "Unknown name"),
    ProblemType(NameTakenError, 409, "name-taken", "The name is already used"),
    ProblemType(ConditionsDifferError, 422, "conditions-differ", "The studies' conditions differ"),
    ProblemType(TooLargeError, 413, "too-large", "The request is too large"),
    ProblemType(InputError, 422, "input", "The request is not valid"),
    ProblemType(IdentityError, 401, "identity", "You are not logged in"),
    ProblemType(ForbiddenError, 403, "forbidden", "You may not do this"),
    ProblemType(LimitError, 429, "limit", "Too many requests"),
    ProblemType(EditConflictError, 412, "edit-conflict", "Somebody else has changed it"),
    ProblemType(StateError, 409, "state", "Its state does not allow this"),
    ProblemType(LeaseError, 409, "lease", "A process is working on it"),
    ProblemType(VersionError, 409, "version", "Other versions are installed"),
    ProblemType(DivergedError, 409, "diverged", "The search differs from its log"),
    ProblemType(NotReadyError, 503, "not-ready", "The server cannot do its work now"),
    ProblemType(StoreFullError, 507, "store-full", "The store's disk is full", shows_message=False),
    ProblemType(
        StoreReadOnlyError, 503, "store-read-only", "The server may not write its store", shows_message=False
    ),
    ProblemType(
        StoreBusyError, 503, "store-busy", "Another program has locked the store", shows_message=False
    ),
    ProblemType(SchemaError, 503, "schema", "The store was written by another version", shows_message=False),
    ProblemType(StoreError, 503, "store", "The store cannot do this now", shows_message=False),
    ProblemType(WorkerError, 503, "worker", "No worker can do this now", shows_message=False),
    ProblemType(TautlineError, 500, "fault", "Something went wrong", shows_message=False),
)
"""Every error that a request can end with, each class after those that are kinds of it."""


def problem_type(error: TautlineError) -> ProblemType:
    """The kind of problem that an error is: the first in the table of whose class it is."""
    return next(kind for kind in PROBLEMS if isinstance(error, kind.error))
