"""Equations of the pages: TeX in the source, MathML on the site."""

import re
from types import SimpleNamespace

import pytest
from markdown import markdown
from mkdocs.exceptions import PluginError

from docs.hooks import on_page_content

PAGE = SimpleNamespace(file=SimpleNamespace(src_uri="models/arm.md"))


def built(text):
    marked = markdown(
        text,
        extensions=["pymdownx.arithmatex"],
        extension_configs={"pymdownx.arithmatex": {"generic": True}},
    )
    return on_page_content(marked, PAGE)


def test_equations_in_a_line_and_of_their_own_become_mathml():
    page = built("The force $f < 2$ costs 5 $ or `$x$`.\n\n$$\n\\frac{a}{b}\n$$\n")
    inline, display = re.findall(r"<math.*?</math>", page)
    assert 'display="inline"' in inline
    assert "<mo>&#x0003C;</mo>" in inline
    assert 'display="block"' in display
    assert "<mfrac>" in display
    assert "costs 5 $ or <code>$x$</code>" in page
    assert "arithmatex" not in page


def test_aligned_lines_become_a_table():
    page = built("$$\n\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}\n$$\n")
    assert page.count("<mtr>") == 2


@pytest.mark.parametrize("tex", [r"\tension_i", "a & b", r"\left( a", r"a_{b"])
def test_tex_that_cannot_be_read_stops_the_build_with_its_page(tex):
    with pytest.raises(PluginError, match=r"models/arm\.md: equation ") as caught:
        built(f"$$\n{tex}\n$$\n")
    assert tex in str(caught.value)
