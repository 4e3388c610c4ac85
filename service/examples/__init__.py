"""Study files to begin with, as files of the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from service.resources.drafts import ExampleResource
from studies.study_file import parse_study

DEMO = "demo"
_NAMES = (
    "continuum-workspace", "continuum-payload", "multi-section", "cable-drive", "falling-arm", "cogiro",
    "pulley-tolerances",
)  # fmt: skip


@cache
def examples() -> list[ExampleResource]:
    """The demo's study, and those that stand in ``examples`` of the sources too."""
    folder = files("service")
    places = {DEMO: folder / "demo.toml"} | {name: folder / "examples" / f"{name}.toml" for name in _NAMES}
    return [_example(name, place.read_text(encoding="utf-8")) for name, place in places.items()]


def _example(name: str, toml: str) -> ExampleResource:
    study = parse_study(toml, name)
    return ExampleResource(example=name, model=study.model, description=study.description, toml=toml)
