"""The verbs of a review: designs to begin with, what was varied and wanted, one design of a log."""

from __future__ import annotations

from errors import AbsentError
from service.app.cache import kept
from service.app.monitoring import Watching
from service.app.quantities import quantities_resource
from service.app.serializers import asked_resource
from service.resources.review import PickResource, QuantitiesResource
from service.resources.studies import AskedDesignResource
from studies.front_picks import front_picks
from studies.fronts import joint_fronts, variable_paths
from studies.store.asked_designs import Asked


class Reviewing(Watching):
    """See :class:`~service.app.studies.Local`."""

    def quantities(self, name: str) -> QuantitiesResource:
        """What the study varies and wants in SI, and all metrics of its back-end."""
        return quantities_resource(self._sight.study(name))

    def picks(self, name: str) -> list[PickResource]:
        """Designs to begin with of each layout's front, in the order of the study file."""
        study = self._sight.study(name)
        found = kept(self._store, "front", study, study.runs, lambda: joint_fronts(self._store, study))
        objectives = list(study.definition["objectives"])
        return [
            PickResource(
                layout=front.layout, kind=pick.kind, objective=pick.objective, key=front.keys[pick.row]
            )
            for front in found
            for pick in front_picks(front.objectives, objectives)
        ]

    def asked_design(self, name: str, run_id: int, ask_no: int) -> AskedDesignResource:
        """One design that a run asked for; raises ``AbsentError``."""
        study, run = self._run(name, run_id)
        found = self._store.asked(Asked((run_id,), (run_id, ask_no - 1), 1))
        if not found or found[0].ask_no != ask_no:
            raise AbsentError(f"run {run_id} of study '{name}' has no design {ask_no}")
        return asked_resource(run, variable_paths(study, run.layout), found[0])
