"""The store on PostgreSQL."""

import pytest

from studies.store.testing import StoreContract
from studies.store.testing_leases import LeaseContract
from studies.store.testing_states import StateContract


class OnPostgreSQL:
    @pytest.fixture
    def url(self, postgresql_url):
        return postgresql_url


class TestStore(OnPostgreSQL, StoreContract):
    pass


class TestLeases(OnPostgreSQL, LeaseContract):
    pass


class TestStates(OnPostgreSQL, StateContract):
    pass
