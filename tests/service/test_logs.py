"""Log lines: readable by people and programs, one line each, without secrets."""

import io
import json
import logging

import pytest
import structlog

from service.logs import configure_logs, logger, redacted


@pytest.fixture
def lines():
    """Configures logs into a buffer and gives back what was written."""
    before = logging.getLogger().handlers[:], logging.getLogger().level
    stream = io.StringIO()

    def configure(form):
        configure_logs(form, stream)
        return lambda: stream.getvalue().splitlines()

    yield configure
    logging.getLogger().handlers[:], level = before
    logging.getLogger().setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def test_json_lines_carry_what_is_bound(lines):
    written = lines("json")
    with structlog.contextvars.bound_contextvars(request="r1"):
        logger().info("run left", study="robocab", run=7)
    entry = json.loads(written()[0])
    assert entry["event"] == "run left"
    assert (entry["study"], entry["run"], entry["request"], entry["level"]) == ("robocab", 7, "r1", "info")
    assert entry["timestamp"].endswith("Z")


def test_libraries_are_heard_from_warnings_on(lines):
    written = lines("json")
    logging.getLogger("uvicorn.error").info("chatter")
    logging.getLogger("uvicorn.error").warning("trouble with %s", "tl_abc_SECRET")
    assert [json.loads(line)["event"] for line in written()] == ["trouble with tl_abc_***"]


@pytest.mark.parametrize(
    "text",
    [
        "token tl_0a1b2c_HUSH-hush_9 was refused",
        "postgresql://me:HUSH@db/tautline is away",
        "Authorization: Bearer HUSH",
        "GET /login?token=HUSH&next=/",
        "{'password': 'HUSH'}",
        "cookie=HUSH; path=/",
    ],
)
def test_secrets_are_hidden_wherever_they_stand(lines, text):
    written = lines("text")
    logger().info(text, detail=text, nested={"in": [text]})
    try:
        raise RuntimeError(text)  # noqa: TRY301
    except RuntimeError:
        logger().exception("broke")
    assert "HUSH" not in "\n".join(written())
    assert "broke" in "\n".join(written())
    assert "HUSH" not in redacted(text)


def test_a_value_cannot_begin_a_line_of_its_own(lines):
    written = lines("text")
    logger().info("request", path="/x\n2026-01-01 [info] forged\r\x1b[31m\u2028")
    assert len(written()) == 1
    assert "\x1b" not in written()[0]
