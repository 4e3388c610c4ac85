"""The front of each layout of a study, joint over its seeds."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.content.comparison.margins import SafetyJudge
from service.app.context import Context
from service.app.paging import decoded, encoded
from service.resources.models import Page
from service.resources.parameters import LayoutName, SeedNumber, StudyName
from service.resources.results import FrontDesignResource
from service.resources.review import PickResource
from studies.records import FrontDesign, StudyRecord
from studies.results.front_picks import front_picks
from studies.results.fronts import JointFront, choose_runs, designs_on, joint_fronts, part_of


class FrontService:
    """The front of each layout, joint over its seeds."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def list(
        self,
        name: StudyName,
        layout: LayoutName = None,
        seed: SeedNumber = None,
        *,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[FrontDesignResource]:
        """The front of each layout, joint over its seeds, sorted by key."""
        decoded_place = decoded(cursor, str, str)
        after = None if decoded_place is None else (decoded_place[0], decoded_place[1])
        study = self._context.authorization.study(name)
        runs = choose_runs(study, layout, seed)

        def compute() -> tuple[list[FrontDesignResource], str | None]:
            places, last = part_of(self._fronts(study, layout, seed), after, limit)
            designs = designs_on(self._store, study, places)
            judge = SafetyJudge(study)
            return [_resource(design, judge) for design in designs], encoded(last)

        items, following = self._context.cached(f"front after {after}, {limit}", study, runs, compute)
        return Page(items=items, next=following)

    def _fronts(
        self, study: StudyRecord, layout: str | None = None, seed: int | None = None
    ) -> Sequence[JointFront]:
        runs = choose_runs(study, layout, seed)
        return self._context.cached(
            "fronts", study, runs, lambda: joint_fronts(self._store, study, layout, seed)
        )

    def picks(self, name: StudyName) -> Page[PickResource]:
        """Designs to begin with: the best of each objective, the knee, the nearest to the ideal point."""
        study = self._context.authorization.study(name)
        objectives = list(study.definition["objectives"])
        return Page(
            items=[
                PickResource(
                    layout=front.layout, kind=pick.kind, objective=pick.objective, key=front.keys[pick.row]
                )
                for front in self._fronts(study)
                for pick in front_picks(front.objectives, objectives)
            ]
        )


def _resource(design: FrontDesign, judge: SafetyJudge) -> FrontDesignResource:
    found, unsafe = FrontDesignResource.model_validate(design), judge(design.metrics)
    return found.model_copy(update={"unsafe": unsafe}) if unsafe else found
