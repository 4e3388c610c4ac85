"""The database: the only truth. Everything else may be killed at any moment."""

from studies.store.fronts import Member
from studies.store.lease import LEASE_SECONDS, Claim, Owner, this_process
from studies.store.standing import PASSING_SECONDS
from studies.store.store import DEFAULT_STORE, Store, open_existing

__all__ = [
    "DEFAULT_STORE",
    "LEASE_SECONDS",
    "PASSING_SECONDS",
    "Claim",
    "Member",
    "Owner",
    "Store",
    "open_existing",
    "this_process",
]
