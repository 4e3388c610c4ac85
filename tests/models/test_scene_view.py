"""Choices of a picture of a design: a field in the colours of its cells, and a posture."""

from dataclasses import replace

import numpy as np
import pytest

from errors import InputError, UnknownNameError
from models.contract import Model
from models.parameters import Parameters
from models.scalar_grid import GridQuantity, ScalarGrid
from models.scene import Line, Points, PostureCoordinate, Scene
from models.scene_view import AS_DESIGNED, OUTLINE, SceneView, coloured_quantities, scene_of_view

AXES = (np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0]), np.array([5.0]))
FORCE = GridQuantity("least_force", "N", "least force of the cell")
KIND = GridQuantity("kind", "1", "kind of the cell", ("in", "out"))
VALUES = np.array([[[1.0], [2.0]], [[3.0], [np.nan]], [[5.0], [6.0]]])
CELLS = np.array([[2.0, 1.0, 5.0], [0.0, 0.0, 5.0], [1.0, 1.0, 5.0]])


class Crane(Parameters):
    """A crane without numbers."""


def scene(_, posture=None):
    angle = 0.5 if posture is None else posture[0]
    tip = np.array([np.cos(angle), np.sin(angle), 0.0])
    return Scene(
        (Line("boom", np.stack([np.zeros(3), tip])), Points("workspace", CELLS, np.ones(3))), "A crane."
    )


def crane(**settings):
    return Model(
        **{
            "name": "crane", "version": 1, "summary": "", "source": "", "parameters": Crane, "presets": {},
            "metrics": (), "stages": {}, "reference_cases": list, "scene": scene,
            "grid": lambda _: ScalarGrid(AXES, np.ones(3), (FORCE.field(VALUES), KIND.field(VALUES * 0)), ""),
            "grid_quantities": (FORCE, KIND),
            "posture": lambda _: (PostureCoordinate("slewing", "rad", -1.0, 2.0, 0.5),),
            **settings,
        }
    )  # fmt: skip


def test_cells_have_the_values_of_their_places_in_the_grid():
    drawn = scene_of_view(crane(), Crane(), SceneView("least_force"))
    _, coloured, plain = drawn.shapes
    np.testing.assert_array_equal(coloured.points, CELLS[:2])
    assert coloured.values.tolist() == [6.0, 1.0]
    assert coloured.value_name == "least force [N]"
    assert (plain.name, plain.points.tolist()) == ("workspace without a value", CELLS[2:].tolist())
    assert drawn.caption == "A crane. Colours of the cells: least force of the cell."


def test_a_scene_without_cells_says_that_there_is_nothing_to_colour():
    empty = crane(scene=lambda _, posture=None: Scene((Line("boom", np.zeros((2, 3))),), "A crane."))
    assert scene_of_view(empty, Crane(), SceneView("least_force")).caption.endswith("no cells to colour.")


def test_an_outline_is_what_the_model_draws_without_an_evaluation():
    alone = Scene((Line("boom", np.eye(2, 3)),), "A boom.")
    assert scene_of_view(crane(outline=lambda _: alone), Crane(), OUTLINE) is alone
    with pytest.raises(InputError, match="crane draws no outline"):
        scene_of_view(crane(), Crane(), OUTLINE)


def test_the_posture_of_a_picture_is_the_design_s_own_or_what_is_asked_for():
    own = scene_of_view(crane(), Crane())
    assert [each.value for each in own.posture] == [0.5]
    moved = scene_of_view(crane(), Crane(), SceneView(posture=(2.0 + 1e-12,)))
    assert [each.value for each in moved.posture] == [2.0]
    assert moved.shapes[0].points[1] == pytest.approx([np.cos(2.0), np.sin(2.0), 0.0])


@pytest.mark.parametrize(
    ("view", "words", "place"),
    [
        (SceneView("kind"), "least_force", ("field",)),  # flags are no numbers
        (SceneView("least_fource"), "did you mean 'least_force'?", ("field",)),
        (
            SceneView(posture=(0.1, 0.2)),
            r"has 2 values; this design has 1 coordinates \(slewing\)",
            ("posture",),
        ),
        (SceneView(posture=(2.1,)), "slewing goes from -1 to 2 rad, not to 2.1", ("posture", 0)),
    ],
)
def test_what_the_back_end_does_not_have_is_refused_where_it_stands(view, words, place):
    with pytest.raises(InputError, match=words) as refused:
        scene_of_view(crane(), Crane(), view)
    assert refused.value.place == place


def test_a_model_without_fields_and_posture_draws_designs_as_they_are():
    plain = crane(grid=None, grid_quantities=(), posture=None)
    assert coloured_quantities(plain) == ()
    assert scene_of_view(plain, Crane(), AS_DESIGNED).posture == ()
    with pytest.raises(UnknownNameError):
        scene_of_view(plain, Crane(), SceneView("least_force"))
    with pytest.raises(InputError, match="the model crane has no posture"):
        scene_of_view(replace(plain), Crane(), SceneView(posture=()))
