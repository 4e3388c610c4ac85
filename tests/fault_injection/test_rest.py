"""Server, runner and workers killed at random while a study that was launched over REST runs: same front."""

import random
import threading
import time
from contextlib import suppress

import httpx
import pytest

from service.resources.results import FrontDesignResource
from studies.definition.study_file import parse_study
from studies.results.fronts import fronts
from studies.run.launch import run_study
from studies.store import Store
from tests.fault_injection.ledger import STUDY, digest
from tests.fault_injection.rest_server import VICTIMS, Server

NAME = "fire-1"
ODDS = (2, 3, 4, 1)
pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]


def study_text(kills):
    """A study that lasts for so many kills."""
    text = STUDY.replace("NAME", NAME).replace("SHIFT", "0.0")
    return text.replace("generations = 10", f"generations = {kills}")


def launch_in_spite_of_a_kill(server, text):
    """Launched by a request whose server dies meanwhile, and by the same request again."""
    headers = {"Content-Type": "application/toml", "Idempotency-Key": "fire"}
    server.insist("GET", "/me")

    def ask():
        with suppress(httpx.TransportError):
            server.client.post("/studies", params={"launch": "true"}, content=text, headers=headers)

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.02)
    server.strike(random.Random(1), "server")
    asking.join()
    answer = server.insist("POST", "/studies", params={"launch": "true"}, content=text, headers=headers)
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/api/v1/studies/{NAME}"


def state(server):
    """The study's state; one that was paused, because no worker lived until it had started, is launched."""
    found = server.insist("GET", f"/studies/{NAME}").json()["state"]
    if found == "paused":
        server.insist("POST", f"/studies/{NAME}/launch")
    return found


def designs(server):
    answer = server.insist("GET", f"/studies/{NAME}/runs")
    assert answer.status_code == 200, answer.text
    return sum(run["designs"] for run in answer.json()["items"])


def wait_for_designs(server, count):
    """Until work goes on; a kill while nothing goes on is worth a try too."""
    deadline = time.monotonic() + 15
    while state(server) != "done" and designs(server) < count and time.monotonic() < deadline:
        time.sleep(0.1)


def shown(store):
    """The front as it should come over REST."""
    found = [design for designs in fronts(store, store.study(NAME)).values() for design in designs]
    return [FrontDesignResource.model_validate(design).model_dump(mode="json") for design in found]


@pytest.mark.parametrize("kills", [len(VICTIMS), 100])
def test_killed_at_random_a_study_launched_over_rest_ends_with_the_same_front(
    kills, tmp_path, inline, inline_executor
):
    chance = random.Random(11)
    url, text = str(tmp_path / "fire.db"), study_text(kills)
    server = Server(url, tmp_path)
    struck = []
    try:
        launch_in_spite_of_a_kill(server, text)
        for number in range(kills):
            wait_for_designs(server, designs(server) + chance.randrange(1, 40))
            struck.append(VICTIMS[number] if number < len(VICTIMS) else chance.choices(VICTIMS, ODDS)[0])
            server.strike(chance, struck[-1])
        deadline = time.monotonic() + 240
        while state(server) != "done":
            assert time.monotonic() < deadline, server.insist("GET", f"/studies/{NAME}/runs").text
            time.sleep(0.2)
        front = server.insist("GET", f"/studies/{NAME}/front", params={"limit": 1000}).json()
    finally:
        server.close()
    assert set(struck) == set(VICTIMS)
    with Store(url) as store, Store(str(tmp_path / "calm.db")) as calm:
        assert [study.name for study in store.studies()] == [NAME]
        assert [run.seed for run in store.study(NAME).runs] == [1, 2]
        assert store.check() == []
        run_study(calm, parse_study(text), inline(inline_executor))
        assert digest(store, NAME) == digest(calm, NAME)
        assert front == {"items": shown(calm), "next": None}
