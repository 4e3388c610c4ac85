"""Settings of the server; :mod:`service.configuration` reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

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
    log_format: Literal["text", "json"] = Field(default="text", description="how log lines are written")
    warm: bool = Field(
        default=True,
        description="load the back-ends at start, so that the first visitor does not wait; without it, a "
        "small machine saves memory",
    )
    compute_seconds: Positive = Field(
        default=60, description="seconds that one evaluation or view for a page may take"
    )
    compute_memory: Positive = Field(default=2048, description="memory that one of them may take [MiB]")
    compute_children: Positive = Field(default=2, description="how many of them run at once")
    session_hours: Positive = Field(default=12, description="how long a login lasts")
    max_running_studies: Positive = Field(
        default=4, description="unfinished studies that one account may have queued or running"
    )
    max_designs: Positive = Field(default=1_000_000, description="designs that one study may ask for")
    max_streams: Positive = Field(default=10, description="event streams that one account may keep open")
    max_connections: Positive = Field(default=500, description="connections that are served at once")
    writes_per_minute: Positive = Field(
        default=60, description="changes that one account may ask for in a minute"
    )
    reads_per_minute: Positive = Field(default=6000, description="other requests of one account in a minute")
    logins_per_minute: Positive = Field(default=5, description="login attempts from one address in a minute")
