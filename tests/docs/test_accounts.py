"""The pages on accounts and security say what the program does."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from docs.fences import ROOT, fences
from service.access.identity import ROLES
from service.access.passwords import SHORTEST
from service.resources.access import TokenRequest

ACCOUNTS = ROOT / "docs" / "accounts.md"
PROGRAM = Path(sys.executable).with_name("tautline")


def table(text: str, heading: str) -> list[list[str]]:
    lines = [line for line in text.split(heading)[1].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_commands_of_the_page_work_in_order(tmp_path: Path) -> None:
    blocks = [block for block in fences(ACCOUNTS, "bash") if block.title != "fragment"]
    lines = [line for block in blocks for line in block.text.splitlines()]
    assert len(lines) >= 8
    for line in lines:
        result = subprocess.run(
            [PROGRAM, *shlex.split(line)[1:]], cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, "TAUTLINE_SECRET_FILE": str(tmp_path / "server.key")}, timeout=60,
        )  # fmt: skip
        assert result.returncode == 0, f"{line}\n{result.stderr}"
        if "token create" in line:
            assert result.stdout.startswith("tl_")
    assert "notebook on my laptop" in result.stdout


def test_roles_and_scopes_are_those_of_the_program() -> None:
    text = ACCOUNTS.read_text(encoding="utf-8")
    assert tuple(table(text, "## Roles")[0][1:]) == ROLES
    scopes = [row[0].strip("`") for row in table(text, "## Programs")[2:]]
    assert scopes == list(TokenRequest.model_fields["scope"].annotation.__args__)
    assert SHORTEST == 10
