"""Where a server is, as a person writes it down."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from models.errors import InputError

_PLACE = "--server"


def server_address(given: str) -> str:
    """The address of a server without a slash at its end; raises ``InputError`` for one that is none."""
    example = "; write for example https://robots.example.org or http://127.0.0.1:8000"
    try:
        parts = urlsplit(given.strip())
        port_is_number = parts.port is None or parts.port >= 0
    except ValueError:
        raise InputError(f"'{given}' is not the address of a server{example}", _PLACE) from None
    if parts.username is not None or parts.password is not None:
        raise InputError("contains a name or a password; give a token instead, see `docs/python.md`", _PLACE)
    if parts.scheme not in {"http", "https"} or not parts.hostname or not port_is_number:
        raise InputError(f"'{given}' is not the address of a server{example}", _PLACE)
    if parts.query or parts.fragment:
        raise InputError(f"'{given}' contains more than an address{example}", _PLACE)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def stays_here(address: str) -> bool:
    """Whether what is sent to a server does not leave this machine."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def refuse_open_token(address: str, token: str | None) -> None:
    """Raise ``InputError`` where a token would travel unencrypted for everybody on the way to read."""
    if token and address.startswith("http://") and not stays_here(address):
        raise InputError(
            f"'{address}' is not encrypted, so your token could be read on the way; use https://", _PLACE
        )
