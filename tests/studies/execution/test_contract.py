"""All executors against one contract: in this process, on a cluster of ours, on somebody else's."""

import pytest

from studies.execution import open_executor
from tests.studies.execution.contract import ExecutorContract, IsolatedExecutorContract


class TestInline(ExecutorContract):
    @pytest.fixture
    def executor(self, make_executor):
        return make_executor()


@pytest.fixture(scope="module")
def local():
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
    test_a_design_that_ends_its_process = (
        IsolatedExecutorContract.test_a_design_that_ends_its_process_is_reported_and_the_others_finish
    )


@pytest.mark.soak
class TestSeparateInFull(OnSeparate, IsolatedExecutorContract):
    pass
