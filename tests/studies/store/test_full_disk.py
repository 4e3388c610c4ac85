"""A disk that is full to its last byte: a run is left with its reason, and goes on when there is room."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import contextlib, sys
from pathlib import Path
from errors import StoreFullError
from studies.store import Store
from tests.studies.store.building_blocks import begun, definition, results

folder = Path(sys.argv[1])
with Store(str(folder / "tautline.db")) as store:
    run = store.create_study(definition(), ["default"]).runs[0]
    claim = begun(store, run)
    filler = (folder / "filler").open("wb", buffering=0)
    with contextlib.suppress(OSError):
        while filler.write(bytes(4096)):
            pass
    try:
        while True:
            store.save_results(claim, results(300))
    except StoreFullError:
        pass
    with contextlib.suppress(OSError):
        while filler.write(bytes(512)):
            pass
    store.leave_run(claim, "paused", "the store's disk is full")
    left = store.run(run)
    assert left.state == "paused", left.state
    assert left.message == "the store's disk is full", left.message
    filler.close()
    (folder / "filler").unlink()
    again = begun(store, run)
    store.save_results(again, results(300))
    store.leave_run(again, "done")
    assert store.run(run).state == "done"
    assert store.check() == []
"""


def test_a_run_is_left_with_its_reason_on_a_disk_without_a_byte(tmp_path):
    mount = f"mount -t tmpfs -o size=3m tmpfs {tmp_path} && "
    alone = [shutil.which("unshare") or "unshare", "--map-root-user", "--mount", "sh", "-c"]
    try:
        subprocess.run([*alone, f"{mount} true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this machine lets no user mount a small file system")
    command = f'{mount} exec "{sys.executable}" -c "$0" {tmp_path}'
    found = subprocess.run(
        [*alone, command, PROGRAM],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert found.returncode == 0, found.stderr
