"""Scripts of several modules as one script.

A browser asks for a module only when it has read who imports it, and holds six connections: forty small
modules keep a page waiting, while one script comes at once. A report is one file and can import nothing.
The modules become functions of one script, each called once, what is imported first.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_DATA = re.compile(r'^import (\w+) from "(\.[^"]+\.json)" with \{ type: "json" \};$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_LEFT = re.compile(r"^\s*(?:import|export)\b.*$", re.MULTILINE)
_HERE = "import.meta.url"


def linked(read: Callable[[str], str], entries: Sequence[str], address: str = "") -> str:
    """One script that does what the modules called ``entries`` do, in that order.

    Parameters
    ----------
    read : callable (str) -> str
        Gives the text of a module by its path. Modules import names in braces from relative paths,
        and JSON as a default, and export functions, classes and constants where they declare them.
    entries : sequence of str
        Paths of the modules to begin with.
    address : str
        Path under which the script is sent; modules that ask for their own address learn it from there.

    Raises
    ------
    ValueError
        A module imports or exports in another way, or modules import each other in a circle.
    """
    linker = _Linker(read, posixpath.dirname(address))
    for entry in entries:
        linker.add(entry, ())
    return "".join(linker.parts)


class _Linker:
    def __init__(self, read: Callable[[str], str], folder: str) -> None:
        self._read = read
        self._folder = folder
        self._names: dict[str, str] = {}
        self.parts: list[str] = []

    def add(self, path: str, above: tuple[str, ...]) -> str:
        """Write a module, once, and before it what it imports; returns what holds its exports."""
        if path in above:
            raise ValueError(f"{' imports '.join((*above, path))}: modules cannot import in a circle")
        if path not in self._names:
            text = self._read(path)

            def found(match: re.Match[str]) -> str:
                source = _source(path, match[2])
                return f"const {{{match[1].replace(' as ', ': ')}}} = {self.add(source, (*above, path))};"

            def data(match: re.Match[str]) -> str:
                return f"const {match[1]} = {self._read(_source(path, match[2])).strip()};"

            body, exported = _DATA.sub(data, _IMPORT.sub(found, text)), _EXPORT.findall(text)
            body = self._placed(_EXPORT.sub("", body), path)
            if left := _LEFT.search(body):
                raise ValueError(f"{path} cannot be linked: {left[0].strip()}")
            self._names[path] = name = f"module{len(self._names)}"
            held = ", ".join(exported)
            self.parts.append(f"// {path}\nconst {name} = (() => {{\n{body}\nreturn {{ {held} }};\n}})();\n")
        return self._names[path]

    def _placed(self, body: str, path: str) -> str:
        """The text of a module with its own address instead of the script's."""
        here = posixpath.relpath(path, self._folder or ".")
        return body.replace(_HERE, f'new URL("{here}", {_HERE}).href')


def _source(path: str, imported: str) -> str:
    """The path of what a module imports."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))
