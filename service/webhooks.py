"""Webhooks: addresses that the operator names are told when a run ends.

Only the settings of a server name addresses; no study, request or account does. What is sent and signed
follows Standard Webhooks, so that receivers have libraries: headers ``webhook-id``, ``webhook-timestamp`` and
``webhook-signature``, which is ``v1,`` and the base64 of HMAC-SHA256 over id, timestamp and body.

An event is delivered at least once: the store keeps how far each address is, and what is not marked as
delivered is sent again, with the same id, also after the server was killed.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlsplit

import anyio
import httpx
from anyio import to_thread

from errors import InputError, StoreError, UnknownNameError
from service.access.secret import server_key
from service.logs import logger
from service.settings import Settings, shown_address
from studies.records import ENDED, EventRecord
from studies.store import Store
from studies.store.webhooks import WebhookRecord

MOST = 10
"""Most addresses; each has a thread."""
POLL_SECONDS = 1.0
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 3600.0
"""Pauses after failures double from the first to the longest [s]."""
GIVE_UP_SECONDS = 3 * 24 * 3600.0
"""Age of an event after which a failure is the last one."""
SEND_SECONDS = 10.0
"""Longest silence of a receiver."""
DEADLINE_SECONDS = 20.0
"""Longest time of a delivery, from the question for its address to the status of the answer."""
CLAIM_SECONDS = 30.0
"""Time for which other servers on the same store leave a delivery to this one; more than one takes."""
_AT_ONCE = 1000
_PLACE = ("webhooks",)
_TRANSLATED = ipaddress.ip_network("64:ff9b::/32")
"""IPv6 addresses that stand for addresses of IPv4, private ones too."""


def check_webhooks(settings: Settings) -> None:
    """Refuse addresses to which nothing may be sent; raises ``InputError``."""
    if len(settings.webhooks) > MOST:
        raise InputError(f"has {len(settings.webhooks)} addresses; at most {MOST} are allowed", _PLACE)
    if len(set(settings.webhooks)) < len(settings.webhooks):
        raise InputError("has an address twice; name each once", _PLACE)
    for url in settings.webhooks:
        _check_url(url, private=settings.webhooks_private)


def _check_url(url: str, *, private: bool) -> None:
    example = "; write for example https://chat.example.org/hooks/robots"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        httpx.URL(url)
    except (ValueError, httpx.InvalidURL):
        raise InputError(f"'{url[:60]}' is no address{example}", _PLACE) from None
    plain = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in {"http", "https"} or not host or port == 0 or not plain:
        raise InputError(f"'{url[:60]}' is no address of HTTPS{example}", _PLACE)
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise InputError(f"an address at '{host}' has a name, a password or a #{example}", _PLACE)
    literal = _address(host)
    if literal is not None:
        refuse_address(literal, host, private=private)
    if parts.scheme == "http" and (literal is None or not literal.is_loopback):
        raise InputError(
            f"'{shown_address(url)}' is not encrypted, so names of studies could be read on the way; use https://",
            _PLACE,
        )


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def _address(host: str) -> Address | None:
    """The address that a host is written as; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def refuse_address(address: Address, host: str, *, private: bool) -> None:
    """Raise ``InputError`` for an odd address, and unless ``private`` for one of the own network."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        elif address.sixtofour is not None or address.teredo is not None or address in _TRANSLATED:
            raise InputError(f"'{host}' is at {address}, to which nothing is sent", _PLACE)
    odd = address.is_link_local or address.is_multicast or address.is_unspecified
    if odd or (address.is_reserved and not address.is_loopback):
        raise InputError(f"'{host}' is at {address}, to which nothing is sent", _PLACE)
    if not (address.is_global or private):
        raise InputError(
            f"'{host}' is at {address}, an address of this machine or of your own network; set "
            "webhooks_private if that is meant",
            _PLACE,
        )


def resolve(host: str, port: int, *, private: bool) -> str:
    """The first address of a host; raises ``InputError`` if one of them is refused, ``OSError`` for none."""
    found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for each in found:
        refuse_address(ipaddress.ip_address(each.split("%")[0]), host, private=private)
    return found[0]


def secret_of(key: bytes, url: str) -> bytes:
    """The secret that signs what one address is sent, 32 bytes: no receiver can pretend to another."""
    return hmac.digest(key, b"webhook " + url.encode(), hashlib.sha256)


def secret_text(secret: bytes) -> str:
    """A secret as receivers take it."""
    return f"whsec_{base64.b64encode(secret).decode()}"


def signature(secret: bytes, number: str, timestamp: int, body: bytes) -> str:
    """The signature of one delivery."""
    signed = f"{number}.{timestamp}.".encode() + body
    return f"v1,{base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()}"


class Sender:
    """Sends signed messages to one address.

    Parameters
    ----------
    url : str
    secret : bytes
    private : bool
        Whether the address may be one of this machine or network.
    """

    def __init__(self, url: str, secret: bytes, *, private: bool) -> None:
        self.url = url
        self._secret = secret
        self._private = private

    def send(self, number: str, message: dict[str, Any]) -> str:
        """Send a message under its id; returns what went wrong, empty for success.

        The name is resolved once, and the connection goes to that address. Redirections are not followed, and
        nothing but the status of the answer is read.
        """
        body = json.dumps(message, ensure_ascii=False, allow_nan=False).encode()
        try:
            status = anyio.run(self._post, body, number)
        except InputError as error:
            return error.message
        except TimeoutError:
            return f"the receiver took more than {DEADLINE_SECONDS:g} s"
        except (OSError, httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            return f"{type(error).__name__}: {error}"[:300]
        if 200 <= status < 300:
            return ""
        redirected = " (redirections are not followed)" if 300 <= status < 400 else ""
        return f"the receiver answered {status}{redirected}"

    async def _post(self, body: bytes, number: str) -> int:
        with anyio.fail_after(DEADLINE_SECONDS):
            url = httpx.URL(self.url)
            port = url.port or {"http": 80}.get(url.scheme, 443)
            ask = partial(resolve, url.host, port, private=self._private)
            address = await to_thread.run_sync(ask, abandon_on_cancel=True)
            return await self._status(url, address, body, number)

    async def _status(self, url: httpx.URL, address: str, body: bytes, number: str) -> int:
        timestamp = int(time.time())
        headers = {
            "Host": url.netloc.decode(),
            "Content-Type": "application/json",
            "User-Agent": "tautline",
            "webhook-id": number,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(self._secret, number, timestamp, body),
        }
        async with (
            httpx.AsyncClient(timeout=SEND_SECONDS, follow_redirects=False, trust_env=False) as client,
            client.stream(
                "POST", url.copy_with(host=address), content=body, headers=headers,
                extensions={"sni_hostname": url.host},
            ) as answer,
        ):  # fmt: skip
            return answer.status_code


def senders(settings: Settings) -> list[Sender]:
    """A sender for each address of the settings; raises ``InputError``."""
    check_webhooks(settings)
    if not settings.webhooks:
        return []
    key = server_key(settings.secret_file)
    private = settings.webhooks_private
    return [Sender(url, secret_of(key, url), private=private) for url in settings.webhooks]


class Deliveries:
    """Tells each address of the ends of runs, for as long as the server lives; use as a context manager.

    Parameters
    ----------
    site : str
        The address of the pages, for links.
    """

    def __init__(self, store: Store, found: Sequence[Sender], site: str) -> None:
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(
                target=Delivery(store, sender, site, self._stopping).run, name="tautline-webhook", daemon=True
            )
            for sender in found
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(POLL_SECONDS)  # one that waits for a receiver is left; what it sends is sent again


class Delivery:
    """Deliveries to one address, one after the other, in the order of events."""

    def __init__(self, store: Store, sender: Sender, site: str, stopping: threading.Event) -> None:
        self._store = store
        self._sender = sender
        self._site = site
        self._stopping = stopping
        self._shown = shown_address(sender.url)
        self._seen = 0

    def run(self) -> None:
        """Deliver until the server ends."""
        held: WebhookRecord | None = None
        reported = ""
        while not self._stopping.is_set():
            try:
                held = held or self._store.webhooks.begin(self._sender.url, self._shown)
                pause, reported = self.step(held.id), ""
            except StoreError as error:
                if str(error) != reported:
                    logger().error("webhook waits for the store", to=self._shown, reason=str(error))
                pause, reported = FIRST_PAUSE, str(error)
            self._stopping.wait(pause)

    def step(self, own: str) -> float:
        """Deliver the next event if one is due; returns the pause before the next step [s]."""
        held = self._store.webhooks.find(own)
        wait = held.due - time.time()
        if 0.0 < wait <= LONGEST_PAUSE:  # a longer one is of a clock that was put back
            return min(wait, POLL_SECONDS)
        next_event = self._next_end(held)
        if next_event is None or not self._store.webhooks.claim(held, CLAIM_SECONDS):
            return POLL_SECONDS
        self._deliver(held, next_event)
        return 0.0

    def _next_end(self, held: WebhookRecord) -> EventRecord | None:
        """The first event after the last delivery that is the end of a run."""
        after = max(held.event, self._seen)
        while found := self._store.events(after, _AT_ONCE):
            ended = next((each for each in found if each.kind in ENDED), None)
            if ended is not None:
                return ended
            after = self._seen = found[-1].id
            if len(found) < _AT_ONCE:
                break
        if after - held.event >= _AT_ONCE:
            self._store.webhooks.passed(held, after)
        return None

    def _deliver(self, held: WebhookRecord, ended: EventRecord) -> None:
        problem = self._sender.send(f"run-{ended.id}", self._message(ended))
        log = logger().bind(to=self._shown, study=ended.study, layout=ended.layout, seed=ended.seed)
        if not problem:
            self._store.webhooks.delivered(held, ended.id)
            log.info("webhook delivered")
        elif held.attempts and time.time() - ended.time > GIVE_UP_SECONDS:
            self._store.webhooks.gave_up(held, ended.id, problem)
            log.error("webhook given up", reason=problem, attempts=held.attempts + 1)
        else:
            pause = min(FIRST_PAUSE * 2.0 ** min(held.attempts, 30), LONGEST_PAUSE)
            self._store.webhooks.failed(held, problem, pause)
            log.warning("webhook failed", reason=problem, again_in_seconds=pause)

    def _message(self, ended: EventRecord) -> dict[str, Any]:
        """The body of a delivery; a study that was deleted meanwhile has no runs left."""
        try:
            runs = self._store.study(ended.study).runs
        except UnknownNameError:
            runs = ()
        return message(
            f"run.{ended.kind}",
            ended.time,
            study=ended.study,
            layout=ended.layout,
            seed=ended.seed,
            state=ended.kind,
            message=ended.message,
            runs_left=sum(run.state not in ENDED for run in runs),
            link=f"{self._site}/studies/{quote(ended.study)}",
        )


def message(kind: str, seconds: float, **data: Any) -> dict[str, Any]:
    """A message as Standard Webhooks has it."""
    return {"type": kind, "timestamp": datetime.fromtimestamp(seconds, UTC).isoformat(), "data": data}


def send_tests(found: Sequence[Sender], clock: Callable[[], float] = time.time) -> list[tuple[str, str]]:
    """Send a message that says it is a test to each address; returns addresses, and what went wrong."""
    now = clock()
    sent = message("test", now, message="a test of tautline's webhooks")
    return [(shown_address(sender.url), sender.send(f"test-{int(now)}", sent)) for sender in found]
