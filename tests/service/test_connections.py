"""A client that speaks too slowly, or opens too many connections, is hung up on; others are not disturbed."""

import asyncio
import time

import pytest
import uvicorn

from errors import LimitError
from service import connections
from service.client.wire import error_of
from service.exposure import listen
from service.settings import Settings
from service.web.middleware.rate_limits import OpenRequests

SECONDS = 0.6
BUSY = 30.0
"""Delay that a busy machine may add."""


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

    def run(conversation, seconds=SECONDS, head_seconds=None, **limits):
        monkeypatch.setattr(connections, "REQUEST_SECONDS", seconds)
        monkeypatch.setattr(connections, "HEAD_SECONDS", head_seconds or seconds)

        async def work():
            settings = Settings(port=0, **limits)
            config = uvicorn.Config(
                echo, http=connections.TimedProtocol, lifespan="off", log_config=None,
                ws="none", timeout_keep_alive=5, limit_concurrency=settings.max_connections,
            )  # fmt: skip
            server = uvicorn.Server(config)
            with listen(settings) as listener:
                task = asyncio.create_task(server._serve([listener]))
                while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
                    await asyncio.sleep(0.01)
                try:
                    return await conversation(listener.getsockname()[1])
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


def test_a_head_has_less_time_than_a_whole_request(serving):
    async def conversation(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        upload_reader, upload = await asyncio.open_connection("127.0.0.1", port)
        upload.write(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
        begin = time.monotonic()
        # The end may be an end of the stream, or a reset where a drop came after it.
        while not (reader.at_eof() or reader.exception()):
            assert time.monotonic() - begin < BUSY
            writer.write(b"G")
            await asyncio.sleep(0.05)
        upload.write(b"abcdef")
        answer = await asyncio.wait_for(upload_reader.readuntil(b"ok"), BUSY)
        writer.close()
        upload.close()
        return answer

    answer = serving(conversation, seconds=10 * BUSY, head_seconds=SECONDS)
    assert answer.startswith(b"HTTP/1.1 200"), "a body has its own time"


# ---------------------------------------------------------------- many connections

FEW = {"max_connections": 12, "max_connections_per_address": 5}
NEIGHBOUR = "127.0.0.2"
"""Linux takes every address of 127/8 as this machine's."""


async def opened(port, count, address="127.0.0.1"):
    return [await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0)) for _ in range(count)]


async def status_of(reader, writer):
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), BUSY)
    return int(head.split()[1]), head.lower()


def close_all(opened_connections):
    for _, writer in opened_connections:
        writer.close()


def test_idle_connections_of_one_address_leave_room_for_others(serving):
    async def conversation(port):
        idle = await opened(port, 30)
        neighbours = await opened(port, 2, NEIGHBOUR)
        answers = [await status_of(*each) for each in neighbours]
        refused = [await asyncio.wait_for(reader.read(), BUSY) for reader, _ in idle[5:]]
        close_all(idle + neighbours)
        return [status for status, _ in answers], refused

    statuses, refused = serving(conversation, seconds=10 * BUSY, **FEW)
    assert statuses == [200, 200]
    assert len(refused) == 25
    for answer in refused:
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ")
        assert b"\r\nRetry-After: 10\r\n" in head
        error = error_of(429, {}, body, "a server")
        assert isinstance(error, LimitError)
        assert "--max-connections-per-address" in str(error)


def test_a_connection_that_ends_makes_room_for_another(serving):
    async def conversation(port):
        held = await opened(port, 5)
        ((extra, extra_writer),) = await opened(port, 1)
        refused = await asyncio.wait_for(extra.read(), BUSY)
        close_all([held.pop(), (extra, extra_writer)])
        end = time.monotonic() + BUSY
        while time.monotonic() < end:
            (later,) = await opened(port, 1)
            status, _ = await status_of(*later)
            held.append(later)
            if status == 200:
                break
        close_all(held)
        return refused, status

    refused, status = serving(conversation, seconds=10 * BUSY, **FEW)
    assert refused.startswith(b"HTTP/1.1 429 ")
    assert status == 200


def test_a_proxy_may_have_all_connections(serving):
    async def conversation(port):
        held = await opened(port, 10)
        answers = [await status_of(*each) for each in held]
        close_all(held)
        return {status for status, _ in answers}

    assert serving(conversation, seconds=10 * BUSY, behind_proxy=["127.0.0.0/24"], **FEW) == {200}


def test_open_requests_of_one_address_behind_a_proxy_leave_room_for_others():
    async def work():
        held = asyncio.Event()

        async def slow(scope, receive, send):
            await held.wait()

        limited = OpenRequests(slow, Settings(**FEW))

        def request(address):
            scope = {"type": "http", "client": (address, 1)}
            return asyncio.create_task(limited(scope, None, None))

        greedy = [request("192.0.2.7") for _ in range(8)]
        done, waiting = await asyncio.wait(greedy, timeout=BUSY, return_when=asyncio.FIRST_COMPLETED)
        other = request("192.0.2.8")
        held.set()
        await other
        await asyncio.gather(*waiting)
        await request("192.0.2.7")
        return [task.exception() for task in done], len(waiting)

    errors, served = asyncio.run(work())
    assert served == 5
    assert len(errors) == 3
    assert all(isinstance(error, LimitError) and error.retry_after == 10 for error in errors)
