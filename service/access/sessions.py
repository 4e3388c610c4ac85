"""Logging in: by a link that works once, or by a password. Both open a session of a browser."""

from __future__ import annotations

import re

from errors import IdentityError, UnknownNameError
from service.access.authenticator import Authenticator
from service.access.identity import Identity
from service.access.passwords import password_matches
from service.settings import Settings
from studies.store import Store

UNKNOWN = "browser"
_BROWSERS = (
    ("Edge", re.compile(r"\bEdgA?/")),
    ("Opera", re.compile(r"\bOPR/")),
    ("Firefox", re.compile(r"\b(?:Firefox|FxiOS)/")),
    ("Chrome", re.compile(r"\b(?:Chrome|Chromium|CriOS|HeadlessChrome)/")),
    ("Safari", re.compile(r"\bSafari/")),
)
_SYSTEMS = (
    ("Android", re.compile(r"\bAndroid\b")),
    ("iOS", re.compile(r"\b(?:iPhone|iPad)\b")),
    ("Windows", re.compile(r"\bWindows\b")),
    ("macOS", re.compile(r"\bMac OS X\b")),
    ("Linux", re.compile(r"\bLinux\b")),
)


def browser_name(agent: str) -> str:
    """``Firefox on Linux``; ``browser`` where the User-Agent tells nothing that is known here."""
    browser = _first(_BROWSERS, agent)
    system = _first(_SYSTEMS, agent)
    if not browser:
        return UNKNOWN
    return f"{browser} on {system}" if system else browser


def _first(names: tuple[tuple[str, re.Pattern[str]], ...], agent: str) -> str:
    return next((name for name, pattern in names if pattern.search(agent)), "")


LINK_SECONDS = 3600.0
"""Time for which a login link waits to be opened."""

_HOUR = 3600.0


class Sessions:
    """Opens and ends the sessions of browsers; a session may do all that its account may."""

    def __init__(self, store: Store, authenticator: Authenticator, settings: Settings) -> None:
        self._store = store
        self._authenticator = authenticator
        self.seconds = settings.session_hours * _HOUR

    def link_text(self) -> str:
        """A token for a login link of the one person of a laptop; it works once, within an hour."""
        text, _ = self._authenticator.issue("login", "", "login link", "admin", LINK_SECONDS)
        return text

    def open_by_link(self, text: str, browser: str = UNKNOWN) -> str:
        """The session that a login link opens; raises ``IdentityError``, also the second time."""
        authentication = self._authenticator.authenticate(text, "login")
        if not self._store.tokens.use_up(authentication.token.id):
            raise IdentityError("this login link has already been used; start the server again for a new one")
        return self._open(authentication.identity.account, browser)

    def open_by_password(self, account: str, password: str, browser: str = UNKNOWN) -> str:
        """The session of an account; raises ``IdentityError`` that does not tell what was wrong."""
        try:
            found = self._store.accounts.find(account)
        except UnknownNameError:
            found = None
        right = password_matches(password, None if found is None else found.password)
        if found is None or found.disabled or not right:
            raise IdentityError("the account or the password is wrong")
        return self._open(found.name, browser)

    def end(self, text: str) -> None:
        """End a session; one that is none is no matter."""
        try:
            authentication = self._authenticator.authenticate(text, "session")
        except IdentityError:
            return
        self._authenticator.end(authentication.token)

    def _open(self, account: str, browser: str) -> str:
        text, _ = self._authenticator.issue("session", account, browser, "admin", self.seconds)
        return text


def own_password_matches(store: Store, identity: Identity, password: str) -> bool:
    """True if somebody who wants to change their password knows it."""
    return password_matches(password, store.accounts.find(identity.account).password)
