"""Remedies of errors: data in models and studies, commands in the shell, a member of problems over REST."""

import ast
import re
from pathlib import Path

import pytest

from errors import InputError, SchemaError, StateError
from service.cli.output import with_remedy
from service.client.wire import error_of
from service.web.problems import problem_of

ROOT = Path(__file__).parents[2]
COMMAND = re.compile(r"\btautline (?!log$)[a-z]+|(?<![-\w])--[a-z][a-z-]+")
OF_GIT = {"--porcelain", "--untracked-files=no"}
INLINE = {
    "studies/exchange/foreign_formats.py", "studies/problem/layout_check.py",
}  # fmt: skip
"""Files with a remark that is no error, or with a part of an error's text: neither carries a remedy."""


def texts(path):
    """Texts of a file that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    blocks = (node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list))
    documented = {id(each.value) for block in blocks for each in block if isinstance(each, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
    ]


def test_no_text_of_models_and_studies_names_commands():
    found = {
        str(path.relative_to(ROOT))
        for folder in ("models", "studies")
        for path in (ROOT / folder).rglob("*.py")
        if any(COMMAND.search(text) and text not in OF_GIT for text in texts(path))
    }
    assert found == INLINE


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (SchemaError("is old").mended_by("store", "upgrade"), "is old: tautline store upgrade"),
        (
            StateError("differs").mended_by("studies", "extend", "a", generations="9", wall_time="2 h"),
            "differs: tautline study extend a --generations 9 --wall-time '2 h'",
        ),
        (
            InputError("changed").mended_by("studies", "branch", "a", model="FILE"),
            "changed: tautline study resume a --branch NEW-NAME --model FILE",
        ),
        (
            InputError("is not SQLite").mended_by("store", "dump", "postgresql://host/db", file="a b"),
            "is not SQLite: pg_dump postgresql://host/db --format custom --file 'a b'",
        ),
        (StateError("is busy").mended_by("runs", "list"), "is busy"),
        (StateError("is busy"), "is busy"),
    ],
)
def test_the_shell_words_a_remedy_as_a_command(error, line):
    assert with_remedy(str(error), error) == line


def test_a_client_gets_the_remedy_of_a_server():
    from starlette.requests import Request

    given = StateError("is running; pause it first").mended_by("studies", "pause", "a")
    sent = problem_of(Request({"type": "http", "headers": []}), given)
    got = error_of(sent.status_code, {}, bytes(sent.body), "http://there")
    assert (str(got), got.remedy) == (str(given), given.remedy)
