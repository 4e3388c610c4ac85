"""The client of a server, noun by noun."""

from __future__ import annotations

from types import TracebackType
from typing import Self, get_type_hints

import httpx

from service.app.services import Services
from service.client.credentials import find_token
from service.client.remote import remote
from service.client.requests import Requests
from service.client.wire import Wire


class Client(Services):
    """A Tautline server; see :class:`service.app.services.Services` for what it does.

    A client may be used by several threads, and as a context manager::

        with tautline.Client("https://robots.example.org") as server:
            for study in server.studies.list().items:
                print(study.name, study.state)

    Parameters
    ----------
    server : str
        Address, as in ``"https://robots.example.org"``.
    token : str, optional
        By which the server knows you. Without it the environment and the token file are read,
        see :func:`service.client.credentials.find_token`.
    transport : httpx.BaseTransport, optional
        How requests travel, instead of over the network.

    Raises
    ------
    InputError
        For an address that is none, and for a token that would travel unencrypted.
    """

    def __init__(
        self, server: str, token: str | None = None, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._wire = Wire(server, find_token() if token is None else token, transport)
        requests = Requests(self._wire)
        for noun, service in get_type_hints(Services).items():
            setattr(self, noun, remote(noun, service)(requests))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._wire.close()

    @property
    def server(self) -> str:
        """The server's address."""
        return self._wire.server
