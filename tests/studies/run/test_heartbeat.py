"""Claims are renewed while work goes on, and wishes are heard."""

import time

import pytest

from errors import StoreError
from studies.run.heartbeat import Heartbeat
from studies.store import Claim

CLAIM, OTHER = Claim(1, "me", 1), Claim(2, "me", 1)


class FakeStore:
    """Answers renewals with the states it is given; silent when ``states`` is None."""

    def __init__(self, states):
        self.states = states
        self.asked = []

    def renew(self, claims):
        self.asked.append(list(claims))
        if self.states is None:
            raise StoreError("no answer")
        return {claim: self.states[claim] for claim in claims if claim in self.states}


def wait_until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("state", "instruction"),
    [
        ("running", "work"), ("queued", "work"), ("pausing", "pause"), ("paused", "pause"),
        ("cancelling", "cancel"), ("cancelled", "cancel"),
    ],
)  # fmt: skip
def test_states_are_instructions(state, instruction):
    # pyrefly: ignore[bad-argument-type]
    heartbeat = Heartbeat(FakeStore({CLAIM: state}))
    heartbeat.watch(CLAIM)
    assert heartbeat.instruction(CLAIM) == "work"
    heartbeat.renew()
    assert heartbeat.instruction(CLAIM) == instruction


def test_the_state_before_a_run_began_is_no_wish():
    """A paused run is claimed, then kernels are compiled, then it begins: it goes on."""
    store = FakeStore({CLAIM: "paused"})
    # pyrefly: ignore[bad-argument-type]
    heartbeat = Heartbeat(store)
    heartbeat.watch(CLAIM)
    heartbeat.renew()
    assert heartbeat.instruction(CLAIM) == "pause"
    heartbeat.watch(CLAIM)
    assert heartbeat.instruction(CLAIM) == "work"

    answer = store.renew
    store.renew = lambda claims: (answer(claims), heartbeat.watch(CLAIM))[0]
    heartbeat.renew()
    assert heartbeat.instruction(CLAIM) == "work", "an answer from before the run began"
    store.renew = answer
    heartbeat.renew()
    assert heartbeat.instruction(CLAIM) == "pause"


def test_a_claim_that_was_taken_over_is_left_and_never_renewed_again():
    store = FakeStore({OTHER: "running"})
    # pyrefly: ignore[bad-argument-type]
    heartbeat = Heartbeat(store)
    heartbeat.watch(CLAIM)
    heartbeat.watch(OTHER)
    heartbeat.renew()
    heartbeat.renew()
    assert heartbeat.instruction(CLAIM) == "leave"
    assert heartbeat.instruction(OTHER) == "work"
    assert store.asked == [[CLAIM, OTHER], [OTHER]]


def test_work_is_held_before_the_lease_runs_out_and_goes_on_when_the_store_answers():
    store = FakeStore(None)
    # pyrefly: ignore[bad-argument-type]
    with Heartbeat(store, every=0.01, lease=3.0) as heartbeat:
        heartbeat.watch(CLAIM)
        assert heartbeat.instruction(CLAIM) == "work"
        wait_until(lambda: heartbeat.instruction(CLAIM) == "hold")  # the lease could have run out
        store.states = {CLAIM: "running"}
        wait_until(lambda: heartbeat.instruction(CLAIM) == "work")


def test_what_is_forgotten_is_not_renewed():
    store = FakeStore({CLAIM: "running"})
    # pyrefly: ignore[bad-argument-type]
    heartbeat = Heartbeat(store)
    heartbeat.watch(CLAIM)
    heartbeat.forget(CLAIM)
    heartbeat.renew()
    assert store.asked == []
    assert heartbeat.instruction(CLAIM) == "leave"


def test_the_thread_ends_with_the_context():
    store = FakeStore({CLAIM: "running"})
    # pyrefly: ignore[bad-argument-type]
    with Heartbeat(store, every=0.01) as heartbeat:
        heartbeat.watch(CLAIM)
        wait_until(lambda: len(store.asked) >= 3)
    heartbeat._thread.join(20)
    assert not heartbeat._thread.is_alive()
