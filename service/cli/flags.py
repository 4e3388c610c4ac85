"""A flag for every setting of the server, made from the settings themselves, so that none is forgotten."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_args

import typer
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from service.configuration import flag, variable
from service.settings import Settings


def with_setting_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the ``**flags`` of a command by one option per setting, which is None when not given."""
    own = inspect.signature(command, eval_str=True)
    options = [_option(name, field) for name, field in Settings.model_fields.items()]
    kept = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    vars(command)["__signature__"] = own.replace(parameters=[*options, *kept])
    return command


def _option(name: str, field: FieldInfo) -> inspect.Parameter:
    kinds = [kind for kind in get_args(field.annotation) if kind is not type(None)]
    optional = type(None) in get_args(field.annotation)
    kind: Any = kinds[0] if optional else field.annotation
    kind = str if kind is SecretStr else kind
    written = f"{flag(name)}/{flag(name, negated=True)}" if kind is bool else flag(name)
    told = f"{_sentence(field.description or name)} [{variable(name)}{_default(field)}]"
    return inspect.Parameter(
        name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=None,
        annotation=Annotated[kind | None, typer.Option(written, help=told, show_default=False)],
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    if isinstance(value, bool):
        value = "yes" if value else "no"
    return "" if value is None or value == [] else f"; default {value}"
