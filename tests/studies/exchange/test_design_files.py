"""Tables, CAD files, meshes and NetCDF are read back by other programs."""

import csv
import io
import json
import re

import numpy as np
import pytest

from errors import InputError, UnknownNameError
from models import load
from models.hybrid_cable_robot.workspace_grid.workspace import workspace
from studies.exchange import cad
from studies.exchange.formats import FORMATS, can_be_written, design_file, format_named, formats_of
from tests.left_out import package

ROBOT = "hybrid-cable-robot"


@pytest.fixture(scope="module")
def file_of(cable_robot, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")

    def made(kind, parameters=cable_robot, model=ROBOT):
        file = folder / f"{model}.{FORMATS[kind].ending}"
        file.write_bytes(design_file(load(model), parameters, kind).content)
        return file

    return made


@pytest.fixture(scope="module")
def ends(cable_robot):
    """Ends of the cables in the world, (m, 2, 3) m."""
    return np.stack([ends for _, ends in load(ROBOT).mechanism(cable_robot).cable_ends()])


@pytest.fixture(scope="module")
def reach(cable_robot, ends):
    """Least and greatest corner (2, 3) m of what is drawn of cables and arm."""
    arm = [shape.points for shape in load(ROBOT).scene(cable_robot).shapes if shape.name.startswith("arm")]
    points = np.concatenate([ends.reshape(-1, 3), *arm])
    return np.stack([points.min(axis=0), points.max(axis=0)])


def test_json_makes_the_same_design_again(file_of, cable_robot, ends):
    found = json.loads(file_of("json").read_text())
    assert load(ROBOT).resolve_over(found["parameters"], {}) == cable_robot
    for cable, (start, end) in zip(found["cables"], ends, strict=True):
        assert cable["length"] == pytest.approx(np.linalg.norm(end - start))
        assert cable["start"] == start.tolist()
    assert [link["name"] for link in found["links"]][:2] == ["frame", "platform"]


def test_csv_is_a_row_for_each_cable(file_of, ends):
    rows = list(csv.DictReader(io.StringIO(file_of("csv").read_text())))
    assert len(rows) == 8
    assert [float(row["length [m]"]) for row in rows] == pytest.approx(
        np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    )
    assert {row["cable_stiffness [N/m]"] for row in rows} == {"1000.0", "100.0"}


def test_csv_of_a_robot_without_cables_is_its_drawing(file_of, arm):
    rows = list(csv.DictReader(io.StringIO(file_of("csv", arm, "flexible-arm").read_text())))
    assert {"link 1", "ground"} <= {row["line"] for row in rows}


def test_dxf_has_cables_and_points_on_layers_in_metres(file_of, ends):
    import ezdxf

    document = ezdxf.readfile(file_of("dxf"))
    assert document.units == 6
    assert not document.audit().has_errors
    space = document.modelspace()
    cables = space.query('POLYLINE[layer=="cables"]')
    found = [[vertex.dxf.location for vertex in line.vertices] for line in cables]
    np.testing.assert_allclose(
        np.array([[list(v) for v in line] for line in found])[:, ::-1], ends, atol=1e-12
    )
    fastened = np.array([list(point.dxf.location) for point in space.query('POINT[layer=="attachments"]')])
    np.testing.assert_allclose(fastened, ends[:, 1], atol=1e-12)
    assert len(space.query('POINT[layer=="pulleys"]')) == 8
    assert len(space.query('LINE[layer=="platform"]')) == 12
    assert not space.query('POINT[layer=="workspace"]')


def test_step_holds_named_lines_points_and_the_platform_in_metres(file_of, cable_robot, reach):
    package("OCP", "STEP files")
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib
    from OCP.BRepGProp import BRepGProp
    from OCP.GProp import GProp_GProps
    from OCP.STEPControl import STEPControl_Reader

    file = file_of("step")
    text = file.read_text()
    assert all(f"'cable {number}'" in text for number in range(1, 9))
    assert "SI_UNIT($,.METRE.)" in text
    reader = STEPControl_Reader()
    assert int(reader.ReadFile(str(file))) == 1
    reader.TransferRoots()
    shape = reader.OneShape()
    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box)
    corners = np.array([[at.X(), at.Y(), at.Z()] for at in (box.CornerMin(), box.CornerMax())]) / 1e3
    np.testing.assert_allclose(corners, reach, atol=1e-5)
    solid = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, solid)
    assert solid.Mass() / 1e9 == pytest.approx(8 * np.prod(cable_robot.platform_half_size))


