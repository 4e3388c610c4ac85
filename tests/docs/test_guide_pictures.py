"""The pictures of the guide show what its pages say now."""

import re
from itertools import pairwise

import pytest

from docs.guide_pictures import PICTURES, TIMES, WORKERS, _schedule, pictures

NUMBER = re.compile(r"(?<![#\w])-?\d+(?:\.\d+)?")


def test_the_pictures_are_those_of_the_pages() -> None:
    drawn = dict(pictures())
    assert {f"{name}.svg" for name in drawn} == {path.name for path in PICTURES.iterdir()}
    for name, picture in drawn.items():
        kept = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
        assert NUMBER.sub("", picture) == NUMBER.sub("", kept), "run python -m docs.guide_pictures"
        numbers = [[float(found) for found in NUMBER.findall(text)] for text in (picture, kept)]
        assert numbers[0] == pytest.approx(numbers[1], abs=0.25), "run python -m docs.guide_pictures"


def test_no_worker_of_a_schedule_does_two_things_at_once() -> None:
    for batch in (WORKERS, len(TIMES)):
        bars = sorted(_schedule(batch))
        assert sorted(time for _, _, time in bars) == sorted(TIMES)
        for (worker, start, time), (following, then, _) in pairwise(bars):
            assert worker != following or start + time <= then
