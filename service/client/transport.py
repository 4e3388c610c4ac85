"""How requests travel. The seam is ``httpx.BaseTransport``, one method: tests put an application there."""

from __future__ import annotations

import ssl

import httpx


def open_transport(address: str) -> httpx.BaseTransport:
    """Connections to a server; certificates are checked against those that this machine trusts."""
    if address.startswith("http://"):
        return httpx.HTTPTransport()
    return httpx.HTTPTransport(verify=ssl.create_default_context())


def open_connections(address: str, token: str | None, transport: httpx.BaseTransport | None) -> httpx.Client:
    """A client of ``httpx`` that carries the token, follows no redirection and asks no proxy."""
    headers = {"Accept": "application/json", "User-Agent": "tautline"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return httpx.Client(
        base_url=f"{address}/api/v1/", headers=headers, transport=transport or open_transport(address),
        timeout=httpx.Timeout(60.0, connect=10.0), follow_redirects=False, trust_env=False,
    )  # fmt: skip
