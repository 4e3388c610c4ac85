"""The text of a model of the user's own: one Python file, or one cell of a notebook.

A process that evaluates gets the text, not the path: it computes by the text that the run began with, also
when the file has changed since, and no process opens a file that another one names.
"""

from __future__ import annotations

import hashlib
import json
import linecache
from dataclasses import dataclass
from pathlib import Path

from errors import ModelLoadError

MOST_BYTES = 256 * 1024
"""Most bytes of one file of a model."""
_READ = 2**20


@dataclass(frozen=True, slots=True)
class ModelSource:
    """Sources of a model of the user's own.

    Attributes
    ----------
    name : str
        Of the file, or "notebook cell".
    folder : str
        Where the files that it names lie.
    text : str
        The Python code.
    files : tuple of (str, str)
        Names of files in the folder on which results depend, and the sha256 of their content.
    """

    name: str
    folder: str
    text: str
    files: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """sha256 of the code and of the files, wherever they lie."""
        return hashlib.sha256(json.dumps([self.text, self.files]).encode()).hexdigest()

    @property
    def module(self) -> str:
        """A name for the module of this code that no other module has."""
        place = json.dumps([self.name, self.folder, self.text])
        return f"{OWN_MODULE}{hashlib.sha256(place.encode()).hexdigest()[:16]}"


OWN_MODULE = "tautline_own_model_"
"""Names of the modules of users' own models begin so."""


def read_source(path: Path) -> ModelSource:
    """The code in a file; raises ``ModelLoadError`` for what cannot be a model."""
    place = (str(path),)
    if path.is_dir():
        raise ModelLoadError("is a folder; name the Python file that defines the model", place)
    if path.suffix == ".ipynb":
        raise ModelLoadError(
            "is a notebook: call tautline.run(..., model=...) in it, or save the cell of the model as a "
            "Python file",
            place,
        )
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ModelLoadError(f"cannot be read: {error.strerror}; name a Python file", place) from None
    if len(content) > MOST_BYTES:
        raise ModelLoadError(f"has more than {MOST_BYTES // 1024} KiB, too much for a model", place)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = f"is not UTF-8 text (byte {error.start}), so no Python file"
        raise ModelLoadError(text, place) from None
    return ModelSource(path.name, str(path.resolve().parent), _normal(text))


def source_of_code(code: str) -> ModelSource:
    """The source of code by what Python calls it: a file, or a cell that a notebook has carried out."""
    if Path(code).is_file():
        return read_source(Path(code))
    # From Python 3.13 on, linecache has the text of ``python -c`` under the name that all of exec has.
    lines = [] if code == "<string>" else linecache.getlines(code)
    if not lines:
        raise ModelLoadError(
            f"the source of this model is not known (Python calls it {code}); define it in a file or in one "
            "cell of a notebook",
            ("model",),
        )
    return ModelSource("notebook cell", str(Path.cwd()), _normal("".join(lines)))


def file_digest(source: ModelSource, name: str) -> str:
    """sha256 of a file beside the code; raises ``ModelLoadError`` when it cannot be read."""
    digest = hashlib.sha256()
    try:
        with (Path(source.folder) / name).open("rb") as file:
            while content := file.read(_READ):
                digest.update(content)
    except OSError as error:
        raise ModelLoadError(
            f"the file '{name}' on which the model depends cannot be read in {source.folder}: "
            f"{error.strerror}",
            (source.name,),
        ) from None
    return digest.hexdigest()


def _normal(text: str) -> str:
    """Text with one kind of line end, so that a file and the same file in a notebook are one."""
    return "\n".join(text.splitlines()).rstrip() + "\n"
