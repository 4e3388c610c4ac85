"""Plain values of YAML 1.2, whose numbers mean what JSON's mean.

PyYAML reads YAML 1.1, in which ``1:30`` is 90, ``010`` is 8, ``no`` is false and ``2026-11-27`` is a day.
It takes time by the square of the length of a number to the base 60, and raises Python's own errors for
some faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import yaml

_TAG = "tag:yaml.org,2002:"


class _Kind(NamedTuple):
    """A kind of value: what it looks like, and how it is made of its text."""

    form: re.Pattern[str]
    made: Callable[[str], Any]


def _nothing(_: str) -> None:
    """Make nothing."""


def _boolean(text: str) -> bool:
    return text.lower() == "true"


def _whole(text: str) -> int:
    return int(text, 0) if text[:2] in {"0x", "0o"} else int(text)


def _real(text: str) -> float:
    return float(text.replace(".", "") if text[-1].isalpha() else text)


_DECIMAL = r"[-+]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?\Z"
_SCALARS = {
    "null": _Kind(re.compile(r"(?:~|null|Null|NULL|)\Z"), _nothing),
    "bool": _Kind(re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), _boolean),
    "int": _Kind(re.compile(r"[-+]?[0-9]{1,18}\Z|0x[0-9a-fA-F]{1,15}\Z|0o[0-7]{1,20}\Z"), _whole),
    "float": _Kind(re.compile(_DECIMAL + r"|[-+]?\.(?:inf|Inf|INF)\Z"), _real),
    "nan": _Kind(re.compile(r"\.(?:nan|NaN|NAN)\Z"), _real),
}
"""Kinds of values, in the order in which they are tried; a whole number of more digits is a float."""


class PlainLoader(yaml.SafeLoader):
    """Reads texts, numbers, booleans, nothing, lists and tables, and no other kind of value."""

    yaml_implicit_resolvers = {  # noqa: RUF012  as PyYAML declares it
        None: [
            *((_TAG + name, kind.form) for name, kind in _SCALARS.items()),
            (_TAG + "merge", re.compile(r"<<\Z")),
        ]
    }
    yaml_constructors = {  # noqa: RUF012
        tag: yaml.SafeLoader.yaml_constructors[tag]
        for tag in (f"{_TAG}str", f"{_TAG}seq", f"{_TAG}map", None)
    }


def _scalar(loader: PlainLoader, node: yaml.ScalarNode) -> Any:
    """Make the value of a scalar, whose tag may have been written beside it."""
    text, kind = loader.construct_scalar(node), _SCALARS[node.tag.removeprefix(_TAG)]
    if not isinstance(text, str) or kind.form.match(text) is None:
        raise yaml.YAMLError(f"has a value that is not the {node.tag.removeprefix(_TAG)} that its tag says")
    return kind.made(text)


for _name in _SCALARS:
    PlainLoader.add_constructor(_TAG + _name, _scalar)
