"""How often one account, or one address that is nobody yet, may ask; 429 and when to come again."""

from __future__ import annotations

import ipaddress

from starlette.types import ASGIApp, Receive, Scope, Send

from models.errors import LimitError
from service.access.identity import Identity
from service.access.limits import Rate
from service.settings import Settings

_NETWORK_BITS = 64
_DRAFT = "/api/v1/studies/draft"
_DRAFTS_PER_MINUTE = 240
"""The form of a new study sends a request at every pause in typing; these have a limit of their own."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Rates:
    """Counts reads, drafts and changes of an account, requests of strangers, and tries to log in.

    Tries to log in count by address: counted by account, a stranger could keep somebody out.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._reads = Rate(settings.reads_per_minute)
        self._writes = Rate(settings.writes_per_minute)
        self._drafts = Rate(_DRAFTS_PER_MINUTE)
        self._logins = Rate(settings.logins_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; raises ``LimitError``."""
        if scope["type"] == "http":
            self._count(scope)
        await self.app(scope, receive, send)

    def _count(self, scope: Scope) -> None:
        address = f"from {neighbourhood(scope)}"
        identity = scope["state"].get("identity")
        name = f"account {identity.account}" if isinstance(identity, Identity) else address
        if tries_to_log_in(scope):
            wait = self._logins.take(address)
        elif scope["method"] in SAFE:
            wait = self._reads.take(name)
        elif scope["path"] == _DRAFT:
            wait = self._drafts.take(name)
        else:
            wait = self._writes.take(name)
        if wait > 0.0:
            raise LimitError("too many requests; wait before the next one", wait)


def neighbourhood(scope: Scope) -> str:
    """Where a request comes from; of IPv6 the network, all of whose addresses one machine may have."""
    stated = str((scope.get("client") or ("nowhere",))[0])
    try:
        address = ipaddress.ip_address(stated)
    except ValueError:
        return stated
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), _NETWORK_BITS), strict=False))


def tries_to_log_in(scope: Scope) -> bool:
    """Whether a request carries a password or a login link."""
    return scope["path"] == "/login" and (scope["method"] == "POST" or bool(scope["query_string"]))
