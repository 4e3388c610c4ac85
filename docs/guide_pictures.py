"""Pictures of the guide, drawn by ``python -m docs.guide_pictures``.

Robots come from the files that the pages show, schedules from a simulation of idle workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.code_blocks import ROOT, code_blocks
from docs.example_pictures import svg
from service.new_studies import new_study
from studies.definition.study_file import check_text, parse_study
from studies.problem.problem import Problem, check

WORKERS = 4
TIMES = (2, 2, 2, 9, 2, 3, 2, 2, 3, 2, 9, 2, 2, 2, 3, 2, 2, 9, 2, 2)
"""Time that each design of a schedule takes; that of the slow ones is 9."""
UNIT, ROW, LEFT = 11, 12, 80
"""Width of a unit of time, height of a worker's row, width of the words."""
GUIDE = ROOT / "docs" / "guide"
PICTURES = GUIDE / "pictures"


def main() -> None:
    """Draw all pictures."""
    PICTURES.mkdir(exist_ok=True)
    for name, picture in pictures():
        (PICTURES / f"{name}.svg").write_text(picture, encoding="utf-8")


def pictures() -> Iterator[tuple[str, str]]:
    """Yield name and SVG of each picture; robots stand in the middle of their ranges."""
    for name, problem in {**_of_tables(), **_symmetric()}.items():
        design = problem.model.resolve(problem.preset, {**problem.settings, **problem.space.middle()})
        yield name, svg(problem.model.scene(design))
    yield "no-generation-waits", _schedules()


def _of_tables() -> Mapping[str, Problem]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        tables = [_written(folder, "own-robot.md", f"{robot}.csv") for robot in ("six", "eight")]
        _, problems = check_text(new_study(tables=tables, folder=folder), "own-robot.toml", check, folder)
    return {f"own-robot-{layout}": problem for layout, problem in problems.items()}


def _symmetric() -> Mapping[str, Problem]:
    texts = [block.text for block in code_blocks(GUIDE / "study-file.md", "toml")]
    (text,) = [text for text in texts if 'name = "symmetric-robot"' in text]
    (problem,) = check(parse_study(text)).values()
    return {"symmetric-robot": problem}


def _schedules() -> str:
    """The same designs by generations and without: a row for each worker, time to the right."""
    found = {"generations": [*_schedule(WORKERS)], "asynchronous": [*_schedule(len(TIMES))]}
    marks = []
    for number, (words, bars) in enumerate(found.items()):
        top = number * (WORKERS + 1) * ROW
        marks.append(f'<text x="0" y="{top + WORKERS * ROW / 2 + 4:g}" fill="#808080">{words}</text>')
        for worker, start, time in bars:
            place = f'x="{LEFT + start * UNIT + 1}" y="{top + worker * ROW + 1}"'
            colour = "#ee6677" if time == max(TIMES) else "#4477aa"
            marks.append(f'<rect {place} width="{time * UNIT - 2}" height="{ROW - 2}" fill="{colour}"/>')
    width = LEFT + UNIT * max(start + time for bars in found.values() for _, start, time in bars)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {(2 * WORKERS + 1) * ROW}" '
    return "\n".join([head + 'font-family="sans-serif" font-size="9">', *marks, "</svg>", ""])


def _schedule(batch: int) -> Iterator[tuple[int, int, int]]:
    """Yield worker, start and time of each design; a batch begins when the last one is done."""
    free = [0] * WORKERS
    for number, time in enumerate(TIMES):
        if number % batch == 0:
            free = [max(free)] * WORKERS
        worker = min(range(WORKERS), key=free.__getitem__)
        yield worker, free[worker], time
        free[worker] += time


def _written(folder: Path, page: str, title: str) -> Path:
    """The file that a page shows under a title, written into a folder."""
    (block,) = [block for block in code_blocks(GUIDE / page) if block.title == title]
    path = folder / title
    path.write_text(block.text, encoding="utf-8")
    return path


if __name__ == "__main__":
    main()
