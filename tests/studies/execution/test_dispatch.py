"""Chunks and records of a call, without any cluster."""

from collections import deque
from concurrent.futures import Future

from models import load
from studies.execution.cluster import Cluster
from studies.execution.code_version import code_version
from studies.execution.dispatch import Batch
from studies.execution.evaluation import outcome_of
from studies.execution.evaluation_call import CostEstimate, EvaluationCall, ResultBuffer
from studies.execution.worker import Reply
from studies.records import NO_LIMITS
from tests.studies.execution.contract import Heard, row


class FakeConnection:
    """Takes chunks and never answers."""

    connected = True
    topic = ""

    def __init__(self):
        self.warm = set()
        self.sent = []

    def send(self, task_chunk, mail, **_):
        self.sent.append(task_chunk.tasks)
        return f"chunk {len(self.sent)}", Future()

    def cancel(self, futures):
        pass


def batch_of(cluster, connection, tasks):
    heard = Heard()
    call = EvaluationCall(
        code_version(tasks[0].model), NO_LIMITS, CostEstimate(), ResultBuffer(heard, lambda: False)
    )
    batch = Batch(cluster, call, deque(tasks), lambda: False)
    batch._connection = connection
    return batch


def test_a_suspect_whose_outcome_came_ahead_is_not_sent_again_when_the_connection_is_lost():
    task = row(2)[0]
    cluster, connection = Cluster(1), FakeConnection()
    batch = batch_of(cluster, connection, [task])
    batch._waiting.clear()
    batch._suspects.append([task])
    batch._fill()
    batch._open("chunk 1", Reply("w", [(0, outcome_of(load(task.model), task))]))
    batch._drop(cancel=False)
    assert not batch._suspects
    assert not batch._waiting
    cluster.close()


def test_a_suspect_is_in_flight_when_nothing_else_is_also_of_other_runs():
    cluster, connection = Cluster(1), FakeConnection()
    first, second = row(8)[:4], row(8)[4:]
    careful, other = batch_of(cluster, connection, first), batch_of(cluster, connection, second)
    careful._suspects.append([careful._waiting.popleft()])
    careful._waiting.clear()
    other._fill()
    careful._fill()
    assert len(connection.sent) == 2, "the suspect waits for the chunks of the other run"
    held = other._waiting.copy()
    other._drop(cancel=False)
    other._fill()
    assert len(connection.sent) == 2, "the other run waits for the suspect"
    careful._fill()
    other._fill()
    assert connection.sent[2:] == [first[:1]]
    careful._drop(cancel=False)
    other._fill()
    assert len(connection.sent) > 3
    assert len(held) < len(second)
    cluster.close()


def test_a_run_that_ends_before_its_suspect_was_sent_lets_others_go_on():
    chunk_lock = Cluster(1).chunk_lock
    assert chunk_lock.acquire()
    assert not chunk_lock.acquire_alone("one")
    assert not chunk_lock.acquire()
    chunk_lock.withdraw("another")
    assert not chunk_lock.acquire()
    chunk_lock.withdraw("one")
    assert chunk_lock.acquire()
