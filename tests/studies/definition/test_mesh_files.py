"""Triangle meshes in STL and OBJ files: read beside a study file, and nowhere else."""

import numpy as np
import pytest
import trimesh

from errors import InputError
from models.numerics.triangle_trees import MOST_TRIANGLES
from studies.definition.data_files import DataFiles

MODEL = "hybrid-cable-robot"


@pytest.fixture
def folder(tmp_path):
    box = trimesh.creation.box((100.0, 200.0, 300.0))
    box.export(tmp_path / "box.stl")
    box.export(tmp_path / "box.obj")
    (tmp_path / "text.stl").write_text(trimesh.exchange.stl.export_stl_ascii(box))
    hole = trimesh.Trimesh(box.vertices, box.faces[:-1])
    hole.export(tmp_path / "hole.stl")
    return tmp_path


def filled(folder, mesh):
    files = DataFiles(folder)
    settings = {"obstacles": [{"kind": "mesh", "mesh": mesh}]}
    return files.fill(MODEL, settings, ("parameters",)), files


def fault(folder, mesh):
    _, files = filled(folder, mesh)
    (found,) = files.faults
    assert found.place[:4] == ("parameters", "obstacles", 0, "mesh")
    return found.message


@pytest.mark.parametrize("name", ["box.stl", "box.obj", "text.stl"])
def test_a_mesh_takes_the_place_of_its_file(folder, name):
    from models import load

    settings, files = filled(folder, {"file": name, "unit": "mm"})
    assert not files.faults
    mesh = settings["obstacles"][0]["mesh"]
    assert len(mesh["vertices"]) == 8
    np.testing.assert_allclose(np.ptp(np.array(mesh["vertices"]), axis=0), [0.1, 0.2, 0.3], rtol=1e-6)
    assert files.size > 12 * len("[0, 1, 2]")
    parameters = load(MODEL).resolve("suspended", settings)
    assert parameters.obstacles[0].mesh.triangles == tuple(map(tuple, mesh["triangles"]))


def test_no_server_opens_a_file():
    from models import load

    assert "no file is opened here" in fault(None, {"file": "box.stl"})
    with pytest.raises(InputError, match="no file is opened here"):
        load(MODEL).resolve("suspended", {"obstacles": [{"kind": "mesh", "mesh": {"file": "box.stl"}}]})


@pytest.mark.parametrize(
    ("mesh", "text"),
    [
        ({"file": "other.stl"}, "there is no file 'other.stl'"),
        ({"file": "../box.stl"}, "leads out of the folder"),
        ({"file": "box.step"}, "must be the name of an STL or OBJ file"),
        ({"file": "box.stl", "scale": 2}, "remove 'scale' beside 'file'"),
        ({"file": "box.stl", "unit": "kg"}, "kg"),
    ],
)
def test_what_is_wrong_with_a_name_is_told(folder, mesh, text):
    assert text in fault(folder, mesh)


def test_an_open_mesh_is_refused_at_its_place(folder):
    from models import load

    settings, _ = filled(folder, {"file": "hole.stl", "unit": "mm"})
    with pytest.raises(InputError, match="not closed") as caught:
        load(MODEL).resolve("suspended", settings)
    assert "obstacles[0].mesh" in str(caught.value)


def test_a_huge_mesh_is_refused_before_it_is_read(folder):
    """Only the head of ten million triangles is there; the rest of the file is a hole."""
    count = 10_000_000
    with (folder / "huge.stl").open("wb") as file:
        file.write(bytes(80) + count.to_bytes(4, "little"))
        file.truncate(84 + 50 * count)
    assert fault(folder, {"file": "huge.stl"}) == (
        f"huge.stl has {count} triangles; at most {MOST_TRIANGLES} triangles are allowed: simplify the mesh"
    )


def test_what_is_no_mesh_is_refused(folder):
    (folder / "note.stl").write_text("a note")
    assert "note.stl" in fault(folder, {"file": "note.stl"})
