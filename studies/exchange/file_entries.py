"""Trees of foreign files whose entries are marked when a reader takes them; the others are listed.

One kind of tree serves XML and JSON or YAML. Its leaves are attributes, texts and values. Readers take all
they use through an :class:`Entry`, so that :func:`unread` knows what they left, whatever its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

_LONGEST = 40
"""Characters of a value that are shown."""
_FEW = 6
"""Values of an unread subtree that are shown; of a larger one their number is."""
_MOST = 16
"""Unread entries of one parent that are named in one sentence."""
_ATTRIBUTE = "@"


@dataclass(slots=True, eq=False)
class Entry:
    """An XML element or attribute, or a table, list or value of JSON, of which reading leaves a mark.

    Readers use its methods and ``tag``. The other fields say nothing of what was read.

    Attributes
    ----------
    tag : str
        Name of the element or attribute, or the key; empty for an item of a list.
    content : object
        Text of an element or attribute, or the value as its parser gave it.
    place : int, optional
        Number among siblings of one name, from 1, or in a list, from 0; None for an only one.
    is_element : bool
    attributes, parts : list of Entry
        Attributes and children of an element; items of a table or list.
    is_read : bool
    """

    tag: str
    content: Any
    place: int | None = None
    is_element: bool = False
    attributes: list[Entry] = field(default_factory=list["Entry"])
    parts: list[Entry] = field(default_factory=list["Entry"])
    is_read: bool = False

    @property
    def is_table(self) -> bool:
        """True if it is a table of JSON."""
        return isinstance(self.content, Mapping)

    @property
    def is_list(self) -> bool:
        """True if it is a list of JSON."""
        return isinstance(self.content, (list, tuple))

    def __iter__(self) -> Iterator[Entry]:
        """Child elements, or the items of a list or table; their leaves are not read by that."""
        return map(Entry.seen, self.parts)

    def findall(self, path: str) -> list[Entry]:
        """Entries below, by their names with '/' between them; their leaves are not read by that."""
        found: list[Entry] = [self]
        for name in path.split("/"):
            found = [part.seen() for each in found for part in each.parts if part.tag == name]
        return found

    def find(self, path: str) -> Entry | None:
        """The first of :meth:`findall`."""
        found = self.findall(path)
        return found[0] if found else None

    def get(self, name: str, default: Any = None) -> Any:
        """Read an attribute of an element, or all that stands under a key of a table."""
        within = self.attributes if self.is_element else self.parts
        found = next((part for part in within if part.tag == name), None)
        return default if found is None else found.take()

    def text(self, path: str = "") -> str | None:
        """Read the text of the element, or of the first one with a path; None without such an element."""
        element = self.find(path) if path else self
        if element is None:
            return None
        element.is_read = True
        return str(element.content)

    def take(self) -> Any:
        """Read the entry with all below it; its text, or its value as it came from the parser."""
        self.is_read = True
        for part in (*self.attributes, *self.parts):
            part.take()
        return self.content

    def walk(self) -> Iterator[Entry]:
        """The entry and every element, table, list or value below it; none of them is read by that."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def seen(self) -> Entry:
        """Take an empty element as read: to be there is all that it says."""
        if self.is_element and not (self.content or self.attributes or self.parts):
            self.is_read = True
        return self

    def left(self, at: tuple[_Step, ...]) -> tuple[bool, list[_Row]]:
        """True if anything here or below was read; the entries that were not, or this one for all of them."""
        touched = self.is_read
        rows = [_Row(at, _brief(self.content))] if not touched and self._says() else []
        below = [*((part, _ATTRIBUTE) for part in self.attributes), *((part, "") for part in self.parts)]
        for part, mark in below:
            read, more = part.left((*at, _Step(mark + part.tag, part.place)))
            touched = touched or read
            rows += more
        if touched or not (at and rows and below):
            return touched, rows
        return False, [_Row(at, "", tuple(row._replace(steps=row.steps[len(at) :]) for row in rows))]

    def _says(self) -> bool:
        """True if it says anything apart from what is below: none, an empty text and an empty list do not."""
        if self.attributes or self.parts:
            return self.is_element and self.content != ""
        return self.is_element or self.content not in (None, "", [], {})


class _Step(NamedTuple):
    """A name on the way to an entry; ``place`` tells siblings apart."""

    tag: str
    place: int | None


class _Row(NamedTuple):
    """An entry that was not read: its value in short, or what is below it, with steps from there."""

    steps: tuple[_Step, ...]
    value: str
    below: tuple[_Row, ...] = ()


def xml_entry(element: Element) -> Entry:
    """The tree of an XML element. Text beside child elements counts as the element's own."""
    text = " ".join([element.text or "", *(child.tail or "" for child in element)]).strip()
    entry = Entry(element.tag, text, is_element=True)
    entry.attributes = [Entry(name, value) for name, value in element.attrib.items()]
    counts = Counter(child.tag for child in element)
    seen: Counter[str] = Counter()
    for child in element:
        part = xml_entry(child)
        seen[child.tag] += 1
        part.place = seen[child.tag] if counts[child.tag] > 1 else None
        entry.parts.append(part)
    return entry


