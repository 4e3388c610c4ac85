"""The client of a server, noun by noun: each method sends the request of its row in the table of verbs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, wraps
from types import TracebackType
from typing import Any, Self, get_type_hints

import httpx
from pydantic import BaseModel

from errors import InputError
from service.app.services import Services
from service.client.credentials import find_token
from service.client.requests import READERS, Requests, header, plain
from service.client.watching import watch
from service.client.wire import MINUTE, PATIENT, Wire
from service.resources.models import Page
from service.resources.studies import EventResource, RunResource, StudyResource
from service.verbs import VERBS, Verb
from studies.decision_records import refuse_key_and_number


def _branch(requests: Requests, name: str, new: str, *, launch: bool, key: str) -> StudyResource:
    path, body = f"{requests.study(name)}/branch", {"name": new, "launch": launch}
    answer = requests.wire.ask("POST", path, None, body, header("Idempotency-Key", key), again=True)
    return requests.wire.read(StudyResource, answer)


def _sheet(requests: Requests, name: str, key: str, number: int | None) -> str:
    refuse_key_and_number(key, number)
    path = requests.study(name)
    path = f"{path}/sheet" if number is None else f"{path}/decisions/{number}/sheet"
    return requests.wire.ask("GET", path, {"key": key or None}, patience=PATIENT).text


def _follow(requests: Requests, name: str, after: int) -> Iterator[EventResource]:
    """Follow the events; a connection that breaks is opened again, after the last event that came."""
    path, wire = requests.study(name), requests.wire
    found = wire.read(StudyResource, wire.ask("GET", path, patience=PATIENT))

    def runs() -> list[RunResource]:
        return requests.page(f"{path}/runs", RunResource).items

    return watch(wire, found.name, runs, after)


BY_HAND: Mapping[tuple[str, str], Callable[..., Any]] = {
    ("studies", "branch"): _branch,
    ("decisions", "sheet"): _sheet,
    ("events", "follow"): _follow,
}
"""Noun and verb of each."""


class Remote:
    """The service of a noun, asked of a server."""

    def __init__(self, requests: Requests) -> None:
        self.requests = requests


@cache
def remote(noun: str, service: type) -> type[Remote]:
    """A class with the methods of a service, of the same signatures and docstrings."""
    methods: dict[str, Any] = {"__doc__": service.__doc__}
    for name in {verb.name for verb in VERBS if verb.noun == noun}:
        rows = [verb for verb in VERBS if (verb.noun, verb.name) == (noun, name)]
        methods[name] = _method(rows, getattr(service, name))
    return type(service.__name__, (Remote,), methods)


def _method(rows: Sequence[Verb], method: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(method)
    by_hand = BY_HAND.get((rows[0].noun, rows[0].name))

    @wraps(method)
    def ask(self: Remote, *args: Any, **named: Any) -> Any:
        bound = signature.bind(self, *args, **named)
        bound.apply_defaults()
        given = {name: value for name, value in bound.arguments.items() if name != "self"}
        if given.pop("machines", None) is not None:
            raise InputError("a server evaluates on machines of its own; leave it out", ("machines",))
        if by_hand is not None:
            return by_hand(self.requests, **given)
        return send(self.requests, rows, given, _result(method))

    return ask


@cache
def _result(method: Callable[..., Any]) -> Any:
    return get_type_hints(method)["return"]


def send(requests: Requests, rows: Sequence[Verb], given: Mapping[str, Any], result: Any) -> Any:
    """Send the request of a verb, and read its answer as the type that the service's method returns.

    Of several rows, the one counts that has the most names in its path, all of them given.
    """
    fitting = [verb for verb in rows if all(given[own] is not None for own in verb.in_path.values())]
    verb = max(fitting, key=lambda each: len(each.in_path))
    path = requests.path(verb.path, {name: given[own] for name, own in verb.in_path.items()})
    query, body, headers = _sent(verb, given)
    if "cursor" in given:
        return requests.page(path, _item(result), query, given["cursor"], given["limit"])
    patience = PATIENT if verb.slow or verb.method == "GET" else MINUTE
    answer = requests.wire.ask(verb.method, path, query, body, headers, again=verb.again, patience=patience)
    return _read(requests, answer, result)


def _sent(verb: Verb, given: Mapping[str, Any]) -> tuple[dict[str, Any], Any, dict[str, str]]:
    """Split arguments into query, body and headers; leave out what is empty."""
    sent = {own: name for name, own in verb.names.items()}
    query: dict[str, Any] = {}
    headers: dict[str, str] = {}
    body = None
    part = ("cursor", "limit") if "cursor" in given else ()
    for own, value in given.items():
        name = sent.get(own, own)
        if own in (verb.without, *part, *verb.in_path.values()):
            continue
        if isinstance(value, BaseModel):
            body = plain(value)
        elif own == verb.body:
            body = value
        elif name[0].isupper():
            headers |= header(name, value)
        elif value is not None and value != "":
            query[name] = value if isinstance(value, str | int | float) else [*value]
    return query, body, headers


def _read(requests: Requests, answer: httpx.Response, result: Any) -> Any:
    if result in READERS:
        return READERS[result](answer)
    if isinstance(result, type) and issubclass(result, Page):
        return Page(items=requests.wire.read_page(_item(result), answer)[0])
    return requests.wire.read(result, answer)


def _item(page: Any) -> Any:
    """The type of the items of a page."""
    (found,) = page.__pydantic_generic_metadata__["args"]
    return found


class Client(Services):
    """A Tautline server; see :class:`service.app.services.Services` for what it does.

    A client may be used by several threads, and as a context manager::

        with tautline.Client("https://robots.example.org") as server:
            for study in server.studies.list().items:
                print(study.name, study.state)

    Parameters
    ----------
    server : str
        Address, as in ``"https://robots.example.org"``.
    token : str, optional
        By which the server knows you. Without it the environment and the token file are read,
        see :func:`service.client.credentials.find_token`.
    transport : httpx.BaseTransport, optional
        How requests travel, instead of over the network.

    Raises
    ------
    InputError
        For an address that is none, and for a token that would travel unencrypted.
    """

    def __init__(
        self, server: str, token: str | None = None, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._wire = Wire(server, find_token() if token is None else token, transport)
        requests = Requests(self._wire)
        for noun, service in get_type_hints(Services).items():
            setattr(self, noun, remote(noun, service)(requests))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._wire.close()

    @property
    def server(self) -> str:
        """The server's address."""
        return self._wire.server
