"""Hooks of mkdocs: references are put in from the code, and TeX becomes MathML, which needs no script."""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

from docs.references import REFERENCES, model_page, own_models

_MARK = re.compile(r'^(```\w+) title="[^".]+"', re.MULTILINE)
"""Titles of code blocks that tell tests what to do with them, and are no names of files."""
_REFERENCE = re.compile(r"<!-- reference: ([a-z-]+) -->")
_ROLE = re.compile(r":(?:class|func|meth|mod|attr|data):(?=<code>)(<code>)~?")
_TEX = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
_UNREAD = re.compile(r"<m[io]>(\\[A-Za-z]+|&)</m[io]>")


def mathml(tex: str, *, display: bool) -> str:
    """Return MathML of TeX; raise ``ValueError`` with the TeX that cannot be read."""
    braces = re.sub(r"\\[{}]", "", tex)
    if braces.count("{") != braces.count("}"):
        raise ValueError(f"{tex}: braces that do not match")
    try:
        converted = convert(tex.replace("{aligned}", "{split}"), display="block" if display else "inline")
    except Exception as error:  # the converter has a dozen of its own, without a common base
        raise ValueError(f"{tex}: {type(error).__name__} {error}".strip()) from error
    if unread := _UNREAD.search(converted):
        raise ValueError(f"{tex}: latex2mathml does not know {unread.group(1)} here")
    return converted


def on_files(files: Any, config: Any, **_: object) -> Any:
    """Add a page for the parameters and metrics of each back-end."""
    for model in own_models():
        files.append(File.generated(config, f"reference/models/{model.name}.md", content=model_page(model)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:
    """Put in the references that a page asks for, and leave out marks of code blocks."""

    def written(found: re.Match[str]) -> str:
        if found.group(1) not in REFERENCES:
            known = ", ".join(REFERENCES)
            raise PluginError(f"{page.file.src_uri}: no reference {found.group(1)} (known: {known})")
        return REFERENCES[found.group(1)]()

    return _MARK.sub(r"\1", _REFERENCE.sub(written, markdown))


def on_page_content(content: str, page: Any, **_: object) -> str:
    """Replace the TeX of a page, which ``pymdownx.arithmatex`` has marked; unmark roles of docstrings."""

    def written(found: re.Match[str]) -> str:
        tex, display = html.unescape(found.group(2)).strip(), found.group(1) == "div"
        try:
            return mathml(tex, display=display)
        except ValueError as error:
            raise PluginError(f"{page.file.src_uri}: equation {error}") from error

    return _TEX.sub(written, _ROLE.sub(r"\1", content))
