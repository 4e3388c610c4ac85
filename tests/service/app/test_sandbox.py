"""Computing beside the server: the same numbers, and no request that harms the server."""

import json
import threading
import time
from contextlib import closing

import numpy as np
import psutil
import pytest

from errors import LimitError, WorkerError
from models import load
from models.scene import Box, Line, Moment, Points, PostureCoordinate, Scene, Surface
from service.app import sandbox
from service.app.context import StorelessContext
from service.app.sandbox import Sandbox
from service.app.study_checks import StorelessServices
from service.resources.models import EvaluationRequest
from studies.execution.channel import MalformedError
from studies.execution.evaluation import task_of
from studies.execution.messages import scene_document, scene_of
from studies.execution.model_calls import LocalModelCalls
from studies.records import Limits

SOUND = EvaluationRequest(settings={"x": 0.3})


def bad(fault, **settings):
    return EvaluationRequest(settings={"x": 1, "threshold": 0.5, "fault": fault, **settings})


@pytest.fixture(scope="module")
def beside():
    with closing(Sandbox(Limits(timeout=60.0, memory=300 * 1024**2), children=2)) as opened:
        yield opened


@pytest.fixture(scope="module")
def impatient():
    with closing(Sandbox(Limits(timeout=2.0), children=2)) as opened:
        yield opened


def children():
    return [
        p
        for p in psutil.Process().children()
        if "studies.execution.evaluation_child" in " ".join(p.cmdline())
    ]


def test_numbers_are_those_of_this_process(beside):
    bench, here = StorelessServices(StorelessContext(sandbox=beside)), StorelessServices()
    for model, request in (("bnh", EvaluationRequest(settings={"x1": 1.7})), ("faulty", bad("raise"))):
        told = [b.models.evaluate(model, request).model_dump(exclude={"seconds"}) for b in (bench, here)]
        assert told[0] == told[1]
    assert bench.models.check("bnh").items == here.models.check("bnh").items
    robot = LocalModelCalls().scene("cable-camera", {})
    for one, other in zip(beside.scene("cable-camera", {}).shapes, robot.shapes, strict=True):
        assert (type(one), one.name) == (type(other), other.name)


def reported_as_failed_and_the_next_one_works(sandbox, fault, told):
    models = StorelessServices(StorelessContext(sandbox=sandbox)).models
    found = models.evaluate("faulty", bad(fault))
    assert (found.status, found.metrics) == ("failed", {})
    assert told in found.reason
    assert models.evaluate("faulty", SOUND).status == "done"


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("hoard", "memory"),
        pytest.param("gulp", "memory", marks=pytest.mark.soak),  # at once, what "hoard" takes bit by bit
        ("crash", "SIGKILL"),
        ("exit", "exit code 3"),
    ],
)
def test_a_design_that_takes_too_much_is_reported_as_failed_and_the_next_one_works(beside, fault, told):
    reported_as_failed_and_the_next_one_works(beside, fault, told)


def test_a_design_that_takes_too_long_is_reported_as_failed_and_the_next_one_works(impatient):
    start = time.monotonic()
    reported_as_failed_and_the_next_one_works(impatient, "sleep", "took longer than the limit of 2 s")
    assert time.monotonic() - start < 20


def test_narrower_limits_of_one_evaluation_hold(beside):
    model = load("faulty")
    settings = model.resolve(None, {"x": 1, "threshold": 0.5, "fault": "sleep"}).model_dump(mode="json")
    found = beside.evaluate(task_of(model, settings, model.cost_classes[0], 0), Limits(timeout=0.2))
    assert (found.kind, found.final) == ("timeout", False)
    assert "took longer than the limit of 0.2 s" in found.reason


def test_an_answer_that_is_too_large_is_reported_as_a_failure(monkeypatch):
    monkeypatch.setattr("studies.execution.supervision.MOST_BYTES", 100)
    with closing(Sandbox(Limits(timeout=20.0), children=1)) as small:
        found = StorelessServices(StorelessContext(sandbox=small)).models.evaluate("faulty", SOUND)
    assert (found.status, found.metrics) == ("failed", {})
    assert "a message of more than" in found.reason


@pytest.mark.parametrize("fault", ["chatter", "forge", "close_files", "fork_twice", "truncate"])
def test_what_a_design_does_to_the_connection_harms_nobody_else(beside, fault):
    found = StorelessServices(StorelessContext(sandbox=beside)).models.evaluate("faulty", bad(fault))
    assert found.status == ("done" if fault in {"fork_twice", "truncate"} else "failed"), found.reason
    assert (
        StorelessServices(StorelessContext(sandbox=beside)).models.evaluate("faulty", SOUND).status == "done"
    )


def test_a_scene_comes_over_bit_for_bit():
    shapes = (
        Line("cable", np.array([[0.1, -0.0, 1e-300], [1 / 3, 2.0, 3.0]]), "cables"),
        Box("platform", np.zeros(3), np.eye(3), np.full(3, 0.05)),
        Surface("workspace", np.zeros((3, 3)), np.array([[0, 1, 2]])),
        Points("cells", np.zeros((0, 3)), np.full(3, 0.1)),
        Points("tips", np.ones((1, 3))),
        Points("reached", np.ones((2, 3)), None, np.array([0.1, 1 / 3]), "share", np.array([0.0, 1.0])),
    )
    posture = (PostureCoordinate("joint 1", "rad", -1.0, 1 / 3, 0.1),)
    scene = Scene(shapes, "at rest", "-y", posture=posture)
    found = scene_of(json.loads(json.dumps(scene_document(scene))))
    assert (found.caption, found.up, found.posture) == (scene.caption, scene.up, posture)
    for one, other in zip(found.shapes, shapes, strict=True):
        assert type(one) is type(other)
        for name in one.__slots__:
            mine, theirs = getattr(one, name), getattr(other, name)
            if isinstance(theirs, np.ndarray):
                assert (mine.dtype, mine.shape, mine.tobytes()) == (
                    theirs.dtype,
                    theirs.shape,
                    theirs.tobytes(),
                )
            else:
                assert mine == theirs


