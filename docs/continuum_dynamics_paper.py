"""Sections of the validation page on the motion of robots whose cables are driven."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docs.cable_robot_paper import rows
from docs.continuum_dynamics_figures import motion
from docs.paper_figures import drawn_again
from models.continuum_dynamics import MODEL
from models.contract import Evaluation

QUICK = {
    "length": 0.3,
    "gravity": "down",
    "drives": ({"pull": 15e-3}, {"state": "slack"}, {"state": "slack"}),
    "drive_time": 0.3,
    "duration": 8.0,
}
"""A hanging robot that one cable bends by a right angle, so fast that it swings."""
DAMPINGS = (0.0, 1.0, 4.0)  # [1/s]
STEPS = (8e-3, 4e-3, 2e-3, 1e-3)  # [s]
COMPARED = {
    "settling_time": "settling time [s]",
    "overshoot": "overshoot [1]",
    "peak_tension": "peak tension [N]",
    "max_strain": "greatest strain [1]",
}
EXACT = {"constraint_error": "constraint error [m]", "energy_error": "energy error [J]"}
SEPARATE = (
    ("at rest under one cable, 24 mm", "0.092", "0.007"),
    ("at rest, hanging, one cable", "0.164", "0.021"),
    ("at rest, gravity aslant, two cables", "0.286", "0.044"),
    ("hanging, one cable in 1 s, undamped, 2 s", "0.71", "0.22"),
    ("the same without gravity; the cable becomes slack", "0.82", "0.21"),
)
"""Distances of the tips in per cent of the length; see relative/test_exudyn.py of the tests."""


PRINTED = (
    ("one cable, all disks", "5.91 %", "4.61 %", "-", "0.237 N"),
    ("one cable, tip", "3.85 %, 24.5 mm", "1.97 %, 12.54 mm", "-", ""),
    ("two cables, all disks", "3.23 %", "1.852 %", "2.44 %", "0.245 N, 0.194 N"),
    ("two cables, tip", "2.32 %, 13.60 mm", "1.79 %, 11.40 mm", "2.42 %, 15.37 mm", ""),
)
"""The paper's greatest errors of its simulation against its experiment: x, y, z, force."""
AXES = (
    ("direction in which cable 1 bends", "x", "x", "errors under one cable"),
    ("backbone at rest", "y", "z", "the robot turns about it under two cables"),
    ("normal to the plane of cable 1", "z", "y", "errors only under two cables"),
)
"""The axis, its letter in the paper, ours, and which statement of section 5.2 tells."""


def sections() -> Iterator[str]:
    """All of them, as lines of Markdown."""
    yield from papers_experiment()
    yield from axes()
    yield from figures()
    yield from formulations()
    yield from steps()
    yield from separate_code()


def _metrics(**settings: object) -> Mapping[str, float | None]:
    outcome = MODEL.evaluate(MODEL.resolve(None, {**QUICK, **settings}), "motion", 0)
    if not isinstance(outcome, Evaluation):
        raise TypeError(outcome.reason)
    return outcome.metrics


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def papers_experiment() -> Iterator[str]:
    """Figures that the paper prints of its experiment, and reasons why it cannot be repeated."""
    yield "### The paper's experiment\n"
    yield (
        "The paper compares its simulation with an experiment, by its equation 41. We cannot repeat that: it "
        "draws the lengths of its drives and the measured motion but prints no numbers of them, and its "
        "table of the material is lost in our text. Four of its percentages at the tip belong to a length of "
        "636 mm and one, 2.32 %, to 586 mm, so this one or its 13.60 mm is wrong. With measured data of "
        "your own, `tip_error` and `disk_error` are these figures.\n"
    )
    yield from rows(["greatest error", "x", "y", "z", "force"], [list(row) for row in PRINTED])


def axes() -> Iterator[str]:
    """The paper's axes against ours, with the tips of two motions."""
    yield "### The paper's axes\n"
    yield (
        "The paper only draws its axes. Section 5.2 tells what they are: under one cable, errors are given "
        "in x and y alone, and under two cables the robot turns about y. So the backbone at rest lies along "
        "the paper's y, and cable 1 bends it in the plane of x and y. Signs are only drawn: if the axes are "
        "right-handed and cable 1 pulls towards x, the paper's z is our -y. The tips are those of the "
        "motions below, at their ends.\n"
    )
    one, two = (motion(robot).motion.positions[-1, -1] for robot in ("one cable", "two cables"))
    cells = [
        [*names, *(f"{tip['xyz'.index(names[2])] + 0.0:.4f}" for tip in (one.round(6), two.round(6)))]
        for names in AXES
    ]
    head = ["axis", "paper", "ours", "known from", "our tip, one cable [m]", "our tip, two cables [m]"]
    yield from rows(head, cells, 4)


def figures() -> Iterator[str]:
    """The paper's figures made anew, with both statements."""
    yield "### The figures of the experiment\n"
    yield (
        "These are figures 6, 7, 10 and 11 of the paper, drawn from our numbers with the presets "
        "`one-cable` and `two-cables` and the paper's co-rotational beams; the second cable is paid out by "
        "8 mm at first. Length, material and wound lengths are assumed, so only what the paper says in "
        "words can be compared, not the curves. Figures 5 and 9 are photographs; figures 8 and 12 are "
        "errors against measurements, whose greatest values stand above.\n"
    )
    yield from drawn_again("continuum-dynamics")


def formulations() -> Iterator[str]:
    """Metrics of one robot in the two formulations."""
    yield "### The two formulations\n"
    yield (
        "A hanging robot of 0.3 m with ten elements, which one cable bends by 15 mm in 0.3 s. Relative "
        "coordinates take steps of 5 ms, co-rotational beams of 2 ms. A dash means that the tip has not "
        "settled within 8 s.\n"
    )
    body: list[list[str]] = []
    for damping in DAMPINGS:
        for formulation in ("relative", "corotational"):
            found = _metrics(formulation=formulation, mass_damping=damping)
            body.append([f"{damping:g} 1/s", formulation, *(_text(found[name]) for name in COMPARED)])
    yield from rows(["mass damping", "formulation", *COMPARED.values()], body)


def steps() -> Iterator[str]:
    """Metrics with shorter steps."""
    yield "### Steps\n"
    yield "The same robot in relative coordinates, with a mass damping of 1/s and other steps.\n"
    body: list[list[str]] = []
    for step in STEPS:
        found = _metrics(step=step)
        names = {**COMPARED, **EXACT}
        body.append([f"{1e3 * step:g} ms", *(_text(found[name]) for name in names)])
    yield from rows(["step", *COMPARED.values(), *EXACT.values()], body)


def separate_code() -> Iterator[str]:
    """A code of others, in figures of the test that runs it."""
    yield "### A separate code\n"
    yield (
        "exudyn 1.13 computes the robot of the preset `one-cable` with geometrically exact beams that "
        "stretch and shear, a distributed mass, and a cable that is a stiff spring. The table shows the "
        "greatest distance between its tip and that of the relative formulation, in per cent of the length. "
        "The mass of the disks is the same in sum. The greatest tension of the hanging robot differs by 1.1 "
        "% with 10 disks and by 0.2 % with 20. A test computes the column of 10 disks anew.\n"
    )
    yield from rows(["robot", "10 disks", "20 disks"], [list(row) for row in SEPARATE])
