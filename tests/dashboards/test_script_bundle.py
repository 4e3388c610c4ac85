"""Modules that become one script."""

import json
import subprocess

import pytest

from dashboards.script_bundle import linked
from tests.left_out import needs_program

MODULES = {
    "main.js": 'import { twice as double, Box } from "./parts/maths.js";\nimport { log } from "./log.js";\n'
    "log(double(4));\nlog(new Box().size);\n",
    "parts/maths.js": 'import { log } from "../log.js";\nconst hidden = 2;\n'
    "export const twice = (value) => hidden * value;\nexport class Box {\n  size = hidden;\n}\nlog('maths');\n",
    "log.js": "export function log(value) {\n  console.log(JSON.stringify(value));\n}\nlog('log');\n",
}


@needs_program("node", "scripts outside of a page", "nodejs")
def test_modules_run_once_each_and_what_is_imported_first(tmp_path):
    path = tmp_path / "script.mjs"
    path.write_text(linked(MODULES.__getitem__, ["log.js", "main.js"]), encoding="utf-8")
    told = subprocess.run(["node", path], capture_output=True, text=True, check=True).stdout
    assert [json.loads(line) for line in told.splitlines()] == ["log", "maths", 8, 2]


def test_what_a_module_hides_stays_hidden_and_an_import_gets_its_other_name():
    text = linked(MODULES.__getitem__, ["main.js"])
    assert "twice: double, Box" in text
    assert "return { twice, Box };" in text
    assert text.index("// log.js") < text.index("// parts/maths.js") < text.index("// main.js")


def test_a_module_learns_its_own_address():
    text = linked(
        {"pages/new/a.js": "export const x = import.meta.url;"}.__getitem__,
        ["pages/new/a.js"],
        "linked/new.js",
    )
    assert 'new URL("../pages/new/a.js", import.meta.url).href' in text


def test_data_stands_in_the_module_that_imports_it():
    modules = {"a/b.js": 'import rules from "../c.json" with { type: "json" };', "c.json": '{"digits": 4}\n'}
    assert 'const rules = {"digits": 4};' in linked(modules.__getitem__, ["a/b.js"])


def test_modules_that_import_each_other_are_refused():
    modules = {"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}
    with pytest.raises(ValueError, match=r"a\.js imports b\.js imports a\.js"):
        linked(modules.__getitem__, ["a.js"])


@pytest.mark.parametrize(
    "text", ['import x from "./b.js";', 'export * from "./b.js";', "export default 3;", "export let a = 1;"]
)
def test_what_cannot_be_linked_is_refused(text):
    with pytest.raises(ValueError, match=r"a\.js cannot be linked"):
        linked({"a.js": text, "b.js": ""}.__getitem__, ["a.js"])
