"""A browser by name, for the list of its owner's sessions: what it says itself, and no more than that."""

from __future__ import annotations

import re

UNKNOWN = "browser"
_BROWSERS = (
    ("Edge", r"\bEdgA?/"), ("Opera", r"\bOPR/"), ("Firefox", r"\b(?:Firefox|FxiOS)/"),
    ("Chrome", r"\b(?:Chrome|Chromium|CriOS|HeadlessChrome)/"), ("Safari", r"\bSafari/"),
)  # fmt: skip
_SYSTEMS = (
    ("Android", r"\bAndroid\b"), ("iOS", r"\b(?:iPhone|iPad)\b"), ("Windows", r"\bWindows\b"),
    ("macOS", r"\bMac OS X\b"), ("Linux", r"\bLinux\b"),
)  # fmt: skip


def browser_name(agent: str) -> str:
    """``Firefox on Linux``; ``browser`` where the User-Agent tells nothing that is known here."""
    browser = _first(_BROWSERS, agent)
    system = _first(_SYSTEMS, agent)
    if not browser:
        return UNKNOWN
    return f"{browser} on {system}" if system else browser


def _first(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for name, pattern in names if re.search(pattern, agent)), "")
