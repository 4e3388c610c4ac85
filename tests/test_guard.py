"""A script without the guard that multiprocessing asks for."""

import runpy

import pytest

SCRIPT = """
import tautline

def main():
    tautline.run("no-such-study.toml")

main()
"""


def test_a_worker_that_imports_a_script_says_what_it_lacks(tmp_path, capsys):
    path = tmp_path / "search.py"
    path.write_text(SCRIPT, encoding="utf-8")
    with pytest.raises(SystemExit):
        runpy.run_path(str(path), run_name="__mp_main__")
    assert capsys.readouterr().err == (
        "search.py, line 7: each worker imports this script, so put what starts a study under "
        'if __name__ == "__main__":\n'
    )
