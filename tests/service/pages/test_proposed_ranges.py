"""Ranges that the form proposes for what shall vary: within bounds, and of a sensible size, for every parameter."""

import re
from contextlib import closing

import pytest
from pydantic import create_model

from dashboards.script_bundle import linked
from dashboards.templating import static_text
from models.fields import unit_at
from models.registry import load
from models.units import parse_quantity
from service.app.models import model_resource

pytestmark = pytest.mark.browser
MODELS = (
    "hybrid-cable-robot", "continuum-statics", "continuum-kinematics", "continuum-dynamics", "flexible-arm"
)  # fmt: skip
PROPOSED = """([resource, preset]) => {
  const { Model } = MODULE_parameters;
  const { around, pathsOf, varies } = MODULE_variables;
  const model = new Model(resource);
  const draft = { get: (...place) => (place[0] === "preset" ? preset : undefined) };
  return model.names.flatMap((name) => pathsOf(draft, model, [], name))
    .filter((path) => model.field(path).options.length === 0)
    .map((path) => [path, model.base(path, preset) ?? null, around(model, path, model.base(path, preset))]);
}"""


def proposals(browser, name):
    """Path, value and range of everything that may vary, for each preset of a model."""
    script = linked(static_text, ["pages/new/variables.js"])
    modules = dict(re.findall(r"^// (?:core|pages/new)/(\w+)\.js\nconst (module\d+) =", script, re.MULTILINE))
    asked = re.sub(r"MODULE_(\w+)", lambda found: modules[found[1]], PROPOSED)
    resource = model_resource(load(name)).model_dump(mode="json")
    with closing(browser.new_page()) as page:
        page.add_script_tag(content=script)
        return [
            (preset, *each)
            for preset in load(name).presets
            for each in page.evaluate(asked, [resource, preset])
        ]


def si(record, path, end):
    """An end as a number in SI."""
    return parse_quantity(end, unit_at(record, path)) if isinstance(end, str) else end


def with_value(whole, steps, value):
    """The value of a whole parameter with one number in it replaced."""
    if not steps:
        return value
    step = int(steps[0])
    return [*whole[:step], with_value(whole[step], steps[1:], value), *whole[step + 1 :]]


@pytest.mark.parametrize("name", MODELS)
def test_a_range_that_is_proposed_is_within_the_bounds_of_its_parameter(browser, name):
    model = load(name)
    record = model.parameters
    found = proposals(browser, name)
    assert found
    for preset, path, base, ends in found:
        field, *inside = path.split(".")
        lower, upper = (si(record, path, ends[end]) for end in ("lower", "upper"))
        assert lower < upper, (preset, path, ends)
        one = create_model("One", value=(record.model_fields[field].annotation, record.model_fields[field]))
        whole = getattr(model.resolve(preset, {}), field)
        for end in (lower, upper):
            one.model_validate({"value": with_value(whole, inside, end)})
        if isinstance(base, int | float) and base:
            assert (lower <= base * 1.001 and upper >= base * 0.999) or base < 0, (preset, path, base, ends)


@pytest.mark.parametrize("name", MODELS)
def test_a_parameter_without_a_value_says_how_large_it_usually_is(name):
    model = load(name)
    for path, field in model.parameters.model_json_schema()["properties"].items():
        forms = field.get("anyOf", [field])
        is_number = any(form.get("type") == "number" for form in forms)
        if not is_number or field.get("numerical") or field["unit"] == "rad" or field.get("default"):
            continue
        published = [preset.settings.get(path) for preset in model.presets.values()]
        assert field.get("usual") or any(published), f"{path} says nothing of its size: give it usual=(...)"


def test_a_rod_without_a_length_is_offered_one_of_some_decimetres(browser):
    found = {path: ends for _, path, _, ends in proposals(browser, "continuum-statics")}
    assert found["length"] == {"lower": "200 mm", "upper": "1000 mm"} or found["length"] == {
        "lower": 0.2,
        "upper": 1,
    }
