"""The base of every table of a study file."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_serializer,
)

from errors import InputError
from models.units import parse_quantity

Number = StrictInt | StrictFloat | StrictStr
Seed = Annotated[StrictInt, Field(ge=0, lt=2**32)]


class Table(BaseModel):
    """A table of the study file.

    ``added`` names the keys that came after the first release. One that is not set is left out when
    a study is stored, so that the digests of studies stored before stay what they were.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    added: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _without_unset_additions(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        unset = {name for name in self.added if getattr(self, name) == fields[name].get_default()}
        return {name.rstrip("_"): value for name, value in plain(self).items() if name not in unset}


def amount(value: Number, unit: str) -> float:
    """A number, or text with a unit, as a number of ``unit``."""
    try:
        return parse_quantity(value, unit) if isinstance(value, str) else float(value)
    except InputError as error:
        raise ValueError(error.message) from None
