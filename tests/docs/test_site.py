"""The site builds without a warning, fetches nothing, and changes no file."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

import models
from docs import (
    cable_robot_paper,
    continuum_dynamics_paper,
    continuum_kinematics_paper,
    continuum_statics_paper,
    flexible_arm_paper,
    gallery_entries,
    gallery_fronts,
)
from docs.code_blocks import ROOT
from docs.paper_figures import FIGURES, picture
from docs.validation import VALIDATION, cases_of, own_models

PAGES_OF_SITE = sorted((ROOT / "docs").rglob("*.md"))
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_FETCHED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"?(?:https?:)?//", re.IGNORECASE)
LONG_SECTIONS = [
    cable_robot_paper.verdicts, continuum_statics_paper.figures, continuum_statics_paper.payloads, continuum_statics_paper.refinement, continuum_statics_paper.rays, continuum_kinematics_paper.sampling
]  # fmt: skip


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy of what git has, or would take."""
    folder = tmp_path_factory.mktemp("checkout")
    listed = git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for command in (("init", "--quiet"), ("add", "--all")):
        git(folder, *command)
    return folder


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def changed(folder: Path) -> str:
    """Files of a checkout that differ from what is staged, or are new and not ignored."""
    return git(folder, "diff", "--name-only") + git(folder, "ls-files", "--others", "--exclude-standard")


def test_make_docs_builds_strictly_fetches_nothing_and_changes_no_file(checkout: Path) -> None:
    command = (ROOT / "Makefile").read_text().split("\ndocs: ")[1].splitlines()[1].strip()
    result = subprocess.run(
        ["/bin/sh", "-c", command.replace("$(BIN)/python", sys.executable)],
        cwd=checkout, capture_output=True, text=True, check=False, timeout=280,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "WARNING" not in result.stderr
    assert not changed(checkout)
    site = checkout / "site"
    built = sorted(site.rglob("*.html"))
    names = {path.relative_to(site).with_suffix("").as_posix() for path in built}
    written = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in PAGES_OF_SITE}
    assert names >= written | {f"reference/models/{model.name}" for model in own_models()}
    for page in built:
        assert not _FETCHED.search(page.read_text(encoding="utf-8")), page.name
        assert "<!-- reference:" not in page.read_text(encoding="utf-8"), page.name
    assert not list(site.rglob("*.py*"))


def test_make_gallery_changes_stored_pictures_only_on_request(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The search is a smaller one and finds other designs than the stored ones, as another processor may."""
    git(checkout, "add", "--all")
    less = gallery_entries.Less(population=4, generations=1)
    folder = checkout / "docs" / "gallery"
    entry = gallery_entries.entry_of(gallery_entries.HERE / "kntu-planar.md")
    head = entry.head.model_copy(update={"search": less})
    entry = replace(entry, page=folder / "kntu-planar.md", head=head)
    found = gallery_fronts.searched(entry)
    for name, value in {
        "ROOT": checkout, "HERE": folder, "entries": lambda: [entry], "searched": lambda _: found
    }.items():  # fmt: skip
        monkeypatch.setattr(gallery_fronts, name, value)
    stored = ["docs/gallery/kntu-planar.svg", "docs/gallery/pictures/kntu-planar.svg"]
    for update in ([], ["UPDATE=1"]):
        gallery_fronts.main(planned(checkout, "gallery", "GALLERY=kntu-planar", *update))
        assert changed(checkout).split() == (stored if update else [])
        for name in stored:
            drawn = (checkout / name.replace("docs", "build", 1)).read_bytes()
            assert (drawn == (checkout / name).read_bytes()) == bool(update), name
        said = capsys.readouterr().out.splitlines()[-1]
        assert said.startswith("2 files in ")
        assert ("2 replaced in" if update else "2 not as in") in said
    git(checkout, "checkout", "--", *stored)


@pytest.mark.parametrize("target", ["gallery", "screenshots", "validation"])
def test_stored_files_are_replaced_only_where_a_target_is_told_to(target: str) -> None:
    assert planned(ROOT, target) == []
    assert planned(ROOT, target, "UPDATE=1") == ["--update"]


def planned(folder: Path, target: str, *settings: str) -> list[str]:
    """Arguments that a target of the Makefile gives to its module."""
    words = ["make", "--dry-run", "--no-print-directory", target, *settings]
    alone = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKELEVEL"}}
    lines = subprocess.run(
        words, cwd=folder, env=alone, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return shlex.split(lines[-1])[3:]


def test_validation_page_has_every_reference_case() -> None:
    """Numbers may differ in last digits between processors; rows and verdicts may not."""
    written = VALIDATION.read_text(encoding="utf-8")
    assert [model.name for model in own_models()] == [
        name for name in models.names() if f"## {name}," in written
    ]
    expected = [row for model in own_models() for row in _cases(cases_of(model))]
    assert _cases(written.splitlines()) == expected, "run `make validation UPDATE=1`"
    assert "**no**" not in written


def _cases(lines: Iterable[str]) -> list[tuple[str, str]]:
    rows = [line.split(" | ") for line in lines if line.startswith("| ") and "| case |" not in line]
    return [
        (cells[0], cells[6])
        for cells in rows
        if len(cells) == 8 and cells[6] in {"yes", "**no**", "not expected"}
    ]


@pytest.mark.parametrize(
    "section",
    [
        cable_robot_paper.volumes, cable_robot_paper.table_5, cable_robot_paper.powers, continuum_statics_paper.experiments,
        continuum_kinematics_paper.axes, continuum_kinematics_paper.workspaces, continuum_kinematics_paper.random_poses,
        continuum_dynamics_paper.axes, continuum_dynamics_paper.figures, flexible_arm_paper.first_contacts,
        flexible_arm_paper.peak_forces, flexible_arm_paper.tolerances, flexible_arm_paper.four_motions, flexible_arm_paper.figures,
        *(pytest.param(section, marks=pytest.mark.soak) for section in LONG_SECTIONS),
    ],
)  # fmt: skip
def test_sections_on_the_paper_are_up_to_date(section: Callable[[], Iterable[str]]) -> None:
    _assert_written("\n".join(section()))


def test_figures_of_papers_have_their_pictures() -> None:
    """`make screenshots` draws them; there are no others."""
    wanted = {picture(model, figure.number) for model, figures in FIGURES.items() for figure in figures}
    docs = ROOT / "docs"
    drawn = {str(each.relative_to(docs)) for each in docs.rglob("images/*/*")}
    assert drawn == wanted
    for each in wanted:
        assert (docs / each).read_bytes()[8:12] == b"WEBP"


@pytest.mark.soak
def test_section_on_random_paths_is_up_to_date() -> None:
    _assert_written("\n".join(cable_robot_paper.random_paths()))


def test_first_range_over_random_paths_is_up_to_date() -> None:
    kind = next(iter(cable_robot_paper.PATH_KINDS))
    _assert_written(f"| {kind} | 0 | {cable_robot_paper.path_range(kind, 0.0, cable_robot_paper.RULES[0])} |")


def _assert_written(text: str) -> None:
    """The validation page has this text; its numbers may differ by one per cent of the greater."""
    words = _NUMBER.split(text.strip())
    pattern = re.compile(f"({_NUMBER.pattern})".join(re.escape(word) for word in words))
    found = pattern.search(VALIDATION.read_text(encoding="utf-8"))
    assert found, "run `make validation UPDATE=1`"
    now = [float(number) for number in _NUMBER.findall(text)]
    assert [float(number) for number in found.groups()] == pytest.approx(now, rel=0.01, abs=1e-9)
