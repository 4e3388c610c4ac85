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


class TestSeparate(IsolatedExecutorContract):
    @pytest.fixture
    def executor(self, separate):
        return separate