def value_entry(value: Any, tag: str = "", place: int | None = None) -> Entry:
    """The tree of a value of JSON or YAML."""
    entry = Entry(tag, value, place)
    if isinstance(value, Mapping):
        table: Mapping[Any, Any] = value
        entry.parts = [value_entry(item, str(key)) for key, item in table.items()]
    elif isinstance(value, (list, tuple)):
        items: Sequence[Any] = value
        entry.parts = [value_entry(item, "", number) for number, item in enumerate(items)]
    return entry


def unread(entry: Entry, remarks: Mapping[str, str] | None = None) -> list[str]:
    """Sentences on all below an entry that no reader took, as ``geometry/chain[1..8]/base@radius = 0.1``.

    Siblings that differ by their numbers alone make one sentence, and so do leaves of one parent. An entry of
    which nothing was read stands for all below it. ``remarks`` explain entries by the ends of their paths
    without numbers, such as ``base@radius``.
    """
    rows = [row if row.steps else row._replace(steps=(_Step(entry.tag, None),)) for row in entry.left(())[1]]
    sentences: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for alike in _folded(rows):
        pattern = _path([step.tag for step in alike[0].steps])
        remark = next((text for end, text in (remarks or {}).items() if _ends(pattern, end)), "")
        *above, name = _numbered(alike)
        apart = pattern if alike[0].below or not alike[0].steps[-1].tag or name.endswith("]") else ""
        sentences.setdefault((_path(above), remark, apart), []).append((name, _told(alike)))
    return [_sentence(parent, names, remark) for (parent, remark, _), names in sentences.items()]


def _folded(rows: Iterable[_Row]) -> list[list[_Row]]:
    """Entries together whose paths differ by numbers alone."""
    found: dict[tuple[Any, ...], list[_Row]] = {}
    for row in rows:
        key = (*((step.tag, step.place is None) for step in row.steps), not row.below)
        found.setdefault(key, []).append(row)
    return list(found.values())


def _sentence(parent: str, names: Sequence[tuple[str, str]], remark: str) -> str:
    """Sentence on the unread entries of one parent; ``names`` with their values."""
    if len(names) == 1:
        name, value = names[0]
        told = _path([parent, name] if parent else [name]) + value
    else:
        told = (f"{parent}: " if parent else "") + _listed([_bare(name) + value for name, value in names])
    return f"{told} ({remark})" if remark else told


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _MOST} more" if len(texts) > _MOST else ""
    return ", ".join(texts[:_MOST]) + more


def _bare(name: str) -> str:
    return name.removeprefix(_ATTRIBUTE)


def _path(names: Sequence[str]) -> str:
    """Names with '/' between them, attributes after '@', numbers in brackets."""
    path = ""
    for name in names:
        path += name if not path or name.startswith((_ATTRIBUTE, "[")) else f"/{name}"
    return path


def _ends(path: str, end: str) -> bool:
    return path == end or path.endswith(f"/{end}")


def _numbered(alike: Sequence[_Row]) -> list[str]:
    """Names on the way to entries whose paths differ by numbers alone, with these numbers in brackets."""
    found: list[str] = []
    for steps in zip(*(row.steps for row in alike), strict=True):
        numbers = sorted({step.place for step in steps if step.place is not None})
        name = steps[0].tag.rpartition("}")[2]
        found.append(f"{name}[{_ranges(numbers)}]" if numbers else name)
    return found


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in rising order, such as ``1..4,7``."""
    runs: list[list[int]] = []
    for each in numbers:
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    shown = [str(run[0]) if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs[:_FEW]]
    return ",".join([*shown, *(["..."] if len(runs) > _FEW else [])])


def _told(alike: Sequence[_Row]) -> str:
    """Values of entries of one name: all that is below, the range of numbers, the first of other ones."""
    if alike[0].below:
        parts = _folded(row for each in alike for row in each.below)
        if len(parts) <= _FEW:
            texts = [
                _bare(_path([step.tag for step in part[0].steps])) + ("" if part[0].below else _told(part))
                for part in parts
            ]
        else:
            texts = list(dict.fromkeys(_bare(part[0].steps[0].tag) for part in parts))
        return f" ({_listed([text.removeprefix(' = ') for text in texts if text])})".replace(" ()", "")
    values = list(dict.fromkeys(row.value for row in alike))
    if len(values) == 1:
        return f" = {values[0]}" if values[0] else ""
    try:
        numbers = sorted(map(float, values))
    except ValueError:
        return f" = {values[0]} and others"
    return f" = {numbers[0]:g} to {numbers[-1]:g}"


def _brief(value: Any) -> str:
    """A value in few characters."""
    if isinstance(value, str):
        try:
            return f"{float(value):g}"
        except ValueError:
            words = " ".join(value.split())
            return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."
    return f"{value:g}" if isinstance(value, float) else str(value)[:_LONGEST]
