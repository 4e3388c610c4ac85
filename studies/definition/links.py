"""Linked parameters: parameters that follow from variables, at one design after another.

A variable that drives parameters, a copy by symmetry and a parameter that is written as an expression are
one thing here: a :class:`Link`, an expression that gives a parameter its value.
:mod:`studies.definition.link_tables` makes links from the tables of a study file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from errors import InputError, Place
from studies.definition.expressions import Expression

NOT_FINITE = "not a finite number"
"""Stands for the value of a linked parameter that has none; every record refuses it."""


@dataclass(frozen=True, slots=True)
class Link:
    """An expression that gives a parameter at a dotted path its value, and its place in the study file.

    ``parameter`` is false for a named expression that parameters need and that is no parameter itself.
    """

    path: str
    expression: Expression
    place: Place = field(default=(), compare=False)
    parameter: bool = True


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a layout, each after those that it needs, and the fixed numbers that they name."""

    links: tuple[Link, ...] = ()
    constants: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)
    free: frozenset[str] = frozenset()
    """Variables that are no parameters themselves."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The linked parameters."""
        return tuple(link.path for link in self.links if link.parameter)

    def settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters at a design: variables that are parameters, then those that follow from variables.

        Parameters
        ----------
        values : mapping of str to value
            Every variable by its name or dotted path, in SI.
        """
        settings = {path: value for path, value in values.items() if path not in self.free}
        known = dict(values)
        for link in self.links:
            value = link.expression.value(lambda name: self._number(known, name))
            known[link.path] = value
            if link.parameter:
                settings[link.path] = NOT_FINITE if value is None else value
        return settings

    def _number(self, known: Mapping[str, Any], name: str) -> float | None:
        found = known.get(name) if name in known else value_inside(known, name)
        found = self.constants.get(name) if found is None else found
        return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None

    def roots(self, variables: Sequence[str]) -> dict[str, frozenset[str]]:
        """The variables on which each link depends, directly or by other links, by its path."""
        found: dict[str, frozenset[str]] = {}
        for link in self.links:
            own: set[str] = set()
            for name in link.expression.names:
                own |= found.get(name, frozenset(path for path in variables if holds(path, name)))
            found[link.path] = frozenset(own)
        return found


NO_LINKS = Links()


def holds(path: str, name: str) -> bool:
    """True if a name is a path, or lies inside what stands there."""
    return name == path or name.startswith(f"{path}.")


def value_inside(known: Mapping[str, Any], name: str) -> Any:
    """The part of a variable's value, such as a list, to which a name leads; None where there is none."""
    steps = name.split(".")
    for count in range(len(steps) - 1, 0, -1):
        holder = ".".join(steps[:count])
        if holder in known:
            return value_at_steps(known[holder], steps[count:])
    return None


def value_at_steps(node: Any, steps: Sequence[str]) -> Any:
    """Follow steps into tables, lists and records; None where they lead nowhere."""
    for step in steps:
        if isinstance(node, Mapping):
            node = node.get(step)
        elif isinstance(node, (list, tuple)):
            node = node[int(step)] if step.isdecimal() and int(step) < len(node) else None
        else:
            known = isinstance(node, BaseModel) and step in type(node).model_fields
            node = getattr(node, step) if known else None
    return node


def in_order(links: Sequence[Link]) -> tuple[Link, ...]:
    """The links, each after those that it needs; raises ``InputError`` where some go in a circle."""
    by_path = {link.path: link for link in links}
    done: dict[str, Link] = {}
    for link in links:
        _visit(link, by_path, done)
    return tuple(done.values())


def _visit(link: Link, by_path: Mapping[str, Link], done: dict[str, Link]) -> None:
    """Put a link behind those that it needs: without recursion, for chains may be long."""
    way: dict[str, Iterator[str]] = {link.path: iter(link.expression.names)}
    while way:
        path = next(reversed(way))
        name = next((n for n in way[path] if n in by_path and n not in done), None)
        if name is None:
            done[path] = by_path[path]
            del way[path]
        elif name in way:
            circle = [*list(way)[list(way).index(name) :], name]
            what = "refers to itself" if len(circle) == 2 else f"goes in a circle: {' -> '.join(circle)}"
            raise InputError(what, by_path[name].place, names=(name,))
        else:
            way[name] = iter(by_path[name].expression.names)