def test_the_header_of_step_says_what_it_is_and_nothing_of_when_or_who(file_of):
    package("OCP", "STEP files")
    header = "".join(file_of("step").read_text().split("ENDSEC;")[0].split("\n"))
    assert "FILE_DESCRIPTION(('a design of hybrid-cable-robot')," in header
    assert "FILE_NAME('hybrid-cable-robot','1970-01-01T00:00:00',('Tautline'),(''" in header
    assert re.search(r"'Tautline [\d.]+, hybrid-cable-robot version \d+',''\)", header)


@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_design_is_the_same_file_at_any_time(kind, file_of, cable_robot):
    if not can_be_written(kind):
        package("OCP", "STEP files")
    first = file_of(kind).read_bytes()
    assert design_file(load(ROBOT), cable_robot, kind).content == first


def test_dxf_leaves_the_options_of_its_library_as_they_were(file_of):
    import ezdxf

    file_of("dxf")
    assert ezdxf.options.write_fixed_meta_data_for_testing is False


def test_step_without_its_package_names_the_extra(cable_robot, monkeypatch):
    monkeypatch.setattr(cad, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'tautline\[step\]'"):
        design_file(load(ROBOT), cable_robot, "step")


def test_vtk_has_the_fields_of_every_cell(file_of, cable_robot):
    import meshio

    mesh = meshio.read(file_of("vtk"))
    cells = workspace(cable_robot)
    assert mesh.cells[0].type == "hexahedron"
    corners = mesh.points[mesh.cells[0].data]
    np.testing.assert_allclose(corners.mean(axis=1), cells.grid.centers(), atol=1e-12)
    sides = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0], corners[:, 4] - corners[:, 0]
    volumes = np.einsum("ij,ij->i", np.cross(sides[0], sides[1]), sides[2])
    np.testing.assert_allclose(volumes, cells.grid.cell_volume)  # positive: corners in VTK's order
    feasible = mesh.cell_data["feasible"][0]
    assert volumes[feasible > 0].sum() == pytest.approx(cells.volume)
    np.testing.assert_array_equal(mesh.cell_data["capacity_margin"][0], cells.capacity_margins.ravel())
    assert {kind for block in mesh.cell_data["kind"] for kind in block.tolist()} == {0, 1, 2, 3}


def test_gltf_has_named_parts_with_y_upwards(file_of, reach):
    import trimesh

    scene = trimesh.load(file_of("gltf"))
    assert {"platform", "cable 1", "workspace"} <= set(scene.geometry)
    low, high = scene.bounds
    assert (low[1], high[1]) == pytest.approx(tuple(reach[:, 2]))
    assert (low[0], high[0]) == pytest.approx(tuple(reach[:, 0]))


def test_netcdf_has_units_and_the_fields_of_the_workspace(file_of, cable_robot):
    import xarray

    cells = workspace(cable_robot)
    with xarray.open_dataset(file_of("netcdf"), engine="scipy", mask_and_scale=False) as found:
        assert found.attrs["Conventions"] == "CF-1.11"
        assert found["capacity_margin"].attrs["units"] == "N"
        assert found["x"].attrs["units"] == "m"
        np.testing.assert_array_equal(found["capacity_margin"].values, cells.capacity_margins)
        meanings = found["verdict"].attrs["flag_meanings"].split()
        assert meanings[0] == "feasible"
        np.testing.assert_array_equal(found["verdict"].values, cells.verdicts)
        assert json.loads(found.attrs["parameters"])["cells"] == 6
        assert found["pulley"].shape == (8, 3)


@pytest.mark.parametrize("kind", ["json", "csv", "dxf", "vtk", "gltf"])
def test_every_back_end_offers_its_drawing(kind, arm):
    assert kind in formats_of(load("continuum-kinematics"))
    assert design_file(load("flexible-arm"), arm, kind).content


def test_a_design_without_fields_or_points_has_no_netcdf():
    model = load("flexible-arm")
    with pytest.raises(InputError, match="no workspace, points or surface"):
        design_file(model, model.resolve(None, {"duration": 0.01}), "netcdf")


def test_stiffness_of_cables_with_ea_is_named_so(axial_robot):
    text = design_file(load(ROBOT), axial_robot, "csv").content.decode()
    assert "axial_stiffness [N]" in text
    assert "12345.678" in text


def test_formats_are_found_by_name_and_by_ending():
    assert format_named("glb") == "gltf"
    assert format_named("NC") == "netcdf"
    with pytest.raises(UnknownNameError, match="did you mean 'urdf'"):
        format_named("urfd")
