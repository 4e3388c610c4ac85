"""Where a browser goes after a login: back to the page that it asked for, and never to another site."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

HOME = "/"
LONGEST = 2000
_PLAIN = re.compile(r"/(?![/\\])[^\x00-\x20\\\x7f-\uffff]*")
"""An absolute path: browsers drop tabs and line ends, and take a backslash for a slash."""
_ACTIONS = ("/login", "/logout", "/api/", "/static/")


def next_page(stated: str) -> str:
    """``stated`` when it is a page of this server, with its query and fragment; else the start page.

    Only a path is taken: no scheme, no host, nothing that a browser might read as one.
    """
    if len(stated) > LONGEST or _PLAIN.fullmatch(stated) is None:
        return HOME
    try:
        parts = urlsplit(stated)
    except ValueError:
        return HOME
    if parts.scheme or parts.netloc or parts.path.startswith(_ACTIONS):
        return HOME
    return stated
