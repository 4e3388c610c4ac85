"""Tools of agents, which follow from the table of verbs: names, descriptions, schemas and calls.

A tool is a method of a service, called ``noun_verb``. Its arguments are those of the method; a study is given
as the text of its file. Accounts and tokens are no tools, because what an agent reads may be read by others;
nor are figures, tables and reports, which are for people.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from errors import InputError, Remedy, UnknownNameError
from models.messages import explain
from service.app.services import Services
from service.resources.figures import FigureResource, SceneResource
from service.resources.models import Page
from service.verbs import VERBS, Effect, Verb
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import parse_study
from studies.exchange.design import DesignFile

LONGEST = 40_000
"""Characters of an answer that are sent at once."""
ITEMS = 20
"""Items of a list that are sent unless more are asked for."""
MOST_ITEMS = 1000

_STUDY_FILE = Annotated[str, Field(description="the study as TOML text; tables from CSV files as rows")]
_LIMIT = Annotated[int, Field(ge=1, le=MOST_ITEMS, description="items of the list that are wanted")]
_CURSOR = Annotated[str, Field(description="`next` of the answer before; empty: from the beginning")]
_OFFSET = Annotated[
    int, Field(ge=0, description="characters of the answer to leave out, as an answer that was cut says")
]
_KEY = Annotated[
    str,
    Field(
        max_length=255,
        description="chosen by you, so that the same call again returns what the first one made",
    ),
]
_FOR_PEOPLE = (FigureResource, SceneResource)
_NEEDS_CHANGES = (
    "changes or ends what is stored, which this server was not started for: ask a person to do it, or to add "
    "--allow-changes"
)
_CHANGING = frozenset({"replaces"})
"""Arguments with which a tool that only adds or queues changes what is stored."""
_NOUNS: Mapping[str, type] = get_type_hints(Services)


@dataclass(frozen=True)
class Tool:
    """A verb that an agent may call.

    Parameters
    ----------
    verb : Verb
        Its row, or the first of its rows.
    method : callable
        The method of its service.
    allow_changes : bool
        False for a tool without the arguments that change what is stored.
    """

    verb: Verb
    method: Any
    allow_changes: bool

    @property
    def name(self) -> str:
        """The name by which agents call it."""
        return f"{self.verb.noun}_{self.verb.name}"

    @property
    def effect(self) -> Effect:
        """Effect on what is stored."""
        return self.verb.effect

    @property
    def description(self) -> str:
        """The method's docstring as plain text."""
        text = (inspect.getdoc(self.method) or "").replace("``", "`")
        waits = " Returns at once; `progress_get` or `jobs_list` says how far it is."
        without = "".join(
            f" `{name}` is not offered, because it changes what is stored." for name in self._left_out
        )
        return " ".join(text.split()) + waits * (self.effect == "queues") + without

    @property
    def _left_out(self) -> list[str]:
        """The method's arguments that are not offered."""
        every = inspect.signature(self.method).parameters
        return [name for name in every if name in _CHANGING and not self.allow_changes]

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The record that its arguments must fit."""
        hints = get_type_hints(self.method, include_extras=True)
        fields: dict[str, Any] = {}
        for name, each in inspect.signature(self.method).parameters.items():
            if name not in ("self", "machines", *self._left_out):
                fields[name] = _argument(name, hints[name], each.default)
        return create_model("arguments", __config__=ConfigDict(extra="forbid"), **fields, offset=(_OFFSET, 0))

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        return _without_titles(self.arguments.model_json_schema())

    def call(self, services: Services, given: Mapping[str, Any]) -> str:
        """Call it, and return its answer as JSON or as the text of a file, at most ``LONGEST`` characters.

        Raises ``InputError`` for arguments that do not fit, and what the verb raises.
        """
        for name in self._left_out:
            if name in given:
                raise InputError(f"{_NEEDS_CHANGES}; or leave it out", (name,))
        try:
            checked = self.arguments.model_validate(dict(given))
        except ValidationError as error:
            raise explain(error, (), self.arguments) from None
        values = {name: getattr(checked, name) for name in self.arguments.model_fields}
        offset = values.pop("offset")
        if isinstance(text := values.get("definition"), str):
            values["definition"] = parse_study(text, "definition")
        answer = getattr(getattr(services, self.verb.noun), self.verb.name)(**values)
        return part(_text(answer), offset)


def part(text: str, offset: int) -> str:
    """The characters of an answer from ``offset`` on; where more follow, a last line says how to get them."""
    if offset and offset >= len(text):
        raise InputError(f"is {offset}, and the whole answer has {len(text)} characters", ("offset",))
    end = offset + LONGEST
    if end >= len(text):
        return text[offset:]
    return (
        f"{text[offset:end]}\n[cut after {end} of {len(text)} characters: call again with the same arguments "
        f"and offset = {end}, or ask for less]"
    )


def tools(*, allow_changes: bool) -> dict[str, Tool]:
    """The tools by name; without ``allow_changes`` those that only read, compute, or add work."""
    return {
        name: tool for name, tool in _all(allow_changes).items() if allow_changes or tool.effect != "changes"
    }


def find(name: str, *, allow_changes: bool) -> Tool:
    """The tool called ``name``; raises ``InputError`` with what is there, or what allows it."""
    offered = tools(allow_changes=allow_changes)
    if name in offered:
        return offered[name]
    if name in _all(allow_changes):
        raise InputError(f"the tool '{name}' {_NEEDS_CHANGES}")
    raise UnknownNameError("tool", name, sorted(offered))


def remedy_text(remedy: Remedy, *, allow_changes: bool) -> str:
    """The call that mends an error; empty where no tool does."""
    tool = tools(allow_changes=allow_changes).get(f"{remedy.noun}_{remedy.verb}")
    if tool is None:
        return ""
    names = dict(zip(tool.verb.in_path, remedy.names, strict=False))
    return f"call {tool.name} with {json.dumps({**names, **remedy.given}, ensure_ascii=False)}"


@cache
def _all(allow_changes: bool) -> dict[str, Tool]:
    """All tools by name, in the order of the table."""
    found: dict[str, Tool] = {}
    for verb in VERBS:
        if verb.noun:
            tool = Tool(verb, getattr(_NOUNS[verb.noun], verb.name), allow_changes)
            if _is_offered(verb, tool.method):
                found.setdefault(tool.name, tool)
    return found


def _is_offered(verb: Verb, method: Any) -> bool:
    """True unless the verb manages accounts, or answers with what is not text."""
    if verb.noun == "figures" or (verb.noun in ("accounts", "tokens") and verb.name != "me"):
        return False
    result = get_type_hints(method)["return"]
    if result is str:
        return verb.problems is not None  # reports and sheets, which are pages, have routes by hand
    if not isinstance(result, type) or issubclass(result, _FOR_PEOPLE):
        return False
    return issubclass(result, BaseModel | DesignFile)


def _argument(name: str, kind: Any, default: Any) -> tuple[Any, Any]:
    """Type and default of an argument, as :func:`pydantic.create_model` takes them."""
    if kind is StudyDefinition:
        return _STUDY_FILE, ...
    if name == "limit":
        return _LIMIT, ITEMS
    if name == "cursor":
        return _CURSOR, ""
    if name == "key" and kind is str:
        return _KEY, default
    if default is not inspect.Parameter.empty:
        return kind, default
    return kind, ...


def _text(answer: Any) -> str:
    """An answer as text."""
    if isinstance(answer, DesignFile):
        try:
            return "\n".join([answer.content.decode(), *answer.warnings])
        except UnicodeDecodeError:
            raise InputError(
                f"is a binary format ({len(answer.content)} bytes), which is no text; ask for json or csv, "
                "or let a person save the file",
                ("kind",),
            ) from None
    if isinstance(answer, Page):
        items = [_plain(item) for item in answer.items]
        return _json({"items": items, "next": answer.next})
    return answer if isinstance(answer, str) else _json(_plain(answer))


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _without_titles(schema: Any) -> Any:
    """A schema without the titles that pydantic makes of names."""
    if isinstance(schema, dict):
        return {
            name: _without_titles(each)
            for name, each in schema.items()
            if not (name == "title" and isinstance(each, str))
        }
    return [_without_titles(each) for each in schema] if isinstance(schema, list) else schema
