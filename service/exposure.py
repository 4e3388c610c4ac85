"""Exposure of the server to others: conditions that must hold before it listens."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from pathlib import Path

from errors import InputError
from service.connections import Listener
from service.settings import Settings

BACKLOG = 2048


def check_exposure(settings: Settings) -> None:
    """Refuse settings under which somebody could do or read what is not theirs.

    Raises ``InputError`` that says what to do instead.
    """
    _check_certificate(settings)
    _check_proxies(settings)
    _check_scheduler(settings)
    if settings.behind_proxy and not settings.accounts:
        raise InputError(
            "a proxy lets others in, so accounts are needed: add --accounts, and make the first one with "
            "`tautline account add NAME --role admin`",
            ("behind_proxy",),
        )
    if is_loopback(settings.host):
        return
    if not settings.accounts:
        raise InputError(
            f"'{settings.host}' can be reached from other machines, so accounts are needed: add --accounts, "
            "and make the first one with `tautline account add NAME --role admin`; or listen on 127.0.0.1",
            ("host",),
        )
    if not (settings.https_cert or settings.behind_proxy):
        raise InputError(
            f"'{settings.host}' can be reached from other machines, and passwords would cross the network "
            "unencrypted: give --https-cert and --https-key, or name the proxy that ends TLS with "
            "--behind-proxy, or listen on 127.0.0.1",
            ("host",),
        )


def is_loopback(host: str) -> bool:
    """True if only this machine can reach an address; every address that a name stands for counts."""
    try:
        found = socket.getaddrinfo(host or None, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise InputError(
            f"'{host}' is not an address of this machine ({error.strerror})", ("host",)
        ) from None
    return all(ipaddress.ip_address(str(address[0]).split("%")[0]).is_loopback for *_, address in found)


def listen(settings: Settings) -> socket.socket:
    """A socket that listens where the settings say; others cannot connect before this."""
    family, kind, number, _, address = socket.getaddrinfo(
        settings.host or None, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = Listener(settings, family, kind, number)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise InputError(
            f"cannot listen on {settings.host}, port {settings.port}: {error.strerror}; "
            "name another port with --port (0 takes a free one)",
            ("port",),
        ) from None
    return listener


def address_of(settings: Settings, listener: socket.socket) -> str:
    """The server's address for a browser on this machine, without a path."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if settings.https_cert else 'http'}://{shown}:{port}"


def _check_certificate(settings: Settings) -> None:
    pair = {"https_cert": settings.https_cert, "https_key": settings.https_key}
    if not any(pair.values()):
        return
    _check_files(pair, "HTTPS needs both --https-cert and --https-key")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
            str(settings.https_cert), str(settings.https_key), password=_no_password
        )
    except (ssl.SSLError, OSError) as error:
        raise InputError(
            f"'{settings.https_cert}' and '{settings.https_key}' are not a certificate and its key without a "
            f"password (PEM): {error}",
            ("https_cert",),
        ) from None


def _no_password() -> str:
    """Instead of asking on the terminal."""
    raise OSError("the key has a password")


def _check_files(files: dict[str, Path | None], rule: str) -> None:
    for setting, path in files.items():
        if path is None:
            raise InputError(f"is missing; {rule}", (setting,))
        if not path.is_file():
            raise InputError(f"there is no file '{path}'; give the path of a PEM file", (setting,))


def _check_proxies(settings: Settings) -> None:
    for name in settings.behind_proxy:
        try:
            network = ipaddress.ip_network(name)
        except ValueError:
            raise InputError(
                f"'{name}' is neither an address nor a network; write for example 10.0.0.5 or 10.0.0.0/24",
                ("behind_proxy",),
            ) from None
        if network.prefixlen == 0:
            raise InputError(
                f"'{name}' means every address, so anybody could pretend to come from another address; write "
                "the address of your proxy, for example 10.0.0.5",
                ("behind_proxy",),
            )


def _check_scheduler(settings: Settings) -> None:
    files = {"tls_ca": settings.tls_ca, "tls_cert": settings.tls_cert, "tls_key": settings.tls_key}
    if any(files.values()):
        _check_files(files, "TLS needs all of --tls-ca, --tls-cert and --tls-key")
