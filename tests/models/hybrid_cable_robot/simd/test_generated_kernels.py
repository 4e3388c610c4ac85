import numpy as np
import pytest

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.cell_results import empty_results
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.simd import driver, execution_plan, generate
from models.hybrid_cable_robot.simd.code_generator import AXES, BLOCK_POSES, ENDING
from models.hybrid_cable_robot.simd.kernels import Kernels, kernels
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch


def test_generating_again_gives_the_same_bytes():
    written = {path: text.encode() for path, text in generate.generated().items()}
    assert written == {path: path.read_bytes() for path in written}


def test_every_generated_module_is_written_and_listed():
    names = {path.stem for path in generate.FOLDER.glob("*.py")} - {"__init__"}
    assert (
        names
        == {path.stem for path in generate.generated()}
        == {f"{name}{end}" for name in Kernels._fields for end in ("", ENDING)}
    )


def results(parameters):
    robot, grid = robot_of(parameters), grid_of(parameters)
    out = empty_results(parameters.cells**3)
    driver.test_cells(robot, False, grid.centers(), wrench_scratch(robot), out)
    return out


def with_another_output(kernel, row):
    """The kernel as if it were generated with one more output, full of NaN, in that row of its outputs."""
    rows = len(AXES) + len(kernel.outputs)
    own = [k for k in range(rows + 1) if k != len(AXES) + row]

    def function(io, p, blocks):
        wide = io.reshape(-1, rows + 1, BLOCK_POSES)
        narrow = np.ascontiguousarray(wide[:, own])
        kernel.function(narrow.reshape(-1), p, blocks)
        wide[:, own] = narrow
        wide[:, len(AXES) + row] = np.nan

    outputs = (*kernel.outputs[:row], "other", *kernel.outputs[row:])
    return kernel._replace(function=function, outputs=outputs)


@pytest.mark.parametrize("name", Kernels._fields)
def test_one_more_output_of_a_kernel_changes_no_result(monkeypatch, name):
    """Find outputs in any row: their names say which, never their places."""
    parameters = MODEL.resolve("suspended", {"cells": 33, "weight_moment": "ignored"})
    plain, generated = results(parameters), kernels()
    assert len(set(plain.verdicts.tolist())) > 2
    kernel = getattr(generated, name)
    for row in range(len(kernel.outputs) + 1):
        replaced = generated._replace(**{name: with_another_output(kernel, row)})
        monkeypatch.setattr(execution_plan, "kernels", lambda *, wheels, replaced=replaced: replaced)
        for found, expected in zip(results(parameters), plain, strict=True):
            np.testing.assert_array_equal(found, expected)


def test_an_output_that_a_kernel_no_longer_writes_is_an_error(monkeypatch):
    parameters = MODEL.resolve("suspended", {"cells": 33, "weight_moment": "ignored"})
    generated = kernels()
    renamed = generated._replace(wrench=generated.wrench._replace(outputs=("slack", "trusted")))
    monkeypatch.setattr(execution_plan, "kernels", lambda *, wheels: renamed)
    with pytest.raises(KeyError, match="margin"):
        results(parameters)
