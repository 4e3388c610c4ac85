"""Docstrings begin with a verb, or with a noun that stands in the code."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("models", "studies", "service", "dashboards", "tests", "docs", "benchmarks", "examples")
FORBIDDEN = re.compile(r"\s*(How|Of|That|Those|What|When|Where|Whether|Which|Who|Whose|Why)\b")
BEGUN = re.compile('"""' + FORBIDDEN.pattern)
"""Beginnings that show which files to parse: all of them take 4 s."""


def sources():
    yield from (ROOT / "errors.py", ROOT / "tautline.py")
    for folder in FOLDERS:
        yield from (path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts)


def faults(text):
    """Lines and first words of docstrings that begin with a forbidden word, also of those below a name."""
    for node in ast.walk(ast.parse(text)) if BEGUN.search(text) else ():
        match node:
            case ast.Expr(ast.Constant(str(said))) if begins := FORBIDDEN.match(said):
                yield node.lineno, begins[1]


def test_first_words():
    found = [
        f"{path.relative_to(ROOT)}:{line}: '{word}'"
        for path in sorted(sources())
        for line, word in faults(path.read_text(encoding="utf-8"))
    ]
    assert not found, "begin with a verb, or with a noun that stands in the code:\n" + "\n".join(found)


def test_forbidden_words_are_found_wherever_docstrings_stand():
    text = '''"""What a module holds."""

LIMIT = 3
"""How many there are."""


class Thing:
    """Whether it is one."""

    size: int = 0
    """Size of it."""

    async def work(self):
        """
        Of work, the rest.
        """
        return """Who is it"""


def whole():
    """Whole thing."""
'''
    assert list(faults(text)) == [(1, "What"), (4, "How"), (8, "Whether"), (14, "Of")]
