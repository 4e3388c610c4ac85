"""Scripts and styles of the pages, as the server sends them.

Their addresses hold a digest of all of them, so that a browser may keep them for ever, and after an
update a page never meets a script of another version.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from dashboards.script_bundle import linked
from dashboards.templating import plotly_script, static_text

_PLOTLY = "plotly.js"
_EARLY = "core/early_theme.js"
_SESSION = "core/session.js"
_PAGES = ("studies", "new", "run", "review", "compare", "account")
_SCRIPTS = {"linked/session.js": [_SESSION]} | {
    f"linked/{page}.js": [_SESSION, f"pages/{page}/page.js"] for page in _PAGES
}
"""One script per page and the modules that it begins with; other pages have that of the session alone."""
_KINDS = {
    ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
    ".png": "image/png", ".webp": "image/webp",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that the server sends: as it is, and packed by gzip."""

    content: bytes
    packed: bytes
    media_type: str


def asset(name: str) -> Asset | None:
    """The file with that name, which is one of a fixed list; no name becomes a path."""
    return _assets().get(name)


@cache
def asset_version() -> str:
    """A digest of all files together."""
    digest = hashlib.sha256()
    for name, found in sorted(_assets().items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(found.content).digest())
    return digest.hexdigest()[:16]


@cache
def _assets() -> dict[str, Asset]:
    contents = {name: item.read_bytes() for name, item in _walk(files("dashboards") / "static", "")}
    contents |= {name: linked(static_text, entries, name).encode() for name, entries in _SCRIPTS.items()}
    return {name: _made(name, content) for name, content in contents.items()} | {
        _PLOTLY: _made(_PLOTLY, plotly_script().encode())
    }


def _made(name: str, content: bytes) -> Asset:
    kind = _KINDS["." + name.rpartition(".")[2]]
    return Asset(content, gzip.compress(content, 6, mtime=0), kind)


def _walk(folder: Traversable, path: str) -> list[tuple[str, Traversable]]:
    """Files below a folder of the package that are sent as they are, with their names in it."""
    found: list[tuple[str, Traversable]] = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _walk(item, f"{path}{item.name}/")
        elif item.name.endswith(tuple(_KINDS)) and (
            not item.name.endswith(".js") or path + item.name == _EARLY
        ):
            found.append((path + item.name, item))
    return found
