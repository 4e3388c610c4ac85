import pytest

from errors import InputError
from service.client.credentials import refuse_open_token, server_address


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        (" https://Robots.example.org ", "https://Robots.example.org"),
        ("https://example.org/tautline/", "https://example.org/tautline"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_address_is_taken_without_its_last_slash(given, address):
    assert server_address(given) == address


@pytest.mark.parametrize(
    "given",
    ["", "robots", "robots:8000", "ftp://a", "http://", "http://a:b", "http://a:99999", "http://a/?x=1",
     "https://a/#b", "file:///etc/passwd", "https://[::1"],
)  # fmt: skip
def test_what_is_no_address_is_refused(given):
    with pytest.raises(InputError, match="address"):
        server_address(given)


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(InputError) as caught:
        server_address("https://me:geheim@example.org")
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://localhost:1", "http://127.9.9.9", "http://[::1]:80", "https://example.org"]
)
def test_a_token_goes_to_this_machine_or_over_tls(address):
    refuse_open_token(address, "secret")


@pytest.mark.parametrize("address", ["http://example.org", "http://192.168.1.2:8000", "http://127.0.0.1.org"])
def test_a_token_does_not_travel_in_the_open(address):
    refuse_open_token(address, None)
    with pytest.raises(InputError, match="not encrypted"):
        refuse_open_token(address, "secret")
