"""TLS for a Dask cluster that others share: who has no certificate of its authority is turned away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from models.errors import InputError

if TYPE_CHECKING:
    from distributed import Security


def tls_security(ca: str | None, cert: str | None, key: str | None) -> Security | None:
    """The security of a ``tls://`` scheduler from three PEM files; None when none is given.

    Raises ``InputError`` that names the missing file.
    """
    files = {"--tls-ca": ca, "--tls-cert": cert, "--tls-key": key}
    if not any(files.values()):
        return None
    for option, name in files.items():
        if not name:
            raise InputError("is missing; TLS needs all of --tls-ca, --tls-cert and --tls-key", option)
        if not Path(name).is_file():
            raise InputError(f"there is no file '{name}'; give the path of a PEM file", option)
    from distributed import Security

    return Security(tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, require_encryption=True)


def check_scheme(scheduler: str, security: Security | None) -> None:
    """Refuse an address and files that do not belong together."""
    encrypted = scheduler.startswith("tls://")
    if encrypted and security is None:
        raise InputError(
            f"'{scheduler}' needs the cluster's certificates; give --tls-ca, --tls-cert and --tls-key",
            "--scheduler",
        )
    if security is not None and not encrypted:
        raise InputError(
            f"'{scheduler}' is not an encrypted address, but TLS files are given; write tls://host:port",
            "--scheduler",
        )
