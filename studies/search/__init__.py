"""Search algorithms behind one interface: ``ask`` for designs, ``tell`` their results."""

from studies.search.base import Search, Start
from studies.search.checks import (
    check_fit,
    check_initial,
    check_search,
    create_search,
    planned_designs,
    remarks,
)
from studies.search.registry import ALGORITHMS, Algorithm

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Search",
    "Start",
    "check_fit",
    "check_initial",
    "check_search",
    "create_search",
    "planned_designs",
    "remarks",
]
