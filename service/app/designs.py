"""The verbs about single designs: what is stored of one, its picture, and evaluating it again."""

from __future__ import annotations

from errors import AbsentError, InputError
from models import load
from models.scene import Scene
from service.app.comparison import Comparing
from service.app.model_serializers import evaluation_resource
from service.app.scene_serializers import FloatTable, scene_figure_resource, scene_resource, shape_table
from service.app.serializers import design_resource, reproduction_resource
from service.resources.review import SceneFigureResource
from service.resources.studies import (
    DesignResource,
    EvaluationRequest,
    EvaluationResource,
    ReproductionResource,
    SceneResource,
)
from studies.execution.evaluation import task_of
from studies.records import EvaluationRecord


class Designing(Comparing):
    """See :class:`~service.app.studies.Local`."""

    def design(self, key: str, study: str | None = None) -> DesignResource:
        """The stored design with ``key``; with ``study``, only one that this study asked for."""
        return design_resource(self._sight.design(key, study))

    def reproduce(self, key: str, study: str | None = None) -> ReproductionResource:
        """Evaluate a stored design again and compare every bit."""
        from studies.reproduction import evaluate_again

        stored = self._sight.design(key, study)
        with self._computing():
            return reproduction_resource(evaluate_again(stored, self._work.evaluate))

    def evaluate_design(self, key: str, study: str, request: EvaluationRequest) -> EvaluationResource:
        """Evaluate a stored design with other settings, such as a finer grid; nothing is stored."""
        stored = self._sight.design(key, study)
        if request.preset is not None:
            raise InputError("a stored design already has its parameters; give only settings", ("preset",))
        model = load(stored.task.model)
        for name in request.metrics:
            model.metric(name, ("metrics",))
        place = ("settings",) if request.settings else ()
        parameters = model.resolve_over(stored.task.parameters, request.settings, place)
        wanted = request.metrics
        cost_class = model.cost_class_for(wanted) if wanted else stored.task.cost_class
        task = task_of(model, parameters.model_dump(mode="json"), cost_class, stored.task.seed)
        with self._computing():
            return evaluation_resource(self._work.evaluate(task), wanted)

    def scene(self, key: str, study: str) -> SceneResource:
        """What a 3D view of a design shows; large shapes are fetched by :meth:`shape`."""
        stored = self._sight.design(key, study)
        return scene_resource(stored.key, self._scene(stored))

    def shape(self, key: str, study: str, number: int, part: str) -> FloatTable:
        """The points, or triangles, of one shape of a scene; raises ``AbsentError``."""
        scene = self._scene(self._sight.design(key, study))
        if not 0 <= number < len(scene.shapes):
            raise AbsentError(f"the scene has no shape {number}; it has {len(scene.shapes)}, from 0")
        return shape_table(scene.shapes[number], part)

    def scene_figure(self, key: str, study: str) -> SceneFigureResource:
        """The same view as Plotly draws it."""
        stored = self._sight.design(key, study)
        return scene_figure_resource(stored.key, self._scene(stored))

    def _scene(self, stored: EvaluationRecord) -> Scene:
        task = stored.task
        model = load(task.model)
        if model.version != task.model_version:
            raise InputError(
                f"no view of this design: it was evaluated by version {task.model_version} of {model.name}, "
                f"and version {model.version} is installed"
            )
        with self._allowance.scene(self._identity.account):
            return self._work.scene(task.model, task.parameters)
