"""A Dask cluster on Slurm that follows the work: jobs begin while designs wait, and end when none is left.

Run it on a machine from which jobs are submitted, with the Python that has Tautline and dask-jobqueue::

    python slurm.py slurm.yaml

It prints the address of its scheduler, and ends with Ctrl-C. docs/guide/cluster.md explains it step by step.
"""

import sys
import threading
from pathlib import Path
from typing import Any

import yaml
from dask_jobqueue import JobQueueCluster, SLURMCluster
from distributed import Security


def cluster_of(settings: dict[str, Any], kind: type[JobQueueCluster] = SLURMCluster) -> JobQueueCluster:
    """A cluster with the settings of a file like slurm.yaml; ``kind`` is the batch system."""
    tls = settings["tls"]
    parts = [(role, part) for role in ("scheduler", "worker", "client") for part in ("cert", "key")]
    roles = {f"tls_{role}_{part}": tls[part] for role, part in parts}
    cluster = kind(
        security=Security(require_encryption=True, tls_ca_file=tls["ca"], **roles),
        scheduler_options={
            **settings["scheduler"], "dashboard": False, "dashboard_address": "127.0.0.1:0"
        },
        python=sys.executable,
        **settings["job"],
    )  # fmt: skip
    cluster.adapt(**settings["adapt"])
    return cluster


if __name__ == "__main__":
    with cluster_of(yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8"))) as cluster:
        print(cluster.job_script())
        print("scheduler:", cluster.scheduler_address, flush=True)
        threading.Event().wait()
