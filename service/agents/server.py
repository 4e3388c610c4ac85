"""The server of the Model Context Protocol on standard input and output."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from errors import InputError, TautlineError, UnknownNameError
from service.agents.tools import find, remedy_text, tools
from service.app.services import Services
from service.logs import logger

if TYPE_CHECKING:
    import mcp_types

INSTRUCTIONS = """Design optimisation of cable-driven and continuum robots.

A study is a TOML file: model, variables with ranges, objectives, constraints, a search, layouts to
compare. Begin with drafts_examples, models_list and models_get. Check with studies_check, which
says how many designs a study asks for, before studies_create: a design takes seconds to minutes of
a processor. Launching returns at once; progress_get and jobs_list say how far it is, ask every half
minute at most. Then read fronts_list, comparisons_layouts and comparisons_studies. Numbers are SI
unless a unit is written. Of a list, pass `next` of an answer as the cursor to get what follows."""


def require_mcp() -> None:
    """Raise ``InputError`` where the library of the protocol is not installed."""
    if find_spec("mcp") is None:
        raise InputError(
            "agents need the Model Context Protocol, whose library is not installed: pip install "
            "'tautline[mcp]'"
        )


class AgentServer:
    """Answers an agent's calls.

    Parameters
    ----------
    services : Services
        On a store, or of a server.
    allow_changes : bool
        Whether the agent may change, end and delete what is stored.
    after_queueing : callable ()
        Called after a tool that gives runners work.
    """

    def __init__(
        self, services: Services, *, allow_changes: bool, after_queueing: Callable[[], None] = lambda: None
    ) -> None:
        self._services = services
        self._allow_changes = allow_changes
        self._after_queueing = after_queueing

    def run(self) -> None:
        """Serve until standard input ends."""
        import anyio

        anyio.run(self._serve)

    async def _serve(self) -> None:
        from mcp.server.lowlevel import Server
        from mcp.server.stdio import stdio_server

        server: Server[Any] = Server(
            "tautline",
            version=version("tautline"),
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    async def _list(self, context: Any, params: Any) -> mcp_types.ListToolsResult:  # noqa: ARG002 - of mcp
        import mcp_types

        offered = [
            mcp_types.Tool(
                name=tool.name,
                description=tool.description,
                input_schema=tool.schema,
                annotations=mcp_types.ToolAnnotations(
                    read_only_hint=tool.effect == "none",
                    destructive_hint=tool.effect == "changes",
                    idempotent_hint=tool.verb.again or tool.verb.method == "GET",
                    open_world_hint=False,
                ),
            )
            for tool in tools(allow_changes=self._allow_changes).values()
        ]
        return mcp_types.ListToolsResult(tools=offered)

    async def _call(
        self,
        context: Any,  # noqa: ARG002 - of mcp
        params: mcp_types.CallToolRequestParams,
    ) -> mcp_types.CallToolResult:
        import mcp_types
        from anyio import to_thread

        text, failed = await to_thread.run_sync(self.answer, params.name, params.arguments or {})
        content = mcp_types.TextContent(type="text", text=text)
        return mcp_types.CallToolResult(content=[content], is_error=failed)

    def answer(self, name: str, given: dict[str, Any]) -> tuple[str, bool]:
        """The text of an answer, and whether it is an error."""
        try:
            tool = find(name, allow_changes=self._allow_changes)
            answer = tool.call(self._services, given)
        except TautlineError as error:
            return self._told(error), True
        return answer + (self._queued() if tool.effect == "queues" else ""), False

    def _queued(self) -> str:
        """Have queued work started; a last line where that failed, for the work itself is stored."""
        try:
            self._after_queueing()
        except Exception as error:  # noqa: BLE001 - a runner is a process, which may fail to start in many ways
            logger().error("no runner was started", reason=str(error))
            return (
                f"\n[stored, but no runner could be started ({error}): it waits in the queue until one is; "
                "the next call that queues work tries again, or ask a person to run `tautline runner`]"
            )
        return ""

    def _told(self, error: TautlineError) -> str:
        """The text of an error with all its faults, and the call that mends it."""
        text = str(error)
        if isinstance(error, InputError) and not isinstance(error, UnknownNameError):
            text = "\n".join(fault.text for fault in error.faults)
        remedy = error.remedy and remedy_text(error.remedy, allow_changes=self._allow_changes)
        return f"{text}\n{remedy}" if remedy else text
