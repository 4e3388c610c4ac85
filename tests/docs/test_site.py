"""The site builds without a warning, fetches nothing, and its links lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import models
from docs.build import VALIDATION, own_models, validation_page
from docs.fences import PAGES, ROOT

_LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)#\s]+)(?:#[^)]*)?\)")
_FETCHED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"?(?:https?:)?//", re.IGNORECASE)


def test_site_builds_strictly_and_fetches_nothing(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "WARNING" not in result.stderr
    built = sorted((tmp_path / "site").rglob("*.html"))
    assert len(built) >= len(list((ROOT / "docs").rglob("*.md")))
    for page in built:
        assert not _FETCHED.search(page.read_text(encoding="utf-8")), page.name
    assert not list((tmp_path / "site").rglob("*.py"))


def test_links_between_files_resolve() -> None:
    for page in PAGES:
        for target in _LINK.findall(page.read_text(encoding="utf-8")):
            if not target.startswith(("http:", "https:")):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_validation_page_has_every_reference_case() -> None:
    """Numbers may differ in last digits between processors; rows and verdicts may not."""
    written = VALIDATION.read_text(encoding="utf-8")
    assert [model.name for model in own_models()] == [
        name for name in models.names() if f"## {name}," in written
    ]
    assert _names(written) == _names(validation_page()), "run `make docs`"
    assert "**no**" not in written


def _names(page: str) -> list[tuple[str, str]]:
    rows = [
        line.split(" | ") for line in page.splitlines() if line.startswith("| ") and "| case |" not in line
    ]
    return [(cells[0], cells[6]) for cells in rows]
