"""Methods of a client that send more than one request, or another one than their arguments say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from service.client.requests import Requests, header
from service.client.watching import watch
from service.client.wire import PATIENT
from service.resources.studies import EventResource, RunResource, StudyResource
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
