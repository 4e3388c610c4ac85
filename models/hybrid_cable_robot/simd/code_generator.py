"""Writes the source of kernels that hold the pose test in scalar locals of short inner loops.

LLVM turns such a loop into vector instructions when it can see everything: a literal trip count,
one flat workspace instead of several arrays that might overlap, straight-line code, and names that
are assigned once. A processor runs it at full speed only while its instructions fit the caches next
to the decoder, so that a long test is cut into stages: each goes over a tile of a few vectors and
leaves what the later ones need in the workspace.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

CABLES = 8
AXES = "xyz"
BLOCK_POSES = 256  # poses per block; a multiple of every tile
TILE_BYTES = 256  # of one number for all poses of a tile: all of them together fit the nearest cache
LINE_BYTES = 64  # of the nearest cache; a vector that begins elsewhere may lie in two lines
NUMBER_BYTES = 8
TILE = TILE_BYTES // NUMBER_BYTES
NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class _Stage:
    """Lines of one inner loop that is run ``times`` times; ``carried`` is what one run hands to the next."""

    lines: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    times: int = 1
    carried: dict[str, str] = field(default_factory=dict[str, str])

    def names(self) -> set[str]:
        """Names that the stage defines."""
        return {name for names, _ in self.lines for name in names.split(", ")}

    def reads(self) -> list[str]:
        """Names that the stage does not define."""
        own = self.names()
        lines = [*self.carried.values(), *(line for _, line in self.lines)]
        found = [n for line in lines for n in NAME.findall(line)]
        return [name for name in dict.fromkeys([*found, *self.carried]) if name not in own]


class PartSource:
    """The lines of a part that the kernel calls by its name, as those of ``parts``."""

    def __init__(self, name: str, arguments: Iterable[str]) -> None:
        self.name, self.arguments = name, list(arguments)
        self._lines: list[str] = []

    def let(self, name: str, expression: str) -> str:
        """Assign a local; every name once."""
        self._lines.append(f"    {name} = {expression}")
        return name

    def text(self, results: Iterable[str]) -> str:
        """The part's source."""
        head = ["@vectorized_part", f"def {self.name}({', '.join(self.arguments)}):"]
        return "\n".join([*head, *self._lines, f"    return {', '.join(results)}"]) + "\n\n\n"


