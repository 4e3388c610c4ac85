"""Models that draw random numbers: cautions to single numbers, statistics of an ensemble, evaluation seeds."""

import json

import pytest
from typer.testing import CliRunner

from errors import InputError
from models import Evaluation, Metric, Model, Parameters, Preset, quantity, registry
from models.ensemble import statistics, statistics_of, uniform_factors
from models.scene import Scene
from service.app.study_checks import StorelessServices
from service.cli import app
from service.resources.models import EvaluationRequest
from studies.definition.study_file import parse_study

STUDY = """
name = "chance"
model = "chancy"
[variables]
height = { lower = 1, upper = 2 }
[objectives]
impacts = "minimize"
"impacts.spread" = "minimize"
[constraints]
swing = { lower = 0 }
[evaluation]
seed = 5
[search]
algorithm = "lhs"
evaluations = 3
"""
IMPACTS = "impacts: chaotic; ask for impacts.mean or its quantiles"
SWING = "swing: its last digits are chance"


class Drop(Parameters):
    """A drop of an arm that bounces as it likes."""

    height: float = quantity(1.5, unit="m", description="height of the drop", gt=0, le=9)


def bounce(drop, seed):
    return Evaluation({"impacts": drop.height * uniform_factors(seed, 1, 1, 0.5)[0, 0], "swing": 1.0})


def ensemble(drop, seed):
    return Evaluation(statistics({"impacts": list(drop.height * uniform_factors(seed, 16, 1, 0.5)[:, 0])}))


SINGLE = Metric("impacts", "1", "number of impacts", "minimize", ("motion",), caution=IMPACTS[9:])
MODEL = Model(
    name="chancy", version=1, summary="Drops an arm.", source="none", parameters=Drop,
    presets={"low": Preset("from half a metre", "none", {"height": 0.5})},
    metrics=(
        SINGLE, Metric("swing", "m", "swing", "minimize", ("motion",), caution=SWING[7:]), *statistics_of([SINGLE]),
    ),
    stages={"motion": bounce, "ensemble": ensemble}, stochastic=True,
    scene=lambda drop: Scene((), ""), reference_cases=list,
)  # fmt: skip


class Offered:
    """Stands for what another distribution offers."""

    name = "chancy"
    value = "chancy:MODEL"

    def load(self):
        return MODEL


@pytest.fixture(autouse=True)
def chancy(monkeypatch):
    others = registry.entry_points
    monkeypatch.setattr(registry, "entry_points", lambda group: [*others(group=group), Offered()])


def evaluate(**asked):
    return StorelessServices().models.evaluate("chancy", EvaluationRequest(**asked))


def test_whoever_asks_for_a_chaotic_metric_is_warned():
    assert evaluate().warnings == [IMPACTS, SWING]
    assert evaluate(metrics=["impacts", "impacts.mean"]).warnings == [IMPACTS]
    robust = evaluate(metrics=["impacts.mean", "impacts.q95"])
    assert (robust.status, robust.warnings) == ("done", [])


def test_the_description_of_a_model_has_cautions_and_says_that_it_needs_a_seed():
    found = StorelessServices().models.get("chancy")
    assert found.stochastic
    assert {m.metric: m.caution for m in found.metrics if m.caution} == {
        "impacts": IMPACTS[9:],
        "swing": SWING[7:],
    }
    sure = StorelessServices().models.get("bnh")
    assert not sure.stochastic
    assert not any(metric.caution for metric in sure.metrics)


def test_a_check_warns_of_objectives_and_constraints(local):
    assert StorelessServices().studies.check(parse_study(STUDY)).warnings == [IMPACTS, SWING]
    draft = local.drafts.read(STUDY)
    assert draft.faults == []
    assert [remark for remark in draft.remarks if remark in (IMPACTS, SWING)] == [IMPACTS, SWING]
    assert draft.layouts[0].middle.seed == 5
    safe = STUDY.replace("impacts =", '"impacts.q95" =')
    safe = safe.replace("swing = { lower = 0 }", '"impacts.mean" = { lower = 0 }')
    assert StorelessServices().studies.check(parse_study(safe)).warnings == []


def test_the_seed_decides_and_is_0_where_none_is_given():
    first = evaluate(metrics=["impacts.mean"])
    assert evaluate(metrics=["impacts.mean"], seed=0).metrics == first.metrics
    other = evaluate(metrics=["impacts.mean"], seed=7)
    assert other.metrics == evaluate(metrics=["impacts.mean"], seed=7).metrics != first.metrics


def test_a_model_without_chance_takes_no_seed():
    with pytest.raises(InputError, match="bnh draws no random numbers; leave the seed out") as fault:
        StorelessServices().models.evaluate("bnh", EvaluationRequest(seed=0))
    assert fault.value.place == ("seed",)


def test_stored_designs_keep_their_seed_unless_another_one_is_given(store, local, run_inline):
    local.studies.create(parse_study(STUDY))
    run_inline(store, "chance")
    stored = local.evaluations.list("chance").items[0]
    assert local.designs.get(stored.key).seed == 5

    def again(**asked):
        return local.designs.evaluate(stored.key, "chance", EvaluationRequest(**asked)).metrics

    assert again() == again(seed=5) == local.designs.get(stored.key).metrics
    assert again(seed=6) != again()


def test_designs_of_another_seed_are_other_designs(store, local, run_inline):
    keys = []
    for seed in (5, 6):
        name = f"seed-{seed}"
        text = STUDY.replace("seed = 5", f"seed = {seed}").replace('"chance"', f'"{name}"')
        local.studies.create(parse_study(text))
        run_inline(store, name)
        keys.append({design.key for design in local.evaluations.list(name).items})
    assert len(keys[0]) == len(keys[1]) == 3
    assert not keys[0] & keys[1]


def shell(*words):
    return CliRunner().invoke(app, list(words))


def test_the_shell_takes_a_seed_and_warns():
    words = ("evaluate", "chancy", "--metrics", "impacts", "--format", "json")
    run = shell(*words, "--seed", "7")
    assert run.exit_code == 0, run.output
    told = json.loads(run.stdout)
    assert told["warnings"] == [IMPACTS]
    assert told["metrics"] == evaluate(metrics=["impacts"], seed=7).metrics
    assert json.loads(shell(*words).stdout)["metrics"] == evaluate(metrics=["impacts"]).metrics
    assert f"warning: {IMPACTS}\n" in shell("evaluate", "chancy").stderr
    table = " ".join(shell("models", "show", "chancy").stdout.replace("│", " ").split())
    assert "number of impacts. Caution: chaotic; ask for" in table


def test_checking_and_launching_a_study_warn(tmp_path):
    file = tmp_path / "chance.toml"
    file.write_text(STUDY)
    launch = ("study", "run", str(file), "--queue", "--store", str(tmp_path / "tautline.db"))
    for words in (("study", "check", str(file)), launch):
        run = shell(*words)
        assert run.exit_code == 0, run.output
        assert [line for line in run.stderr.splitlines() if line.startswith("warning")] == [
            f"warning: {IMPACTS}",
            f"warning: {SWING}",
        ]
