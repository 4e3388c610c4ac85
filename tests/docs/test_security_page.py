"""The page on security says what the server does."""

import re

from docs.code_blocks import ROOT, code_blocks
from service.web.identity import PUBLIC
from service.web.middleware.browser_security import STRICT
from service.web.page_responses import PLOT_POLICY

PAGE = ROOT / "docs" / "guide" / "security.md"


def test_the_page_shows_the_policy_that_is_sent():
    shown = [" ".join(block.text.split()) for block in code_blocks(PAGE, "text")]
    assert STRICT in shown
    assert PLOT_POLICY in shown


def test_the_page_lists_every_public_address():
    table = PAGE.read_text(encoding="utf-8").split("## Public addresses")[1].split("## ")[0]
    listed = {
        path
        for row in re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
        for path in re.findall(r"`([^`]+)`", row)
    }
    assert listed == PUBLIC
