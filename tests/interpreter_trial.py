"""Answers that may not depend on the version of Python, as JSON on stdout.

``python -m tests.interpreter_trial words`` (or ``results``, or ``front STORE [EVALUATIONS]``); tests/test_interpreters.py
compares the answers of two interpreters.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import typer
from typer.testing import CliRunner

from docs.code_blocks import ROOT, code_blocks
from errors import TautlineError
from models import load, own_model
from models.model_source import ModelSource
from service import openapi
from service.app.drafts import read_table
from service.cli import app
from service.web.documents import read_json
from studies.definition.study_file import parse_study, read_study
from studies.exchange.source_text import xml_root, yaml_or_json
from studies.execution import Executor
from studies.execution.evaluation_key import evaluation_key
from studies.results.fronts import fronts
from studies.run.launch import resume_study, run_study
from studies.store import Store
from tests.conftest import InlineExecutor

OWN_MODEL = next(
    block.text for block in code_blocks(ROOT / "docs" / "guide" / "own-model.md") if block.title == "truss.py"
)
EXAMPLES = ROOT / "examples"
BACK_ENDS = (
    "hybrid-cable-robot",
    "continuum-statics",
    "continuum-kinematics",
    "continuum-dynamics",
    "flexible-arm",
)
SEARCH = """
name = "trial"
model = "hybrid-cable-robot"
seeds = [1]
[parameters]
cells = 8
[layouts.constrained]
preset = "constrained"
[layouts.suspended]
preset = "suspended"
variables.beta1 = { lower = "0 deg", upper = "360 deg" }
[variables]
beta1 = { lower = "0 deg", upper = "90 deg" }
"platform_body.mass" = { lower = "0.5 kg", upper = "3 kg" }
[objectives]
workspace_volume = "maximize"
interference_margin = "maximize"
[constraints]
F2 = { upper = "200 m^-1.5" }
capacity_margin_mean = { lower = 0.01 }
mass = { upper = "9 kg" }
[search]
algorithm = "nsga2"
population = 10
generations = 3
"""
FAULTY_FILES = {
    read_json: ["", "{", '{"a": 1,}', "[1, 2", '{"a" 1}', '"a\nb"', "nul", "[1] 2", "[NaN]", "[" * 5000, "{'a': 1}"],
    parse_study: ["", "a = ", "a = 1\na = 2", "[a\n", 'a = "', "a = 1979-99-01", "a = [1", "a = {b = 1", "= 1", "name = 1"],
    lambda text: xml_root(text, "file"): ["", "<a>", "<a><b></a>", "<a b=c/>", "<a/><b/>"],
    lambda text: yaml_or_json(text, "file"): ["{", "a: [1", "a: b: c", "- a\nb", "\t"],
    read_table: ["a = ", "[[a]"],
}  # fmt: skip


def words() -> Iterator[tuple[str, Any]]:
    """Descriptions, help, errors, digests and keys."""
    yield "openapi", openapi.described()
    yield from help_texts(typer.main.get_command(app), ())
    for number, (reader, texts) in enumerate(FAULTY_FILES.items()):
        for text in texts:
            yield f"fault {number} {text[:20]!r}", fault_of(reader, text)
    for file in sorted(EXAMPLES.glob("*.toml")):
        yield f"digest {file.name}", read_study(file).digest()
    own = own_model.load_source(ModelSource("truss.py", "/", OWN_MODEL))
    yield "own model", [own.digest, own.summary]
    for name in BACK_ENDS:
        for preset in load(name).presets:
            parameters = load(name).resolve(preset, {}).model_dump(mode="json")
            yield f"key {name} {preset}", evaluation_key(load(name), parameters, "all", 0)


def help_texts(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Help of a command and of those below it."""
    shown = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "100", "TERM": "dumb"})
    yield f"help {' '.join(path)}", shown.output
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        yield from help_texts(inner, (*path, name))


def fault_of(reader: Callable[[Any], object], text: str) -> str:
    """Message of an error of ours."""
    try:
        reader(text.encode() if reader is read_json else text)
    except TautlineError as error:
        return str(error)
    return ""


def results() -> Iterator[tuple[str, Any]]:
    """All metrics of each back-end's first preset, exactly."""
    small: Mapping[str, Mapping[str, Any]] = {
        "hybrid-cable-robot": {"cells": 10},
        "continuum-statics": {"rays": 8},
        "flexible-arm": {"modes": 1},
    }
    for name in BACK_ENDS:
        found = load(name).evaluate(load(name).resolve(None, small.get(name, {})), "all", 0)
        yield name, {metric: exact(value) for metric, value in found.metrics.items()}


def front(path: str, evaluations: str = "") -> Iterator[tuple[str, Any]]:
    """The front of a small search; it stops after so many evaluations, and a stored one goes on."""
    definition = parse_study(SEARCH)

    def opener() -> AbstractContextManager[Executor]:
        return nullcontext(InlineExecutor(stop_after=int(evaluations) if evaluations else None))

    with Store(path) as store:
        stored = bool(store.studies())
        study = (
            resume_study(store, definition.name, opener) if stored else run_study(store, definition, opener)
        )
        yield "state", study.state
        for layout, designs in fronts(store, study).items():
            for design in designs:
                yield f"{layout} {design.key}", {name: exact(value) for name, value in design.metrics.items()}


def exact(value: Any) -> Any:
    return value.hex() if isinstance(value, float) else np.asarray(value).tolist()


if __name__ == "__main__":
    wanted, *arguments = sys.argv[1:]
    answers = {"words": words, "results": results, "front": front}[wanted](*arguments)
    sys.stdout.write(json.dumps(dict(answers)))
