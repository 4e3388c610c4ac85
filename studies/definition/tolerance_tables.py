"""Tables of a study file on tolerances: spreads of parameters, and robots that are drawn from them."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, StrictFloat, StrictInt, StrictStr, field_validator, model_validator

from studies.definition.documents import Number, Seed, Table

MAX_SAMPLES = 65_536
MAX_CORRELATED = 100
Matrix = list[list[StrictInt | StrictFloat]]


class ToleranceTable(Table):
    """Spread of a parameter about its nominal value: ``normal`` or ``uniform``, either with a unit.

    ``normal`` is a standard deviation, which ``truncate`` may cut at that distance on both sides;
    ``uniform`` is the greatest distance. Text that ends in % is a share of the nominal value.
    """

    normal: Number | None = Field(
        default=None,
        description='standard deviation of a normal distribution; "5 %" is a share of the nominal value',
    )
    uniform: Number | None = Field(default=None, description="greatest distance from the nominal value")
    truncate: Number | None = Field(
        default=None, description="distance at which a normal distribution is cut on both sides"
    )

    @model_validator(mode="after")
    def _one_distribution(self) -> ToleranceTable:
        if (self.normal is None) == (self.uniform is None):
            raise ValueError('needs either normal or uniform, as in { normal = "2 mm" }')
        if self.truncate is not None and self.normal is None:
            raise ValueError("truncates a normal distribution; uniform has an end already")
        return self


class CorrelatedTable(Table):
    """Parameters whose errors are normal and correlated.

    Either ``covariance``, in SI units, or ``normal``, one standard deviation for all or one for each, with
    ``correlation``, one coefficient for all pairs or a matrix.
    """

    parameters: list[StrictStr] = Field(
        min_length=2, max_length=MAX_CORRELATED, description="dotted paths of the parameters"
    )
    covariance: Matrix | None = Field(default=None, description="covariance matrix, in SI units")
    normal: Number | list[Number] | None = Field(
        default=None, description="standard deviation of all, or one of each"
    )
    correlation: StrictInt | StrictFloat | Matrix | None = Field(
        default=None, description="correlation of all pairs, or the matrix of them"
    )

    @field_validator("parameters")
    @classmethod
    def _once(cls, parameters: list[str]) -> list[str]:
        if len(set(parameters)) != len(parameters):
            raise ValueError("names a parameter twice")
        return parameters

    @model_validator(mode="after")
    def _one_way(self) -> CorrelatedTable:
        stated = (self.normal is not None, self.correlation is not None)
        if (self.covariance is None) != all(stated) or (self.covariance is not None and any(stated)):
            raise ValueError("needs either covariance, or normal and correlation")
        return self


class TolerancesTable(Table):
    """A :class:`ToleranceTable` by dotted path, and tables of parameters that are correlated.

    A path to a list is that to all numbers in it, each with an error of its own.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, ToleranceTable] = Field(init=False)  # pyrefly: ignore[bad-override] - as pydantic has it

    correlated: list[CorrelatedTable] = Field(
        default=[], max_length=MAX_CORRELATED, description="parameters whose errors are correlated"
    )

    @property
    def independent(self) -> dict[str, ToleranceTable]:
        """The tolerances by dotted path."""
        return dict(self.__pydantic_extra__ or {})

    def __bool__(self) -> bool:
        return bool(self.correlated or self.__pydantic_extra__)


class RobustTable(Table):
    """Number of samples, and the method that draws them from the tolerances."""

    samples: StrictInt = Field(
        default=64, ge=16, le=MAX_SAMPLES, description="robots that are made of each design"
    )
    method: Literal["sobol", "monte-carlo"] = Field(
        default="sobol", description="scrambled Sobol points, or independent random numbers"
    )
    seed: Seed = Field(default=0, description="seed of the samples, which are the same for all designs")

    @model_validator(mode="after")
    def _power_of_two(self) -> RobustTable:
        if self.method == "sobol" and self.samples & (self.samples - 1):
            lower = 1 << (self.samples.bit_length() - 1)
            raise ValueError(
                f"has {self.samples} samples; Sobol points need a power of two, such as {lower} or "
                f'{2 * lower}; method = "monte-carlo" takes any number'
            )
        return self
