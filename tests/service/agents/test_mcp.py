"""An agent's program talks to ``tautline mcp`` over standard input and output."""

import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client

from service.agents import tools as agent_tools
from service.agents.server import INSTRUCTIONS, AgentServer
from service.agents.tools import part, tools
from service.app.context import Context
from service.app.services import StoreServices
from service.cli.mcp import _on_store
from service.verbs import VERBS
from studies.store import Store

STUDY = """name = "two"
seeds = [1]
model = "bnh"
[variables]
x1 = { lower = 0, upper = 5 }
[layouts.narrow.variables]
x2 = { lower = 0, upper = 1 }
[layouts.wide.variables]
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[constraints]
c1 = { lower = 0 }
[search]
algorithm = "nsga2"
population = 8
generations = 3
"""


def agent(folder, *arguments, **environment):
    """A client of the command in a folder, which ends with it."""
    run = "from service.cli import main; main()"
    return Client(
        stdio_client(
            StdioServerParameters(
                command=sys.executable,
                args=["-c", run, "mcp", *map(str, arguments)],
                cwd=folder,
                env={**os.environ, **environment},
            )
        )
    )


async def ask(client, tool, /, **given):
    """The text of a tool's answer, and whether it is an error."""
    found = await client.call_tool(tool, given)
    return "".join(each.text for each in found.content), found.is_error


async def read(client, tool, /, **given):
    text, failed = await ask(client, tool, **given)
    assert not failed, text
    return json.loads(text)


async def ended(client, name, seconds=200):
    until = time.monotonic() + seconds
    while (found := await read(client, "progress_get", name=name))["state"] in ("queued", "running"):
        assert time.monotonic() < until, found
        await anyio.sleep(0.2)
    return found


def test_an_agent_checks_launches_waits_reads_and_compares(tmp_path):
    Store(str(tmp_path / "tautline.db")).close()

    async def session():
        async with agent(tmp_path, "--workers", "1") as client:
            offered = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert "studies_delete" not in offered
            assert offered["fronts_list"].annotations.read_only_hint
            assert not offered["studies_launch"].annotations.read_only_hint
            assert (await read(client, "studies_check", definition=STUDY))["runs"] == 2
            made = await read(client, "studies_create", definition=STUDY)
            assert made["state"] in ("queued", "running")
            assert (await ended(client, "two"))["state"] == "done"
            front = await read(client, "fronts_list", name="two", layout="wide", limit=3)
            assert len(front["items"]) == 3
            rest = await read(client, "fronts_list", name="two", layout="wide", cursor=front["next"])
            keys = [design["key"] for design in front["items"] + rest["items"]]
            assert len(set(keys)) == len(keys) > 3
            compared = await read(client, "comparisons_layouts", name="two")
            assert {"narrow", "wide"} <= set(re.findall(r"narrow|wide", json.dumps(compared)))
            for tool, given, told in (
                ("fronts_list", {"name": "tow"}, "did you mean 'two'"),
                ("fronts_list", {"name": "two", "limit": 0}, "limit: 0"),
                ("fronts_list", {"nam": "two"}, "unknown key 'nam'"),
                ("fronts_list", {}, "name: is missing"),
                ("studies_check", {"definition": STUDY.replace("x1", "x9")}, "known: x1, x2"),
                ("studies_check", {"definition": "name = "}, "definition"),
                ("studies_delete", {"name": "two"}, "--allow-changes"),
                ("front_list", {}, "did you mean 'fronts_list'"),
            ):
                text, failed = await ask(client, tool, **given)
                assert failed, (tool, text)
                assert told in text, text

    anyio.run(session)
    with Store(str(tmp_path / "tautline.db")) as store:
        assert [run.state for run in store.study("two").runs] == ["done", "done"]


