"""The parameter record of the chain of elastic links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from models.arrays import FloatArray
from models.continuum.gravity import STANDARD_GRAVITY
from models.fields import quantity
from models.flexible_arm.beam import BeamModes, Section
from models.flexible_arm.contact import Contact, ContactLaw, FrictionLaw, contact_of, friction_of
from models.flexible_arm.ground import Ground, ground_of
from models.flexible_arm.initial_configuration import (
    AngleConvention,
    absolute_angles,
    centred_first_end,
    is_mirrored,
    spread_angles,
    straight_ends,
)
from models.flexible_arm.links import RIGID, Link, integrals_of, modes_of, rectangular_section
from models.flexible_arm.modal_integrals import require_kinetic_energy
from models.flexible_arm.parameter_checks import (
    require_above,
    require_affordable,
    require_one_per_link,
    require_possible,
    require_slender,
)
from models.flexible_arm.parameter_types import (
    EITHER,
    GROUPS,
    LISTS,
    MOST_LINKS,
    Ensemble,
    Length,
    Lengths,
    ModeCounts,
    Modes,
    ModeSet,
    ModeSets,
    Place,
    Profile,
    Side,
    Sides,
    Speeds,
    Turn,
    Turns,
)
from models.flexible_arm.presets import DENSITY, HEIGHT, POISSON, WIDTH
from models.flexible_arm.processor_time import Sizes, modal_rate
from models.parameters import Parameters


class FlexibleArm(Parameters):
    """A chain of elastic links, joined by ideal revolute joints, that falls in a vertical plane.

    World frame: x along level ground, y upwards. Ends of links may hit the ground, and rub on it.
    """

    supersedes: ClassVar[Mapping[str, tuple[str, ...]]] = {
        one: (other,) for pair in EITHER for one, other in (pair, pair[::-1])
    }
    geometry: ClassVar[frozenset[str]] = frozenset({
        "links", "link_length", "link_lengths", "section_widths", "section_heights", "mode_sets", "modes",
        "link_modes", "initial_angles", "angle_convention", "base_position", "pinned",
    })  # fmt: skip
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = GROUPS
    option_names: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "mode_sets": {
            "ss": "both ends supported", "cc": "both ends clamped", "sc": "supported, then clamped",
            "cs": "clamped, then supported", "cf": "clamped, then free", "ff": "both ends free",
        },
        "contact_law": {
            "hu-guo": "Hu and Guo", "flores": "Flores", "hunt-crossley": "Hunt and Crossley",
            "lankarani-nikravesh": "Lankarani and Nikravesh",
        },
        "friction_law": {"ambrosio": "Ambrosio", "coulomb": "Coulomb", "stribeck": "Stribeck"},
        "method": {"dop853": "Dormand and Prince, order 8", "rkf45": "Fehlberg, order 5"},
    }  # fmt: skip

    links: int = quantity(3, unit="1", description="number of links", ge=1, le=MOST_LINKS)
    link_length: Length = quantity(1.0, unit="m", description="length of every link")
    link_lengths: Lengths | None = quantity(
        None, unit="m", description="length of each link; instead of link_length", item="link {}, length"
    )
    section_width: Side = quantity(
        WIDTH, unit="m", description="width of the rectangular section, across the plane of motion"
    )
    section_widths: Sides | None = quantity(
        None,
        unit="m",
        description="width of each link's section; instead of section_width",
        item="link {}, section width",
    )
    section_height: Side = quantity(
        HEIGHT, unit="m", description="height of the rectangular section, in the plane of motion"
    )
    section_heights: Sides | None = quantity(
        None,
        unit="m",
        description="height of each link's section; instead of section_height",
        item="link {}, section height",
    )
    second_moment: float | None = quantity(
        None,
        unit="m**4",
        description="second moment of area of every section; if not set, width times height cubed over 12",
        gt=0,
        le=1e3,
    )
    youngs_modulus: float = quantity(
        2e11, unit="Pa", description="Young's modulus of the links", ge=1e3, le=1e13
    )
    shear_modulus: float | None = quantity(
        None,
        unit="Pa",
        description="shear modulus of the links; if not set, that of Poisson's ratio 0.3, E / 2.6",
        ge=1e3,
        le=1e13,
    )
    shear_factor: float = quantity(
        5 / 6,
        unit="1",
        description="share of the section that carries shear (k of Timoshenko's theory)",
        ge=0.01,
        le=1,
    )
    density: float = quantity(DENSITY, unit="kg/m**3", description="density of the links", ge=1, le=1e5)
    line_density: float | None = quantity(
        None,
        unit="kg/m",
        description="mass per length of every link; instead of density",
        ge=1e-6,
        le=1e6,
    )
    rotary_inertia: float | None = quantity(
        None,
        unit="kg*m",
        description="rotary inertia per length in the integrals of the links; if not set, density times "
        "second moment, which always counts in the modes",
        ge=0,
        le=1e6,
    )
    structural_damping: float = quantity(
        125.0,
        unit="kg/m/s",
        description="damping of the material per rate of its strain (K_v of Kelvin and Voigt)",
        ge=0,
        le=1e10,
    )
    air_damping: float = quantity(
        0.025,
        unit="kg/m/s",
        description="drag per length and per speed at which a link bends (gamma)",
        ge=0,
        le=1e4,
    )
    mode_sets: ModeSets = Field(
        default=("ss",),
        description="ends of the beam whose modes a link has, one for each link or one for all: first letter "
        "at its first end, c clamped, s simply supported, f free; rigid: it does not bend",
        json_schema_extra={"item": "link {}, mode set"},
    )
    modes: Modes = quantity(
        8, unit="1", description="modes of every link; a link without any is 'rigid' in mode_sets"
    )
    link_modes: ModeCounts | None = quantity(
        None, unit="1", description="modes of each link; instead of modes", item="link {}, modes"
    )
    drop_height: float = quantity(
        0.9,
        unit="m",
        description="height of the lowest end of a link at the start, with the ends centred at x = 0",
        gt=0,
        le=1e3,
    )
    base_position: Place | None = quantity(
        None,
        unit="m",
        description="x and y of the first end at the start; instead of drop_height",
        parts=("x", "y"),
    )
    initial_angles: Turns | None = quantity(
        None,
        unit="rad",
        description="angle of each link at the start; if not set, an arch: from 30 to -30 degrees against "
        "the ground, evenly spread",
        item="link {}, initial angle",
    )
    angle_convention: AngleConvention = Field(
        "relative",
        description="what initial_angles count from: the link before (the first one from the ground), or "
        "the ground",
    )
    tilt: Turn = quantity(
        0.0,
        unit="rad",
        description="angle by which the whole arm is turned at the start, anticlockwise",
    )
    pinned: bool = Field(default=False, description="whether the first end is pinned to its place")
    gravity: float = quantity(
        STANDARD_GRAVITY, unit="m/s**2", description="acceleration of gravity, downwards", ge=0, le=1e3
    )
    duration: float = quantity(1.5, unit="s", description="how long the motion is computed", ge=1e-3, le=3600)
    contact_law: ContactLaw = Field(
        "hu-guo", description="how the normal force of an impact depends on the speed of the depth"
    )
    restitution: float = quantity(
        0.8, unit="1", description="nominal coefficient of restitution of an impact", ge=0.01, le=1
    )
    contact_stiffness: float = quantity(
        1.4e8, unit="N/m**1.5", description="force of an impact per depth^1.5, as Hertz", ge=1e3, le=1e13
    )
    ground: Profile = Field(
        default=(),
        description="points of the ground, x rising, joined by monotone cubics and level beyond them; "
        "none: level ground at height 0",
        json_schema_extra={"item": "ground point {}"},
    )
    friction_law: FrictionLaw = Field(
        "ambrosio",
        description="friction over sliding speed; ambrosio: a ramp between the two friction_velocities; "
        "coulomb: a ramp up to the first of them; stribeck: the same, with a static coefficient",
    )
    friction_coefficient: float = quantity(
        0.1, unit="1", description="coefficient of kinetic friction", ge=0, le=10
    )
    static_friction_coefficient: float = quantity(
        0.15, unit="1", description="coefficient of static friction of the law stribeck", ge=0, le=10
    )
    stribeck_velocity: float = quantity(
        0.01,
        unit="m/s",
        description="speed at which the coefficient of the law stribeck goes over to the kinetic one",
        ge=1e-5,
        le=100,
    )
    friction_velocities: Speeds = quantity(
        (1e-4, 1e-3), unit="m/s", description="sliding speeds between which friction rises to its whole"
    )
    early_time: float = quantity(
        0.2,
        unit="s",
        description="time from the first touch of the ground in which the arm lands: max_deflection, "
        "landing_peak_force, energy_kept and symmetry_error are taken up to its end",
        numerical=True,
        ge=1e-3,
        le=3600,
    )
    method: Literal["dop853", "rkf45"] = Field(
        "dop853",
        description="integration in time: Dormand and Prince, order 8; or Fehlberg, order 5, as the paper",
        json_schema_extra={"numerical": True},
    )
    rtol: float = quantity(
        1e-9,
        unit="1",
        description="relative tolerance of the integration",
        numerical=True,
        ge=1e-13,
        le=1e-4,
    )
    output_interval: float = quantity(
        1e-3, unit="s", description="time between the instants that are kept", numerical=True, ge=1e-6, le=10
    )
    ensemble: Ensemble = Field(
        default=Ensemble(), description="runs of almost the same arm, for statistics of what is chaotic"
    )

    @classmethod
    def defaults_for(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """As many links as a list has items."""
        for name in LISTS:
            items = given.get(name)
            if isinstance(items, (list, tuple)) and (name != "mode_sets" or len(items) > 1):
                return {"links": len(items)}
        return {}

    @classmethod
    def assumed_for(cls, given: Mapping[str, Any]) -> Sequence[str]:
        """Names of parameters that depend on the material, for links of another one."""
        own = "youngs_modulus" in given
        return [name for name in ("contact_stiffness", "structural_damping") if own and name not in given]

    @property
    def lengths(self) -> tuple[float, ...]:
        """Length [m] of each link."""
        return (self.link_length,) * self.links if self.link_lengths is None else self.link_lengths

    @property
    def widths(self) -> tuple[float, ...]:
        """Width [m] of each link's section."""
        return (self.section_width,) * self.links if self.section_widths is None else self.section_widths

    @property
    def heights(self) -> tuple[float, ...]:
        """Height [m] of each link's section."""
        return (self.section_height,) * self.links if self.section_heights is None else self.section_heights

    @property
    def sets(self) -> tuple[ModeSet, ...]:
        """Ends of the beam whose modes each link has."""
        return self.mode_sets * self.links if len(self.mode_sets) == 1 else self.mode_sets

    @property
    def modal_counts(self) -> tuple[int, ...]:
        """Modes of each link; 0 of one that is rigid."""
        counts = (self.modes,) * self.links if self.link_modes is None else self.link_modes
        return tuple(0 if ends == "rigid" else count for ends, count in zip(self.sets, counts, strict=True))

    @property
    def structural_delay(self) -> float:
        """Structural damping over Young's modulus [s]."""
        return self.structural_damping / self.youngs_modulus

    @property
    def sections(self) -> list[Section]:
        """The beam of each link."""
        return [
            rectangular_section(
                length, width, height,
                youngs_modulus=self.youngs_modulus,
                shear_modulus=self.shear_modulus or self.youngs_modulus / (2 + 2 * POISSON),
                shear_factor=self.shear_factor,
                line_density=self.line_density or self.density * width * height,
                second_moment=self.second_moment,
            )
            for length, width, height in zip(self.lengths, self.widths, self.heights, strict=True)
        ]  # fmt: skip

    @property
    def bending_links(self) -> list[Link]:
        """Each link with its modes."""
        return [
            Link(
                section, ends, count,
                section.J if self.rotary_inertia is None else self.rotary_inertia,
                self.air_damping, self.structural_delay * section.EI,
            )
            for section, ends, count in zip(self.sections, self.sets, self.modal_counts, strict=True)
        ]  # fmt: skip

    @property
    def beam_modes(self) -> list[BeamModes | None]:
        """The modes of each link, for their shapes; none of a rigid one."""
        return modes_of(self.bending_links)

    @property
    def profile(self) -> Ground:
        """The ground as contact takes it."""
        return ground_of([(point.x, point.height) for point in self.ground])

    @property
    def contact(self) -> Contact:
        """Impact, friction and ground as the equations of motion take them."""
        friction = friction_of(
            self.friction_law, self.friction_coefficient, self.static_friction_coefficient,
            self.stribeck_velocity, self.friction_velocities,
        )  # fmt: skip
        return contact_of(self.contact_law, self.restitution, self.contact_stiffness, friction, self.profile)

    @property
    def angles(self) -> FloatArray:
        """Absolute angle (n,) [rad] of each link at the start."""
        if self.initial_angles is None:
            return spread_angles(self.links) + self.tilt
        return absolute_angles(self.initial_angles, self.angle_convention, self.tilt)

    @property
    def ends(self) -> FloatArray:
        """Ends (n + 1, 2) [m] of the links at the start."""
        lengths = np.array(self.lengths)
        if self.base_position is not None:
            return straight_ends(np.array(self.base_position), lengths, self.angles)
        first = centred_first_end(lengths, self.angles, self.drop_height)
        return straight_ends(first, lengths, self.angles)

    @property
    def initial_state(self) -> FloatArray:
        """Coordinates (N,) at the start, at rest: the first end, the angles, no link bent."""
        return np.concatenate([self.ends[0], self.angles, np.zeros(sum(self.modal_counts))])

    @property
    def is_symmetric(self) -> bool:
        """True if the arm and the ground are their own mirror images at the start."""
        return not self.pinned and is_mirrored(self.bending_links, self.ends, self.profile)

    @property
    def sizes(self) -> Sizes:
        """Numbers that decide how long an evaluation takes."""
        rates = [
            0.0 if link.ends == RIGID else modal_rate(link, self.structural_delay)
            for link in set(self.bending_links)
        ]
        return Sizes(
            self.modal_counts, max(rates), self.duration, self.rtol, self.method,
            self.duration / self.output_interval, self.ensemble.runs,
        )  # fmt: skip

    @model_validator(mode="after")
    def _one_per_link(self) -> Self:
        for name in LISTS:
            listed = getattr(self, name)
            if listed is not None and not (name == "mode_sets" and len(listed) == 1):
                require_one_per_link(name, len(listed), self.links)
        return self

    @model_validator(mode="after")
    def _can_be_computed(self) -> Self:
        require_slender(self.lengths, self.heights)
        require_affordable(self.sizes)
        require_possible(lambda: self.contact, type(self).model_fields)
        integrals = integrals_of(self.bending_links)
        require_possible(lambda: require_kinetic_energy(integrals), type(self).model_fields)
        require_above(self.profile, self.ends, fixed=self.base_position is not None)
        return self
