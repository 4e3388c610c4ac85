"""Optuna's Gaussian processes: a batch by expected improvement of the objective or of the hypervolume."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from studies.records import INFEASIBLE
from studies.search.base import FloatArray, Start, single_threaded, untouched_warnings
from studies.search.gaussian_process import Scale, severity_of
from studies.search.optuna_search import OptunaSearch, quiet

if TYPE_CHECKING:
    import optuna


class OptunaGp(OptunaSearch):
    """Optuna's ``GPSampler``, asked for ``population`` designs at a time, after a Sobol sequence.

    A batch is drawn anew from what is known, with a seed that follows from the number of known designs:
    nothing else is kept. Designs of the batch that are asked already count as running: the acquisition
    function takes values there that the processes predict. Objectives are scaled; those of designs without
    metrics are the mean of the others. Violations are one constraint.
    """

    def __init__(self, start: Start) -> None:
        from optuna.samplers import RandomSampler
        from scipy.stats.qmc import Sobol

        super().__init__(RandomSampler(start.seed), start)
        self._seed = start.seed
        self._startup = int(start.settings.settings.get("startup", 10))
        self._initial = start.initial
        self._sequence = Sobol(len(start.space), rng=np.random.default_rng(start.seed))
        self._asked = np.empty((0, len(start.space)))
        self._points = self._asked
        self._objectives = np.empty((0, start.n_objectives))
        self._violations = np.empty(0)

    def ask(self) -> FloatArray:
        """The next batch."""
        if len(self._points) < self._startup:
            with untouched_warnings():
                points = np.asarray(self._sequence.random(self._batch), dtype=np.float64)
            count = min(len(self._initial), self._batch)
            points[:count], self._initial = self._initial[:count], self._initial[count:]
        else:
            with untouched_warnings(), single_threaded(), _torch_on_one_thread():
                study = self._known_study()
                trials = [study.ask(self._distributions) for _ in range(self._batch)]
            points = np.array([self._point(trial.params) for trial in trials])
        self._asked = self._space.snap(points)
        return self._asked

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Add the results to what is known."""
        self.learn(self._asked, objectives, violations)

    def learn(self, points: FloatArray, objectives: FloatArray, violations: FloatArray) -> None:
        """Add results of designs that were not asked for."""
        self._points = np.concatenate([self._points, points])
        self._objectives = np.concatenate([self._objectives, objectives])
        self._violations = np.concatenate([self._violations, violations])

    def _known_study(self) -> optuna.Study:
        """A study of all known designs, with a fresh sampler."""
        from optuna import create_study
        from optuna.samplers import GPSampler
        from optuna.trial import create_trial

        seed = int(np.random.SeedSequence([self._seed, len(self._points)]).generate_state(1)[0])
        sampler = GPSampler(seed=seed, n_startup_trials=0, warn_independent_sampling=False)
        with quiet():
            study = create_study(directions=["minimize"] * self._objectives.shape[1], sampler=sampler)
        constrained = bool(self._violations.any())
        rows = zip(self._points, self._scaled(), severity_of(self._violations).tolist(), strict=True)
        study.add_trials(
            [
                create_trial(
                    params=self._values(point),
                    distributions=self._distributions,
                    values=values.tolist(),
                    constraints={"violation": severity} if constrained else None,
                )
                for point, values, severity in rows
            ]
        )
        return study

    def _scaled(self) -> FloatArray:
        """Objectives ``(n, m)`` on a common scale."""
        known = self._violations < INFEASIBLE
        scaled = np.zeros_like(self._objectives)
        if known.any():
            scaled[known] = Scale.of(self._objectives[known])(self._objectives[known])
            scaled[~known] = scaled[known].mean(axis=0)
        return scaled


@contextmanager
def _torch_on_one_thread() -> Generator[None]:
    """One thread for PyTorch, whose number of threads is put back."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