def test_a_token_has_its_rights_on_a_server(tmp_path, serve, tautline):
    secret = {"TAUTLINE_SECRET_FILE": str(tmp_path / "server.key")}
    tautline("account", "add", "vera", "--role", "admin", "--no-password", check=0, env=secret)
    made = [
        tautline("token", "create", "x", "--account", "vera", "--scope", scope, check=0, env=secret)
        for scope in ("read", "run")
    ]
    server = serve("--accounts", "--workers", "1")

    async def session(token, launches):
        async with agent(tmp_path, "--server", server.address, TAUTLINE_TOKEN=token.stdout.strip()) as client:
            assert (await read(client, "accounts_me"))["account"] == "vera"
            text, failed = await ask(client, "studies_create", definition=STUDY)
            assert failed != launches, text
            if launches:
                assert (await ended(client, "two"))["state"] == "done"
            else:
                assert "you may only read" in text

    anyio.run(session, made[0], False)
    anyio.run(session, made[1], True)


def test_a_store_that_is_not_there_ends_it_with_one_error(tmp_path, tautline):
    result = tautline("mcp", "--store", "none.db", check=2)
    assert result.stderr.startswith("error: ")
    assert "there is no store" in result.stderr
    assert result.stdout == ""

    async def session():
        async with agent(tmp_path, "--store", "none.db"):
            pass

    with pytest.RaisesGroup(pytest.RaisesExc(MCPError), flatten_subgroups=True, allow_unwrapped=True):
        anyio.run(session)


def test_without_the_library_one_error_names_what_to_install(call, monkeypatch):
    monkeypatch.setattr("service.agents.server.find_spec", lambda _: None)
    assert "pip install 'tautline[mcp]'" in call("mcp", check=2).err


@pytest.fixture
def local(store):
    return StoreServices(Context(store=store))


def test_tools_follow_from_the_table_and_leave_out_accounts_files_and_pictures():
    every = {f"{verb.noun}_{verb.name}" for verb in VERBS}
    offered = set(tools(allow_changes=True))
    assert offered < every
    assert not {name for name in offered if name.startswith(("accounts_", "tokens_", "figures_"))} - {
        "accounts_me"
    }
    assert {name for name in offered if tools(allow_changes=True)[name].effect == "changes"} == (
        offered - set(tools(allow_changes=False))
    )
    assert {"studies_delete", "studies_stop", "decisions_add"} <= offered - set(tools(allow_changes=False))
    assert not offered & {
        "designs_scene",
        "designs_shape",
        "exports_report",
        "events_follow",
        "models_figure",
    }
    named = set(re.findall(r"\b[a-z]+_[a-z]+\b", INSTRUCTIONS))
    assert named
    assert named <= set(tools(allow_changes=False))
    for tool in tools(allow_changes=True).values():
        assert tool.description
        assert tool.schema["type"] == "object"


def test_every_post_of_the_table_says_what_it_does():
    """A verb that stores answers 507 where the store is full; a later one that forgets its effect is found."""
    for verb in VERBS:
        if verb.method == "POST" and verb.problems is not None:
            assert (verb.effect != "none") == (507 in verb.problems or verb.noun in ("accounts", "tokens")), (
                verb
            )


def test_only_tools_that_queue_work_say_that_they_return_at_once():
    for tool in tools(allow_changes=True).values():
        assert ("Returns at once" in tool.description) == (tool.effect == "queues"), tool.name
    offered = tools(allow_changes=True)
    assert (offered["studies_launch"].effect, offered["annotations_add"].effect) == ("queues", "adds")


def test_a_draft_is_replaced_only_where_changes_are_allowed(local, store, bnh_study):
    draft = {"definition": bnh_study, "launch": False}
    careful = AgentServer(local, allow_changes=False)
    assert not careful.answer("studies_create", draft)[1]
    before = store.study("bnh").definition
    other = {"definition": bnh_study.replace("upper = 5", "upper = 4"), "launch": False, "replaces": "bnh"}
    text, failed = careful.answer("studies_create", other)
    assert failed
    assert text.startswith("replaces: changes or ends what is stored")
    assert "--allow-changes" in text
    assert store.study("bnh").definition == before
    for name, tool in tools(allow_changes=False).items():
        assert "replaces" not in tool.schema["properties"], name
    assert "`replaces` is not offered" in tools(allow_changes=False)["studies_create"].description
    text, failed = AgentServer(local, allow_changes=True).answer("studies_create", other)
    assert not failed, text
    assert store.study("bnh").definition != before


