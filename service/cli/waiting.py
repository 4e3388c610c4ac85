"""Waiting for what a server's runners evaluate."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

import typer

from service.cli.output import say

POLL_SECONDS = 0.5


class Answer(Protocol):
    """Answer of a server to a question on which its runners work."""

    @property
    def message(self) -> str:
        """Reason why it waits, or failed."""
        ...


A = TypeVar("A", bound=Answer)


def wait_for(
    ask: Callable[[], A], ask_again: Callable[[A], A], goes_on: Callable[[A], bool], words: Callable[[A], str]
) -> A:
    """Ask until it no longer goes on, and print how far it is; Ctrl-C leaves it going on by the server."""
    said, remarked = "", False
    try:
        found = ask()
        while goes_on(found):
            if found.message and not remarked:
                say(found.message)
            remarked = bool(found.message)
            if words(found) != said:
                said = words(found)
                say(said)
            time.sleep(POLL_SECONDS)
            found = ask_again(found)
    except KeyboardInterrupt:
        say("it goes on without you; the same command waits for it again")
        raise typer.Exit(130) from None
    return found
