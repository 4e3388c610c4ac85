"""All executors against one contract: in this process, on a cluster of ours, on somebody else's."""

import pytest

from studies.execution import open_executor
from tests.studies.execution.contract import (
    ExecutorContract,
    IsolatedExecutorContract,
    evaluated,
    only_the_last_failed,
    row,
)


class TestInline(ExecutorContract):
    @pytest.fixture
    def executor(self, make_executor):
        return make_executor()


@pytest.fixture(scope="module")
def local(forked_workers):
    with open_executor(2) as opened:
        yield opened


class TestLocal(IsolatedExecutorContract):
    @pytest.fixture
    def executor(self, local):
        return local


@pytest.fixture(scope="module")
def separate(separate_cluster):
    with separate_cluster(nanny=True) as cluster, open_executor(None, cluster.address) as opened:
        yield opened


class OnSeparate:
    @pytest.fixture
    def executor(self, separate):
        return separate


class TestSeparate(OnSeparate, ExecutorContract):
    """Workers and their children are those of ``TestLocal``; what goes between them and the driver is not."""

    test_a_stop = IsolatedExecutorContract.test_a_stop_ends_designs_that_would_take_hours

    def test_a_design_that_ends_its_process_is_reported_and_the_others_finish(self, executor):
        heard = evaluated(executor, row(8, threshold=0.9, fault="crash"))
        only_the_last_failed(heard, "worker_lost", "signal 9 (SIGKILL)")


@pytest.mark.soak
class TestSeparateInFull(OnSeparate, IsolatedExecutorContract):
    pass
