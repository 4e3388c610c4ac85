"""Evaluating designs: one by one in child processes, in chunks on Dask, within limits.

``open_executor`` gives the executor that runs evaluate with; it imports Dask when it needs a cluster.
"""

from studies.execution.cluster import tls_security
from studies.execution.evaluation_call import Executor, Interrupted, ShouldStop, Sink
from studies.execution.executor import DaskExecutor, open_executor
from studies.records import NO_LIMITS, Limits

__all__ = [
    "NO_LIMITS",
    "DaskExecutor",
    "Executor",
    "Interrupted",
    "Limits",
    "ShouldStop",
    "Sink",
    "open_executor",
    "tls_security",
]
