"""References that follow from the code: nothing is left out, and nothing stands without its meaning."""

import json
import re
from types import SimpleNamespace

import pytest
from mkdocs.exceptions import PluginError

import tautline
from docs.hooks import on_page_markdown
from docs.references import interface, model_page, own_models, python_names, study_file
from docs.schema_tables import default, kind, table
from service.openapi import committed
from studies.definition.study_definition import StudyDefinition

MODELS = {model.name: model for model in own_models()}
DEFINITION = StudyDefinition.model_json_schema()


def rows(text):
    """Cells of all rows of tables, by the first cell."""
    lines = [
        re.split(r"(?<!\\) \| ", line.strip("| \n")) for line in text.splitlines() if line.startswith("| `")
    ]
    return {(cells[0], cells[-1]) for cells in lines}


@pytest.mark.parametrize(
    "record", [DEFINITION, *DEFINITION["$defs"].values()], ids=lambda each: each["title"]
)
def test_every_key_of_a_study_file_has_a_row_and_a_meaning(record):
    found = rows(study_file())
    for key, field in record["properties"].items():
        said = [meaning for name, meaning in found if name == f"`{key}`"]
        forms = [field, *field.get("anyOf", ())]
        assert any(form.get("description", "").replace("|", "\\|") in said for form in forms), key
    assert "" not in {meaning for _, meaning in found}


@pytest.mark.parametrize("name", MODELS)
def test_every_parameter_preset_and_metric_of_a_back_end_has_a_row(name):
    model, text = MODELS[name], model_page(MODELS[name])
    named = {first for first, meaning in rows(text) if meaning}
    assert named >= {f"`{each}`" for each in (*model.parameters.model_fields, *model.presets)}
    errors = {metric.error for metric in model.metrics} - {""}
    assert named >= {f"`{metric.name}`" for metric in model.metrics if metric.name not in errors}
    assert all(f"`{error}`" in text for error in errors)


def test_every_request_of_the_interface_is_listed():
    listed = interface().replace("<wbr>", "")
    for path, methods in json.loads(committed())["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path.removeprefix('/api/v1')}</code>" in listed


RECORDS = {
    name: record
    for name, record in json.loads(committed())["components"]["schemas"].items()
    if name not in {StudyDefinition.__name__, *DEFINITION["$defs"]}
}


@pytest.mark.parametrize("name", RECORDS)
def test_every_key_of_a_record_of_the_interface_says_what_it_means(name):
    for key, field in RECORDS[name].get("properties", {}).items():
        forms = [field, *field.get("anyOf", ())]
        assert any(form.get("description") for form in forms), f"{name}.{key} has no description"


def test_every_record_of_the_interface_has_one_anchor_and_every_request_names_its_answer():
    listed = interface()
    lists = {name for name, record in RECORDS.items() if {*record["properties"]} == {"items", "next"}}
    for name in RECORDS.keys() - lists:
        assert len(re.findall(rf"(?m)^#+ {name}$", listed)) == 1, name
    for row in re.findall(r"(?m)^\| <code>.*", listed):
        assert re.search(r"→ [^|]", row), row


def test_every_public_name_of_python_is_documented():
    text = python_names()
    for name in set(tautline.__all__) - {"figures"}:
        assert re.search(rf"::: tautline\.{name}\n|`{name}`", text), name
        assert getattr(tautline, name).__doc__, name


def test_types_and_defaults_are_told_in_words():
    assert kind({"type": "number", "minimum": 0, "maximum": 1.0}) == "number 0 to 1"
    assert kind({"type": "integer", "exclusiveMinimum": 0}) == "whole number > 0"
    assert kind({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}) == '`"a"`, `"b"`'
    assert (
        kind({"type": "array", "items": {"type": "array", "prefixItems": [{"type": "number"}] * 3}})
        == "list of lists of 3 numbers"
    )
    assert default({"default": [0.5, 2.0]}) == "`[0.5, 2]`"
    assert default({"default": list(range(100))}) == "100 items"
    assert table(("a", "b", "c"), [("x|y", "", "2\n3")]) == "| a | c |\n| --- | --- |\n| x\\|y | 2 3 |\n"


def test_an_unknown_reference_stops_the_build_with_its_page():
    page = SimpleNamespace(file=SimpleNamespace(src_uri="guide/one.md"))
    with pytest.raises(PluginError, match=r"guide/one\.md: no reference nothing \(known: study-file, "):
        on_page_markdown("<!-- reference: nothing -->", page)
