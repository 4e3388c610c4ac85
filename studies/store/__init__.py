"""The database: the only truth. Everything else may be killed at any moment."""

from studies.store.fronts import Member, Outcome
from studies.store.lease import LEASE_SECONDS, Claim, Owner, this_process
from studies.store.reader import DEFAULT_STORE
from studies.store.run_lock import PASSING_SECONDS
from studies.store.store import Store, back_up_store, open_existing

__all__ = [
    "DEFAULT_STORE",
    "LEASE_SECONDS",
    "PASSING_SECONDS",
    "Claim",
    "Member",
    "Outcome",
    "Owner",
    "Store",
    "back_up_store",
    "open_existing",
    "this_process",
]
