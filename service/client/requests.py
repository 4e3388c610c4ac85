"""What every noun of the client needs: addresses, requests for one resource, lists page by page."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import quote, unquote

import httpx
import numpy as np
from pydantic import BaseModel

from errors import InputError, ServerError, UnknownNameError
from models.registry import unknown_model
from service.client.wire import MINUTE, PATIENT, Query, Wire
from service.operations import FloatTable
from service.resources.algorithms import AlgorithmResource
from service.resources.models import Edit, ModelSummary, Page
from service.resources.studies import StudySummary
from studies.exchange.design import DesignFile

T = TypeVar("T")
_STUDY = re.compile(r"[a-z0-9-]{1,64}")
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")
_KEY = re.compile(r"[0-9a-f]{6,64}")
PAGE = 1000
"""Most items that a server sends at once."""


class Requests:
    """Requests to one server. Names that cannot be one are not put into an address."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def get(self, path: str, kind: type[T], query: Query | None = None) -> T:
        """A resource."""
        return self.wire.read(kind, self.wire.ask("GET", path, query, patience=PATIENT))

    def post(
        self,
        path: str,
        kind: type[T],
        body: Any = None,
        *,
        query: Query | None = None,
        headers: Mapping[str, str] | None = None,
        again: bool = False,
        patience: float = MINUTE,
    ) -> T:
        """What comes back for a body; ``again`` says that sending it twice does no harm."""
        answer = self.wire.ask("POST", path, query, body, headers, again=again, patience=patience)
        return self.wire.read(kind, answer)

    def post_page(self, path: str, kind: type[T]) -> Page[T]:
        """A list that is computed when it is requested."""
        answer = self.wire.ask("POST", path, again=True, patience=PATIENT)
        return Page(items=self.wire.read_page(kind, answer)[0])

    def whole(self, path: str, kind: type[T], query: Query | None = None) -> Page[T]:
        """A list that always comes whole."""
        items, _ = self.wire.read_page(kind, self.wire.ask("GET", path, query, patience=PATIENT))
        return Page(items=items)

    def page(
        self, path: str, kind: type[T], query: Query | None = None, cursor: str = "", limit: int | None = None
    ) -> Page[T]:
        """A part of a list; without ``limit`` all that follow the cursor."""
        found: list[T] = []
        following: str | None = cursor
        while following is not None:
            most = PAGE if limit is None else min(PAGE, limit - len(found))
            part = {**(query or {}), "limit": most, "cursor": following or None}
            items, following = self.wire.read_page(kind, self.wire.ask("GET", path, part, patience=PATIENT))
            found += items
            if limit is not None and len(found) >= limit:
                break
        return Page(items=found, next=following)

    def study(self, name: str) -> str:
        """The path of a study."""
        if not _STUDY.fullmatch(name):
            known = self.page("studies", StudySummary).items
            raise UnknownNameError("study", name, sorted(study.name for study in known))
        return f"studies/{name}"

    def model(self, name: str) -> str:
        """The path of a back-end."""
        if not _NAME.fullmatch(name):
            known = self.page("models", ModelSummary).items
            raise unknown_model(name, [model.model for model in known])
        return f"models/{quote(name)}"

    def algorithm(self, name: str) -> str:
        """The path of a search algorithm."""
        if not _NAME.fullmatch(name):
            known = self.whole("algorithms", AlgorithmResource).items
            raise UnknownNameError("algorithm", name, [each.algorithm for each in known], ("algorithm",))
        return f"algorithms/{quote(name)}"

    def design(self, key: str, study: str | None = None) -> str:
        """The path of a design, of a study or of any."""
        if not _KEY.fullmatch(key):
            raise InputError(
                f"'{key}' is not a key; give the first 6 to 64 characters of a key (0-9, a-f)", ("key",)
            )
        return f"designs/{key}" if study is None else f"{self.study(study)}/designs/{key}"


def figure_path(figure: str) -> str:
    """The last part of the path of a figure."""
    return f"figures/{quote(figure, safe='')}"


def once(key: str = "") -> dict[str, str]:
    """The header by which a server recognises a repeated request."""
    return {"Idempotency-Key": key or str(uuid.uuid4())}


def plain(record: BaseModel) -> Any:
    """A record as what JSON can hold; raises ``InputError`` for numbers that it cannot."""
    try:
        json.dumps(record.model_dump(exclude_unset=isinstance(record, Edit)), allow_nan=False, default=str)
    except ValueError:
        raise InputError("every number must be finite, not nan or inf") from None
    return record.model_dump(mode="json", exclude_unset=isinstance(record, Edit))


def float_table(answer: httpx.Response) -> FloatTable:
    """An answer that is an array."""
    try:
        rows, columns = map(int, answer.headers["Tautline-Shape"].split(","))
        values = np.frombuffer(answer.content, dtype="<f4").reshape(rows, columns)
    except (KeyError, ValueError) as error:
        raise ServerError(f"the server sent an array that cannot be read: {error}") from None
    return FloatTable(values, _names(answer, "Tautline-Columns"), _names(answer, "Tautline-Units"))


def design_file(answer: httpx.Response) -> DesignFile:
    """A design as a file, with what it does not hold."""
    return DesignFile(answer.content, tuple(json.loads(answer.headers.get("Tautline-Warnings", "[]"))))


def _names(answer: httpx.Response, header: str) -> list[str]:
    return [unquote(name) for name in answer.headers.get(header, "").split(",")]
