"""Random kill -9 over runner, workers, scheduler and database: nothing acknowledged is lost, fronts stay the same."""

import random

import pytest

from tests.fault_injection.ledger import Fire

pytestmark = pytest.mark.usefixtures("clusters")


def expose_to(fire, kills, calm_url, opener):
    """Everything is killed once, then whatever chance picks."""
    chance = random.Random(7)
    each = fire.victims
    chance.shuffle(each)
    with fire.burning():
        fire.tend()
        for number in range(kills):
            if len(fire.unfinished()) < 2:
                fire.queue_study()
            fire.wait_for_lines(fire.lines() + chance.randrange(1, 40))
            fire.kill(each[number] if number < len(each) else chance.choice(each), chance)
            fire.tend()
        fire.wait(300)
    fire.verify()
    fire.verify_fronts(calm_url, opener)


FEW = pytest.param(5, marks=[pytest.mark.soak, pytest.mark.timeout(900)])
MANY = pytest.param(200, marks=[pytest.mark.soak, pytest.mark.timeout(7200)])


@pytest.mark.parametrize("kills", [FEW, MANY])
def test_random_kills_over_sqlite(kills, tmp_path, inline, inline_executor):
    fire = Fire(str(tmp_path / "fire.db"), tmp_path)
    expose_to(fire, kills, str(tmp_path / "calm.db"), inline(inline_executor))


@pytest.mark.parametrize("kills", [FEW, MANY])
def test_random_kills_over_postgresql(kills, tmp_path, postgresql, inline, inline_executor):
    fire = Fire(postgresql.new_database(), tmp_path, postgresql)
    expose_to(fire, kills, str(tmp_path / "calm.db"), inline(inline_executor))
