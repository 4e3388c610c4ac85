"""Settings: where they come from, what is refused, and that no secret is ever shown."""

import json
import subprocess

import pytest
from pydantic import SecretStr

from errors import InputError
from service.exposure import check_exposure
from service.settings import Settings, origins, printable, read_settings, variable

EVERYWHERE = "0.0.0.0"  # noqa: S104 - what must be refused


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(variable(name), raising=False)


@pytest.fixture
def settings_file(tmp_path):
    def write(text):
        path = tmp_path / "server.toml"
        path.write_text(text)
        return path

    return write


def test_flags_come_before_variables_before_the_file_before_defaults(monkeypatch, settings_file):
    file = settings_file('port = 1\nmax_designs = 1\nmax_streams = 1\nallowed_hosts = ["a", "b"]')
    monkeypatch.setenv("TAUTLINE_PORT", "2")
    monkeypatch.setenv("TAUTLINE_MAX_DESIGNS", "2")
    flags = {"port": 3, "host": None}
    settings = read_settings(flags, file)
    assert (settings.port, settings.max_designs, settings.max_streams) == (3, 2, 1)
    assert settings.allowed_hosts == ["a", "b"]
    assert settings.host == "127.0.0.1"
    found = origins(flags, file)
    assert found["port"] == "--port"
    assert found["max_designs"] == "TAUTLINE_MAX_DESIGNS"
    assert found["max_streams"] == str(file)
    assert found["host"] == "default"


def test_variables_write_lists_with_commas_and_may_be_empty(monkeypatch):
    monkeypatch.setenv("TAUTLINE_BEHIND_PROXY", "10.0.0.1, 172.20.0.0/16,")
    monkeypatch.setenv("TAUTLINE_ACCOUNTS", "true")
    monkeypatch.setenv("TAUTLINE_SCHEDULER", "")
    monkeypatch.setenv("TAUTLINE_TOKEN", "tl_of_another_command")
    settings = read_settings({})
    assert settings.behind_proxy == ["10.0.0.1", "172.20.0.0/16"]
    assert settings.accounts
    assert settings.scheduler is None


@pytest.mark.parametrize(
    ("flags", "variables", "text", "place", "words"),
    [
        ({"port": 70000}, {}, "", "--port", "70000"),
        ({}, {"TAUTLINE_PORT": "many"}, "", "TAUTLINE_PORT", "many"),
        ({}, {}, "workers = 0", "workers in", "must be at least 1"),
        ({}, {}, "prot = 80", "server.toml", "did you mean 'port'"),
        ({}, {}, "port = ", "server.toml", "is not TOML"),
        ({}, {}, "store = { password = 'hush' }", "store in", "the given value"),
    ],
)
def test_what_cannot_be_used_is_named_where_it_stands(
    monkeypatch, settings_file, flags, variables, text, place, words
):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(InputError) as caught:
        read_settings(flags, settings_file(text))
    assert place in caught.value.place[0]
    assert words in str(caught.value)
    assert "hush" not in str(caught.value)


def test_a_settings_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_settings({}, tmp_path / "absent.toml")


def test_what_is_printed_holds_no_password():
    settings = Settings(store=SecretStr("postgresql://me:hush@db/tautline?password=hush"))
    assert printable(settings)["store"] == "postgresql://me@db/tautline"
    assert "hush" not in json.dumps(printable(settings)) + repr(settings)


def test_the_command_prints_every_setting_and_its_origin(tautline):
    shown = tautline(
        "serve", "--show-settings", "--no-runner", "--format", "json", check=0,
        env={"TAUTLINE_STORE": "postgresql://me:hush@db/tautline", "TAUTLINE_PORT": "81"},
    )  # fmt: skip
    rows = {row["setting"]: row for row in json.loads(shown.stdout)}
    assert rows.keys() == Settings.model_fields.keys()
    assert rows["runner"] | {"meaning": ""} == {
        "setting": "runner", "value": False, "from": "--no-runner", "meaning": "",
    }  # fmt: skip
    assert (rows["port"]["value"], rows["port"]["from"]) == (81, "TAUTLINE_PORT")
    assert "hush" not in shown.stdout + shown.stderr


def test_every_setting_has_a_flag_with_its_description(tautline):
    told = " ".join(tautline("serve", "--help", check=0).stdout.split())
    for name, field in Settings.model_fields.items():
        assert f"--{name.replace('_', '-')} " in told
        assert f"[{variable(name)}" in told
        assert field.description[1:] in told


# ---------------------------------------------------------------- who can reach it


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("https")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    return {"https_cert": folder / "cert.pem", "https_key": folder / "key.pem"}


def refusal(**settings):
    with pytest.raises(InputError) as caught:
        check_exposure(Settings(**settings))
    return str(caught.value)


@pytest.mark.parametrize("host", [EVERYWHERE, "::", "10.1.2.3"])
def test_other_addresses_need_accounts_and_encryption(host, certificate):
    assert "add --accounts" in refusal(host=host)
    assert "add --accounts" in refusal(host=host, **certificate)
    assert "--https-cert" in refusal(host=host, accounts=True)
    check_exposure(Settings(host=host, accounts=True, **certificate))
    check_exposure(Settings(host=host, accounts=True, behind_proxy=["10.0.0.1"]))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1", "localhost"])
def test_this_machine_alone_needs_nothing(host):
    check_exposure(Settings(host=host))


def test_a_proxy_needs_accounts_and_an_address_of_its_own():
    assert "add --accounts" in refusal(behind_proxy=["127.0.0.1"])
    assert "means every address" in refusal(accounts=True, behind_proxy=["0.0.0.0/0"])
    assert "neither an address" in refusal(accounts=True, behind_proxy=["*"])


def test_unknown_addresses_and_broken_certificates_are_refused(tmp_path, certificate):
    assert "is not an address of this machine" in refusal(host="no-such-host.invalid")
    assert "needs both" in refusal(https_cert=certificate["https_cert"])
    assert "there is no file" in refusal(https_cert=tmp_path / "absent", https_key=certificate["https_key"])
    swapped = {"https_cert": certificate["https_key"], "https_key": certificate["https_cert"]}
    assert "not a certificate and its key" in refusal(**swapped)
    assert "TLS needs all" in refusal(tls_ca=certificate["https_cert"])


@pytest.mark.parametrize("flags", [["--host", EVERYWHERE], ["--behind-proxy", "127.0.0.1"]])
def test_the_command_refuses_before_it_does_anything(tautline, tmp_path, flags):
    refused = tautline("serve", *flags, check=2)
    assert "--accounts" in refused.stderr
    assert not list(tmp_path.iterdir())