class KernelSource:
    """The lines of one kernel ``name(io, p, blocks)``.

    ``io`` (blocks, rows, ``BLOCK_POSES``) is flat. The rows of a block are the positions x, y and z, then the
    outputs. ``p`` holds what is the same for all poses; it is read before the loop, because a compiler that
    sees an array written must otherwise read it again and again.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.parts = ""
        self.outputs: list[str] = []
        self.constants: list[str] = []
        self._stages = [_Stage()]
        self._rotating: list[str] = []

    def constant(self, name: str) -> str:
        """The next number of ``p``, under that name."""
        self.constants.append(name)
        return name

    def table(self, name: str, *counts: int) -> list[str]:
        """The next numbers of ``p``, a table in row order: ``name_0_0``, ``name_0_1`` and so on."""
        names = [name]
        for count in counts:
            names = [f"{prefix}_{i}" for prefix in names for i in range(count)]
        return [self.constant(each) for each in names]

    def let(self, name: str, expression: str) -> str:
        """Assign a local; every name once. It must be a number when a later stage reads it."""
        self._stages[-1].lines.append((name, expression))
        return name

    def let_all(self, names: Sequence[str], expression: str) -> list[str]:
        """Assign several locals from a tuple, as :meth:`let`."""
        self._stages[-1].lines.append((", ".join(names), expression))
        return list(names)

    def next_stage(self) -> None:
        """Begin another stage."""
        self._stages.append(_Stage())

    def repeat(self, times: int, rotating: Sequence[str] = ()) -> None:
        """Begin a stage that is run several ``times``.

        For a name in ``rotating``, ``{name}_{i}`` is the number i in the first run, and i + t modulo
        ``times`` after t runs.
        """
        self._stages.append(_Stage(times=times))
        self._rotating = list(rotating)

    def carry(self, name: str, expression: str) -> None:
        """Give a name of an earlier stage a new value at the end of a run of this stage."""
        self._stages[-1].carried[name] = expression

    def write(self, name: str, expression: str) -> None:
        """The next output row."""
        self.let(f"out_{name}", expression)
        self.outputs.append(name)

    def text(self) -> str:
        """The kernel's source."""
        stages = [(stage, stage.reads()) for stage in self._stages]
        places = self._places(stages)
        size = (1 + max(row for each in places.values() for row in each)) * TILE
        ahead, tiles = LINE_BYTES // NUMBER_BYTES, BLOCK_POSES // TILE
        rows = len(AXES) + len(self.outputs)
        lines = ["@vectorized", f"def {self.name}(io, p, blocks):"]
        lines += [f"    {name} = p[{i}]" for i, name in enumerate(self.constants)]
        lines += [f"    scratch = np.empty({size + ahead}, np.float64)"]
        lines += [f"    w = scratch[-(scratch.ctypes.data // {NUMBER_BYTES}) % {ahead} :][:{size}]"]
        lines += [f"    for tile in range(blocks * {tiles}):"]
        lines += [f"        block, part = tile // {tiles}, tile % {tiles}"]
        lines += [f"        base = block * {rows * BLOCK_POSES} + part * {TILE}"]
        for k, axis in enumerate(AXES):
            lines += _marked(_copy_lines(f"w[{places[axis][0] * TILE} + l]", _row(k)), str(k))
        lines += self._stage_lines(stages, places)
        for k, name in enumerate(self._results(), len(AXES)):
            lines += _marked(_copy_lines(_row(k), f"w[{places[name][0] * TILE} + l]"), str(k))
        return self.parts + "\n".join(lines) + "\n"

    def _results(self) -> list[str]:
        return [f"out_{name}" for name in self.outputs]

    def _stage_lines(self, stages: list[tuple[_Stage, list[str]]], places: dict[str, list[int]]) -> list[str]:
        lines: list[str] = []
        for number, (stage, reads) in enumerate(stages):
            part = [f"        for run in range({stage.times}):"]
            part += [f"            skip = run * {len(self._rotating) * TILE}"]
            part += [f"            for l in range({TILE}):"]
            part += [f"                {line}" for line in self._body(stage, reads, places)]
            lines += _marked(part, f"s{number}", (name for name in reads if name in places))
        return lines

    def _places(self, stages: list[tuple[_Stage, list[str]]]) -> dict[str, list[int]]:
        """Rows of the workspace for inputs, outputs and what a later stage reads.

        Numbers of rotating names lie behind each other, with copies of the first ones at the end, so that a
        shift by one row is a rotation.
        """
        defined = {*AXES, *(name for stage, _ in stages for name in stage.names())}
        read = dict.fromkeys(name for _, reads in stages for name in reads if name in defined)
        repeated = [(stage, reads) for stage, reads in stages if stage.times > 1]
        rotating = [n for _, reads in repeated for n in reads if self._rotates(n)]
        times = max((stage.times for stage, _ in repeated), default=0)
        count = times + max((int(n.rpartition("_")[2]) for n in rotating), default=0)
        places: dict[str, list[int]] = {}
        for k, name in enumerate(self._rotating):
            for i in range(count):
                places.setdefault(f"{name}_{i % times}", []).append(i * len(self._rotating) + k)
        first = count * len(self._rotating)
        others = [n for n in dict.fromkeys([*AXES, *self._results(), *read]) if n not in places]
        return places | {name: [first + k] for k, name in enumerate(others)}

    def _rotates(self, name: str) -> bool:
        return name.rpartition("_")[0] in self._rotating

    def _body(self, stage: _Stage, reads: list[str], places: dict[str, list[int]]) -> list[str]:
        body: list[str] = []
        for name in reads:
            if name in places:
                skip = "skip + " if stage.times > 1 and self._rotates(name) else ""
                body.append(f"{name} = w[{skip}{places[name][0] * TILE} + l]")
        for names, expression in stage.lines:
            body.append(f"{names} = {expression}")
            body += [
                f"w[{row * TILE} + l] = {name}" for name in names.split(", ") for row in places.get(name, ())
            ]
        return body + [
            f"w[{places[name][0] * TILE} + l] = {result}" for name, result in stage.carried.items()
        ]


