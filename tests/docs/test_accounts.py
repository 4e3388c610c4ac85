"""The pages on accounts and security say what the program does."""

import shlex
from pathlib import Path

from docs.code_blocks import ROOT, code_blocks
from service.access.identity import ROLES
from service.access.passwords import SHORTEST
from service.resources.access import TokenRequest
from tests.forked import run

ACCOUNTS = ROOT / "docs" / "guide" / "accounts.md"


def table(text: str, heading: str) -> list[list[str]]:
    lines = [line for line in text.split(heading)[1].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_commands_of_the_page_work_in_order(tmp_path: Path) -> None:
    blocks = [block for block in code_blocks(ACCOUNTS, "bash") if block.title != "fragment"]
    lines = [line for block in blocks for line in block.text.splitlines()]
    assert len(lines) >= 8
    for line in lines:
        secret = {"TAUTLINE_SECRET_FILE": str(tmp_path / "server.key")}
        result = run(tmp_path, *shlex.split(line)[1:], env=secret)
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
