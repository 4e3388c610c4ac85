"""Pictures of the documentation are compared square by square, so that a changed letter shows, and noise does not."""

import io
import math

import numpy as np
import pytest
from PIL import Image, ImageDraw

from docs.renewal import Renewal
from tests import screenshots


def picture(text="all is well.", size=(1280, 1400), kind="PNG", mark=300.0, noise=0):
    drawn = Image.new("RGBA", size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(drawn)
    pen.text((20, 20), text, fill=(87, 96, 106))
    pen.ellipse((mark, 97, mark + 6, 103), fill="navy")
    if noise:
        pixels = np.asarray(drawn).astype(int)
        pixels[..., :3] += np.random.default_rng(1).integers(-noise, noise + 1, pixels[..., :3].shape)
        drawn = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    into = io.BytesIO()
    drawn.save(into, kind, **({"lossless": True} if kind == "WEBP" else {}))
    return into.getvalue()


@pytest.fixture
def renewal(tmp_path):
    stored = tmp_path / "docs"
    stored.mkdir()
    (stored / "page.png").write_bytes(picture())
    return Renewal(stored, tmp_path / "build", screenshots.difference, update=True, limit=screenshots.VISIBLE)


@pytest.mark.parametrize("other", [picture(), picture(kind="WEBP"), picture(noise=1)])
def test_a_picture_that_looks_alike_is_left(renewal, other):
    assert renewal.put(renewal.stored / "page.png", other) <= 1
    assert (renewal.stored / "page.png").read_bytes() == picture()


@pytest.mark.parametrize(
    "other",
    [
        picture("all is welt."),
        picture("all is well,"),
        picture("all is well"),
        picture(mark=301.0),
        picture(mark=-100.0),
    ],
)
def test_a_letter_or_mark_changed_in_a_large_picture_shows(renewal, other):
    assert screenshots.VISIBLE < renewal.put(renewal.stored / "page.png", other) <= 255
    assert (renewal.stored / "page.png").read_bytes() == other


def test_pictures_of_other_sizes_differ():
    assert screenshots.difference(picture(), picture(size=(1280, 1401))) == math.inf


def test_a_change_at_the_edge_shows_where_the_last_square_is_not_whole():
    one, other = (picture(size=(403, 301), mark=mark) for mark in (396.0, 398.0))
    assert screenshots.difference(one, other) > screenshots.VISIBLE
