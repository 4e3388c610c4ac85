"""Faults of pages and examples: each is found with its file and line, and ours have none."""

import shutil

import pytest

from docs.check import faults
from docs.code_blocks import ROOT

PAGE = """# One page

A [page](two.md#a-heading) and a [model](reference/models/flexible-arm.md#metrics).

![a picture](picture.png)

```toml
name = "a"
```

```bash
tautline study run a.toml --workers 2 # and so on
```

Run `tautline study list`.
"""
TWO = "# Two\n\n## A `heading`\n\n<!-- reference: errors -->\n"


@pytest.fixture
def tree(tmp_path):
    """A page without faults, another that it names, and an example."""
    for name in ("docs", "examples"):
        (tmp_path / name).mkdir()
    (tmp_path / "docs" / "one.md").write_text(PAGE)
    (tmp_path / "docs" / "two.md").write_text(TWO)
    (tmp_path / "docs" / "picture.png").touch()
    shutil.copy(ROOT / "examples" / "continuum-workspace.toml", tmp_path / "examples")
    return tmp_path


def test_our_pages_and_examples_have_no_faults():
    assert [str(fault) for fault in faults()] == []


def test_a_page_without_faults_is_taken(tree):
    assert faults(tree) == []


@pytest.mark.parametrize(
    ("good", "bad", "line", "message"),
    [
        ("two.md#a-heading", "three.md", 3, "link three.md: there is no such file"),
        ("two.md#a-heading", "two.md#another", 3, "link two.md#another: that page has no such heading"),
        ("flexible-arm.md#metrics", "flexible-arm.md#speed", 3, "link reference/models/flexible-arm.md#speed: that page has no such heading"),
        ("picture.png", "other.png", 5, "picture other.png: there is no such file"),
        ('name = "a"', 'name = "a', 8, "toml: "),
        ("```toml\nname", "```python\nfine = 1\nname =", 9, "python: "),
        ("study run", "study begin", 12, "there is no command begin"),
        ("--workers", "--cores", 12, "there is no option --cores"),
        ("study list", "study lists", 15, "`tautline study lists`: there is no command lists"),
    ],
)  # fmt: skip
def test_a_fault_of_a_page_is_told_with_its_line(tree, good, bad, line, message):
    assert PAGE.count(good) == 1
    (tree / "docs" / "one.md").write_text(PAGE.replace(good, bad))
    (fault,) = faults(tree)
    assert (fault.file, fault.line) == ("docs/one.md", line)
    assert message in fault.message


def test_an_example_that_fails_its_check_is_told_with_its_line(tree):
    path = tree / "examples" / "continuum-workspace.toml"
    text = path.read_text()
    assert "\n[search]\n" in text
    path.write_text(text.replace("\n[search]\n", "\n[search]\npopluation = 3\n"))
    (fault,) = faults(tree)
    assert fault.file == "examples/continuum-workspace.toml"
    assert path.read_text().splitlines()[fault.line - 1] == "popluation = 3"
    assert "unknown key 'popluation'" in fault.message
