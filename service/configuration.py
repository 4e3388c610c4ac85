"""Where settings come from: flags of the command, then the environment, then a file, then defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from models.errors import InputError, UnknownNameError
from models.wording import wording
from service.settings import Settings

PREFIX = "TAUTLINE_"
FILE_VARIABLE = "TAUTLINE_CONFIG"


def read_settings(flags: Mapping[str, Any], file: Path | None = None) -> Settings:
    """Settings by what was given on the command line, the environment, and a TOML file.

    Parameters
    ----------
    flags : mapping
        Settings by name; those that are None were not given.
    file : Path, optional
        The settings file; it must be there. Without it there is none.

    Raises ``InputError`` that names the flag, variable or key to mend, and never shows a secret.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    in_file = _read(file)
    unknown = next((name for name in in_file if name not in Settings.model_fields), None)
    if unknown is not None:
        raise UnknownNameError("setting", unknown, Settings.model_fields, str(file))
    try:
        return _sources(in_file)(**given)
    except ValidationError as error:
        raise _explained(error, origins(given, file)) from None


def origins(flags: Mapping[str, Any], file: Path | None = None) -> dict[str, str]:
    """Where each setting comes from: its flag, its variable, the file, or ``default``."""
    in_file = _read(file)
    found = dict.fromkeys(Settings.model_fields, "default")
    found |= dict.fromkeys(in_file, str(file))
    found |= {name: variable(name) for name in found if os.environ.get(variable(name))}
    return found | {
        name: flag(name, negated=value is False) for name, value in flags.items() if value is not None
    }


def flag(name: str, *, negated: bool = False) -> str:
    """The flag of a setting."""
    return f"--{'no-' if negated else ''}{name.replace('_', '-')}"


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def printable(settings: Settings) -> dict[str, Any]:
    """The settings as plain values, without secrets."""
    from studies.store.database import name_of, parse_url

    shown = settings.model_dump(mode="json")
    return {**shown, "store": name_of(parse_url(settings.store.get_secret_value()))}


def _read(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror}); name a TOML file", str(file)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not TOML: {error}", str(file)) from None


def _sources(in_file: Mapping[str, Any]) -> type[Settings]:
    """Settings that are read from the environment and from what stood in the file, too.

    The class is made here because its library takes long to load, and most commands need no settings.
    """
    from pydantic_settings import (
        BaseSettings,
        InitSettingsSource,
        PydanticBaseSettingsSource,
        SettingsConfigDict,
    )

    class Sources(Settings, BaseSettings):
        # An empty variable is one that is not set: compose files pass on what nobody has filled in.
        model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, enable_decoding=False)

        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            """Flags before environment before file; no other source is read."""
            return init_settings, env_settings, InitSettingsSource(settings_cls, dict(in_file))

    return Sources


def _explained(error: ValidationError, places: Mapping[str, str]) -> InputError:
    """The first thing that is wrong, with the place where it was written."""
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    source = places[name]
    place = f"{name} in {source}" if source.endswith(".toml") else source
    given = "the given value" if name == "store" else f"{first['input']!r}"
    return InputError(f"{given} cannot be used: it {wording(first)} ({_meaning(name)})", place)


def _meaning(name: str) -> str:
    return Settings.model_fields[name].description or name
