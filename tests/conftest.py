"""Fixtures for all tests, and the rule that TAUTLINE_REQUIRE_ALL=1 lets nothing be left out."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from studies.execution import NO_LIMITS, Executor, Interrupted, Limits, Sink
from studies.execution.evaluation import evaluate_task, one_blas_thread
from studies.execution.evaluation_call import Supply
from studies.records import EvaluationRecord, Task
from studies.store import Store
from tests import left_out
from tests.patience import clusters
from tests.postgresql import postgresql, postgresql_url

__all__ = ["clusters", "postgresql", "postgresql_url"]

# No test fails because the machine was busy while hypothesis drew its examples.
settings.register_profile(
    "tautline", derandomize=True, deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tautline")


_TESTS = Path(__file__).parent
_PAGES = _TESTS / "service" / "pages"
_PAGES_NAME = "tests/service/pages/"
assert _PAGES.is_dir()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(
        key=lambda item: _PAGES not in item.path.parents
    )  # the longest work of one process begins first


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out files, but all pages to one process, which has the browser, a server and its studies.

    ``--dist loadgroup`` would ask for the same by marks, but pytest-xdist 3.8 writes a mark into the names of tests,
    which pytest 9.2 does not let it change: each test was handed out by itself, without a word.
    """
    from xdist.scheduler import LoadFileScheduling

    class Files(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return _PAGES_NAME if file.startswith(_PAGES_NAME) else file

    return Files(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    told = left_out.lines(terminalreporter.stats.get("skipped", []))
    if told:
        terminalreporter.section("left out")
        terminalreporter.write("".join(f"{line}\n" for line in told))


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("TAUTLINE_REQUIRE_ALL") == "1" and reporter and reporter.stats.get("skipped"):
        reporter.write_line("TAUTLINE_REQUIRE_ALL=1: tests were left out (see above)", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


class InlineExecutor:
    """Evaluates in this process, in any order, and counts."""

    def __init__(self, *, backwards: bool = False, stop_after: int | None = None) -> None:
        self.keys: list[str] = []
        self._backwards = backwards
        self._stop_after = stop_after

    workers = 1

    def evaluate(
        self,
        tasks: Sequence[Task],
        sink: Sink,
        should_stop: Callable[[], bool],
        limits: Limits = NO_LIMITS,
        supply: Supply | None = None,
        **said: Any,
    ) -> None:
        assert supply is None, "tasks that come later need several workers"
        one_blas_thread()
        records: list[EvaluationRecord] = []
        for task in reversed(tasks) if self._backwards else tasks:
            if should_stop() or (self._stop_after is not None and len(self.keys) >= self._stop_after):
                sink(records)
                raise Interrupted
            records.append(evaluate_task(task, "inline"))
            self.keys.append(task.key)
        sink(records)


@pytest.fixture(scope="session")
def inline() -> Callable[[InlineExecutor], Callable[[], AbstractContextManager[Executor]]]:
    """Wraps an executor as the opener that ``run_study`` takes."""

    def opener(executor: InlineExecutor) -> Callable[[], AbstractContextManager[Executor]]:
        @contextmanager
        def opened() -> Iterator[Executor]:
            yield executor

        return opened

    return opener


@pytest.fixture(scope="session")
def make_executor() -> type[InlineExecutor]:
    return InlineExecutor


@pytest.fixture
def inline_executor() -> InlineExecutor:
    return InlineExecutor()


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: most of a short test would be migrations."""
    path = tmp_path_factory.mktemp("empty") / "tautline.db"
    Store(str(path)).close()
    return path


@pytest.fixture
def store(tmp_path: Path, empty_store: Path) -> Iterator[Store]:
    with Store(str(shutil.copy(empty_store, tmp_path))) as opened:
        yield opened


@pytest.fixture(scope="session")
def bnh_study() -> str:
    """A constrained two-objective study file that runs in a blink."""
    return """
    name = "bnh"
    model = "bnh"
    seeds = [1]
    [variables]
    x1 = { lower = 0, upper = 5 }
    x2 = { lower = 0, upper = 3 }
    [objectives]
    f1 = "minimize"
    f2 = "minimize"
    [constraints]
    c1 = { lower = 0 }
    c2 = { lower = 0 }
    [search]
    algorithm = "nsga2"
    population = 12
    generations = 6
    """
