"""Every example of ``examples/`` has a small picture, which shows its robot as it is drawn now."""

import re

import pytest

from docs.example_pictures import PICTURES, example_picture
from service.examples import FOLDER

STUDIES = sorted(FOLDER.glob("*.toml"))
NUMBER = re.compile(r"(?<![#\w])-?\d+(?:\.\d+)?")
MOST_BYTES = 15_000


def test_there_is_one_small_picture_of_each_example():
    pictures = sorted(PICTURES.glob("*.svg"))
    assert [picture.stem for picture in pictures] == [study.stem for study in STUDIES]
    assert max(picture.stat().st_size for picture in pictures) < MOST_BYTES


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.stem)
def test_a_picture_is_that_of_the_example(study):
    kept = (PICTURES / f"{study.stem}.svg").read_text(encoding="utf-8")
    drawn = example_picture(study)
    assert NUMBER.sub("", drawn) == NUMBER.sub("", kept), "run python -m docs.example_pictures"
    numbers = [[float(found) for found in NUMBER.findall(text)] for text in (drawn, kept)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.25), "run python -m docs.example_pictures"
