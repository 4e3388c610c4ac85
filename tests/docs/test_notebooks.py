"""The notebooks of ``examples/notebooks`` run from top to end, and their figures are alive."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from docs.code_blocks import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
PLOT = "application/vnd.plotly.v1+json"
SECONDS = 300
"""Time that a cell may take on a busy machine."""


def test_there_are_three():
    names = [path.stem for path in NOTEBOOKS]
    assert names == ["a-model-of-your-own", "compare-layouts", "design-your-own-robot"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path: Path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    assert notebook.cells[0].source.startswith("# ")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_figures_and_tables(path: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("PLOTLY_RENDERER", "plotly_mimetype")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output.data for output in outputs if output.output_type in ("execute_result", "display_data")]
    assert sum(PLOT in data for data in shown) == path.read_text(encoding="utf-8").count('"Figure(')
    assert sum("<table" in data.get("text/html", "") for data in shown) >= 3
