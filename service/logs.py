"""Log lines on stderr: what happened, with the ids to find it by, and never a secret.

Our own lines come from structlog; those of libraries (from warnings on) take the same way out.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any, Literal, TextIO

import structlog

LogFormat = Literal["text", "json"]
_NAME = "tautline"
_SECRETS = (
    (re.compile(r"(tl_[A-Za-z0-9]+_)[A-Za-z0-9_-]+"), r"\1***"),  # a token keeps its public id
    (re.compile(r"(\w://[^\s/:@]*:)[^\s/@]+(@)"), r"\1***\2"),  # the password in an address
    (
        re.compile(r"(?i)\b(authorization|cookie|password|token|secret)(\W{1,4})(bearer\s+)?[^\s\"'&,;]+"),
        r"\1\2***",
    ),
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def configure_logs(form: LogFormat, stream: TextIO = sys.stderr) -> None:
    """Send all log lines of this process to ``stream``, one line of text or JSON each."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        without_secrets,
    ]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(form, stream)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_NAME).setLevel(logging.INFO)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,  # tests configure more than once
    )


def logger() -> structlog.stdlib.BoundLogger:
    """The logger of our own lines: ``logger().info("what happened", study=..., run=...)``."""
    return structlog.stdlib.get_logger(_NAME)


def without_secrets(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Hide tokens and passwords, whatever value they stand in; a value never begins a new line."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = redacted(value) if name == "exception" else _one_line(redacted(value))
        elif not isinstance(value, int | float | bool | None):
            event[name] = _one_line(redacted(repr(value))) if not name.startswith("_") else value
    return event


def redacted(text: str) -> str:
    """A text without the secrets in it."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


def _one_line(text: str) -> str:
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def _renderer(form: LogFormat, stream: TextIO) -> Any:
    if form == "json":
        return structlog.processors.JSONRenderer()
    return structlog.dev.ConsoleRenderer(colors=stream.isatty(), pad_event_to=0, pad_level=False)
