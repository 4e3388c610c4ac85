"""Environments that hold a wheel and what its ``Requires-Dist`` asks for, in turn, and nothing else.

No network is needed: the files of the distributions are linked from the environment that runs the tests.
"""

import os
import shutil
import sysconfig
import venv
import zipfile
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution, distributions
from importlib.util import cache_from_source
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name


def required(own: Distribution, extras: Iterable[str] = ()) -> dict[NormalizedName, Distribution]:
    """Distributions that pip would install beside one with extras, by their names.

    Raises ``PackageNotFoundError`` if one of them is not in this environment.
    """
    found = {canonicalize_name(own.name): own}
    waiting = [(own, extra) for extra in ("", *extras)]
    for holder, extra in waiting:
        for wanted in map(Requirement, holder.requires or ()):
            if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
                name = canonicalize_name(wanted.name)
                each = found.setdefault(name, own if name in found else distribution(name))
                assert wanted.specifier.contains(each.version, prereleases=True), (holder.name, str(wanted))
                more = ((each, extra) for extra in ("", *sorted(wanted.extras)))
                waiting.extend(pair for pair in more if pair not in waiting)
    del found[canonicalize_name(own.name)]
    return found


def make(home: Path, wheel: Path, *extras: str, without: Iterable[str] = ()) -> Path:
    """An environment with a wheel and what it requires; its Python.

    ``without`` names requirements to strike out of the metadata of the unpacked wheel.
    """
    venv.create(home, with_pip=False, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    zipfile.ZipFile(wheel).extractall(site)  # as pip does, which takes longer
    (metadata,) = site.glob("tautline-*.dist-info/METADATA")
    lines = metadata.read_text(encoding="utf-8").splitlines(keepends=True)
    struck = {f"Requires-Dist: {name}\n" for name in without}
    assert struck <= {*lines}
    metadata.write_text("".join(line for line in lines if line not in struck), encoding="utf-8")
    (own,) = distributions(path=[str(site)])
    for each in required(own, extras).values():
        _link(each, site)
    return home / "bin" / "python"


def _link(each: Distribution, site: Path) -> None:
    """Link the files of a distribution that lie among the packages, with what is compiled of them."""
    listed = [file for file in each.files or () if file.parts[0] != ".." and file.suffix != ".pyc"]
    assert listed, each.name
    home = Path(str(each.locate_file("")))
    compiled = (cache_from_source(str(file)) for file in listed if file.suffix == ".py")
    names = [*map(str, listed), *(name for name in compiled if (home / name).exists())]
    for folder in {Path(name).parent for name in names}:
        (site / folder).mkdir(parents=True, exist_ok=True)
    for name in names:
        try:
            os.link(home / name, site / name)
        except OSError:  # another file system
            shutil.copy2(home / name, site / name)
