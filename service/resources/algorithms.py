"""Search algorithms as REST sends them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from service.resources.models import Resource


class SettingResource(Resource):
    """A setting of an algorithm, for ``[search.settings]``."""

    setting: str
    meaning: str
    default: str
    allowed: str


class AlgorithmResource(Resource):
    """A search algorithm and its settings; if it cannot be loaded, only its ``fault`` is known."""

    algorithm: str
    summary: str
    suits: str
    objectives: list[int] = Field(min_length=2, max_length=2, description="the fewest and the most")
    constraints: bool
    budget: list[Literal["generations", "evaluations", "wall_time"]] = Field(
        description="keys of which one is needed"
    )
    most_population: int
    most_designs: int
    most_variables: int
    fixed: str = Field(description="why a finished search of it cannot be extended; empty where it can")
    settings: list[SettingResource]
    package: str = Field(
        default="", description="the installed package that offers it, with its version; empty for ours"
    )
    fault: str = Field(default="", description="why it cannot be loaded; empty for one that can be used")
