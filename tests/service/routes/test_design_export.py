"""Stored designs as files: by REST, by the client, on a store and by the command line."""

import json
import xml.etree.ElementTree as ET

import pytest

from models import load
from service.app.context import Context
from service.app.services import StoreServices
from service.client import Client
from service.resources.models import SettingsRequest
from studies.exchange.formats import FORMATS, can_be_written, design_file, formats_of
from studies.execution.model_calls import LOCAL
from tests.inprocess import InProcess
from tests.service.routes.conftest import TOML, work_on

STUDY = """
name = "cables"
model = "hybrid-cable-robot"
[parameters]
cells = 4
orientations = "nominal"
[variables]
beta1 = { lower = 0.6, upper = 0.9 }
[objectives]
workspace_volume = "maximize"
[search]
algorithm = "lhs"
population = 4
evaluations = 4
"""


@pytest.fixture
def key(done, client):
    """The key of a design of a cable robot."""
    made = client.post("/api/v1/studies", params={"launch": True}, content=STUDY, headers=TOML)
    assert made.status_code == 202, made.text
    work_on(done.store, "cables")
    return client.get("/api/v1/studies/cables/evaluations", params={"limit": 1}).json()["items"][0]["key"]


def test_a_design_is_written_in_a_process_of_its_own_as_it_is_here(client, key, local):
    stored = local.designs.get(key)
    model = load(stored.model)
    here = design_file(model, model.resolve_over(stored.parameters, {}), "urdf")
    for path in (f"/api/v1/studies/cables/designs/{key}/export", f"/api/v1/designs/{key[:10]}/export"):
        answer = client.get(path, params={"format": "urdf"})
        assert answer.status_code == 200, answer.text
        assert answer.content == here.content
        assert answer.headers["Content-Disposition"] == f'attachment; filename="design-{key[:10]}.urdf"'
        assert answer.headers["Content-Type"] == "application/xml"
        assert json.loads(answer.headers["Tautline-Warnings"]) == list(here.warnings)
    assert ET.fromstring(answer.content).tag == "robot"  # noqa: S314 - our own file


def test_what_cannot_be_exported_is_refused_in_words(client, key):
    path = f"/api/v1/studies/cables/designs/{key}/export"
    assert client.get(path, params={"format": "dwg"}).status_code == 422
    assert client.get(path.replace(key, "0" * 64)).status_code == 404
    mixed = client.get("/api/v1/studies/mixed/evaluations", params={"limit": 1}).json()["items"][0]["key"]
    refused = client.get(f"/api/v1/studies/mixed/designs/{mixed}/export", params={"format": "sdf"})
    assert refused.status_code == 422
    assert "it offers json, csv, dxf" in refused.json()["detail"]


def test_a_back_end_lists_the_formats_that_it_offers(client):
    for name in ("hybrid-cable-robot", "continuum-statics"):
        listed = client.get(f"/api/v1/models/{name}").json()["formats"]
        offered = [each for each in formats_of(load(name)) if can_be_written(each)]
        assert [each["format"] for each in listed] == offered
        assert all(each["ending"] == FORMATS[each["format"]].ending and each["holds"] for each in listed)


def test_the_command_line_writes_a_stored_design(done, key, tmp_path, call):
    found = call("design", "export", key[:12], "-o", "best.json", check=0)
    assert "best.json is written" in found.err
    parameters = StoreServices(Context(store=done.store)).designs.get(key).parameters
    assert json.loads((tmp_path / "best.json").read_text())["parameters"] == parameters
    call("design", "export", key, "--format", "csv", "--study", "cables", check=0)
    assert (tmp_path / f"design-{key[:10]}.csv").is_file()
    assert "did you mean 'urdf'" in call("design", "export", key, "--format", "urd", check=2).err
    assert "--format: name one of json" in call("design", "export", key, check=2).err
    assert "cannot be written" in call("design", "export", key, "-o", "no/x.csv", check=2).err


def test_a_record_that_the_installed_version_refuses_has_no_file():
    from errors import InputError

    with pytest.raises(InputError, match=r"no file of this design: version .* refuses it"):
        LOCAL.export("hybrid-cable-robot", {"f_max": -1.0}, "json")


def test_robots_are_exported_without_a_store(call, tmp_path):
    call("robot", "export", "robocab", "-o", "robocab.sdf", check=0)
    assert (tmp_path / "robocab.sdf").read_text().startswith("<?xml")
    refused = call("robot", "export", "multi-section", "--format", "json", check=2)
    assert "--layout: name one of the layouts two-sections, three-sections" in refused.err
    assert "unknown layout 'one'" in call(
        "robot", "export", "multi-section", "--format", "csv", "--layout", "one", check=2
    ).err  # fmt: skip
    assert not list(tmp_path.glob("*.db"))


def test_the_command_line_begins_with_a_robot_of_another_program(call, tmp_path):
    call("robot", "export", "cogiro", "-o", "cogiro.urdf", check=0)
    begun = call("study", "new", "--from-file", "cogiro.urdf", check=0)
    assert (
        "Read from cogiro.urdf (URDF): pulleys, attachments, platform_half_size, platform_body" in begun.err
    )
    assert "# Read from cogiro.urdf (URDF)" in (tmp_path / "cogiro.toml").read_text()
    (tmp_path / "bad.urdf").write_text('<!DOCTYPE r [<!ENTITY a "b">]><robot>&a;</robot>')
    refused = call("study", "new", "bad.toml", "--from-file", "bad.urdf", check=2)
    assert "--from-file: bad.urdf: defines entities or names external files" in refused.err
    assert not (tmp_path / "bad.toml").exists()
    assert not (tmp_path / "tautline.db").exists()


def test_a_robot_before_any_search_is_written_as_the_shell_writes_it(done, client, local):
    """The presets of the shell's ``robot export``, over REST, by the client and on a store."""
    name, request = "hybrid-cable-robot", SettingsRequest(preset="robocab", settings={"cells": 4})
    model = load(name)
    here = design_file(model, model.resolve("robocab", {"cells": 4}), "json")
    answer = client.post(f"/api/v1/models/{name}/export", json=request.model_dump())
    assert answer.status_code == 200, answer.text
    assert answer.content == here.content
    file = 'attachment; filename="hybrid-cable-robot-design.json"'
    assert answer.headers["Content-Disposition"] == file
    assert answer.json()["cables"][0]["length"] > 0
    assert local.models.export(name, request, "json") == here
    with InProcess(done.app) as transport, Client("http://127.0.0.1:8000", done.token(), transport) as away:
        assert away.models.export(name, request, "json") == here


@pytest.mark.parametrize(
    ("path", "status", "detail"),
    [
        ("models/bnh/export?format=urdf", 422, "does not describe its robots as rigid links"),
        ("models/nobody/export", 404, "nobody"),
        ("models/bnh/export?format=dwg", 422, "urdf"),
    ],
)
def test_a_robot_that_cannot_be_written_is_refused_in_words(client, path, status, detail):
    answer = client.post(f"/api/v1/{path}", json={})
    assert (answer.status_code, detail in answer.text) == (status, True), answer.text
