"""A store with studies of two people, one of them finished."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.access.identity import Identity
from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.run.launch import resume_study
from studies.store import Store

ANNE = Identity("anne", "editor")
BERT = Identity("bert", "editor")
VERA = Identity("vera", "viewer")
ROOT = Identity("root", "admin")


@pytest.fixture
def define_bnh(bnh_study):
    """The small study under a name, with changes of its text."""

    def define(name="bnh", **changes):
        text = bnh_study.replace('name = "bnh"', f'name = "{name}"')
        for old, new in changes.items():
            text = text.replace(f"{old} = ", f"{old} = {new} # ")
        return parse_study(text)

    return define


@pytest.fixture
def run_inline(make_executor):
    """Works on a queued study in this process."""

    @contextmanager
    def opened() -> Iterator:
        yield make_executor()

    def run(store: Store, name: str):
        return resume_study(store, name, opened)

    return run


@pytest.fixture
def local(store):
    return StoreServices(Context(store=store))


def as_person(store, identity):
    """The store as somebody with an account sees it."""
    if identity.account not in {account.name for account in store.accounts.all()}:
        store.accounts.add(identity.account, identity.role)
    return StoreServices(Context(store=store, identity=identity))


@pytest.fixture
def anne(store):
    return as_person(store, ANNE)


@pytest.fixture
def bert(store):
    return as_person(store, BERT)


@pytest.fixture
def vera(store):
    return as_person(store, VERA)


@pytest.fixture
def root(store):
    return as_person(store, ROOT)


@pytest.fixture
def finished(store, local, define_bnh, run_inline):
    """A study that has come to its end, made at the machine itself."""
    local.studies.create(define_bnh())
    run_inline(store, "bnh")
    return "bnh"
