"""The settings of one layout with holes where its variables go.

Merging a preset, fixed parameters and a design costs more than many a model; what does not depend
on the design is done once here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Step = str | int
_LISTS = (list, tuple)


class Template:
    """A merged tree of settings; :meth:`fill` gives it the values of a design.

    Parameters
    ----------
    tree : dict
        What ``Model.merge`` made of the settings and any one design.
    paths : sequence of str
        Dotted paths of the variables, in the order in which merging assigns them.
    """

    def __init__(self, tree: Mapping[str, Any], paths: Sequence[str]) -> None:
        self._tree = dict(tree)
        self._holes = _holes([_steps(tree, path.split(".")) for path in paths])

    def fill(self, values: Sequence[Any]) -> dict[str, Any]:
        """The tree with these values; containers without a hole are shared, so nobody may write to them."""
        nodes: list[Any] = [dict(self._tree)]
        for (copies, node, step), value in zip(self._holes, values, strict=True):
            for parent, name in copies:
                child = nodes[parent][name] = nodes[parent][name].copy()
                nodes.append(child)
            nodes[node][step] = _copy(value) if isinstance(value, _LISTS) else value
        return nodes[0]


def _steps(tree: Any, path: Sequence[str]) -> tuple[Step, ...]:
    """A path with the numbers of list items as such."""
    steps: list[Step] = []
    node: Any = tree
    for name in path:
        numbered = isinstance(node, list)
        steps.append(int(name) if numbered else name)
        node = node[steps[-1]]
    return tuple(steps)


def _holes(paths: Sequence[tuple[Step, ...]]) -> list[tuple[list[tuple[int, Step]], int, Step]]:
    """Per path: the containers to copy first (number of the parent, name in it), and where to write.

    Containers are numbered as they are copied. A value that replaces one whole makes it strange
    again, so that a later path into it copies the value.
    """
    known: dict[tuple[Step, ...], int] = {(): 0}
    copied = 1
    holes: list[tuple[list[tuple[int, Step]], int, Step]] = []
    for path in paths:
        copies: list[tuple[int, Step]] = []
        for depth in range(1, len(path)):
            if path[:depth] not in known:
                copies.append((known[path[: depth - 1]], path[depth - 1]))
                known[path[:depth]] = copied
                copied += 1
        holes.append((copies, known[path[:-1]], path[-1]))
        known = {place: number for place, number in known.items() if place[: len(path)] != path}
    return holes


def _copy(value: Any) -> Any:
    """New lists of lists, because a later path may write into them."""
    return [_copy(item) for item in value] if isinstance(value, _LISTS) else value
