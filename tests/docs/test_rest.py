"""The commands of the page on the interface are run in its order, against a real server."""

import json
import os
import re
import subprocess
import time
from itertools import takewhile

import numpy as np
import pytest

from docs.code_blocks import ROOT, code_blocks
from docs.references import error_table
from service.problem_types import PROBLEMS
from tests import forked
from tests.docs.test_server_client import SMALL
from tests.left_out import needs_program
from tests.service.serving import Serving

PAGE = ROOT / "docs" / "reference" / "rest.md"
pytestmark = needs_program("curl", "commands of the REST page")


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    """A folder with a study file and a token, and the surroundings in which the server's address is known."""
    folder = tmp_path_factory.mktemp("curled")
    (folder / "first.toml").write_text(SMALL)
    with Serving(folder, "--workers", "1") as serving:
        address = serving.address  # once it has one, there is a store
        made = forked.run(folder, "token", "create", "curl", "--secret-file", folder / "server.key", check=0)
        (folder / "auth").write_text(f"Authorization: Bearer {made.stdout.strip()}\n")
        yield folder, {**os.environ, "TAUTLINE": f"{address}/api/v1"}
        assert serving.stop()[0] == 0, serving.text()


def commands(block):
    """The commands of a block; a backslash joins lines."""
    return block.text.replace("\\\n", "").strip().splitlines()


def run(command, there, seconds=60):
    folder, surroundings = there
    return subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=surroundings, capture_output=True, text=True, check=False,
        timeout=seconds,
    )  # fmt: skip


def stream_so_far(command, there):
    """Lines that a stream sends at once; it does not end by itself."""
    folder, surroundings = there
    with subprocess.Popen(
        ["/bin/sh", "-c", f"exec {command} --max-time 60"], cwd=folder, env=surroundings, stdout=subprocess.PIPE, text=True
    ) as streaming:  # fmt: skip
        # pyrefly: ignore[bad-argument-type]
        lines = list(takewhile(lambda line: line != ": that is all so far\n", streaming.stdout))
        assert streaming.poll() is None, lines
        streaming.terminate()
    return "".join(lines)


def wait_until_done(there):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        told = run("curl -sS -H @auth $TAUTLINE/studies/first", there)
        if json.loads(told.stdout)["state"] == "done":
            return
        time.sleep(0.3)
    pytest.fail("the study did not come to its end")


def test_every_command_of_the_page_does_what_it_says(there):
    folder, _ = there
    answers = {}
    for block in code_blocks(PAGE, "bash"):
        if block.title == "fragment":
            continue
        for line in commands(block):
            if block.title == "curl stream":
                wait_until_done(there)
                assert '"kind":"done"' in stream_so_far(line, there)
                continue
            told = run(f"{line} --fail-with-body", there)
            assert told.returncode == 0, f"{line}\n{told.stdout}{told.stderr}"
            if line.endswith("/extend"):
                wait_until_done(there)
            if " -o " not in line:
                answers[line.rsplit("$TAUTLINE/", 1)[1]] = json.loads(told.stdout)
    assert answers["me"]["role"] == "admin"
    assert answers["studies/check"]["runs"] == 2
    assert answers["studies/first/front"]["items"]
    assert answers["models/bnh/evaluate"]["metrics"]["f1"] == 25.0
    assert answers["studies/first"]["name"] == "first"
    assert answers["studies/first/extend"]["definition"]["search"]["generations"] == 8
    assert answers["studies/first/reevaluation"]["state"] == "done", "no version of the model has changed"
    designs = answers['studies/first/reevaluation/designs?limit=5"']["items"]
    assert [design["now"] for design in designs] == [design["stored"] for design in designs]
    assert len(designs) == 5
    assert len((folder / "first.csv").read_text().splitlines()) == 2 * 60 + 1
    assert json.loads((folder / "openapi.json").read_text())["openapi"].startswith("3.1")
    headers = (folder / "first.headers").read_text()
    rows, columns = map(int, re.search(r"(?im)^tautline-shape: (\d+),(\d+)", headers).groups())
    array = np.fromfile(folder / "first.f32", "<f4").reshape(rows, columns)
    assert rows == 2 * 12 * 8, "with those of the extension"
    (ranking,) = [answers[asked] for asked in answers if asked.startswith("studies/first/ranking")]
    assert ranking["total"]
    names = re.search(r"(?im)^tautline-columns: (.*)$", headers).group(1).strip().split(",")
    assert np.isnan(array[:, names.index("rung")]).all(), "all were evaluated in full"
    assert np.isfinite(np.delete(array, names.index("rung"), axis=1)).all()


def test_the_table_of_errors_has_every_problem_with_its_remedy():
    rows = [[cell.strip() for cell in line.split(" | ")] for line in error_table().splitlines()[2:]]
    told = {row[4].strip(" |") for row in rows}
    assert told == {f"{kind.status} `{kind.name}`" for kind in PROBLEMS}
    assert all(row[2] for row in rows), "each error says what to do"
