"""The settings and the message of webhooks are those of the page on servers."""

import json
from pathlib import Path

from docs.code_blocks import ROOT, code_blocks
from service.settings import read_settings
from service.webhooks import check_webhooks, message
from studies.records import ENDED

PAGE = ROOT / "docs" / "guide" / "server.md"


def test_the_page_shows_settings_that_are_taken_and_the_message_that_is_sent(tmp_path: Path) -> None:
    (block,) = (each for each in code_blocks(PAGE, "toml") if "webhooks" in each.text)
    (tmp_path / "tautline.toml").write_text(block.text, encoding="utf-8")
    settings = read_settings({}, tmp_path / "tautline.toml")
    check_webhooks(settings)
    assert settings.webhooks
    (block,) = (each for each in code_blocks(PAGE, "json") if each.title == "message")
    shown = json.loads(block.text)
    assert shown["type"] in {f"run.{state}" for state in ENDED}
    assert set(shown) == set(message("test", 0.0))
    assert shown["data"]["link"] == f"{settings.site}/studies/{shown['data']['study']}"
