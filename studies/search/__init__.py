"""Search algorithms behind one interface: ``ask`` for designs, ``tell`` their results."""

from studies.search.algorithm import Algorithm, Setting
from studies.search.base import Learner, Search, Start, SteadySearch
from studies.search.checks import (
    check_fit,
    check_initial,
    check_search,
    create_search,
    create_steady_search,
    first_generation,
    planned_designs,
    remarks,
)
from studies.search.registry import installed, load, names, package_of

__all__ = [
    "Algorithm",
    "Learner",
    "Search",
    "Setting",
    "Start",
    "SteadySearch",
    "check_fit",
    "check_initial",
    "check_search",
    "create_search",
    "create_steady_search",
    "first_generation",
    "installed",
    "load",
    "names",
    "package_of",
    "planned_designs",
    "remarks",
]
