"""Writes the source of a kernel whose inner loop holds one whole pass in scalar locals.

LLVM turns such a loop into vector instructions when it can see everything: a literal trip count,
one flat workspace instead of several arrays that might overlap, straight-line code, and names that
are assigned once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LANES = 256  # poses per block; a multiple of every vector width

# Not "reassoc": the order of operations stays as written. The guards decide every close case anew,
# and lengths and pivots have floors, so that neither NaN nor infinity arises.
DECORATOR = (
    "@numba.njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model='numpy', "
    "fastmath={'nnan', 'ninf', 'nsz', 'arcp', 'contract'})"
)


class Loop:
    """The lines of one kernel ``name(io, p, blocks)``.

    Block b of the workspace ``io`` holds ``rows`` rows of ``LANES`` numbers, first the inputs, then
    the outputs. ``p`` holds what is the same for all poses; it is read before the loop, because a
    compiler that sees ``io`` written must otherwise read it again and again.
    """

    def __init__(self, name: str, inputs: Sequence[str]) -> None:
        self.name = name
        self.inputs = tuple(inputs)
        self.outputs: list[tuple[str, str]] = []
        self.constants: list[str] = []
        self._lines: list[str] = []

    @property
    def rows(self) -> int:
        """Rows of a block of the workspace."""
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
        """Assign a local; every name once."""
        self._lines.append(f"{name} = {expression}")
        return name

    def write(self, name: str, expression: str) -> None:
        """The next output row."""
        self.outputs.append((name, expression))

    def source(self) -> str:
        """The kernel's source."""
        body = [f"{name} = io[base + {row * LANES} + l]" for row, name in enumerate(self.inputs)]
        body += self._lines
        for row, (_, expression) in enumerate(self.outputs, len(self.inputs)):
            body.append(f"io[base + {row * LANES} + l] = {expression}")
        head = [DECORATOR, f"def {self.name}(io, p, blocks):"]
        head += [f"    {name} = p[{i}]" for i, name in enumerate(self.constants)]
        head += ["    for b in range(blocks):", f"        base = b * {self.rows * LANES}"]
        head += [f"        for l in range({LANES}):"]
        return "\n".join([*head, *(f"            {line}" for line in body)]) + "\n"


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
