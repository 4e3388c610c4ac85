"""Addresses of servers, and the token by which a server knows a person."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from errors import InputError, Place

_PLACE = ("server",)


def server_address(given: str) -> str:
    """The address of a server without a slash at its end; raises ``InputError`` for one that is none."""
    example = "; write for example https://robots.example.org or http://127.0.0.1:8000"
    try:
        parts = urlsplit(given.strip())
        port_is_number = parts.port is None or parts.port >= 0
    except ValueError:
        raise InputError(f"'{given}' is not the address of a server{example}", _PLACE) from None
    if parts.username is not None or parts.password is not None:
        raise InputError(
            "contains a name or a password; give a token instead, see `docs/guide/python.md`", _PLACE
        )
    if parts.scheme not in {"http", "https"} or not parts.hostname or not port_is_number:
        raise InputError(f"'{given}' is not the address of a server{example}", _PLACE)
    if parts.query or parts.fragment:
        raise InputError(f"'{given}' contains more than an address{example}", _PLACE)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def stays_here(address: str) -> bool:
    """True if what is sent to a server does not leave this machine."""
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


VARIABLE = "TAUTLINE_TOKEN"
FILE_VARIABLE = "TAUTLINE_TOKEN_FILE"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,256}")
_OTHERS = 0o077


def find_token(environment: Mapping[str, str] = os.environ) -> str | None:
    """The token of ``TAUTLINE_TOKEN``, else of the token file; None where there is neither.

    The file is the one that ``TAUTLINE_TOKEN_FILE`` names, else ``token`` in the folder of the user's
    settings. One that others may read is refused. No error shows what may be a token.
    """
    if given := environment.get(VARIABLE):
        return _checked(given, (VARIABLE,))
    if named := environment.get(FILE_VARIABLE):
        return _read(Path(named))
    usual = token_file()
    return _read(usual) if usual.exists() else None


def token_file() -> Path:
    """The file that holds the token when no variable does."""
    from platformdirs import user_config_path

    return user_config_path("tautline") / "token"


def _read(path: Path) -> str:
    try:
        with path.open(encoding="ascii") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(1024)
    except OSError as error:
        raise InputError(f"the token cannot be read: {error.strerror}", (str(path),)) from None
    except UnicodeDecodeError:
        raise InputError("is not a token", (str(path),)) from None
    if os.name == "posix" and mode & _OTHERS:
        raise InputError(f"other users may read this token; run `chmod 600 {path}`", (str(path),))
    return _checked(text, (str(path),))


def _checked(text: str, place: Place) -> str:
    token = text.strip()
    if not _TOKEN.fullmatch(token):
        raise InputError("is not a token; `tautline token create` on the server prints one", place)
    return token