@pytest.mark.parametrize(
    "harm",
    [
        lambda scene: scene.pop("shapes"),
        lambda scene: scene.update(up="sideways"),
        lambda scene: scene["shapes"][0].update(shape="Sphere"),
        lambda scene: scene["shapes"][0].update(name={"dtype": "<f8", "shape": [0], "data": ""}),
        lambda scene: scene["shapes"][0].update(points="not an array"),
        lambda scene: scene["shapes"][0]["points"].update(shape=[1000, 3]),
        lambda scene: scene["shapes"][0]["points"].update(dtype="O"),
        lambda scene: scene["shapes"][0]["points"].update(data="%%%"),
        lambda scene: scene["shapes"][0].update(extra=1),
    ],
)
def test_what_is_no_scene_is_refused(harm):
    document = scene_document(Scene((Line("cable", np.zeros((2, 3))),)))
    harm(document)
    with pytest.raises(MalformedError):
        scene_of(document)


def moving(times=(0.0, 1 / 3)):
    """A scene with moments; its line grows with the time."""
    moments = tuple(Moment(time, (Line("rod", np.full((2, 3), time), "robot"),)) for time in times)
    return Scene(moments[-1].lines, "at the end", "z", moments)


def test_moments_come_over_bit_for_bit():
    scene = moving()
    found = scene_of(json.loads(json.dumps(scene_document(scene))))
    assert [moment.time for moment in found.moments] == [0.0, 1 / 3]
    for one, other in zip(found.moments, scene.moments, strict=True):
        (mine,), (theirs,) = one.lines, other.lines
        assert (mine.name, mine.group, mine.points.tobytes()) == ("rod", "robot", theirs.points.tobytes())


@pytest.mark.parametrize(
    "harm",
    [
        lambda motion: motion.pop("times"),
        lambda motion: motion.update(times="now"),
        lambda motion: motion["times"].update(shape=[1, 2]),
        lambda motion: motion["lines"][0].update(name=3),
        lambda motion: motion["lines"][0]["points"].update(shape=[4, 1, 3]),
        lambda motion: motion["lines"][0]["points"].update(shape=[12]),
        lambda motion: motion.update(lines=[]),
    ],
)
def test_what_is_no_motion_is_refused(harm):
    document = scene_document(moving())
    harm(document["motion"])
    with pytest.raises(MalformedError):
        scene_of(document)


def test_moments_out_of_order_are_refused():
    with pytest.raises(MalformedError, match="each later than the one before"):
        scene_of(scene_document(moving((1.0, 0.5))))


def test_points_without_values_are_written_as_before():
    (entry,) = scene_document(Scene((Points("tips", np.ones((1, 3))),)))["shapes"]
    assert list(entry) == ["shape", "name", "points"]
    assert "motion" not in scene_document(Scene(()))


@pytest.mark.parametrize(
    ("values", "name", "ends", "reason"),
    [
        ([0.5], "share", None, "2 points and values of shape"),
        ([[0.5], [0.2]], "share", None, "values of shape"),
        ([0.5, 0.2], "", None, "does not name its values"),
        ([0.5, 0.2], "share", [1.0, 0.0], "the less first"),
        ([0.5, 0.2], "share", [1.0], "the less first"),
        (None, "share", None, "has no values"),
    ],
)
def test_values_that_do_not_belong_to_their_points_are_refused(values, name, ends, reason):
    held = None if values is None else np.array(values)
    scale = None if ends is None else np.array(ends)
    shape = Points("reached", np.ones((2, 3)), None, held, name, scale)
    with pytest.raises(MalformedError, match=reason):
        scene_of(scene_document(Scene((shape,))))


def test_a_scene_with_a_number_that_is_not_finite_is_refused():
    with pytest.raises(MalformedError, match="not finite"):
        scene_of(scene_document(Scene((Line("cable", np.array([[0.0, np.nan, 1.0]])),))))


def test_processes_of_a_design_end_with_it(impatient, tmp_path):
    note = tmp_path / "note"
    found = StorelessServices(StorelessContext(sandbox=impatient)).models.evaluate(
        "faulty", bad("grandchild", note=str(note))
    )
    assert "longer" in found.reason
    named = [p for p in psutil.process_iter(["cmdline"]) if str(note) in (p.info["cmdline"] or [])]
    assert named == []


def test_late_callers_are_refused_and_closing_ends_what_goes_on(monkeypatch):
    monkeypatch.setattr(sandbox, "_QUEUE_SECONDS", 0.2)
    beside = Sandbox(Limits(timeout=60.0), children=1)
    before = set(children())
    ended = []
    request = bad("sleep")

    def compute():
        with pytest.raises(WorkerError, match="shutting down") as refused:
            StorelessServices(StorelessContext(sandbox=beside)).models.evaluate("faulty", request)
        ended.append(refused)

    thread = threading.Thread(target=compute)
    thread.start()
    while not (mine := set(children()) - before):
        time.sleep(0.05)
    with pytest.raises(LimitError, match="computations of others"):
        StorelessServices(StorelessContext(sandbox=beside)).models.evaluate("faulty", SOUND)
    beside.close()
    thread.join(20)
    assert len(ended) == 1
    assert not any(process.is_running() for process in mine)
    with pytest.raises(WorkerError, match="shutting down"):
        StorelessServices(StorelessContext(sandbox=beside)).models.evaluate("faulty", SOUND)
