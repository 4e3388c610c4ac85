"""Passwords: argon2id, and only when somebody logs in or chooses one; it costs time and memory by design."""

from __future__ import annotations

import threading
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from errors import InputError, Place

SHORTEST, LONGEST = 10, 1024
_at_once = threading.BoundedSemaphore(2)
"""Each takes 64 MiB; many logins at once must not take all memory."""


def check_password(password: str, place: Place = ("password",)) -> None:
    """Raise ``InputError`` for what is too short to be a password, or no better than that."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InputError(
            f"the password has {len(password)} characters; it must have {SHORTEST} to {LONGEST}. A few words "
            "are easy to remember",
            place,
        )
    if len(set(password)) == 1:
        raise InputError("the password repeats one character; choose another one, such as a few words", place)


def hash_password(password: str, place: Place = ("password",)) -> str:
    """The hash of a password, for the store; raises ``InputError`` like :func:`check_password`."""
    check_password(password, place)
    with _at_once:
        return _hasher().hash(password.encode("utf-8", "surrogatepass"))


def password_matches(password: str, stored: str | None) -> bool:
    """True if it is the password; without a stored one it never is, and the answer takes as long."""
    if len(password) > LONGEST:
        return False
    with _at_once:
        try:
            _hasher().verify(stored or _dummy_hash(), password.encode("utf-8", "surrogatepass"))
        except (VerificationError, InvalidHashError):
            return False
    return stored is not None


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _dummy_hash() -> str:
    return _hasher().hash("of an account that is not there")
