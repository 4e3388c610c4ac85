"""An application of ASGI as a transport of httpx: requests and streams without sockets."""

import asyncio
import contextlib
import threading
from queue import Queue

import httpx

SECONDS = 60.0


class InProcess(httpx.BaseTransport):
    """Hands requests to an application in a thread of this process; use it as a context manager."""

    def __init__(self, application, client=("127.0.0.1", 50000)):
        self._application = application
        self._client = client
        self._state = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="application")
        self._wishes = asyncio.Queue()

    def __enter__(self):
        self._thread.start()
        started = Queue()
        self._wishes.put_nowait({"type": "lifespan.startup"})
        self._life = self._begin(self._live(started))
        self._life.add_done_callback(lambda _: started.put({"type": "ended"}))
        answer = started.get(timeout=SECONDS)
        assert answer["type"] == "lifespan.startup.complete", answer
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._wishes.put_nowait, {"type": "lifespan.shutdown"})
        try:
            self._life.result(SECONDS)
        finally:
            self._begin(_end_the_rest()).result(SECONDS)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(SECONDS)
            self._loop.close()

    def handle_request(self, request):
        asked = _Asked(request.read())
        running = self._begin(self._application(self._scope(request), asked.receive, asked.send))
        running.add_done_callback(lambda _: asked.answers.put(None))
        start = asked.answers.get(timeout=SECONDS)
        if start is None:
            running.result()
            raise httpx.RemoteProtocolError("the application gave no answer")
        return httpx.Response(start["status"], headers=start["headers"], stream=_Body(asked, self._loop))

    def _begin(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _scope(self, request):
        raw_path, _, query = request.url.raw_path.partition(b"?")
        return {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": request.method,
            "scheme": request.url.scheme, "path": request.url.path, "raw_path": raw_path, "root_path": "",
            "query_string": query, "client": self._client, "state": dict(self._state),
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "server": (request.url.host, request.url.port or 80),
        }  # fmt: skip

    async def _live(self, started):
        async def send(message):
            started.put(message)

        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": self._state}
        await self._application(scope, self._wishes.get, send)


async def _end_the_rest():
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    for task in others:
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await task


class _Asked:
    """One request and what came back so far."""

    def __init__(self, body):
        self.answers = Queue()
        self.gone = asyncio.Event()
        self._body = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive(self):
        if self._body:
            return self._body.pop()
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.answers.put(message)


class _Body(httpx.SyncByteStream):
    """The body of an answer, as it comes; to close it is to go away."""

    def __init__(self, asked, loop):
        self._asked = asked
        self._loop = loop

    def __iter__(self):
        more = True
        while more:
            message = self._asked.answers.get(timeout=SECONDS)
            if message is None:
                return
            more = message.get("more_body", False)
            yield message.get("body", b"")

    def close(self):
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._asked.gone.set)
