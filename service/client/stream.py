"""Server-sent events as they come over the wire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from models.errors import ServerError

_LARGEST = 1024 * 1024


def event_data(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of each event of a stream, and ``""`` for a comment that only shows that it lives.

    An event that is cut off by the end of the stream is left out: it will come again.
    """
    lines: list[str] = []
    for line in _lines(chunks):
        if line:
            lines.append(line)
            continue
        if lines:
            yield _data(lines)
        lines = []


def _data(lines: list[str]) -> str:
    found = [line.removeprefix("data:").removeprefix(" ") for line in lines if line.startswith("data:")]
    return "\n".join(found)


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Whole lines; only line feeds end one, so that no letter inside of JSON is taken for an end."""
    waiting = b""
    for chunk in chunks:
        *whole, waiting = (waiting + chunk).split(b"\n")
        if len(waiting) > _LARGEST:
            raise ServerError("the server sent an event without an end; check that it is a Tautline server")
        for line in whole:
            yield line.removesuffix(b"\r").decode()
