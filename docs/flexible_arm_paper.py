"""Sections of the validation page on arms of elastic links."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from docs.cable_robot_paper import rows
from docs.flexible_arm_figures import (
    MOTIONS,
    REGULAR,
    deflection,
    early_contacts,
    frequency,
    motion,
)
from docs.paper_figures import drawn_again
from models.contract import Evaluation
from models.flexible_arm import MODEL, FlexibleArm, Motion, first_contact, simulate
from models.flexible_arm.evaluation import ensemble

MODES = (("rigid", 1), ("ss", 1), ("ss", 2), ("ss", 4), ("ss", 6), ("ss", 8), ("ss", 10), ("ss", 16))
TOLERANCES = (1e-5, 1e-7, 1e-9, 1e-11)
FINEST = 1e-13
EARLY = 0.6  # [s]
RUNS = 32
UNTIL = (0.5, 0.6, 0.7, 0.9, 1.2, 1.5)  # [s]
PER_METRIC = (
    ("first_contact_peak_force", "N"), ("first_contact_impulse", "N s"), ("landing_peak_force", "N"),
    ("energy_kept", "1"), ("max_deflection", "m"), ("peak_force", "N"), ("loss_contact", "J"),
    ("loss_friction", "J"), ("loss_damping", "J"), ("impacts", "1"), ("residual_vibration", "m"),
)  # fmt: skip


def sections() -> Iterator[str]:
    """All of them, as lines of Markdown."""
    yield from first_contacts()
    yield from peak_forces()
    yield from tolerances()
    yield from chaos()
    yield from impact_counts()
    yield from four_motions()
    yield from figures()


def _record(preset: str = "paper", **settings: object) -> FlexibleArm:
    return FlexibleArm.model_validate(MODEL.resolve(preset, settings))


def first_contacts() -> Iterator[str]:
    """The hits of the outer end in the first contact, for both presets."""
    yield "### The first contact\n"
    yield (
        "The paper shows three contacts of each outer end within 9 ms, and one if links are rigid. Rounded "
        "numbers of the paper's table 3 (`as-printed`) change the third by microseconds.\n"
    )
    cells: list[list[str]] = []
    for preset, ends in (("paper", "ss"), ("as-printed", "ss"), ("paper", "rigid")):
        contact = first_contact(simulate(_record(preset, duration=0.5, mode_sets=[ends])).contacts)
        times = ", ".join(f"{hit.entry:.6f}" for hit in contact.hits if hit.point == 0)
        cells.append([preset, ends, str(contact.micro_impacts), times, f"{contact.peak_force:.0f}"])
    yield from rows(["preset", "modes", "contacts", "at [s]", "peak [N]"], cells, 2)


def peak_forces() -> Iterator[str]:
    """Peak forces for each number of modes."""
    yield "### Contact forces and the number of modes\n"
    yield (
        "What hits the ground is the part of a link that takes part at once, and more modes make that part "
        "smaller. The paper has one mode per link. From eight modes on, the peak force of the first contact "
        "stays within 6 %, that of the landing within 12 %, the energy kept within 3 % and the deflection "
        "within 2 %.\n"
    )
    cells: list[list[str]] = []
    for ends, count in MODES:
        outcome = MODEL.evaluate(
            _record(duration=0.65, mode_sets=[ends], modes=count, ensemble={"runs": 2}), "first-contact", 0
        )
        if not isinstance(outcome, Evaluation):
            raise TypeError(outcome.reason)
        found = {key: value or 0.0 for key, value in outcome.metrics.items()}
        cells.append([
            "rigid" if ends == "rigid" else str(count),
            f"{found['first_contact_peak_force']:.0f}", f"{found['first_contact_impulse']:.3f}",
            f"{found['micro_impacts']:.0f}", f"{found['landing_peak_force']:.0f}",
            f"{found['energy_kept']:.4f}", f"{1e3 * found['max_deflection']:.2f}",
        ])  # fmt: skip
    yield from rows(
        [
            "modes per link", "peak [N]", "impulse [N s]", "contacts of the outer end",
            "peak of the landing [N]", "energy kept", "deflection [mm]",
        ],
        cells,
    )  # fmt: skip


def tolerances() -> Iterator[str]:
    """Errors of the motion before it becomes chaotic, for each tolerance."""
    yield "### Tolerance of the integration\n"
    yield (
        f"Greatest difference of any coordinate at {EARLY:g} s from a motion with the tolerance {FINEST:g}, "
        "after ten contacts, and the greatest energy that is gained or lost up to then, by the energy.\n"
    )
    finest = _early_state(FINEST)[0]
    cells: list[list[str]] = []
    for rtol in TOLERANCES:
        state, motion = _early_state(rtol)
        error = float(np.abs(motion.energy_balance.imbalance()).max() / motion.energy_balance.mechanical()[0])
        difference = float(np.abs(state - finest).max())
        cells.append([f"{rtol:g}", f"{difference:.1e}", f"{error:.1e}", str(motion.steps)])
    yield from rows(["tolerance", "difference [m, rad]", "energy error", "steps"], cells)


def _early_state(rtol: float) -> tuple[np.ndarray, Motion]:
    motion = simulate(_record(duration=EARLY, rtol=rtol))
    return motion.states[-1, : motion.states.shape[1] // 2], motion


def chaos() -> Iterator[str]:
    """Spreads of the metrics over an ensemble, which show those that are robust."""
    yield "### Chaos\n"
    yield (
        f"Statistics of the paper's arm over {RUNS} motions of 1.5 s. In each of them five parameters differ "
        "by up to a millionth. Metrics of the first contact are as good as exact, later ones are not.\n"
    )
    outcome = MODEL.evaluate(_record(ensemble={"runs": RUNS}), "ensemble", 0)
    if not isinstance(outcome, Evaluation):
        raise TypeError(outcome.reason)
    cells: list[list[str]] = []
    for name, unit in PER_METRIC:
        mean, spread, low, high = (
            outcome.metrics[f"{name}.{ending}"] or 0.0 for ending in ("mean", "spread", "q05", "q95")
        )
        cells.append([
            f"`{name}`", unit, f"{mean:.5g}", f"{spread:.2g}", f"{spread / mean:.1e}",
            f"{low:.5g}", f"{high:.5g}",
        ])  # fmt: skip
    yield from rows(["metric", "unit", "mean", "spread", "spread / mean", "5 %", "95 %"], cells, 2)


def impact_counts() -> Iterator[str]:
    """Numbers of contacts in the motions of an ensemble, up to some instants."""
    yield "### Impacts under changes by a millionth\n"
    yield (
        f"Contacts that the same {RUNS} motions have up to an instant. Up to 0.9 s all motions have equally "
        "many; later it is chance. An odd number belongs to a motion whose symmetry rounding has broken. "
        "The paper counts 22.\n"
    )
    runs = ensemble(_record(ensemble={"runs": RUNS}), 0)
    entries = [np.array([hit.entry for hit in simulate(run).contacts]) for run in runs]
    cells: list[list[str]] = []
    for until in UNTIL:
        counts = np.array([np.count_nonzero(each <= until) for each in entries])
        found = ", ".join(
            f"{count} ({times})" for count, times in zip(*np.unique(counts, return_counts=True), strict=True)
        )
        cells.append([f"{until:g}", f"{counts.mean():.1f}", found])
    yield from rows(["up to [s]", "mean", "contacts (motions that have as many)"], cells, 3)


def four_motions() -> Iterator[str]:
    """The motions behind the paper's figures, with what the paper says about them."""
    yield "### The four sets of mode shapes\n"
    yield (
        "The motions of the paper's figures, with one mode per link, up to 0.9 s. The paper says that arms "
        "with clamped links (cc-cc-cc, sc-cc-cs) bend less and vibrate faster than the others (figures 6, 9 "
        "and 10), and so do ours. It prints no frequency, and of amplitudes only that they differ by almost "
        "three times (reference cases above). The frequency is that of the weight of link 1 from the first "
        "contact on, counted by the changes of sign of its rate. Deflections are measured from the line "
        "through the ends of a link.\n"
    )
    cells: list[list[str]] = []
    for name in MOTIONS:
        found = motion(name)
        cells.append([
            name, f"{1e3 * deflection(found, 0.0, REGULAR):.1f}", f"{frequency(found, 0):.0f}",
            f"{found.first.peak_force:.0f}", str(early_contacts(found)),
        ])  # fmt: skip
    head = ["mode shapes", "deflection [mm]", "frequency [Hz]", "peak of the first contact [N]", "contacts"]
    yield from rows(head, cells)


def figures() -> Iterator[str]:
    """The paper's figures made anew, with both statements."""
    yield "### The figures of the falling arm\n"
    yield (
        "These are figures 4 to 14 of the paper, drawn from our numbers with the preset `paper`, and what "
        "the paper says about each. O1 to O4 are the paper's joints, our ends 0 to 3; X1 is our x, X2 our "
        "y. The paper's curves exist only as pictures. As motions are chaotic after about 0.9 s, only what "
        "comes before can be compared.\n"
    )
    yield from drawn_again("flexible-arm")
