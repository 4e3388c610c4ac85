"""optuna-gp where PyTorch is installed: the contract, its effect on the process, and what it finds."""

import hashlib
import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from benchmarks.problems import problem, search, volume
from errors import InputError
from studies.definition.study_definition import SearchTable
from studies.records import FAILED, INFEASIBLE
from studies.search import check_search
from studies.search.registry import load
from studies.search.testing import SPACES, WORST, SearchContract, results, start, stream
from tests.left_out import needs_extra

pytestmark = needs_extra("torch", "optuna-gp", "gp")
NAME = "optuna-gp"


@pytest.mark.soak
@pytest.mark.timeout(1800)
class TestOptunaGp(SearchContract):
    algorithms = (NAME,)


def test_the_stream_of_a_seed_is_the_same_here_and_in_another_process():
    """The whole contract takes minutes and is part of the soak."""
    environment = os.environ | {"PYTHONHASHSEED": "5", "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    script = "from tests.studies.search.test_optuna_gp import digest; print(digest())"
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.strip() == digest() == digest()


def digest():
    """Ask for batches of a number and an option; a further one follows from other results."""
    asked = stream(start(NAME, SPACES["mixed"], population=4, settings={"startup": 4}), NAME, 2)
    return hashlib.sha256(b"".join(points.tobytes() for points in asked)).hexdigest()


def test_threads_of_the_process_stay():
    import torch
    from threadpoolctl import threadpool_info

    before = torch.get_num_threads(), {each["filepath"]: each["num_threads"] for each in threadpool_info()}
    environment = dict(os.environ)
    asked = stream(start(NAME, SPACES["real"], population=4, settings={"startup": 4}), NAME, 3)
    after = torch.get_num_threads(), {each["filepath"]: each["num_threads"] for each in threadpool_info()}
    assert len(asked) == 3
    assert before[0] == after[0]
    assert {name: after[1][name] for name in before[1]} == before[1]
    assert dict(os.environ) == environment


@pytest.mark.parametrize("case", list(WORST))
def test_results_from_which_nothing_can_be_learned_are_survived(case):
    search = start(NAME, SPACES["mixed"], population=4, settings={"startup": 4})
    asked = stream(search, NAME, 3, lambda points: WORST[case](2, points))
    assert len(asked) == 3
    assert all(np.array_equal(SPACES["mixed"].snap(points), points) for points in asked)


def test_the_greatest_numbers_are_taken():
    """Objectives at the ends of what a run passes on, beside designs without metrics."""

    def told(points):
        objectives, _ = results(NAME, points)
        sizes = np.where(np.arange(len(points)) % 3 == 0, 1e60, 1e-9)
        broken = np.resize([0.0, 0.0, 0.3, INFEASIBLE + 1.0, FAILED], len(points))
        return objectives * sizes[:, None], broken

    assert all(np.isfinite(points).all() for points in stream(start(NAME, SPACES["real"]), NAME, 3, told))


def test_the_designs_of_a_batch_differ():
    """Designs asked for before count as running: the next one lies elsewhere."""
    for points in stream(start(NAME, SPACES["real"], population=4, settings={"startup": 4}), NAME, 3):
        distances = np.linalg.norm(points[:, None] - points, axis=2)[np.triu_indices(len(points), 1)]
        assert distances.min() > 1e-3


def test_fewer_designs_find_more_than_a_genetic_algorithm_does():
    found, genetic = (volume("bnh", search(name, problem("bnh"), 3, 4, 20)) for name in (NAME, "nsga2"))
    assert found > 1.01 * genetic


def test_it_takes_no_more_designs_than_its_own_time_allows():
    assert load(NAME).most_designs == 500


def test_without_its_package_a_study_is_refused_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setattr("studies.search.algorithm.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"optuna-gp needs PyTorch.*: pip install 'tautline\[gp\]'"):
        check_search(SearchTable(algorithm=NAME, generations=2))
    assert find_spec("torch") is not None
