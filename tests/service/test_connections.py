"""A client that speaks too slowly is hung up on, and others are not disturbed."""

import asyncio
import time

import pytest
import uvicorn

from service import server as connections

SECONDS = 0.6
BUSY = 30.0
"""How much later a busy machine may come to it."""


async def echo(scope, receive, send):
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def serving(monkeypatch):
    """Runs a coroutine that speaks to a server, given its port."""

    def run(conversation, seconds=SECONDS):
        monkeypatch.setattr(connections, "REQUEST_SECONDS", seconds)

        async def work():
            config = uvicorn.Config(
                echo, http=connections.TimedProtocol, port=0, lifespan="off", log_config=None,
                ws="none", timeout_keep_alive=5,
            )  # fmt: skip
            server = uvicorn.Server(config)
            task = asyncio.create_task(server._serve())
            while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
                await asyncio.sleep(0.01)
            try:
                return await conversation(server.servers[0].sockets[0].getsockname()[1])
            finally:
                server.should_exit = True
                await task

        return asyncio.run(work())

    return run


async def seconds_until_closed(reader):
    begin = time.monotonic()
    assert await asyncio.wait_for(reader.read(), SECONDS + BUSY) == b""
    return time.monotonic() - begin


@pytest.mark.parametrize(
    "beginning",
    [b"", b"GET / HTTP/1.1\r\nHost: a\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"],
)
def test_a_request_that_never_ends_is_given_up(serving, beginning):
    async def conversation(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(beginning)
        waited = await seconds_until_closed(reader)
        writer.close()
        return waited

    assert 0.5 * SECONDS < serving(conversation) < SECONDS + BUSY


def test_drops_of_a_request_do_not_prolong_its_time(serving):
    async def conversation(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        begin = time.monotonic()
        writer.write(b"GET / HTTP/1.1\r\n")
        # The end may be an end of the stream, or a reset where a drop came after it.
        while not (reader.at_eof() or reader.exception()) and time.monotonic() - begin < SECONDS + BUSY:
            writer.write(b"X: y\r\n")
            await asyncio.sleep(0.05)
        writer.close()
        return time.monotonic() - begin

    assert serving(conversation) < SECONDS + BUSY


def test_requests_one_after_the_other_each_have_their_time(serving):
    seconds = 3.0  # each takes half of it, all together more: a busy machine may lose the other half

    async def conversation(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        answers = 0
        for _ in range(3):
            writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n")
            await asyncio.sleep(seconds / 2)
            writer.write(b"\r\n")
            head = await asyncio.wait_for(reader.readuntil(b"ok"), BUSY)
            answers += head.startswith(b"HTTP/1.1 200")
        writer.close()
        return answers

    assert serving(conversation, seconds) == 3
