"""Output of a model of the user's own: shown on stderr, never mixed with data, and not without end."""

from __future__ import annotations

import io
import sys
from collections.abc import Generator
from contextlib import contextmanager, redirect_stdout
from typing import TextIO

MOST_CHARACTERS = 16 * 1024
"""Most characters of the output of models that one process shows."""


class BoundedOutput(io.TextIOBase):
    """Passes the first characters on to another stream, says once that there are more, and drops them."""

    def __init__(self, stream: TextIO, most: int = MOST_CHARACTERS) -> None:
        self._stream = stream
        self._left = most

    def writable(self) -> bool:
        """True, as of every stream that takes text."""
        return True

    def write(self, text: str, /) -> int:
        """Pass on what there is room for."""
        if self._left >= 0:
            self._stream.write(text[: self._left])
            if len(text) > self._left:
                self._stream.write("\n(the model prints more, which is not shown)\n")
            self._left -= len(text)
        return len(text)

    def flush(self) -> None:
        """Flush the other stream."""
        self._stream.flush()


@contextmanager
def printing_to_stderr() -> Generator[None]:
    """Show what is printed in the block on stderr, up to a limit."""
    with redirect_stdout(BoundedOutput(sys.stderr)):
        yield
