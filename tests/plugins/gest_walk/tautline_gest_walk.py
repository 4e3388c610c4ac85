"""A random walk around the best points, written for gest-api and nothing else; and what Tautline needs."""

import random

from gest_api import Generator

from studies.search import Algorithm
from studies.search.gest import gest_search


class Walk(Generator):
    """Steps from points that nothing known is better than; each point has an id."""

    returns_id = True

    def __init__(self, vocs, seed, constraints=True, most=None):
        super().__init__(vocs)
        self._vocs, self._random, self._most = vocs, random.Random(seed), most
        self._constraints = constraints
        self._known, self._waiting = [], set()
        self._last = 0

    def _validate_vocs(self, vocs):
        if vocs.constraints and not getattr(self, "_constraints", True):
            raise ValueError("takes no constraints")

    def suggest(self, num_points=None):
        if self._most is not None and num_points is not None:
            raise ValueError("gives what it likes")
        # pyrefly: ignore[bad-argument-type]
        return [self._one() for _ in range(self._most or num_points)]

    def _one(self):
        self._last += 1
        self._waiting.add(self._last)
        if not self._known:
            values = [self._random.uniform(*each.domain) for each in self._vocs.variables.values()]
        else:
            centre = self._random.choice(self._known[:4])[1]
            values = [min(max(x + self._random.gauss(0, 0.1), 0.0), 1.0) for x in centre]
        return dict(zip(self._vocs.variables, values, strict=True)) | {"_id": self._last}

    def ingest(self, results):
        for each in results:
            if "_id" in each:
                self._waiting.remove(each["_id"])  # an id that it did not give is an error
            assert all(isinstance(each[name], float) for name in self._vocs.all_names)
            violated = sum(not given.check(each[name]) for name, given in self._vocs.constraints.items())
            rank = (violated, sum(each[name] for name in self._vocs.objectives))
            self._known.append((rank, [each[name] for name in self._vocs.variables]))
        self._known.sort(key=lambda each: each[0])


def algorithm(name, create, **options):
    return Algorithm(
        name, "Random steps from the best points.", "tests of generators", gest_search(create, **options)
    )


WALK = algorithm("gest-walk", lambda vocs, start: Walk(vocs, start.seed))
OBJECTIVES_ALONE = algorithm(
    "gest-walk-objectives", lambda vocs, start: Walk(vocs, start.seed, constraints=False), constraints=False
)
SINGLES = algorithm("gest-walk-singles", lambda vocs, start: Walk(vocs, start.seed, most=1))
