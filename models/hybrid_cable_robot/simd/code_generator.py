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

LANES = 256  # poses per block; a multiple of every tile
TILE_BYTES = 256  # of one number for all poses of a tile: all of them together fit the nearest cache
LINE_BYTES = 64  # of the nearest cache; a vector that begins elsewhere may lie in two lines
REALS = {"float64": 8, "float32": 4}  # size in bytes

# Not "reassoc": the order of operations stays as written. The guards decide every close case anew,
# and lengths and pivots have floors, so that neither NaN nor infinity arises.
DECORATOR = (
    "@numba.njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model='numpy', "
    "fastmath={'nnan', 'ninf', 'nsz', 'arcp', 'contract'})"
)
NAME = re.compile(r"[A-Za-z_]\w*")
LITERAL = re.compile(r"(?<![\w.])\d+\.?\d*(?:e[+-]?\d+)?(?![\w.])")


@dataclass(slots=True)
class _Stage:
    """Lines of one inner loop, run ``turns`` times; ``carried`` is what a turn hands to the next."""

    lines: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    turns: int = 1
    carried: dict[str, str] = field(default_factory=dict[str, str])

    def reads(self) -> list[str]:
        """Names that the stage does not define."""
        own = {name for name, _ in self.lines}
        lines = [*self.carried.values(), *(line for _, line in self.lines)]
        found = [n for line in lines for n in NAME.findall(line)]
        return [name for name in dict.fromkeys([*found, *self.carried]) if name not in own]


class Loop:
    """The lines of one kernel ``name(io, p, blocks)``.

    Block b of ``io`` holds ``rows`` rows of ``LANES`` numbers, first the inputs, then the outputs.
    ``p`` holds what is the same for all poses; it is read before the loop, because a compiler that
    sees an array written must otherwise read it again and again. All numbers are of type ``real``.
    """

    def __init__(self, name: str, inputs: Sequence[str], real: str = "float64") -> None:
        self.name = name
        self.real = real
        self.inputs = tuple(inputs)
        self.outputs: list[str] = []
        self.constants: list[str] = []
        self._stages = [_Stage()]
        self._rings: list[str] = []

    @property
    def rows(self) -> int:
        """Rows of a block of ``io``."""
        return len(self.inputs) + len(self.outputs)

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

    def cut(self) -> None:
        """Begin another stage."""
        self._stages.append(_Stage())

    def turn(self, turns: int, rings: Sequence[str] = ()) -> None:
        """Begin a stage that is run ``turns`` times.

        In the first turn ``{ring}_{i}`` means what it says, in turn t that with the index i + t,
        counted round; i must stay below ``turns``.
        """
        self._stages.append(_Stage(turns=turns))
        self._rings = list(rings)

    def carry(self, name: str, expression: str) -> None:
        """What becomes of a name of an earlier stage at the end of a turn."""
        self._stages[-1].carried[name] = expression

    def write(self, name: str, expression: str) -> None:
        """The next output row."""
        self.outputs.append(self.let(f"out_{name}", expression))

    def source(self) -> str:
        """The kernel's source."""
        tile = TILE_BYTES // REALS[self.real]
        stages = [(stage, stage.reads()) for stage in self._stages]
        places = self._places(stages)
        size = (1 + max(row for each in places.values() for row in each)) * tile
        lines = [DECORATOR, f"def {self.name}(io, p, blocks):"]
        lines += [f"    {name} = p[{i}]" for i, name in enumerate(self.constants)]
        ahead = LINE_BYTES // REALS[self.real]
        lines += [f"    room = np.empty({size + ahead}, np.{self.real})"]
        lines += [f"    w = room[-(room.ctypes.data // {REALS[self.real]}) % {ahead} :][:{size}]"]
        lines += [f"    for tile in range(blocks * {LANES // tile}):"]
        lines += [f"        block, part = tile // {LANES // tile}, tile % {LANES // tile}"]
        lines += [f"        base = block * {self.rows * LANES} + part * {tile}"]
        for k, name in enumerate((*self.inputs, *self.outputs)):
            row, own = f"io[base + {k * LANES} + l]", f"w[{places[name][0] * tile} + l]"
            copy = f"{own} = {row}" if k < len(self.inputs) else f"{row} = {own}"
            part = [f"        for l in range({tile}):", f"            {copy}"]
            if k == len(self.inputs):
                lines += self._stage_lines(stages, places, tile)
            lines += _single(part, str(k))
        return "\n".join(lines) + "\n"

    def _stage_lines(
        self, stages: list[tuple[_Stage, list[str]]], places: dict[str, list[int]], tile: int
    ) -> list[str]:
        lines: list[str] = []
        for number, (stage, reads) in enumerate(stages):
            part = [f"        for turn in range({stage.turns}):"]
            part += [f"            skip = turn * {len(self._rings) * tile}"]
            part += [f"            for l in range({tile}):"]
            part += [f"                {line}" for line in self._body(stage, reads, places, tile)]
            lines += _single(part, f"s{number}", (name for name in reads if name in places))
        return lines

    def _places(self, stages: list[tuple[_Stage, list[str]]]) -> dict[str, list[int]]:
        """Rows of the workspace for inputs, outputs and what a later stage reads."""
        defined = {*self.inputs, *(name for stage, _ in stages for name, _ in stage.lines)}
        read = dict.fromkeys(name for _, reads in stages for name in reads if name in defined)
        turned = [(stage, reads) for stage, reads in stages if stage.turns > 1]
        around = [n for _, reads in turned for n in reads if self._in_ring(n)]
        turns = max((stage.turns for stage, _ in turned), default=0)
        count = turns + max((int(n.rpartition("_")[2]) for n in around), default=0)
        places: dict[str, list[int]] = {}
        for k, ring in enumerate(self._rings):
            for i in range(count):
                places.setdefault(f"{ring}_{i % turns}", []).append(i * len(self._rings) + k)
        first = count * len(self._rings)
        others = [n for n in dict.fromkeys([*self.inputs, *self.outputs, *read]) if n not in places]
        return places | {name: [first + k] for k, name in enumerate(others)}

    def _in_ring(self, name: str) -> bool:
        return name.rpartition("_")[0] in self._rings

    def _body(self, stage: _Stage, reads: list[str], places: dict[str, list[int]], tile: int) -> list[str]:
        body: list[str] = []
        for name in reads:
            if name in places:
                skip = "skip + " if stage.turns > 1 and self._in_ring(name) else ""
                body.append(f"{name} = w[{skip}{places[name][0] * tile} + l]")
        for name, expression in stage.lines:
            body.append(f"{name} = {self._typed(expression)}")
            body += [f"w[{row * tile} + l] = {name}" for row in places.get(name, ())]
        return body + [
            f"w[{places[name][0] * tile} + l] = {self._typed(result)}"
            for name, result in stage.carried.items()
        ]

    def _typed(self, expression: str) -> str:
        if self.real == "float64":
            return expression
        return LITERAL.sub(lambda literal: f"{self.real}({literal.group()})", expression)


