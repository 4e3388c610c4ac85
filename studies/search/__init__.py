"""Search algorithms behind one seam: ``ask`` for designs, ``tell`` what became of them."""

from studies.search.base import Search
from studies.search.registry import ALGORITHMS, check_search, create_search

__all__ = ["ALGORITHMS", "Search", "check_search", "create_search"]
