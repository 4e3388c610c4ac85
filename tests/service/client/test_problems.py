import json
from types import SimpleNamespace

import pytest

from errors import (
    AbsentError,
    IdentityError,
    InputError,
    LimitError,
    ServerError,
    TautlineError,
    UnknownNameError,
    UnreachableError,
)
from service.client.wire import error_of
from service.problem_types import PROBLEMS
from service.web.problems import problem_of

SERVER = "https://example.org"


REQUEST = SimpleNamespace(
    state=SimpleNamespace(document=None, request_id="r-1"), path_params={}, query_params={}
)


def arrived(error):
    """An error as it comes out at a client's."""
    answer = problem_of(REQUEST, error)
    return error_of(answer.status_code, answer.headers, answer.body, SERVER)


def made(kind):
    if kind is UnknownNameError:
        return kind("metric", "f3", ["f1", "f2"], ("objectives",))
    return kind("what it says", ("a", "place")) if issubclass(kind, InputError) else kind("what it says")


@pytest.mark.parametrize("kind", PROBLEMS, ids=lambda kind: kind.name)
def test_every_error_of_a_server_is_the_same_error_at_its_client(kind):
    error = made(kind.error)
    found = arrived(error)
    if kind.error is TautlineError:
        assert type(found) is ServerError
    elif kind.error is UnknownNameError:
        assert type(found) is InputError
    else:
        assert type(found) is kind.error
    if not kind.shows_message:
        assert "what it says" not in str(found)
        assert "r-1" in str(found)
    else:
        assert str(error) in str(found)


def test_places_and_waiting_times_come_along():
    assert arrived(AbsentError("unknown study 'x'")).place == ()
    assert arrived(InputError("is too high", ("search", "population"))).place == ("search", "population")
    assert arrived(LimitError("too many", 7.2)).retry_after == 8.0
    assert arrived(LimitError("too many")).retry_after is None


def test_nobody_knows_you_says_how_to_be_known():
    assert "TAUTLINE_TOKEN" in str(arrived(IdentityError("no token")))


def test_an_unforeseen_fault_names_its_request_and_nothing_else():
    found = arrived(RuntimeError("postgresql://me:geheim@host"))
    assert type(found) is ServerError
    assert "geheim" not in str(found)
    assert "r-1" in str(found)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InputError),
        (401, IdentityError),
        (404, AbsentError),
        (405, ServerError),
        (503, UnreachableError),
    ],
)
def test_problems_of_unknown_types_are_known_by_their_status(status, kind):
    body = json.dumps({"type": "about:blank", "title": "Something", "status": status}).encode()
    assert type(error_of(status, {}, body, SERVER)) is kind


@pytest.mark.parametrize("content", [b"<html>nginx</html>", b"", b"[]", b'{"detail": 1}'])
def test_an_answer_of_something_else_than_a_tautline_says_so(content):
    assert type(error_of(404, {}, content, SERVER)) is ServerError
    assert type(error_of(502, {}, content, SERVER)) is UnreachableError
    assert SERVER in str(error_of(404, {}, content, SERVER))
