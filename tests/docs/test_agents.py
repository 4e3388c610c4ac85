"""Commands that the page on agents registers are started as an agent's program starts them."""

import json
import sys
from pathlib import Path

import anyio
import typer
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from docs.code_blocks import ROOT, code_blocks
from service.agents.tools import tools
from service.cli import app
from studies.store import Store

PAGE = ROOT / "docs" / "guide" / "agents.md"


def test_the_registered_command_answers(tmp_path: Path) -> None:
    blocks = {block.title: json.loads(block.text)["mcpServers"] for block in code_blocks(PAGE, "json")}
    Store(str(tmp_path / "tautline.db")).close()
    given = blocks["agent.json"]["tautline"]
    assert given["command"] == "tautline"
    command = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from service.cli import main; main()", *given["args"]],
        cwd=tmp_path,
    )

    async def listed() -> set[str]:
        async with Client(stdio_client(command)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert anyio.run(listed) == set(tools(allow_changes=False))
    known = {option for each in typer.main.get_command(app).commands["mcp"].params for option in each.opts}
    assert set(blocks["agent-of-a-server.json"]["tautline"]["args"][1::2]) < known


def test_the_page_names_tools_that_are_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    examples = (
        "studies_check",
        "studies_create",
        "progress_get",
        "fronts_list",
        "comparisons_layouts",
        "designs_get",
    )
    assert all(f"`{name}`" in text for name in examples)
    assert set(examples) < set(tools(allow_changes=False))
    assert len(tools(allow_changes=False)) >= len(examples) + 50
