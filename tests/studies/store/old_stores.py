"""Goes on with the searches of old stores, and makes them anew in others: ``python -m tests.studies.store.old_stores OLD...``.

In a process of its own, because a search is bit for bit the same on one kind of processor only, and the old
stores were written with AVX2: numpy is told to use no more, which it takes at its start alone.
"""

import os
import subprocess
import sys
from contextlib import nullcontext
from tempfile import TemporaryDirectory

import numpy as np

from studies.problem.problem import stored_definition
from studies.run.launch import resume_study, run_study
from studies.store import Store, open_existing
from tests.conftest import InlineExecutor

RECORDED_WITH = "X86_V3"
"""numpy's name for AVX2 and what came with it."""


def extensions() -> list[str]:
    """Extensions of the processor that numpy found, beyond those of every processor of its architecture."""
    return np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])


def live_on(*old: str) -> None:
    """Do it with all of them in one process, whose numpy uses what the old stores were written with."""
    newer = " ".join(name for name in extensions() if name != RECORDED_WITH)
    command = [sys.executable, "-m", "tests.studies.store.old_stores", *old]
    subprocess.run(command, check=True, env={**os.environ, "NPY_DISABLE_CPU_FEATURES": newer})


def assert_alive(store: Store, new: Store) -> None:
    """A finished, an interrupted and a waiting study end as they would if they began now."""
    assert store.check() == []
    for name, runs in (("whole", 2), ("half", 2), ("waiting", 1)):
        study = resume_study(store, name, lambda: nullcontext(InlineExecutor()))
        assert [run.state for run in study.runs] == ["done"] * runs
        again = run_study(new, stored_definition(study), lambda: nullcontext(InlineExecutor()))
        for run, fresh in zip(study.runs, again.runs, strict=True):
            stored, made = ([m.evaluation.key for m in s.front(r)] for s, r in ((store, run), (new, fresh)))
            assert stored == made
            for old_batch, new_batch in zip(store.log(run), new.log(fresh), strict=True):
                assert old_batch.points.tobytes() == new_batch.points.tobytes()
                assert old_batch.objectives.tobytes() == new_batch.objectives.tobytes()
    assert store.check() == []


if __name__ == "__main__":
    for url in sys.argv[1:]:
        with (
            TemporaryDirectory() as folder,
            open_existing(url, migrate=True) as old,
            Store(f"{folder}/new.db") as new,
        ):
            assert_alive(old, new)
