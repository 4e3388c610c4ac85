"""Addresses of schedulers are looked at before Dask is."""

import socket

import pytest

from errors import InputError
from studies.execution import open_executor

WRONG = {
    "http://127.0.0.1:8787": "begins with 'http://'.*tcp://host:port",
    "tcp://127.0.0.1": "needs a host and a port",
    "tcp://127.0.0.1:many": "needs a host and a port",
    "127.0.0.1:9": "no Dask scheduler answers at '127.0.0.1:9' \\(Connection refused\\)",
    "tcp://127.0.0.1:9": "no Dask scheduler answers at 'tcp://127.0.0.1:9' \\(Connection refused\\)",
    "tcp://nowhere.invalid:8786": "no Dask scheduler answers at 'tcp://nowhere.invalid:8786'",
}


@pytest.mark.parametrize("address", WRONG)
def test_a_wrong_address_is_refused_before_dask_tries_it(monkeypatch, address):
    monkeypatch.setattr(
        "studies.execution.dask_client.Client", None
    )  # a client that failed would wait 20 s for its end
    with pytest.raises(InputError, match=WRONG[address]), open_executor(None, address):
        pass


def test_an_address_where_somebody_listens_is_handed_to_dask(monkeypatch):
    asked = []

    def connect(scheduler, *_):
        asked.append(scheduler)
        raise TimeoutError("it does not answer")

    monkeypatch.setattr("studies.execution.dask_client.connect", connect)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with (
            pytest.raises(InputError, match=r"no Dask scheduler answers at .*\(it does not answer\)"),
            open_executor(None, address),
        ):
            pass
    assert asked == [address]
