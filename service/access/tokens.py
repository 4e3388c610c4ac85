"""Tokens: the text that a bearer has, and what the store keeps of it.

A token is ``tl_<public id>_<secret>`` with 256 random bits. The store keeps the id, to find it by, and
an HMAC of the whole under the server's key: who reads the store, or changes it, cannot make a token.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Literal

from errors import AbsentError
from service.access.identity import Scope
from studies.records import TokenKind, TokenRecord

_FORM = re.compile(r"tl_([0-9a-f]{16})_[A-Za-z0-9_-]{43}")
_SECRET_BYTES = 32
_ID_BYTES = 8


def new_token(
    key: bytes, kind: TokenKind, account: str, name: str, scope: Scope, now: float, seconds: float | None
) -> tuple[str, TokenRecord]:
    """The text of a new token, which is never shown again, and what the store keeps of it."""
    public = secrets.token_hex(_ID_BYTES)
    text = f"tl_{public}_{secrets.token_urlsafe(_SECRET_BYTES)}"
    expires = None if seconds is None else now + seconds
    return text, TokenRecord(public, account, kind, name, digest(key, text), scope, now, expires)


def public_id(text: str) -> str | None:
    """The public part of a token; None for anything else."""
    found = _FORM.fullmatch(text)
    return None if found is None else found[1]


def digest(key: bytes, text: str) -> str:
    """The HMAC of a token, which the store keeps."""
    return hmac.new(key, text.encode("ascii"), hashlib.sha256).hexdigest()


def matches(key: bytes, text: str, record: TokenRecord) -> bool:
    """True if this is the token that the record was made of, in a time that says nothing."""
    return hmac.compare_digest(digest(key, text), record.digest)


State = Literal["valid", "expired", "revoked", "used"]


def state_of(record: TokenRecord, now: float) -> State:
    """True if a token still lets its bearer in."""
    if record.revoked is not None:
        return "revoked"
    if record.used is not None:
        return "used"
    if record.expires is not None and now >= record.expires:
        return "expired"
    return "valid"


def no_token(token_id: str) -> AbsentError:
    """The error for a token that does not exist, or that the caller may not see."""
    return AbsentError(f"there is no token '{token_id}' that you may revoke")
