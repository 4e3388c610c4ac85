"""Files of the tree that a command makes anew: into a folder that git ignores, into the tree on request.

Another processor, other fonts or another browser make other digits and pixels. So the command says how many
of its files differ from the stored ones, and ``--update`` replaces those.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from dashboards.formatting import counted
from docs.code_blocks import ROOT


@dataclass(slots=True)
class Renewal:
    """Files of the folder ``stored``, made anew into ``folder``.

    ``difference`` compares two contents. Where it is above ``limit``, or nothing is stored, a file differs,
    and replaces the stored one if ``update`` is true.
    """

    stored: Path
    folder: Path
    difference: Callable[[bytes, bytes], float]
    update: bool = False
    limit: float = 0.0
    made: int = 0
    differing: list[str] = field(default_factory=list)

    def put(self, path: Path, content: bytes) -> float:
        """Take the new content of a stored file; return its difference, which is infinite for a new file."""
        name = path.relative_to(self.stored)
        change = self.difference(path.read_bytes(), content) if path.is_file() else math.inf
        self.made += 1
        if change > self.limit:
            self.differing.append(name.as_posix())
        targets = [self.folder / name, *([path] if self.update and change > self.limit else [])]
        for target in targets:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return change

    def __str__(self) -> str:
        made = f"{counted(self.made, 'file')} in {_shown(self.folder)}"
        if not self.differing:
            return f"{made}; none differs from {_shown(self.stored)}"
        count, names = len(self.differing), ", ".join(self.differing)
        if self.update:
            return f"{made}; {count} replaced in {_shown(self.stored)}: {names}"
        return f"{made}; {count} not as in {_shown(self.stored)} (UPDATE=1 replaces them): {names}"


def _shown(path: Path) -> str:
    return (path.relative_to(ROOT) if path.is_relative_to(ROOT) else path).as_posix()
