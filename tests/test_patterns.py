"""Every regular expression of the sources reads any 100 kB in linear time."""

import ast
import collections
import importlib
import itertools
import json
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("models", "studies", "dashboards", "service")
OWN_TEXTS = {
    "dashboards/script_bundle.py": "our own scripts",
    "models/hybrid_cable_robot/simd/code_generator.py": "our own sources",
    "models/testing.py": "names of a package's own code",
    "studies/search/testing.py": "names of a package's own code",
}
"""Files whose patterns meet no text of a stranger."""
METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
CALLS = 150
MOST_SECONDS = 0.3
"""Most processor time for a text; a linear pattern takes up to 30 ms, a quadratic one 10 s and more."""
SIZE = 100_000
PIECES = [
    " ", "\t", "\n", "\r\n", "a", "A", "1", "0.", "1.1.", "a.", "a ", "1 ", "a1", "1e", "-", "_", "/", "*", "m*", "m^9", "(", ")",
    "()", "[", "]", "[a", "a[", '"', "'", "\\", '\\"', '"""', "#", "=", "a=", "<", ">=", ":", "://", "a:", "@", ",", "{", "ä", "²",
    "\0", "tl_", "tl_a_", "w://a:", "token=", "password ", "authorization: bearer ", "pulley", "pulley_", "iii", "a, ",
    "/api/v1/studies/", "\u2028",
]  # fmt: skip
ENDS = ("", "!", " x (")
BEGINNINGS = ("a", "5 ", "[", "a<=")


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def sources():
    files = [
        ROOT / "errors.py",
        ROOT / "tautline.py",
        *(f for p in PACKAGES for f in sorted((ROOT / p).rglob("*.py"))),
    ]
    wanted = (path for path in files if str(path.relative_to(ROOT)) not in OWN_TEXTS)
    return [
        path for path in wanted if "migrations" not in path.parts and re.search(r"\bre\b", path.read_text())
    ]


def inside(value):
    """The patterns in tuples and tables, and in those in them."""
    if isinstance(value, (tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from inside(item)
    elif isinstance(value, re.Pattern):
        yield value


def uses_in(path):
    """Each pattern of a file with the methods by which it is used, and the calls that are not understood."""
    held = vars(importlib.import_module(module_name(path)))
    named = {name: value for name, value in held.items() if isinstance(value, re.Pattern)}
    found, strange = {}, []
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), method), [ast.Constant(str(text)), *_]) if (
                method in METHODS
            ):
                found.setdefault(re.compile(text), set()).add(method)
            case ast.Call(ast.Attribute(ast.Name("re"), method), [ast.Name(name), *_]) if (
                method in METHODS and name in held
            ):
                found.setdefault(re.compile(held[name]), set()).add(method)
            case ast.Call(ast.Attribute(ast.Name("re"), method)) if method in METHODS:
                strange.append(f"{path.relative_to(ROOT)}:{node.lineno}")
            case ast.Call(ast.Attribute(ast.Name(name), method)) if method in METHODS and name in named:
                found.setdefault(named[name], set()).add(method)
    for value in held.values():
        for pattern in inside(value) if isinstance(value, (tuple, dict)) else ():
            found.setdefault(pattern, {"match"} if "\\Z" in pattern.pattern else {"search", "sub"})
    for value in named.values():
        found.setdefault(value, {"fullmatch", "match"})
    return found, strange


def all_uses():
    found, strange = {}, []
    for path in sources():
        uses, unknown = uses_in(path)
        strange += unknown
        for pattern, methods in uses.items():
            found.setdefault(pattern, set()).update(methods)
    return found, strange


def texts(pattern, size):
    """Long texts of one piece, some of which the pattern nearly fits to their ends."""
    own = sorted(set(pattern.pattern) - set("^$.*+?{}[]()|\\"))
    for piece in dict.fromkeys([*PIECES, *own]):
        middle = piece * (size // len(piece))
        yield from (middle + end for end in ENDS)
        yield from (start + middle + end for start in BEGINNINGS for end in ("!", "="))


def seconds_of(pattern, method, text):
    """The processor's time for a text, and for each thing that is found in it."""
    begun = time.process_time()
    if method in {"sub", "subn"}:
        pattern.subn("", text)
    elif method == "finditer":
        collections.deque(pattern.finditer(text), 0)
    else:
        getattr(pattern, method)(text)
    return time.process_time() - begun


def tell(*what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main():
    """Print each use before its first text, and what takes too long: all texts at a tenth, the worst ones whole."""
    for pattern, methods in all_uses()[0].items():
        for method in sorted(methods):
            tell(method, pattern.pattern)
            short = [seconds_of(pattern, method, text) for text in texts(pattern, SIZE // 10)]
            worst = sorted(range(len(short)), key=short.__getitem__)[-3:]
            long = list(texts(pattern, SIZE)) if max(short) <= MOST_SECONDS / 2 else []
            taken = max([*short, *(seconds_of(pattern, method, long[place]) for place in worst if long)])
            if taken > MOST_SECONDS or not long:
                tell("slow", repr(list(texts(pattern, 40))[worst[-1]]), taken)


def test_every_pattern_is_found():
    found, strange = all_uses()
    assert strange == []
    assert len(found) >= 50


def test_patterns_read_any_long_text_in_linear_time():
    command = [sys.executable, "-m", "tests.test_patterns"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        try:
            lines, _ = child.communicate(timeout=CALLS)
        except subprocess.TimeoutExpired:
            child.kill()
            lines, _ = child.communicate()
    told = [json.loads(line) for line in lines.splitlines()]
    slow = [(pattern, text) for pattern, text in itertools.pairwise(told) if text[0] == "slow"]
    assert slow == []
    assert child.returncode == 0, f"endless: {told[-1]}"


if __name__ == "__main__":
    main()
