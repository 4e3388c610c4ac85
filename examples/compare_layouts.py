"""Compare two layouts from Python: run a study, then look at fronts, criteria and single designs.

Run it as ``python examples/compare_layouts.py``. Each ``# %%`` starts a cell in editors and notebooks
that know this mark. ``--quick`` searches a few designs on a coarse grid.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import tautline
from models.hybrid_cable_robot import workspace

STUDY = Path(__file__).with_name("robocab.toml")


def read(*, quick: bool) -> tautline.StudyDefinition:
    """The study of ``robocab.toml``; when quick, a much smaller one under another name."""
    # %% a definition is a frozen record: change a copy, give it another name
    definition = tautline.read_study(STUDY)
    if not quick:
        return definition
    search = definition.search.model_copy(update={"population": 8, "generations": 3})
    parameters = {**definition.parameters, "cells": 6, "orientations": "nominal"}
    return definition.model_copy(
        update={
            "name": "robocab-quick",
            "seeds": [1],
            "search": search,
            "parameters": parameters,
            "constraints": {},
        }
    )


def show(store: tautline.Store, study: tautline.StudyRecord) -> None:
    """Print the comparison, and evaluate the best design of each layout."""
    # %% which layout wins each criterion
    comparison = tautline.compare_layouts(store, study)
    for criterion in comparison.criteria:
        values = "  ".join(f"{layout} {_number(value)}" for layout, value in criterion.values.items())
        print(f"{criterion.name} [{criterion.unit or '-'}]: {values}  winner: {criterion.winner or 'none'}")

    # %% the design with the largest workspace on each front, cell by cell
    model = tautline.load_model("hybrid-cable-robot")
    definition = tautline.StudyDefinition.model_validate(study.definition)
    for layout, front in comparison.fronts.items():
        if not front:
            print(f"{layout}: no feasible design")
            continue
        best = max(front, key=lambda design: design.metrics["workspace_volume"] or 0.0)
        settings = {**definition.parameters, **best.variables}
        found = workspace(model.resolve(definition.layouts[layout].preset, settings))
        low, high = found.points.min(axis=0), found.points.max(axis=0)
        print(f"{layout}: {found.volume:.4g} m^3 between {low.round(3)} and {high.round(3)} m")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def main() -> None:
    """Run or continue the study, print, and write the report beside the store."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="a few designs on a coarse grid")
    options.add_argument("--workers", type=int, help="local worker processes; by default one per core")
    chosen = options.parse_args()
    study = tautline.run(read(quick=chosen.quick), store="tautline.db", workers=chosen.workers)
    with tautline.open_existing("tautline.db") as store:
        show(store, study)
        print("wrote", tautline.write_report(store, study.name, Path(f"{study.name}.html")))


if __name__ == "__main__":  # local workers first import this file
    main()