def _row(k: int) -> str:
    """A number of row k of the block."""
    return f"io[base + {k * BLOCK_POSES} + l]"


def _copy_lines(target: str, value: str) -> list[str]:
    return [f"        for l in range({TILE}):", f"            {target} = {value}"]


def _marked(lines: list[str], mark: str, read: Iterable[str] = ()) -> list[str]:
    """The lines with marked loop variables and names ``read``: numba is slow where names are reused."""
    reused = {"l", "run", "skip", *read}
    text = NAME.sub(lambda n: f"{n[0]}_{mark}" if n[0] in reused else n[0], "\n".join(lines))
    return text.split("\n")


def total(terms: Iterable[str]) -> str:
    """A sum in two halves, so that additions need not wait for each other."""
    terms = list(terms)
    if len(terms) < 4:
        return " + ".join(terms)
    half = len(terms) // 2
    return f"({total(terms[:half])}) + ({total(terms[half:])})"


def dot(left: Iterable[str], right: Iterable[str]) -> str:
    """Sum of products."""
    return total(f"{a} * {b}" for a, b in zip(left, right, strict=True))


def least(names: Sequence[str]) -> str:
    """Least of the names, as a tree."""
    if len(names) == 1:
        return names[0]
    half = len(names) // 2
    return f"min({least(names[:half])}, {least(names[half:])})"


def call(part: str, *rows: Iterable[str]) -> str:
    """A call of a function of ``parts`` with the names of all rows."""
    return f"{part}({', '.join(name for row in rows for name in row)})"


ENDING = "_with_wheels"  # of the names of kernels that know wheels
SHORT = 1e-4  # [m]; poses with a shorter cable are left to the scalar kernel


def write_units(source: KernelSource, *, wheels: bool) -> str:
    """Unit vectors ``u{i}x`` from attachment to pulley, and their lengths ``n{i}``.

    Reads the position ``x``, ``y``, ``z``, the table ``g`` of pulleys less turned attachments, and those of
    :func:`write_wheels` if there are ``wheels``. Returns an expression that is positive when all
    cables are long enough.
    """
    for i in range(CABLES):
        names = [f"q{i}", f"n{i}", *(f"u{i}{axis}" for axis in AXES)]
        pulley = [f"g_{i}_{k}" for k in range(3)]
        wheel = [*(f"swivel_{i}_{k}" for k in range(3)), f"radius_{i}"]
        if wheels:
            source.let_all(names, call("unit_from_wheel", pulley, wheel, AXES))
        else:
            source.let_all(names, call("unit", pulley, AXES))
    source.let("shortest", least([f"q{i}" for i in range(CABLES)]))
    return f"shortest - {SHORT**2}"


def write_wheels(source: KernelSource, *, wheels: bool) -> None:
    """The constants of ``wheels``, if there are some: swivel axes (8, 3) and radii (8,) m."""
    if wheels:
        source.table("swivel", CABLES, 3)
        source.table("radius", CABLES)


def write_moments(source: KernelSource) -> None:
    """Moments ``m{i}x`` of the unit vectors about the origin; reads the table ``a`` of their arms."""
    for i in range(CABLES):
        arm, pull = [f"a_{i}_{k}" for k in range(3)], [f"u{i}{axis}" for axis in AXES]
        source.let_all([f"m{i}{axis}" for axis in AXES], call("cross", arm, pull))