def _single(lines: list[str], mark: str, read: Iterable[str] = ()) -> list[str]:
    """The lines with marked loop variables and names ``read``: numba is slow where names return."""
    returning = {"l", "turn", "skip", *read}
    text = NAME.sub(lambda n: f"{n[0]}_{mark}" if n[0] in returning else n[0], "\n".join(lines))
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


CABLES = 8
AXES = "xyz"
SHORT = 1e-4  # [m]; poses with a shorter cable are left to the scalar kernel
SHORT_SINGLE = 0.02  # of the greatest coordinate; where single precision leaves them to double precision
FLOOR = 1e-12  # [m^2]; keeps the unit vector of a shorter one finite


def write_units(loop: Loop, *, lengths: bool = False) -> str:
    """Unit vectors ``u{i}x`` from attachment to pulley, and ``w{i}`` their inverse lengths.

    Reads the position ``x``, ``y``, ``z`` and the table ``g`` of pulleys less turned attachments.
    Returns an expression that is positive when all cables are long enough; ``lengths`` asks for
    ``n{i}``, too.
    """
    squares: list[str] = []
    for i in range(CABLES):
        d = [loop.let(f"d{i}{axis}", f"g_{i}_{k} - {axis}") for k, axis in enumerate(AXES)]
        squares.append(loop.let(f"q{i}", f"{d[0]} * {d[0]} + {d[1]} * {d[1]} + {d[2]} * {d[2]}"))
        if lengths:
            loop.let(f"n{i}", f"math.sqrt(max(q{i}, {FLOOR}))")
            loop.let(f"w{i}", f"1.0 / n{i}")
        else:
            loop.let(f"w{i}", f"1.0 / math.sqrt(max(q{i}, {FLOOR}))")
        for axis in AXES:
            loop.let(f"u{i}{axis}", f"d{i}{axis} * w{i}")
    loop.let("shortest", least(squares))
    if loop.real == "float64":
        return f"shortest - {SHORT**2}"
    sizes = [f"abs({name})" for name in (*AXES, *(f"g_{i}_{k}" for i in range(CABLES) for k in range(3)))]
    loop.let("scale", f"max({', '.join(sizes)})")
    return f"shortest - {SHORT_SINGLE**2} * scale * scale"
