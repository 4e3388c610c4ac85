"""The server answers only to its own names, so that no site can point a name of its own at it."""

from __future__ import annotations

import ipaddress
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from service.settings import Settings

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_BAD_REQUEST = 400


class Hosts:
    """Refuses a request whose Host header is not a name of this server (DNS rebinding) with 400.

    Its names are this machine's own, the address that it listens on, the one that the connection came
    in by, and those that the settings allow.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        named = {_without_brackets(name) for name in (settings.host, *settings.allowed_hosts)}
        self._names = _HERE | {name.lower().rstrip(".") for name in named if name}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; raises ``HTTPException``."""
        if scope["type"] == "http":
            stated = Headers(scope=scope).getlist("host")
            name = host_name(stated[0]) if len(stated) == 1 else None
            if name is None or not (name in self._names or name == _arrived_at(scope)):
                raise HTTPException(
                    _BAD_REQUEST,
                    "this server is not known under the name in the Host "
                    "header; its administrator can add the name to --allowed-hosts",
                )
        await self.app(scope, receive, send)


def host_name(stated: str) -> str | None:
    """The name in a Host header, without port; None where it is none."""
    name, found, rest = stated.partition("]")
    if found:
        sound = name.startswith("[") and (not rest or rest.startswith(":"))
        return name[1:].lower() if sound and _is_number(rest[1:]) else None
    name, _, port = stated.partition(":")
    return name.lower().rstrip(".") or None if _is_number(port) else None


def _is_number(port: str) -> bool:
    return not port or (port.isascii() and port.isdecimal())


def _without_brackets(name: str) -> str:
    return name.removeprefix("[").removesuffix("]")


def _arrived_at(scope: Scope) -> str | None:
    """The address that a connection came in by, when it is a number: no name can be pointed at that."""
    server: Any = scope.get("server")
    try:
        return str(ipaddress.ip_address(server[0])) if server else None
    except ValueError:
        return None