def test_a_long_answer_is_cut_and_its_rest_can_be_had(local, monkeypatch):
    monkeypatch.setattr(agent_tools, "LONGEST", 1000)
    server = AgentServer(local, allow_changes=False)
    whole, offset = "", 0
    while True:
        text, failed = server.answer("models_get", {"name": "bnh", "offset": offset})
        assert not failed
        piece, cut, advice = text.partition("\n[cut after ")
        whole += piece
        assert len(piece) <= 1000
        if not cut:
            break
        offset = int(re.search(r"offset = (\d+)", advice)[1])
    assert json.loads(whole)["model"] == "bnh"
    assert len(whole) > 1000
    text, failed = server.answer("models_get", {"name": "bnh", "offset": 10**6})
    assert failed
    assert f"the whole answer has {len(whole)} characters" in text
    assert part("x" * 1000, 0) == "x" * 1000


def test_an_error_names_the_tool_that_mends_it(local, store, bnh_study):
    server = AgentServer(local, allow_changes=False)
    text, failed = server.answer("studies_create", {"definition": bnh_study, "launch": False})
    assert not failed, text
    other = bnh_study.replace("upper = 5", "upper = 4")
    text, failed = server.answer("studies_create", {"definition": other})
    assert failed
    assert "bnh" in text


def test_only_what_queues_work_starts_a_runner(local, bnh_study):
    started = []
    server = AgentServer(local, allow_changes=False, after_queueing=lambda: started.append(1))
    server.answer("studies_check", {"definition": bnh_study})
    server.answer("studies_create", {"definition": bnh_study.replace('"bnh"', '"none"')})
    assert not started
    server.answer("studies_create", {"definition": bnh_study})
    assert started == [1]
    for name, given in (
        ("annotations_add", {"name": "bnh", "annotation": {"kind": "favourite"}}),
        ("studies_pause", {"name": "bnh"}),
    ):
        text, failed = server.answer(name, given)
        assert not failed, text
    assert started == [1]


def test_a_launch_that_is_stored_is_no_error_though_no_runner_starts(local, store, bnh_study):
    failures = [OSError("no processes left")]

    def start():
        if failures:
            raise failures.pop()

    server = AgentServer(local, allow_changes=False, after_queueing=start)
    text, failed = server.answer("studies_create", {"definition": bnh_study})
    assert not failed
    answer, _, last = text.rpartition("\n")
    assert json.loads(answer)["state"] == store.study("bnh").state == "queued"
    assert "no runner could be started (no processes left)" in last
    text, failed = server.answer("studies_create", {"definition": bnh_study})
    assert not failed
    assert json.loads(text)["state"] == "queued"


def test_calls_at_once_start_one_runner_and_a_failure_is_tried_again(tmp_path, monkeypatch):
    began = []

    class Runner:
        def __init__(self, settings):
            time.sleep(0.05)

        def __enter__(self):
            began.append(self)
            if len(began) == 1:
                raise OSError("no processes left")
            return self

        def __exit__(self, *_):
            began.append("ended")

    monkeypatch.setattr("service.server.RunnerProcess", Runner)
    Store(str(tmp_path / "tautline.db")).close()
    with _on_store(str(tmp_path / "tautline.db"), 1) as (_, start), ThreadPoolExecutor(4) as pool:
        with pytest.raises(OSError, match="no processes left"):
            start()
        for call in [pool.submit(start) for _ in range(4)]:
            call.result()
    assert len(began) == 3
    assert began[-1] == "ended"
