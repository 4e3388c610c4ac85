"""Mappings that are made when they are first looked into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Deferred(Mapping[str, Any]):
    """A mapping that ``make`` gives when somebody first looks into it.

    Most readers look at the variables of a few designs, and the parameters of 4 000 take 0.3 s to decode.
    """

    __slots__ = ("_values",)

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        self._values: Mapping[str, Any] | Callable[[], Mapping[str, Any]] = make

    def _made(self) -> Mapping[str, Any]:
        values = self._values
        if not isinstance(values, Mapping):
            self._values = values = values()  # two threads may both make it: to the same values
        return values

    def __getitem__(self, name: str) -> Any:
        return self._made()[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name; a fault of ``make`` is raised, too, if it is a ``KeyError``."""
        return self._made().get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._made()

    def __iter__(self) -> Iterator[str]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())

    def __repr__(self) -> str:
        return repr(self._made())


class Undeferred:
    """A slot of a class whose deferred mapping becomes a plain one when it is read, so that JSON takes it."""

    def __init__(self, slot: Any) -> None:
        self._slot = slot

    def __get__(self, record: Any, owner: type | None = None) -> Any:
        value = self._slot.__get__(record, owner)
        if isinstance(value, Deferred):
            value = dict(value)
            self._slot.__set__(record, value)
        return value

    def __set__(self, record: Any, value: Any) -> None:
        self._slot.__set__(record, value)
