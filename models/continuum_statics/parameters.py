"""The parameter record of the continuum robot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from models.continuum.gravity import GRAVITIES
from models.continuum_statics.parameter_checks import MOST_ARCS, require_affordable, require_bounded_size
from models.continuum_statics.presets import TARGETS
from models.continuum_statics.processor_time import Sizes
from models.fields import quantity
from models.materials import MATERIALS, MaterialName
from models.messages import excluded
from models.parameters import Parameters

GREATEST_TENSION = 1e5  # [N]
MOST_CABLES = 24
MOST_TARGETS = 100

Azimuth = Annotated[float, Field(ge=-4 * math.pi, le=4 * math.pi)]
Tension = Annotated[float, Field(ge=0, le=GREATEST_TENSION)]
Disk = Annotated[int, Field(ge=1, le=MOST_ARCS)]
Acceleration = Annotated[float, Field(ge=-1e3, le=1e3)]
Coordinate = Annotated[float, Field(ge=-1e3, le=1e3)]
Stiffness = Annotated[float, Field(ge=1e-9, le=1e6)]


class ContinuumStatics(Parameters):
    """An elastic rod with disks, bent by the tensions of cables that run through holes of the disks.

    Base frame: disk 0, fixed; z along the straight rod, x and y in the disk, angles about z counted
    from x towards y. Disks 1 to ``disks`` follow one spacing apart. A cable runs through the holes
    at its azimuth of all disks up to the one that it is tied to.
    """

    supersedes: ClassVar[Mapping[str, tuple[str, ...]]] = {"length": ("disk_spacing",)}
    renamed: ClassVar[Mapping[str, str]] = {
        "segments": "disks", "segment_length": "disk_spacing", "section_mass": "disk_mass",
        "rod_diameter": "backbone_diameter", "rod_density": "density", "young_modulus": "youngs_modulus",
    }  # fmt: skip
    geometry: ClassVar[frozenset[str]] = frozenset(
        {"disks", "disk_spacing", "length", "hole_radius", "hole_azimuths", "tie_disks"}
    )
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "Rod and disks": (
            "disks", "disk_spacing", "length", "arcs_per_gap", "backbone_diameter", "hole_radius",
            "hole_azimuths", "tie_disks",
        ),
        "Material": (
            "material", "youngs_modulus", "shear_modulus", "bending_stiffness", "torsion_stiffness",
            "density", "disk_mass", "stress_limit", "strain_limit", "enforce_material_limits",
        ),
        "Loads and tensions": ("tip_mass", "gravity", "tensions", "pretension", "payload_limit", "planar"),
        "Sweep and workspace": (
            "sweep_cable", "max_tension", "rays", "tension_steps", "refinements", "pretension_steps",
            "targets", "target_tolerance",
        ),
    }  # fmt: skip

    disks: int = quantity(6, unit="1", description="disks without the base", ge=1, le=40)
    disk_spacing: float = quantity(
        0.08, unit="m", description="length of the backbone between two disks", ge=1e-4, le=10
    )
    length: float | None = quantity(
        None,
        unit="m",
        usual=(0.2, 1.0),
        description="length of the whole rod, instead of the spacing of the disks",
        ge=1e-4,
        le=100,
    )
    arcs_per_gap: int = quantity(
        1,
        unit="1",
        description="arcs of constant curvature that make up a segment; the cables touch only the disks",
        numerical=True,
        ge=1,
        le=16,
    )
    backbone_diameter: float = quantity(
        0.0015, unit="m", description="diameter of the circular rod", ge=1e-5, le=0.1
    )
    material: MaterialName = Field(
        default="spring-steel",
        description="material of the rod; it gives the moduli, density and limits that you do not set; "
        "custom has the moduli and density of spring-steel and no limits",
    )
    youngs_modulus: float | None = quantity(
        None,
        unit="Pa",
        usual=(1e9, 2e11),
        description="Young's modulus of the rod, instead of the material's",
        ge=1e3,
        le=1e13,
    )
    shear_modulus: float | None = quantity(
        None,
        unit="Pa",
        usual=(4e8, 8e10),
        description="shear modulus of the rod, instead of the material's",
        ge=1e3,
        le=1e13,
    )
    stress_limit: float | None = quantity(
        None,
        unit="Pa",
        usual=(1e8, 1e9),
        description="greatest equivalent stress (von Mises) of the rod, instead of the material's",
        ge=1.0,
        le=1e12,
    )
    strain_limit: float | None = quantity(
        None,
        unit="1",
        usual=(0.005, 0.05),
        description="greatest equivalent strain of the rod, instead of the material's",
        ge=1e-6,
        le=1.0,
    )
    enforce_material_limits: bool = Field(
        default=True,
        description="whether the workspace ends where the rod reaches a limit of its material, and a design "
        "whose tensions bend the rod beyond is infeasible; otherwise both have a safety_factor below 1 and a "
        "warning",
    )
    bending_stiffness: Stiffness | None = quantity(
        None,
        unit="N*m**2",
        description="bending stiffness EI of the rod, instead of the value from its diameter; strain and "
        "stress are then those of a solid round rod with this EI",
    )
    torsion_stiffness: Stiffness | None = quantity(
        None,
        unit="N*m**2",
        description="torsion stiffness GJ of the rod, instead of the value from its diameter",
    )
    density: float | None = quantity(
        None,
        unit="kg/m**3",
        usual=(1000.0, 8000.0),
        description="density of the rod, instead of the material's; half the mass of every arc acts at each "
        "of its ends; 0 if disk_mass includes the rod",
        ge=0,
        le=1e5,
    )
    hole_radius: float = quantity(
        0.028, unit="m", description="distance of the holes from the centre of the disks", ge=1e-5, le=1
    )
    hole_azimuths: tuple[Azimuth, ...] = quantity(
        (math.pi / 2, -math.pi / 6, 7 * math.pi / 6),
        unit="rad",
        description="for each cable, the azimuth of its holes",
        min_length=1,
        max_length=MOST_CABLES,
        item="cable {}, hole azimuth",
    )
    tie_disks: tuple[Disk, ...] | None = quantity(
        None,
        unit="1",
        description="for each cable, the number of the disk to which it is tied; the base is 0; if not "
        "set, the last disk",
        item="cable {}, tie disk",
    )
    disk_mass: float = quantity(
        5.03e-3,
        unit="kg",
        description="mass at the centre of each disk except the base",
        ge=0,
        le=100,
    )
    tip_mass: float = quantity(
        0.0, unit="kg", usual=(0.0, 0.5), description="payload at the last disk", ge=0, le=1e3
    )
    gravity: Literal["horizontal", "down", "up"] | tuple[Acceleration, Acceleration, Acceleration] = quantity(
        "horizontal",
        unit="m/s**2",
        description="gravity in the base frame: the robot lies with y upwards (horizontal), hangs (down) or "
        "stands (up); or any vector",
    )
    tensions: tuple[Tension, ...] = quantity(
        (0.0, 0.0, 0.0),
        unit="N",
        description="tension of each cable, in addition to the pretension; if not set, all are 0",
        item="cable {}, tension",
    )
    pretension: float = quantity(
        0.0,
        unit="N",
        usual=(0.0, 5.0),
        description="tension of every cable, to which all other tensions are added",
        ge=0,
        le=GREATEST_TENSION,
    )
    planar: bool = Field(
        default=False, description="whether the robot can bend only about x, as the paper's plots assume"
    )
    sweep_cable: int = quantity(
        1,
        unit="1",
        description="number of the cable whose tension rises; cables are counted from 1",
        ge=1,
    )
    max_tension: float = quantity(
        20.0, unit="N", description="tension up to which cables are pulled", ge=1e-6, le=GREATEST_TENSION
    )
    rays: int = quantity(
        32,
        unit="1",
        description="rays of tensions in each sector between neighbouring cables (assumed)",
        numerical=True,
        ge=1,
        le=2000,
    )
    tension_steps: int = quantity(
        161,
        unit="1",
        description="number of tensions along each ray, from 0 to max_tension",
        numerical=True,
        ge=3,
        le=5001,
    )
    refinements: int = quantity(
        2,
        unit="1",
        description="how often new rays are added halfway between two rays, if one of them loses stability "
        "earlier (assumed)",
        numerical=True,
        ge=0,
        le=8,
    )
    pretension_steps: int = quantity(
        5,
        unit="1",
        description="number of pretensions, from 0 to a quarter of max_tension, whose workspaces span the "
        "reachable volume (assumed)",
        numerical=True,
        ge=2,
        le=20,
    )
    payload_limit: float = quantity(
        1.0,
        unit="kg",
        description="greatest payload up to which max_payload is computed (assumed)",
        gt=0,
        le=1e3,
    )
    targets: tuple[tuple[Coordinate, Coordinate], ...] = quantity(
        TARGETS,
        unit="m",
        description="x and y of the positions that the tip must reach; by default six on a circle of radius "
        "0.2 m around the straight rod (assumed)",
        max_length=MOST_TARGETS,
        item="target {}",
        parts=("x", "y"),
    )
    target_tolerance: float = quantity(
        0.01,
        unit="m",
        description="distance from a target that counts as reached (assumed)",
        numerical=True,
        gt=0,
        le=1e3,
    )

    @property
    def cables(self) -> int:
        """Number of cables."""
        return len(self.hole_azimuths)

    @property
    def gap(self) -> float:
        """Length [m] of the rod between two disks."""
        return self.disk_spacing if self.length is None else self.length / self.disks

    @property
    def ties(self) -> tuple[int, ...]:
        """Number of the disk that each cable is tied to."""
        return (self.disks,) * self.cables if self.tie_disks is None else self.tie_disks

    @property
    def gravity_vector(self) -> tuple[float, float, float]:
        """Gravity [m/s^2] in the base frame, also when it is given by name."""
        return GRAVITIES[self.gravity] if isinstance(self.gravity, str) else self.gravity

    @property
    def bending(self) -> float:
        """EI [N m^2] of the rod: as given, else E pi d^4 / 64."""
        given = self.bending_stiffness
        return self.moduli[0] * math.pi / 64 * self.backbone_diameter**4 if given is None else given

    @property
    def torsion(self) -> float:
        """GJ [N m^2] of the rod: as given, else G pi d^4 / 32."""
        given = self.torsion_stiffness
        return self.moduli[1] * math.pi / 32 * self.backbone_diameter**4 if given is None else given

    @property
    def moduli(self) -> tuple[float, float]:
        """Young's modulus and shear modulus [Pa] of the rod: as given, else those of its material."""
        material = MATERIALS[self.material]
        young, shear = self.youngs_modulus, self.shear_modulus
        return (
            material.youngs_modulus if young is None else young,
            material.shear_modulus if shear is None else shear,
        )

    @property
    def stressed_diameter(self) -> float:
        """Diameter [m] of the solid round rod whose surface is strained: that with the rod's EI."""
        return (64 * self.bending / (math.pi * self.moduli[0])) ** 0.25

    @property
    def greatest_stress(self) -> float | None:
        """Limit [Pa] of the equivalent stress: as given, else the material's at the stressed diameter."""
        given = self.stress_limit
        return MATERIALS[self.material].stress_limit_at(self.stressed_diameter) if given is None else given

    @property
    def greatest_strain(self) -> float | None:
        """Limit of the equivalent strain: as given, else the material's."""
        given = self.strain_limit
        return MATERIALS[self.material].strain_limit if given is None else given

    @property
    def rod_mass(self) -> float:
        """Mass [kg] of the whole rod, of the given density or of its material's."""
        volume = math.pi / 4 * self.backbone_diameter**2 * self.gap * self.disks
        return volume * (MATERIALS[self.material].density if self.density is None else self.density)

    @classmethod
    def defaults_for(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """As many tensions of zero as there are cables."""
        azimuths: Sequence[Any] | None = given.get("hole_azimuths")
        return {"tensions": [0.0] * len(azimuths)} if isinstance(azimuths, (list, tuple)) else {}

    @model_validator(mode="after")
    def _stiffness_is_given_once(self) -> Self:
        """Refuse a value beside the stiffness that replaces it: it would change nothing."""
        bent, twisted = self.bending_stiffness is not None, self.torsion_stiffness is not None
        replaced = {
            "backbone_diameter": bent and twisted and self.density == 0.0,
            "shear_modulus": twisted,
        }
        for name, useless in replaced.items():
            if useless and getattr(self, name) != type(self).model_fields[name].default:
                raise excluded(
                    f"'{name}' has no effect: 'bending_stiffness' and 'torsion_stiffness' replace it; set "
                    "one or the other",
                    name,
                    "bending_stiffness",
                    "torsion_stiffness",
                )
        return self

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        for name in ("tensions", "tie_disks"):
            given = getattr(self, name)
            if given is not None and len(given) != self.cables:
                raise excluded(
                    f"'{name}' lists {len(given)} values but 'hole_azimuths' lists {self.cables} cables; "
                    "give one value per cable",
                    name,
                    "hole_azimuths",
                )
        if self.sweep_cable > self.cables:
            raise excluded(
                f"'sweep_cable' ({self.sweep_cable}) must be the number of a cable, 1 to {self.cables}",
                "sweep_cable",
            )
        return self

    @model_validator(mode="after")
    def _ties_are_disks(self) -> Self:
        wrong = [str(disk) for disk in self.ties if disk > self.disks]
        if wrong:
            raise excluded(
                f"'tie_disks' names {', '.join(wrong)}, but the disks are 1 to {self.disks}", "tie_disks"
            )
        return self

    @model_validator(mode="after")
    def _size_is_bounded(self) -> Self:
        require_bounded_size(
            arcs=self.disks * self.arcs_per_gap,
            gap=self.gap,
            length_field="disk_spacing" if self.length is None else "length",
            bending=self.bending,
            torsion=self.torsion,
        )
        return self

    @model_validator(mode="after")
    def _time_is_bounded(self) -> Self:
        require_affordable(
            Sizes(
                self.disks * self.arcs_per_gap,
                self.cables,
                self.rays,
                self.tension_steps,
                self.refinements,
                self.pretension_steps,
                len(self.targets),
            )
        )
        return self
