"""The page of reference cases: ``make validation`` computes it, which takes minutes.

It writes ``build/validation.md``; with ``--update`` it also replaces the stored page.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from docs import (
    cable_robot_paper,
    continuum_dynamics_paper,
    continuum_kinematics_paper,
    continuum_statics_paper,
    flexible_arm_paper,
)
from docs.code_blocks import ROOT
from docs.references import own_models
from docs.renewal import Renewal
from models import Model, ReferenceCase

VALIDATION = ROOT / "docs" / "reference" / "validation.md"

MORE = {
    "hybrid-cable-robot": cable_robot_paper.sections,
    "continuum-statics": continuum_statics_paper.sections,
    "continuum-kinematics": continuum_kinematics_paper.sections,
    "continuum-dynamics": continuum_dynamics_paper.sections,
    "flexible-arm": flexible_arm_paper.sections,
}

_HEAD = """# Validation

<!-- Written by `make validation UPDATE=1`. Do not edit. -->

Every model comes with reference cases: numbers that others published or computed. This page shows them
beside the numbers of Tautline (*ours*). `tautline models check` prints the same tables.
A case *agrees* if its relative error is within its tolerance. Some cases are not expected to
agree. The remark then says why; we show these cases and do not tune our numbers to them.
"""


def validation_page() -> str:
    """The page as Markdown; its last digits differ between processors."""
    lines = [line for model in own_models() for line in (*cases_of(model), *more_of(model))]
    return "\n".join([_HEAD, *lines]).rstrip() + "\n"


def more_of(model: Model) -> Iterable[str]:
    """Parts of a back-end's page beside its reference cases: minutes of work."""
    return MORE[model.name]() if model.name in MORE else ()


def cases_of(model: Model) -> Iterable[str]:
    """The reference cases of a back-end."""
    yield f"## {model.name}, version {model.version}\n\n{model.summary}\n"
    cases = model.reference_cases()
    for source in dict.fromkeys(case.source for case in cases):
        yield f"### Source: {source}\n"
        yield from _table([case for case in cases if case.source == source])


def _table(cases: Sequence[ReferenceCase]) -> Iterable[str]:
    """The cases of one source; a remark that all of them share stands above the table."""
    remarks = {case.remark for case in cases}
    shared = remarks.pop() if len(remarks) == 1 else ""
    if shared:
        yield f"{shared[:1].upper()}{shared[1:]}.\n"
    yield "| case | unit | published | ours | relative error | tolerance | agrees | remark |"
    yield "|---|---|---:|---:|---:|---:|---|---|"
    yield from (_row(case, "" if shared else case.remark) for case in cases)
    yield ""


def _row(case: ReferenceCase, remark: str) -> str:
    agrees = {True: "yes", False: "**no**", None: "not expected"}[case.agrees]
    tolerance = "" if case.tolerance is None else f"{case.tolerance:.1g}"
    cells = (
        case.name, case.unit.replace("**", "^"), f"{case.published:.4g}", f"{case.obtained:.4g}",
        f"{case.relative_error:.2g}", tolerance, agrees, remark,
    )  # fmt: skip
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


if __name__ == "__main__":
    renewal = Renewal(
        VALIDATION.parent, ROOT / "build", lambda *pages: float(pages[0] != pages[1]), "--update" in sys.argv
    )
    renewal.put(VALIDATION, validation_page().encode())
    print(renewal)
