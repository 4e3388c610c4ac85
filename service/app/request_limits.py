"""Limits of what one account may have going on, and of the size of a study file."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field

from errors import InputError, LimitError
from studies.definition.derived_quantities import layouts_of
from studies.definition.link_tables import LinkTables
from studies.definition.study_definition import StudyDefinition, VariableTable


@dataclass(frozen=True)
class RequestLimits:
    """Limits that hold for every account, and a count of what each has going on in this process.

    None stands for any number. One object is shared by everything that a server does.
    """

    running_studies: int | None = None
    designs: int | None = None
    streams: int | None = None
    computations: int | None = None
    """Most computations of one account at a time: evaluations and reference cases."""
    scenes: int | None = None
    """Scenes that one account may have drawn at a time."""
    _busy: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int], repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @contextmanager
    def stream(self, account: str) -> Generator[None]:
        """An event stream that is open; raises ``LimitError`` when the account has enough of them."""
        with self._one_of("event streams", account, self.streams):
            yield

    @contextmanager
    def computation(self, account: str) -> Generator[None]:
        """Something that is computed while the account waits; raises ``LimitError`` like :meth:`stream`."""
        with self._one_of("computations", account, self.computations):
            yield

    @contextmanager
    def scene(self, account: str) -> Generator[None]:
        """A scene that is drawn while the account waits; raises ``LimitError`` like :meth:`stream`."""
        with self._one_of("scenes", account, self.scenes):
            yield

    @contextmanager
    def _one_of(self, what: str, account: str, most: int | None) -> Generator[None]:
        with self._lock:
            count = self._busy.get((what, account), 0)
            if most is not None and count >= most:
                raise LimitError(f"{count} of your {what} are already running; at most {most} are allowed")
            self._busy[what, account] = count + 1
        try:
            yield
        finally:
            with self._lock:
                self._busy[what, account] -= 1
                if not self._busy[what, account]:
                    del self._busy[what, account]


NO_LIMITS = RequestLimits()


MOST_RUNS = 5_000
MOST_TRIED = 10_000
"""Values that the check tries on the model, each about 0.1 ms."""
MOST_COMPARED = 1_000_000
"""Values of initial designs, times the options that each is compared with."""
_ENDS = 3
_LINKED = 15
"""Values of a linked parameter that are tried."""


def refuse_excess(definition: StudyDefinition) -> None:
    """Raise ``InputError`` for a study that a server should not even check."""
    layouts = layouts_of(definition)
    runs = len(layouts) * len(definition.seeds)
    if runs > MOST_RUNS:
        raise InputError(
            f"makes {runs} runs, one per layout and seed; at most {MOST_RUNS} are allowed", ("seeds",)
        )
    tried = compared = 0
    for name in layouts:
        layout, linked = definition.layouts.get(name), LinkTables.of(definition, name)
        tables = linked.variables.values()
        own = layout.initial if layout else None
        initial = definition.search.initial if own is None else own
        tried += _tried(tables) + _LINKED * linked.link_count
        compared += len(initial or ()) * _compared(tables)
    if tried > MOST_TRIED:
        raise InputError(
            f"has {tried} options, ends of ranges and values of linked parameters over all layouts; "
            f"at most {MOST_TRIED} are allowed here",
            ("variables",),
        )
    if compared > MOST_COMPARED:
        raise InputError("has too many initial designs for its variables and layouts", ("search", "initial"))


def _tried(tables: Iterable[VariableTable]) -> int:
    return sum(_ENDS if table.options is None else len(table.options) for table in tables)


def _compared(tables: Iterable[VariableTable]) -> int:
    return sum(1 if table.options is None else len(table.options) for table in tables)
