"""Settings of the server, and where they come from: flags, the environment, a file, defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

import tomli
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from errors import InputError, UnknownNameError
from models.messages import wording

Positive = Annotated[int, Field(ge=1)]


def _separated(value: object) -> object:
    """A list may also be written with commas, as in an environment variable."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


Names = Annotated[list[str], BeforeValidator(_separated)]


class Settings(BaseModel):
    """The server's settings; ``tautline serve --show-settings`` prints them without secrets.

    Each field is a flag of ``tautline serve``, a variable ``TAUTLINE_...`` and a key of the settings file.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    store: SecretStr = Field(default=SecretStr("tautline.db"), description="database URL or SQLite file")
    host: str = Field(default="127.0.0.1", description="address to listen on")
    port: int = Field(default=8000, ge=0, le=65535, description="port to listen on; 0 takes a free one")
    https_cert: Path | None = Field(default=None, description="certificate of this server (PEM)")
    https_key: Path | None = Field(default=None, description="its key (PEM)")
    behind_proxy: Names = Field(
        default_factory=list,
        description="addresses or networks of proxies that end TLS and whose headers are trusted",
    )
    allowed_hosts: Names = Field(
        default_factory=list,
        description="host names under which the server may be reached, besides its own address",
    )
    accounts: bool = Field(default=False, description="ask for accounts instead of a one-time link")
    secret_file: Path | None = Field(default=None, description="file with the key that signs tokens")
    runner: bool = Field(default=True, description="start a runner together with the web process")
    workers: int | None = Field(default=None, ge=1, le=1024, description="local workers of that runner")
    scheduler: str | None = Field(default=None, description="Dask scheduler of that runner")
    tls_ca: Path | None = Field(default=None, description="authority of a tls:// scheduler (PEM)")
    tls_cert: Path | None = Field(default=None, description="certificate shown to that scheduler (PEM)")
    tls_key: Path | None = Field(default=None, description="key of that certificate (PEM)")
    webhooks: Names = Field(default_factory=list, description="addresses that are told when a run ends")
    webhooks_private: bool = Field(
        default=False, description="let webhooks go to addresses of this machine and of the own network"
    )
    site: str | None = Field(
        default=None, description="address of the pages in messages of webhooks, where it is not the own one"
    )
    log_format: Literal["text", "json"] = Field(default="text", description="how log lines are written")
    compute_seconds: Positive = Field(
        default=60, description="seconds that one evaluation or view for a page may take"
    )
    compute_memory: Positive = Field(default=2048, description="memory that one of them may take [MiB]")
    compute_children: Positive = Field(default=2, description="how many of them run at once")
    session_hours: Positive = Field(default=12, description="how long a login lasts")
    max_running_studies: Positive = Field(
        default=4, description="studies and jobs that one account may have queued or running"
    )
    max_designs: Positive = Field(default=1_000_000, description="designs that one study may ask for")
    max_streams: Positive = Field(default=10, description="event streams that one account may keep open")
    max_connections: Positive = Field(default=500, description="connections that are served at once")
    max_connections_per_address: Positive = Field(
        default=100,
        description="connections that one address may have open; behind a proxy, its open requests",
    )
    logins_per_minute: Positive = Field(default=5, description="login attempts from one address in a minute")


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
        raise UnknownNameError("setting", unknown, Settings.model_fields, (str(file),))
    try:
        return _sources(in_file)(**given)
    except ValidationError as error:
        raise _explained(error, origins(given, file)) from None


def origins(flags: Mapping[str, Any], file: Path | None = None) -> dict[str, str]:
    """Origin of each setting: its flag, its variable, the file, or ``default``."""
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

    printed = settings.model_dump(mode="json")
    store = name_of(parse_url(settings.store.get_secret_value()))
    return {**printed, "store": store, "webhooks": [shown_address(url) for url in settings.webhooks]}


def shown_address(url: str) -> str:
    """An address without its path and query, which are secrets of many receivers of webhooks."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/..."


def _read(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        return tomli.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror}); name a TOML file", (str(file),)) from None
    except (tomli.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not TOML: {error}", (str(file),)) from None


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
        model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
            env_prefix=PREFIX, env_ignore_empty=True, enable_decoding=False
        )

        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic's signature
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic's signature
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
    return InputError(f"{given} cannot be used: it {wording(first)} ({_meaning(name)})", (place,))


def _meaning(name: str) -> str:
    return Settings.model_fields[name].description or name
