"""Rigid bodies as parameters: mass, centre of mass and inertia."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from models.fields import quantity
from models.floats import FloatArray
from models.parameters import Parameters

Place = Annotated[float, Field(ge=-1e4, le=1e4)]
Moment = Annotated[float, Field(ge=-1e9, le=1e9)]

ROUNDING = 1e-9  # of the greatest moment: a thin plate's triangle inequality is an equality


class Body(Parameters):
    """A rigid body in its own frame: the platform's, or the one of a link's joint."""

    mass: float = quantity(..., unit="kg", description="mass", ge=0, le=1e6)
    centre_of_mass: tuple[Place, Place, Place] = quantity(
        (0.0, 0.0, 0.0), unit="m", description="centre of mass in the body's frame"
    )
    inertia: tuple[Moment, Moment, Moment, Moment, Moment, Moment] = quantity(
        ...,
        unit="kg*m**2",
        description="entries xx, yy, zz, xy, xz, yz of the inertia tensor about the centre of mass, in the "
        "axes of the body's frame; off-diagonal entries are minus the products of inertia",
    )

    @property
    def tensor(self) -> FloatArray:
        """Inertia tensor (3, 3) kg m^2 about the centre of mass, in the body's axes."""
        xx, yy, zz, xy, xz, yz = self.inertia
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    @property
    def fault(self) -> str:
        """Why no body can have the inertia tensor; empty when one can.

        Principal moments I1 <= I2 <= I3 of a body satisfy 0 <= I1 and I3 <= I1 + I2.
        """
        least, middle, greatest = (float(moment) for moment in np.linalg.eigvalsh(self.tensor))
        slack = ROUNDING * max(abs(least), abs(greatest))
        if least < -slack:
            return f"has the negative principal moment of inertia {least:.4g} kg m^2"
        if greatest > least + middle + slack:
            return (
                f"has a principal moment of inertia of {greatest:.4g} kg m^2, which exceeds the sum of the "
                f"other two, {least:.4g} and {middle:.4g} kg m^2"
            )
        return ""
