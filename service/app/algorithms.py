"""Search algorithms: ours, and those that installed packages offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errors import AbsentError, AlgorithmLoadError, UnknownNameError
from service.resources.algorithms import AlgorithmResource, SettingResource
from service.resources.models import Page
from service.resources.parameters import AlgorithmName

if TYPE_CHECKING:
    from studies.search import Algorithm


class AlgorithmService:
    """Search algorithms."""

    def list(self) -> Page[AlgorithmResource]:
        """Search algorithms with their settings, Tautline's own first; the answer has all of them."""
        from studies.search import names

        return Page(items=[_listed(name) for name in names()])

    def get(self, name: AlgorithmName) -> AlgorithmResource:
        """A search algorithm with its limits and settings."""
        from studies.search import load

        try:
            return _resource(load(name))
        except UnknownNameError as error:
            raise AbsentError(error.message, ("algorithm",)) from None


def _listed(name: str) -> AlgorithmResource:
    """An algorithm in a list; of one that cannot be loaded, why."""
    from studies.search import load, package_of

    try:
        return _resource(load(name))
    except AlgorithmLoadError as error:
        return AlgorithmResource(
            algorithm=name, summary="", suits="", objectives=[0, 0], constraints=False, budget=[],
            most_population=0, most_designs=0, most_variables=0, fixed="", settings=[],
            package=package_of(name), fault=error.message,
        )  # fmt: skip


def _resource(found: Algorithm) -> AlgorithmResource:
    from studies.search import package_of

    settings = [
        SettingResource(setting=each.name, meaning=each.meaning, default=each.default, allowed=each.allowed)
        for each in found.settings
    ]
    return AlgorithmResource(
        algorithm=found.name,
        summary=found.summary,
        suits=found.suits,
        objectives=list(found.objectives),
        constraints=found.constraints,
        budget=list(found.budget),
        most_population=found.most_population,
        most_designs=found.most_designs,
        most_variables=found.most_variables,
        fixed=found.fixed,
        settings=settings,
        package=package_of(found.name),
    )
