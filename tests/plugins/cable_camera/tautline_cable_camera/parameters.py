"""Parameters of the camera, its cables and the grid on which it is judged."""

from typing import Self

from pydantic import model_validator

from models import Parameters, quantity


class CameraParameters(Parameters):
    """Two anchors at one height, the camera below them. x points from one anchor to the other, z up."""

    span: float = quantity(20.0, unit="m", description="distance between the anchors", gt=0, le=500)
    depth: float = quantity(
        8.0, unit="m", description="height of the area below the anchors that should be reached", gt=0, le=500
    )
    tension_min: float = quantity(
        20.0, unit="N", description="tension below which a cable counts as slack", ge=0, le=1e5
    )
    tension_max: float = quantity(400.0, unit="N", description="largest tension of a winch", gt=0, le=1e6)
    mass: float = quantity(8.0, unit="kg", description="mass of the camera", gt=0, le=1000)
    acceleration: float = quantity(
        1.0,
        unit="m/s^2",
        description="acceleration that the camera must have in every direction",
        ge=0,
        le=50,
    )
    cells: int = quantity(
        60, unit="1", description="cells of the grid along each axis", numerical=True, ge=4, le=1000
    )

    @model_validator(mode="after")
    def _tensions_differ(self) -> Self:
        if self.tension_min >= self.tension_max:
            raise ValueError(
                f"'tension_min' is {self.tension_min:g} N and 'tension_max' {self.tension_max:g} N; the "
                "first must be smaller"
            )
        return self
