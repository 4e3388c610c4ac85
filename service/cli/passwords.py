"""Passwords as people give them.

They are asked for, or read from standard input where that is no terminal; never an argument, which
other processes and the shell's history could read.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from models.errors import InputError

if TYPE_CHECKING:
    from pydantic import SecretStr


def asked_password() -> SecretStr:
    """A new password, asked for twice on a terminal, else a line of standard input."""
    from service.access.passwords import check_password

    found = _asked("Password", twice=True)
    check_password(found.get_secret_value())
    return found


def asked_current_password() -> SecretStr:
    """The password that is good now, asked for on a terminal, else a line of standard input."""
    return _asked("Current password", twice=False)


def _asked(what: str, *, twice: bool) -> SecretStr:
    from pydantic import SecretStr

    if sys.stdin.isatty():
        return SecretStr(str(typer.prompt(what, hide_input=True, confirmation_prompt=twice, err=True)))
    try:
        line = sys.stdin.readline().rstrip("\r\n")
        line.encode()
    except UnicodeError:
        raise InputError("the standard input is not UTF-8 text", "password") from None
    return SecretStr(line)
