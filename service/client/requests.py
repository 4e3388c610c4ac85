"""Requests to a server: paths of what is named, bodies and headers, lists page by page, answers as files."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote, unquote

import httpx
import numpy as np
from pydantic import BaseModel, SecretStr

from errors import InputError, ServerError, UnknownNameError
from models.registry import unknown_model
from service.access.tokens import no_token
from service.client.wire import PATIENT, Query, Wire
from service.resources.access import check_account_name
from service.resources.files import Export, FloatStream, FloatTable
from service.resources.models import AlgorithmResource, Edit, ModelSummary, Page
from service.resources.studies import StudySummary
from studies.exchange.design import DesignFile

T = TypeVar("T")
_STUDY = re.compile(r"[a-z0-9-]{1,64}")
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")
_KEY = re.compile(r"[0-9a-f]{6,64}")
_TOKEN_ID = re.compile(r"[0-9a-f]{1,64}")
PAGE = 1000
"""Most items that a server sends at once."""


class Requests:
    """Requests to one server. Names that cannot be one are not put into an address."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

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

    def path(self, template: str, given: Mapping[str, Any]) -> str:
        """A path with what is named in it; raises for a name that cannot be one of its kind."""
        checks: Mapping[str, Callable[[str], None]] = {
            "studies": self._check_study, "models": self._check_model, "algorithms": self._check_algorithm,
            "designs": _check_key, "accounts": check_account_name, "tokens": _check_token,
        }  # fmt: skip
        parts: list[str] = []
        for part in template.strip("/").split("/"):
            if not part.startswith("{"):
                parts.append(part)
                continue
            value = str(given[part.strip("{}")])
            if parts[-1] in checks:
                checks[parts[-1]](value)
            parts.append(quote(value, safe=""))
        return "/".join(parts)

    def study(self, name: str) -> str:
        """The path of a study."""
        return self.path("studies/{name}", {"name": name})

    def _check_study(self, name: str) -> None:
        if not _STUDY.fullmatch(name):
            known = self.page("studies", StudySummary).items
            raise UnknownNameError("study", name, sorted(study.name for study in known))

    def _check_model(self, name: str) -> None:
        if not _NAME.fullmatch(name):
            known = self.page("models", ModelSummary).items
            raise unknown_model(name, [model.model for model in known])

    def _check_algorithm(self, name: str) -> None:
        if not _NAME.fullmatch(name):
            answer = self.wire.ask("GET", "algorithms", patience=PATIENT)
            known, _ = self.wire.read_page(AlgorithmResource, answer)
            raise UnknownNameError("algorithm", name, [each.algorithm for each in known], ("algorithm",))


def _check_key(key: str) -> None:
    if not _KEY.fullmatch(key):
        raise InputError(
            f"'{key}' is not a key; give the first 6 to 64 characters of a key (0-9, a-f)", ("key",)
        )


def _check_token(token_id: str) -> None:
    if not _TOKEN_ID.fullmatch(token_id):
        raise no_token(token_id)


# ---------------------------------------------------------------- what is sent


def header(name: str, value: Any) -> dict[str, str]:
    """A header: the key by which a server recognises a repeated request, or the revision to be changed."""
    if name == "Idempotency-Key":
        return {name: value or str(uuid.uuid4())}
    return {} if value is None else {name: f'"{value}"'}


def plain(record: BaseModel) -> Any:
    """A record as what JSON can hold, its passwords in clear: encryption is the connection's task.

    Raises ``InputError`` for numbers that JSON cannot hold.
    """
    try:
        json.dumps(record.model_dump(exclude_unset=isinstance(record, Edit)), allow_nan=False, default=str)
    except ValueError:
        raise InputError("every number must be finite, not nan or inf") from None
    body = record.model_dump(mode="json", exclude_unset=isinstance(record, Edit))
    secrets = {name: value.get_secret_value() for name, value in record if isinstance(value, SecretStr)}
    return {**body, **secrets} if secrets else body


# ---------------------------------------------------------------- answers that are no records


@dataclass(frozen=True, slots=True)
class ReceivedArray:
    """See :class:`service.resources.files.FloatStream`: an array that a server sent."""

    table: FloatTable
    designs: int
    etag: str

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        return self.table.columns

    @property
    def units(self) -> Sequence[str]:
        """A unit for each column."""
        return self.table.units

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        rows, columns = self.table.values.shape
        return rows, columns

    def pieces(self) -> Iterator[bytes]:
        """The rows as little-endian float32, all at once."""
        yield np.ascontiguousarray(self.table.values, dtype="<f4").tobytes()


def _table(answer: httpx.Response) -> FloatTable:
    try:
        rows, columns = map(int, answer.headers["Tautline-Shape"].split(","))
        values = np.frombuffer(answer.content, dtype="<f4").reshape(rows, columns)
    except (KeyError, ValueError) as error:
        raise ServerError(f"the server sent an array that cannot be read: {error}") from None
    return FloatTable(values, _names(answer, "Tautline-Columns"), _names(answer, "Tautline-Units"))


def _names(answer: httpx.Response, name: str) -> list[str]:
    return [unquote(each) for each in answer.headers.get(name, "").split(",")]


def _array(answer: httpx.Response) -> ReceivedArray:
    table = _table(answer)
    asked = answer.headers.get("Tautline-Asked", len(table.values))
    return ReceivedArray(table, int(asked), answer.headers.get("ETag", ""))


def _design_file(answer: httpx.Response) -> DesignFile:
    return DesignFile(answer.content, tuple(json.loads(answer.headers.get("Tautline-Warnings", "[]"))))


def _export(answer: httpx.Response) -> Export:
    return Export(iter([answer.content]), int(answer.headers["Tautline-Designs"]))


READERS: Mapping[Any, Callable[[httpx.Response], Any]] = {
    type(None): lambda _: None, str: lambda answer: answer.text, FloatTable: _table, FloatStream: _array,
    DesignFile: _design_file, Export: _export,
}  # fmt: skip
"""Readers of answers that are no records, by the type that the method returns."""
