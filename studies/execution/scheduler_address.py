"""The address of a Dask scheduler and the TLS that guards it, checked before Dask is asked.

Dask tries an address for as long as it is told to, and a client that could not be made waits 20 s for its own
end.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from errors import InputError

if TYPE_CHECKING:
    from distributed import Security


PLACE = ("scheduler",)
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "inproc")
_PROBED = ("tcp", "tls", "ws", "wss")
_PATIENCE = 5.0
"""Seconds within which a machine that is there takes a connection."""


def require_address(scheduler: str) -> None:
    """Raise ``InputError`` unless the text is an address that Dask knows."""
    scheme, host, port = _parts(scheduler)
    if scheme not in SCHEMES:
        raise InputError(
            f"'{scheduler}' begins with '{scheme}://', which is not the address of a Dask scheduler; write "
            "tcp://host:port or tls://host:port",
            PLACE,
        )
    if scheme in _PROBED and (not host or port is None):
        raise InputError(f"'{scheduler}' needs a host and a port, as in tcp://127.0.0.1:8786", PLACE)


def require_listener(scheduler: str) -> None:
    """Raise ``InputError`` unless somebody listens at the address."""
    scheme, host, port = _parts(scheduler)
    if scheme not in _PROBED or host is None or port is None:
        return
    try:
        socket.create_connection((host, port), _PATIENCE).close()
    except TimeoutError:
        raise _nobody(scheduler, f"no answer within {_PATIENCE:g} s") from None
    except OSError as error:
        raise _nobody(scheduler, error.strerror or str(error)) from None


def _nobody(scheduler: str, cause: str) -> InputError:
    return InputError(
        f"no Dask scheduler answers at '{scheduler}' ({cause}); start one with `dask scheduler`, or give "
        "none to use this machine",
        PLACE,
    )


def _parts(scheduler: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port; an address without a scheme is one of TCP."""
    split = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
    try:
        return split.scheme, split.hostname, split.port
    except ValueError:
        return split.scheme, split.hostname, None


def tls_security(ca: str | None, cert: str | None, key: str | None) -> Security | None:
    """The security of a ``tls://`` scheduler from three PEM files; None when none is given.

    Raises ``InputError`` that names the missing file.
    """
    files = {"tls_ca": ca, "tls_cert": cert, "tls_key": key}
    if not any(files.values()):
        return None
    for argument, name in files.items():
        if not name:
            raise InputError(
                "is missing; TLS needs the authority's certificate, the client's certificate and its key",
                (argument,),
            )
        if not Path(name).is_file():
            raise InputError(f"there is no file '{name}'; give the path of a PEM file", (argument,))
    from distributed import Security

    return Security(tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, require_encryption=True)


def check_scheme(scheduler: str, security: Security | None) -> None:
    """Refuse an address and files that do not belong together."""
    encrypted = scheduler.startswith("tls://")
    if encrypted and security is None:
        raise InputError(
            f"'{scheduler}' needs the cluster's certificates: the authority's, the client's and its key",
            ("scheduler",),
        )
    if security is not None and not encrypted:
        raise InputError(
            f"'{scheduler}' is not an encrypted address, but TLS files are given; write tls://host:port",
            ("scheduler",),
        )
