"""Options that several commands share."""

from __future__ import annotations

import json
from typing import Annotated, Any

import tomli
import typer

from errors import InputError
from service.cli.connect import DEFAULT_STORE, OWN_MODEL_VARIABLE, load_own_model, refuse_store_with_server
from service.cli.output import Format

__all__ = ["DEFAULT_STORE"]

OwnModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", envvar=OWN_MODEL_VARIABLE, metavar="FILE",
        help="Python file of a model of your own, which runs on this machine.",
        callback=load_own_model,
    ),
]  # fmt: skip
"""A command gets the name of the model."""
StoreOption = Annotated[
    str,
    typer.Option(
        "--store", envvar="TAUTLINE_STORE", help="Database URL or SQLite file.", metavar="URL",
        callback=refuse_store_with_server,
    ),
]  # fmt: skip
ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server", envvar="TAUTLINE_SERVER", metavar="URL",
        help="Address of a Tautline server that carries out the command.",
        callback=refuse_store_with_server, is_eager=True,
    ),
]  # fmt: skip

SettingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PATH=VALUE", help='A parameter, e.g. --set beta1=0.7 --set "cable_diameter=2 mm".'
    ),
]

FormatOption = Annotated[Format, typer.Option("--format", help="Format of the data on stdout.")]

WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", min=1, max=1024, help="Local worker processes; one per core if not given."),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler", help="Address of a running Dask scheduler to use instead.", metavar="ADDRESS"
    ),
]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name of a stored study.")]
TlsCaOption = Annotated[
    str | None,
    typer.Option(
        "--tls-ca", envvar="TAUTLINE_TLS_CA", metavar="FILE",
        help="Certificate of the authority of a tls:// scheduler (PEM).",
    ),
]  # fmt: skip
TlsCertOption = Annotated[
    str | None,
    typer.Option(
        "--tls-cert", envvar="TAUTLINE_TLS_CERT", metavar="FILE", help="Your own certificate (PEM)."
    ),
]
TlsKeyOption = Annotated[
    str | None,
    typer.Option(
        "--tls-key", envvar="TAUTLINE_TLS_KEY", metavar="FILE", help="The key of your certificate (PEM)."
    ),
]
LayoutOption = Annotated[str | None, typer.Option("--layout", help="Only this layout.")]
OneLayoutOption = Annotated[
    str | None, typer.Option("--layout", help="Of which layout; needed where the study has several.")
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Only this seed.")]
KeyArgument = Annotated[
    str, typer.Argument(metavar="KEY", help="Key of a design, or its first characters (6 or more).")
]
TopOption = Annotated[int | None, typer.Option("--top", min=1, metavar="N", help="Only the first N designs.")]
MetricsOption = Annotated[
    str, typer.Option("--metrics", metavar="A,B", help="Instead of objectives and constraints.")
]
TotalOption = Annotated[str | None, typer.Option(metavar="N", help="New total for each run, or +N to add N.")]
RobotArgument = Annotated[
    str, typer.Argument(metavar="FILE|NAME", help="A study file, an example or a preset.")
]
BackEndOption = Annotated[
    str | None, typer.Option("--model", help="The back-end of the presets, if several have that name.")
]


def names_in(text: str | None) -> list[str]:
    """Names that an option separates by commas."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def read_setting(text: str) -> tuple[str, Any]:
    """``path=value`` with the value read as JSON, else TOML, else as text."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise InputError(f"'{text}' is not of the form PATH=VALUE, as in beta1=0.7", ("settings",))
    return path.strip(), value_of(value.strip())


def value_of(text: str) -> Any:
    """A value that somebody typed: read as JSON, else as TOML, else as text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return tomli.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError, KeyError):
        return text
