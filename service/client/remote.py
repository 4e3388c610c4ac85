"""The nouns of a client: each method sends the request of its row in the table of verbs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, get_type_hints

import httpx
from pydantic import BaseModel

from errors import InputError
from service.client.by_hand import BY_HAND
from service.client.requests import READERS, Requests, header, plain
from service.client.wire import MINUTE, PATIENT
from service.resources.models import Page
from service.verbs import VERBS, Verb


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
