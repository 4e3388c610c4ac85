"""What a child process is doing, written where its parent can read it at any time.

A page of memory that both share: a message through the pipe would cost more, and a child that
has crashed sends none.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
from dataclasses import dataclass

_LAYOUT = struct.Struct("=qq")


@dataclass(frozen=True, slots=True)
class InHand:
    """The task being evaluated, counted from 1 within its order (0: none); the child's memory before it."""

    number: int
    memory: int


class Board:
    """The shared page; made by the parent, opened by the child from the inherited file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._page = mmap.mmap(descriptor, _LAYOUT.size)

    @classmethod
    def make(cls) -> Board:
        """A new page, in memory where the system can and in a nameless file elsewhere."""
        if hasattr(os, "memfd_create"):
            descriptor = os.memfd_create("tautline-board")
        else:
            with tempfile.TemporaryFile() as file:
                descriptor = os.dup(file.fileno())
        os.ftruncate(descriptor, _LAYOUT.size)
        return cls(descriptor)

    def write(self, number: int, memory: int = 0) -> None:
        """Say what is in hand."""
        _LAYOUT.pack_into(self._page, 0, number, memory)

    def read(self) -> InHand:
        """What is in hand now."""
        number, memory = _LAYOUT.unpack_from(self._page, 0)
        return InHand(number, memory)

    def close(self) -> None:
        """Give the page back."""
        self._page.close()
        os.close(self.descriptor)
