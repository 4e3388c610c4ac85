"""Pictures of the documentation are written only where they differ visibly from those that are there."""

import io

import pytest
from PIL import Image, ImageDraw

from tests import screenshots


def picture(text="all is well", size=(400, 300), kind="PNG", box=0):
    drawn = Image.new("RGBA", size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(drawn)
    pen.text((20, 20), text, fill="black")
    pen.rectangle((200, 100, 200 + box, 100 + box), fill="navy")
    into = io.BytesIO()
    drawn.save(into, kind, **({"lossless": True} if kind == "WEBP" else {}))
    return into.getvalue()


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.setattr(screenshots, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["screenshots"])
    path = tmp_path / "images" / "page.png"
    screenshots.renew(path, picture())
    return path


@pytest.mark.parametrize("other", [picture(), picture("all is welt"), picture(kind="WEBP")])
def test_a_picture_that_looks_alike_is_left(there, other):
    before = there.read_bytes()
    screenshots.renew(there, other)
    assert there.read_bytes() == before


@pytest.mark.parametrize("other", [picture(box=60), picture(size=(400, 310))])
def test_a_picture_that_looks_otherwise_is_written(there, other):
    screenshots.renew(there, other)
    assert there.read_bytes() == other


def test_all_are_written_where_that_is_asked_for(there, monkeypatch):
    monkeypatch.setattr("sys.argv", ["screenshots", "--all"])
    screenshots.renew(there, picture("all is welt"))
    assert there.read_bytes() == picture("all is welt")
