import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from errors import AbsentError, InputError, LimitError, UnknownNameError
from models import Model
from service.app.context import StorelessContext
from service.app.request_limits import RequestLimits
from service.app.study_checks import StorelessServices
from service.resources.models import EvaluationRequest, FigureRequest
from studies.execution import model_calls
from studies.execution.model_calls import LocalModelCalls


def test_models_are_listed_and_described():
    bench = StorelessServices()
    assert {"bnh", "hybrid-cable-robot"} <= {model.model for model in bench.models.list().items}
    bnh = bench.models.get("bnh")
    assert bnh.parameters["properties"]["x1"]["unit"] == "1"
    assert [metric.metric for metric in bnh.metrics] == ["f1", "f2", "c1", "c2"]
    assert json.loads(bnh.model_dump_json())["model"] == "bnh"
    with pytest.raises(AbsentError, match="did you mean 'bnh'"):
        bench.models.get("bhn")


def test_a_design_is_evaluated_and_faults_are_placed_in_the_request():
    bench = StorelessServices()
    found = bench.models.evaluate(
        "bnh", EvaluationRequest(settings={"x1": 2, "x2": 1.5}, metrics=["f1", "c1"])
    )
    assert found.status == "done"
    assert found.metrics == {"f1": 25.0, "c1": 13.75}
    assert set(bench.models.evaluate("bnh", EvaluationRequest()).metrics) == {"f1", "f2", "c1", "c2"}
    with pytest.raises(InputError) as fault:
        bench.models.evaluate("bnh", EvaluationRequest(settings={"x1": 9}))
    assert fault.value.place == ("settings", "x1")
    with pytest.raises(UnknownNameError) as unknown:
        bench.models.evaluate("bnh", EvaluationRequest(metrics=["f9"]))
    assert unknown.value.place == ("metrics",)


def test_a_robot_without_a_study_is_drawn_and_faults_are_placed_in_the_request():
    bench = StorelessServices()
    drawn = bench.models.figure("continuum-statics", FigureRequest(settings={"backbone_diameter": "2 mm"}))
    assert drawn.data
    assert drawn.caption
    assert len(drawn.key) == 64
    other = bench.models.figure("continuum-statics", FigureRequest())
    assert other.key != drawn.key
    with pytest.raises(InputError) as fault:
        bench.models.figure("bnh", FigureRequest(settings={"x1": 9}))
    assert fault.value.place == ("settings", "x1")
    with pytest.raises(AbsentError, match="did you mean 'bnh'"):
        bench.models.figure("bhn", FigureRequest())


def test_scenes_of_an_account_are_limited():
    limits = RequestLimits(scenes=1)
    bench = StorelessServices(StorelessContext(limits=limits))
    with limits.scene(""), pytest.raises(LimitError, match="scenes are already running"):
        bench.models.figure("bnh", FigureRequest())


def test_infeasible_and_failed_designs_say_why():
    settings = {"x": 1, "threshold": 0.5, "fault": "infeasible"}
    found = StorelessServices().models.evaluate("faulty", EvaluationRequest(settings=settings))
    assert (found.status, found.reason, found.violation) == ("infeasible", "too far right", 1.0)
    found = StorelessServices().models.evaluate(
        "faulty", EvaluationRequest(settings={**settings, "fault": "nan"})
    )
    assert (found.status, found.metrics) == ("failed", {})


def test_what_a_model_raises_says_where_in_its_own_code():
    """No folder of the machine, no frame of ours or of the libraries between."""
    settings = {"x": 1, "threshold": 0.5, "fault": "raise"}
    found = StorelessServices().models.evaluate("faulty", EvaluationRequest(settings=settings))
    first, *frames = found.reason.split("\n")
    assert first.startswith("RuntimeError: the back-end gave up")
    assert [frame.split(",")[0].strip() for frame in frames] == ["tautline_analytic/faulty.py"] * len(frames)
    assert frames[-1].endswith(
        'in _raise: raise RuntimeError("the back-end gave up <img src=x onerror=alert(1)>")'
    )
    assert "/home" not in found.reason


def test_reference_cases_are_computed():
    assert [case.agrees for case in StorelessServices().models.check("bnh").items] == [True, True]


def test_a_study_is_checked_and_its_size_is_limited(define_bnh):
    study = define_bnh(seeds="[1, 2]")
    checked = StorelessServices().studies.check(study)
    assert (checked.name, checked.runs, checked.layouts[0].designs) == ("bnh", 2, 72)
    assert (
        StorelessServices(StorelessContext(limits=RequestLimits(designs=144))).studies.check(study) == checked
    )
    with pytest.raises(InputError, match="144 designs in all; at most 143") as fault:
        StorelessServices(StorelessContext(limits=RequestLimits(designs=143))).studies.check(study)
    assert fault.value.place == ("search",)


def test_one_account_computes_as_much_at_a_time_as_it_may():
    limits = RequestLimits(computations=1)

    class Nested(LocalModelCalls):
        def evaluate(self, task):
            with pytest.raises(LimitError, match="1 of your computations"):
                StorelessServices(StorelessContext(limits=limits)).models.evaluate("bnh", EvaluationRequest())
            return super().evaluate(task)

    for _ in range(2):
        found = StorelessServices(StorelessContext(limits=limits, sandbox=Nested())).models.evaluate(
            "bnh", EvaluationRequest()
        )
        assert found.status == "done"


@pytest.mark.parametrize(
    ("model", "seconds", "expected"),
    [("continuum-kinematics", 1.0, 3), ("continuum-kinematics", 100.0, 2), ("bnh", 1.0, 2)],
)
def test_a_first_evaluation_is_repeated_without_the_time_of_its_kernels(
    monkeypatch, model, seconds, expected
):
    """No other kernels are compiled: a person waits for those of one design."""
    evaluated = []

    def evaluate(task, worker):
        evaluated.append(worker)
        return SimpleNamespace(seconds=seconds)

    monkeypatch.setattr(model_calls, "evaluate_task", evaluate)
    monkeypatch.setattr(Model, "prepare", lambda *_: pytest.fail("all kernels were compiled"))
    calls, task = LocalModelCalls(), SimpleNamespace(model=model, cost_class="first")
    for _ in range(2):
        assert calls.evaluate(task).seconds == seconds
    assert len(evaluated) == expected


def test_no_database_is_loaded_to_evaluate_a_design():
    code = """
import sys
from types import SimpleNamespace
from service.app.study_checks import StorelessServices
from service.resources.models import EvaluationRequest
StorelessServices().models.evaluate("bnh", EvaluationRequest())
print(sorted({"sqlalchemy", "fastapi", "pymoo", "pandas"} & set(sys.modules)))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
