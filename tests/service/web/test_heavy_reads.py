"""Exports, reports and arrays: two of an account at a time, and nobody else waits for them."""

import asyncio
import threading

import pytest

from errors import LimitError
from service.app.exports import ExportService
from service.resources.files import Export
from service.web import heavy_reads
from service.web.heavy_reads import OF_AN_ACCOUNT, HeavyReads
from tests.service.web.test_identity import ME, told

SECONDS = 60
EXPORT = "/api/v1/studies/any/export"
ARRAY = "/api/v1/studies/any/evaluations/array"


class Gate:
    """Exports that begin, and whose last piece waits until it is opened."""

    def __init__(self):
        self.begun, self.opened = threading.Semaphore(0), threading.Event()

    def __call__(self, *_, **__):
        def pieces():
            yield b"first,"
            self.begun.release()
            assert self.opened.wait(SECONDS)
            yield b"last"

        return Export(pieces(), 0)


@pytest.fixture
def gate(monkeypatch):
    made = Gate()
    monkeypatch.setattr(ExportService, "table", made)
    yield made
    made.opened.set()


@pytest.fixture
def ask(lab):
    """Starts a request of somebody; what is returned waits for the answer."""

    def start(account, path=EXPORT):
        answers = []
        thread = threading.Thread(target=lambda: answers.append(lab.as_(account).get(path)), daemon=True)
        thread.start()

        def answer():
            thread.join(SECONDS)
            return answers[0]

        return answer

    return start


def test_a_third_export_of_an_account_is_refused_while_two_are_sent(lab, gate, ask, monkeypatch):
    monkeypatch.setattr(heavy_reads, "WAIT_SECONDS", 0.2)
    held = [ask("vera") for _ in range(OF_AN_ACCOUNT)]
    for _ in held:
        assert gate.begun.acquire(timeout=SECONDS)
    refused = lab.as_("vera").get(EXPORT)
    assert "2 exports, reports or arrays of yours" in told(refused, 429, "limit")["detail"]
    assert int(refused.headers["retry-after"]) >= 1
    for path in ("/api/v1/exports?study=any", "/api/v1/studies/any/report", "/studies/any/report", ARRAY):
        assert lab.as_("vera").get(path).status_code == 429, path
    assert lab.as_("vera").get(ME).status_code == 200
    assert lab.as_("edda").get(ME).status_code == 200
    gate.opened.set()
    assert [answer().text for answer in held] == ["first,last"] * OF_AN_ACCOUNT
    assert lab.as_("vera").get(EXPORT).status_code == 200, "places are given back"


def test_a_third_export_waits_for_one_that_ends(gate, ask):
    held = [ask("vera") for _ in range(OF_AN_ACCOUNT + 1)]
    for _ in range(OF_AN_ACCOUNT):
        assert gate.begun.acquire(timeout=SECONDS)
    gate.opened.set()
    assert [answer().status_code for answer in held] == [200] * len(held)


def test_a_failed_export_gives_its_place_back(lab, monkeypatch):
    monkeypatch.setattr(heavy_reads, "WAIT_SECONDS", 0.2)
    for _ in range(OF_AN_ACCOUNT + 1):
        told(lab.as_("vera").get(EXPORT), 404, "absent")


def test_waiting_reads_take_no_thread_and_accounts_are_apart(monkeypatch):
    async def work():
        reads, end = HeavyReads(reports=1), asyncio.Event()

        async def hold(account):
            async with reads.of(account):
                await end.wait()

        held = [asyncio.create_task(hold("vera")) for _ in range(40)]
        async with reads.of("edda"):
            assert await reads.begin(threading.active_count) < 20
        end.set()
        await asyncio.gather(*held)

    asyncio.run(work())


def test_reports_of_all_accounts_wait_for_one_another(monkeypatch):
    monkeypatch.setattr(heavy_reads, "WAIT_SECONDS", 0.2)

    async def work():
        reads, end = HeavyReads(reports=1), threading.Event()
        first = asyncio.create_task(reads.report(lambda: end.wait(SECONDS)))
        await asyncio.sleep(0)
        with pytest.raises(LimitError, match="reports of others"):
            await reads.report(lambda: None)
        end.set()
        assert await first
        return await reads.report(lambda: "made")

    assert asyncio.run(work()) == "made"
