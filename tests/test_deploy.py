"""The files in examples/deploy name commands, options, settings and files that exist."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml
from typer.testing import CliRunner

from docs.code_blocks import ROOT, code_blocks
from service.cli import app
from service.settings import Settings, flag, variable

DEPLOY = ROOT / "examples" / "deploy"
PAGE = ROOT / "docs" / "guide" / "server.md"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service.get("image") == "tautline"}
FOR_COMPOSE = {"TAUTLINE_SITE"}
_SUBSTITUTED = re.compile(r"\$\{(\w+)(?::-([^}]*)|:\?([^}]*))?\}")


def command_of(words):
    """The command of ours that the words call, and the options given to it."""
    command, rest = typer.main.get_command(app), list(words)
    while hasattr(command, "commands"):
        name = rest.pop(0)
        assert name in command.commands, f"there is no command '{name}'"
        command = command.commands[name]
    known = {
        option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]
    }
    return command, known, [word for word in rest if word.startswith("--")]


def test_the_file_holds_the_services_that_the_page_explains():
    table = PAGE.read_text(encoding="utf-8").split("\n## In containers\n")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(SERVICES)
    assert set(OURS) == {"scheduler", "workers", "server"}


@pytest.mark.parametrize("name", OURS)
def test_commands_and_their_options_exist(name):
    words = shlex.split(_SUBSTITUTED.sub(lambda found: found[2] or "x", OURS[name]["command"]))
    if words[0] == "tautline":
        _, known, given = command_of(words[1:])
        assert set(given) <= known
        return
    assert words[:2] in (["dask", "scheduler"], ["dask", "worker"])
    assert words[words.index("--dashboard-address") + 1] == "127.0.0.1:0"
    told = subprocess.run(
        [Path(sys.executable).with_name("dask"), words[1], "--help"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    for option in (word for word in words if word.startswith("--")):
        assert re.search(rf"{option}\b", told.stdout), option


def test_variables_of_the_server_are_settings():
    variables = {variable(name): field for name, field in Settings.model_fields.items()}
    ours = {name: value for name, value in SERVICES["server"]["environment"].items() if name in variables}
    assert set(SERVICES["server"]["environment"]) - set(ours) == {"PGPASSWORD"}
    settings = {name.removeprefix("TAUTLINE_").lower(): value for name, value in ours.items()}
    read = Settings.model_validate(settings)
    assert read.accounts
    assert read.behind_proxy == [SERVICES["proxy"]["networks"]["front"]["ipv4_address"]]


def test_only_the_server_knows_the_database():
    knowing = {
        name for name, service in SERVICES.items()
        if "DATABASE_PASSWORD" in str(service.get("environment", "")) or "data" in service.get("networks", {})
    }  # fmt: skip
    assert knowing == {"database", "server"}
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert COMPOSE["networks"]["data"]["internal"]
    assert COMPOSE["networks"]["cluster"]["internal"]


@pytest.mark.parametrize("name", OURS)
def test_our_containers_have_no_rights(name):
    service = OURS[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert "\nUSER tautline\n" in image


def test_files_folders_and_variables_that_are_named_exist():
    given = {line.split("=")[0] for line in (DEPLOY / "settings.env").read_text().splitlines() if "=" in line}
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    assert {found[1] for found in _SUBSTITUTED.finditer(text)} == given
    assert "{$TAUTLINE_SITE}" in (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    build = OURS["server"]["build"]
    context = (DEPLOY / build["context"]).resolve()
    assert context == ROOT
    image = (context / build["dockerfile"]).read_text(encoding="utf-8")
    copied = [word for line in image.splitlines() if line.startswith("COPY") for word in line.split()[1:-1]]
    assert {"models", "studies", "dashboards", "service", "examples", "errors.py", "tautline.py"} <= set(
        copied
    )
    assert all((context / name).exists() for name in copied)
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert {f"!{name}" for name in copied} <= set(ignored)
    assert ignored.index("examples/deploy") > ignored.index("!examples"), "keys lie there"
    volumes = [one for service in SERVICES.values() for one in service.get("volumes", [])]
    for source in (volume.split(":")[0] for volume in volumes):
        assert source in COMPOSE["volumes"] or source == "./certificates" or (DEPLOY / source).exists()


def test_the_image_has_what_a_server_needs():
    """The core has no web server."""
    assert 'pip install --no-cache-dir --constraint constraints.txt ".[server]"' in (
        DEPLOY / "Dockerfile"
    ).read_text(encoding="utf-8")


def test_the_page_names_commands_that_exist():
    blocks = [
        line for fence in code_blocks(PAGE, "bash") for line in fence.text.replace("\\\n", " ").splitlines()
    ]
    prose = re.sub(r"^```.*?^```$", "", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    quoted = [found[1] for found in re.finditer(r"`([^`]+)`", prose)]
    called = [
        found[1] for line in blocks + quoted if (found := re.search(r"(?:^|\s)tautline ([a-z].*)", line))
    ]
    assert len(called) >= 8
    for line in called:
        _, known, given = command_of(shlex.split(line.split(" > ")[0], comments=True))
        assert {option.split("=")[0] for option in given} <= {*known, "--help"}, line


def test_the_help_to_which_the_page_sends_says_what_every_setting_means():
    assert "`tautline serve --help`" in PAGE.read_text(encoding="utf-8")
    _, known, _ = command_of(["serve"])
    shown = " ".join(CliRunner().invoke(app, ["serve", "--help"]).stdout.split()).lower()
    for name, field in Settings.model_fields.items():
        assert flag(name) in known
        assert str(field.description).lower() in shown, name


def test_settings_that_the_page_names_exist():
    named = re.findall(r"\(`([a-z_]+)`\)|`(max_[a-z_]+)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) >= 5
    assert {one or two for one, two in named} <= set(Settings.model_fields)


def test_certificates_are_made_and_fit_together(tmp_path):
    script = tmp_path / "certificates.sh"
    script.write_bytes((DEPLOY / "certificates.sh").read_bytes())
    subprocess.run(["sh", script], check=True, capture_output=True, timeout=120)
    folder = tmp_path / "certificates"
    assert {path.name for path in folder.iterdir()} == {"ca.pem", "cert.pem", "key.pem"}
    told = subprocess.run(
        ["openssl", "verify", "-CAfile", "ca.pem", "cert.pem"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "OK" in told.stdout
