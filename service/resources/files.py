"""Answers that are no records: tables of designs as files, and arrays of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ExportFormat = Literal["csv", "parquet", "json"]


@dataclass(frozen=True, eq=False)
class Export:
    """Tables of designs as a file that comes in pieces, and how many designs they have.

    From a store, pieces are read as they are taken. They can be taken once, or ``content`` be asked for.
    """

    pieces: Iterator[bytes]
    designs: int

    @cached_property
    def content(self) -> bytes:
        """The content of the file."""
        return b"".join(self.pieces)


@dataclass(frozen=True, slots=True)
class FloatTable:
    """Rows of numbers: ``values`` (n, m) float32, a name and a unit for each column."""

    values: NDArray[np.float32]
    columns: Sequence[str]
    units: Sequence[str]


class FloatStream(Protocol):
    """The same as :class:`FloatTable` for any number of rows, which come in pieces."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        ...

    @property
    def units(self) -> Sequence[str]:
        """A unit for each column."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        ...

    @property
    def designs(self) -> int:
        """Number of designs; more than rows where only every second, third and so on is sent."""
        ...

    @property
    def etag(self) -> str:
        """A text that changes whenever the array does."""
        ...

    def pieces(self) -> Iterator[bytes]:
        """The rows as little-endian float32, some at a time."""
        ...
