"""Requests to a server and its answers; whatever goes wrong comes back as an error of ours."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

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
from service.client.credentials import refuse_open_token, server_address
from service.problem_types import PROBLEMS
from service.resources.models import Page

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


def open_transport(address: str) -> httpx.BaseTransport:
    """Connections to a server; certificates are checked against those that this machine trusts."""
    if address.startswith("http://"):
        return httpx.HTTPTransport()
    return httpx.HTTPTransport(verify=ssl.create_default_context())


def open_connections(address: str, token: str | None, transport: httpx.BaseTransport | None) -> httpx.Client:
    """A client of ``httpx`` that carries the token, follows no redirection and asks no proxy."""
    headers = {"Accept": "application/json", "User-Agent": "tautline"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return httpx.Client(
        base_url=f"{address}/api/v1/", headers=headers, transport=transport or open_transport(address),
        timeout=httpx.Timeout(60.0, connect=10.0), follow_redirects=False, trust_env=False,
    )  # fmt: skip


T = TypeVar("T")
Query = Mapping[str, str | int | bool | list[str] | None]


MINUTE = 60.0
PATIENT = 3600.0
"""Seconds of silence that are waited for where a server computes before it answers."""

_PAUSES = (0.2, 1.0, 3.0)
_BUSY = frozenset({429, 502, 503, 504})
_LONGEST_PAUSE = 30.0


class Wire:
    """One server, for one person. Several threads may use it.

    A request that may safely come twice is sent again when the server was busy or the connection
    broke; any other only when it cannot have arrived.
    """

    def __init__(self, server: str, token: str | None, transport: httpx.BaseTransport | None) -> None:
        self.server = server_address(server)
        refuse_open_token(self.server, token)
        self._http = open_connections(self.server, token, transport)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def ask(
        self,
        method: str,
        path: str,
        query: Query | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        again: bool = False,
        patience: float = MINUTE,
    ) -> httpx.Response:
        """The answer to one request; ``again`` says that sending it twice does no harm."""
        request = self._request(method, path, query, body, headers, patience)

        def send() -> httpx.Response:
            return self._http.send(request)

        return self._checked(self._persist(send, again=again or method == "GET"))

    @contextmanager
    def stream(self, path: str, query: Query, patience: float) -> Generator[httpx.Response]:
        """An answer that is read while it comes."""
        request = self._request("GET", path, query, None, {"Accept": "text/event-stream"}, patience)
        with self._translated():
            answer = self._http.send(request, stream=True)
            try:
                if not answer.is_success:
                    answer.read()
                yield self._checked(answer)
            finally:
                answer.close()

    def _request(
        self, method: str, path: str, query: Query | None, body: Any, headers: Any, patience: float
    ) -> httpx.Request:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        wait = httpx.Timeout(patience, connect=10.0)
        if isinstance(body, str):  # a study file
            headers = {**(headers or {}), "Content-Type": "application/toml"}
            return self._http.build_request(
                method, path, params=given, content=body.encode(), headers=headers, timeout=wait
            )
        return self._http.build_request(method, path, params=given, json=body, headers=headers, timeout=wait)

    def _persist(self, send: Callable[[], httpx.Response], *, again: bool) -> httpx.Response:
        """Send, and send again where another try can help."""
        for pause in _PAUSES:
            try:
                answer = send()
            except (httpx.ConnectError, httpx.ConnectTimeout):
                time.sleep(pause)
                continue
            except httpx.TransportError as error:
                if not again or isinstance(error, httpx.TimeoutException):
                    raise self._unreachable(error) from None
                time.sleep(pause)
                continue
            wait = _pause_of(answer, pause)
            if not again or answer.status_code not in _BUSY or wait > _LONGEST_PAUSE:
                return answer
            time.sleep(wait)
        with self._translated():
            return send()

    @contextmanager
    def _translated(self) -> Generator[None]:
        """Translate faults of the connection into an error of ours."""
        try:
            yield
        except httpx.TransportError as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: httpx.TransportError) -> UnreachableError:
        if isinstance(error, httpx.TimeoutException):
            return UnreachableError(f"the server at {self.server} does not answer in time; try again later")
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return UnreachableError(
                f"this machine does not trust the certificate of {self.server} ({error}); install the "
                "certificate of its authority here, or name it in the variable SSL_CERT_FILE"
            )
        return UnreachableError(
            f"the server at {self.server} cannot be reached ({error or type(error).__name__}); check that "
            "`tautline serve` runs there"
        )

    def _checked(self, answer: httpx.Response) -> httpx.Response:
        """The answer, unless it is a problem."""
        if answer.is_success:
            return answer
        raise error_of(answer.status_code, answer.headers, answer.content, self.server)

    def read(self, kind: type[T], answer: httpx.Response) -> T:
        """An answer's JSON as a record."""
        with self._translated_answer():
            return _adapter(kind).validate_json(answer.content)

    def read_page(self, kind: type[T], answer: httpx.Response) -> tuple[list[T], str | None]:
        """The items of an answer that is a page of a list, and the cursor of the next page."""
        with self._translated_answer():
            page = Page[Any].model_validate_json(answer.content)
            return [_adapter(kind).validate_python(item) for item in page.items], page.next

    def read_text(self, kind: type[T], text: str) -> T:
        """One event's JSON as a record."""
        with self._translated_answer():
            return _adapter(kind).validate_json(text)

    @contextmanager
    def _translated_answer(self) -> Generator[None]:
        try:
            yield
        except ValidationError as error:
            raise ServerError(
                f"the server at {self.server} sent an answer that this version of Tautline does not "
                "understand; install the same version on both machines "
                f"({error.errors(include_url=False)[0]['msg']})"
            ) from None


@cache
def _adapter(kind: type[T]) -> TypeAdapter[T]:
    return TypeAdapter(kind)


def _pause_of(answer: httpx.Response, usual: float) -> float:
    """Pause in s before the next try: the one that the server states, else the usual one."""
    stated = answer.headers.get("Retry-After", "")
    return float(stated) if stated.isdecimal() else usual
