"""Lists of parameters in CSV files: read beside a study file, and nowhere else."""

import math
import os
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field

from dashboards.content.robot.study_file import study_toml
from errors import InputError
from models import Evaluation, Metric, Model, Parameters, Preset, quantity
from models.parameters import to_si
from models.scene import Scene
from studies.definition.data_files import DataFiles
from studies.definition.study_file import MAX_FILE_BYTES, check_text, define, parse_study, read_study
from studies.exchange import csv_rows
from studies.problem.problem import check


class Pose(Parameters):
    """A record with a field that must be given, names, and a list that no column can hold."""

    x: float = quantity(..., unit="m", description="position", ge=-5, le=5)
    y: float = quantity(0.25, unit="m", description="position")
    rx: float = quantity(0.0, unit="rad", description="rotation")
    kind: Literal["stop", "via"] = Field("via", description="what happens there")
    weights: tuple[float, ...] = quantity((1.0,), unit="1", description="of the robot's joints")


class Trial(Parameters):
    """A record that holds a measured series."""

    name: str = Field("first", description="its name")
    forces: tuple[tuple[float, float], ...] = quantity((), unit="N", description="measured")


class ArmParameters(Parameters):
    """Every kind of list that a back-end may have."""

    length: float = quantity(1.0, unit="m", description="of the arm", ge=0.1, le=10)
    poses: tuple[Pose, ...] = Field((), description="poses to reach")
    stops: tuple[Pose, ...] | None = Field(None, description="poses to stop at, if there are any")
    points: tuple[tuple[float, float, float], ...] | None = quantity(None, unit="m", description="points")
    tensions: tuple[float, ...] = quantity((1.0,), unit="N", description="of the cables", max_length=3)
    order: tuple[int, ...] | None = quantity(None, unit="1", description="of the cables")
    warmth: tuple[float, ...] = quantity((), unit="K", description="of the cables")
    labels: tuple[Literal["left", "right"], ...] = Field((), description="of the cables")
    wrench: tuple[float, float] = quantity((0.0, 0.0), unit=["N", "N m"], description="load")
    trial: Trial = Field(Trial(), description="a measurement")
    trials: tuple[Trial, ...] = Field((), description="several")


MODEL = Model(
    "arm", 1, "For tests.", "none", ArmParameters, {"default": Preset("the defaults", "none", {})},
    (Metric("f", "m", "length", "minimize"),), {"plain": lambda arm: Evaluation({"f": arm.length})},
    lambda _: Scene((), "none"), lambda: (),
)  # fmt: skip

STUDY = """name = "listed"
model = "arm"

[parameters]
%s

[variables]
length = { lower = 1, upper = 2 }
[objectives]
f = "minimize"
[search]
algorithm = "lhs"
evaluations = 4
"""


@pytest.fixture(autouse=True)
def arm(monkeypatch):
    """The back-end of this file is installed."""
    for module in ("studies.definition.data_files", "studies.definition.stored_model"):
        monkeypatch.setattr(f"{module}.load", lambda _: MODEL)


@pytest.fixture
def study(tmp_path):
    """Writes a study file and data files beside it."""

    def write(parameters, **files):
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            (tmp_path / f"{name}.csv").write_bytes(data)
        path = tmp_path / "study.toml"
        path.write_text(STUDY % parameters)
        return path

    return write


@pytest.fixture
def faults(study):
    """Faults of a file that the parameter ``points``, or another one, names."""

    def found(content, parameter="points"):
        path = study(f'{parameter} = {{ csv = "p.csv" }}', p=content)
        with pytest.raises(InputError) as error:
            check_text(path.read_text(), "study.toml", check, path.parent)
        return error.value.message.split("\n")

    return found


# ---------------------------------------------------------------- what a file may hold


def test_columns_of_a_list_of_lists_are_taken_in_their_order(study):
    path = study('points = { csv = "p.csv" }', p="a [mm],b,c [cm]\n12.3,1,-7\n\n0.1 , 2.5e-3,+4\n")
    read = read_study(path)
    assert read.parameters["points"] == [[12.3 * 1e-3, 1, -0.07], [1e-4, 2.5e-3, 0.04]]
    written = {"points": [["12.3 mm", 1, "-7 cm"], ["0.1 mm", 2.5e-3, "4 cm"]]}
    assert MODEL.resolve(None, read.parameters) == MODEL.resolve(None, written)


def test_columns_of_a_list_of_tables_are_found_by_their_names(study):
    path = study('poses = { csv = "p.csv" }', p="rx [deg],kind,x [mm]\n90,stop,100\n-45,via,200\n")
    read = read_study(path).parameters["poses"]
    assert [pose["x"] for pose in read] == [0.1, 0.2]
    first, second = MODEL.resolve(None, {"poses": read}).poses
    assert (first.kind, second.kind, first.y, first.weights) == ("stop", "via", 0.25, (1.0,))
    assert (first.rx, second.rx) == pytest.approx((math.pi / 2, -math.pi / 4))


@pytest.mark.parametrize(
    ("parameter", "content", "read"),
    [
        ("tensions", "tension [kN]\n1\n0.5", [1000, 500]),
        ("order", "cable\n2\n1\n3\n", [2, 1, 3]),
        ("order", "cable [-]\n2", [2]),
        ("labels", "side\nleft\nright\n", ["left", "right"]),
        ("points", "\ufeffx;y [mm];z\n1;2.5;3\n", [[1, 2.5e-3, 3]]),
        ("points", "x,y,z\r\n1,2,3\r\n,,\r\n", [[1, 2, 3]]),
        ("points", '"x [mm]","y","z"\n"1",2,3\n', [[1e-3, 2, 3]]),
    ],
)
def test_other_lists_and_other_ways_to_write_them(study, parameter, content, read):
    found = read_study(study(f'{parameter} = {{ csv = "p.csv" }}', p=content))
    assert found.parameters[parameter] == read
    assert check(found)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["mN", "kN", "lbf", "kg*m/s**2", "g cm/ms^2", "MN"]),
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=9),
)
def test_numbers_are_those_of_the_same_quantities_in_a_study_file(tmp_path, unit, numbers):
    (tmp_path / "n.csv").write_text("\n".join([f"t [{unit}]", *map(repr, numbers)]))
    files = DataFiles(tmp_path)
    filled = files.fill("arm", {"tensions": {"csv": "n.csv"}}, ())
    assert files.faults == []
    assert filled["tensions"] == to_si([f"{number!r} {unit}" for number in numbers], "N", ())


def test_units_with_an_offset_are_converted(study):
    read = read_study(study('warmth = { csv = "p.csv" }', p="t [degC]\n0\n20\n"))
    assert read.parameters["warmth"] == pytest.approx([273.15, 293.15])


def test_a_number_that_its_unit_makes_too_large_is_refused(faults):
    assert "line 2, column 't [MN]': '1e+305 MN' is not finite" in faults("t [MN]\n1e305\n", "tensions")[0]


def test_lists_of_layouts_and_lists_within_records_are_read_too(study):
    text = (
        'trial.forces = { csv = "f.csv" }\ntrials = [{ name = "a" }, { forces = { csv = "f.csv" } }]\n'
        '[layouts.one.parameters]\npoints.csv = "p.csv"\n[layouts.two.parameters]\n"trial.forces" = { csv = "f.csv" }'
    )
    read = read_study(study(text, f="fx,fy [kN]\n1,2\n", p="x,y,z\n1,2,3\n"))
    assert read.parameters["trial"] == {"forces": [[1, 2000]]}
    assert read.parameters["trials"] == [{"name": "a"}, {"forces": [[1, 2000]]}]
    assert read.layouts["one"].parameters == {"points": [[1, 2, 3]]}
    assert read.layouts["two"].parameters == {"trial.forces": [[1, 2000]]}
    assert set(check(read)) == {"one", "two"}


def test_a_study_holds_numbers_and_never_the_name_of_a_file(study):
    read = read_study(study('points = { csv = "secret-name.csv" }', **{"secret-name": "x,y,z\n1,2.5,3\n"}))
    written = parse_study(STUDY % "points = [[1, 2.5, 3]]")
    assert read.digest() == written.digest()
    assert "secret-name" not in read.model_dump_json()
    assert parse_study(study_toml(read)).digest() == read.digest()


def test_files_in_folders_below_the_study_file_are_read(study, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "p.csv").write_text("x,y,z\n1,2,3\n")
    assert read_study(study('points = { csv = "data/p.csv" }')).parameters["points"] == [[1, 2, 3]]


@pytest.mark.parametrize("text", ["x;y;z\n1;2,5;-3e1\n", 'x,y,z\n1,"2,5",-3e1\n'])
def test_numbers_may_have_decimal_commas(study, tmp_path, text):
    (tmp_path / "p.csv").write_text(text)
    assert read_study(study('points = { csv = "p.csv" }')).parameters["points"] == [[1, 2.5, -30]]


# ---------------------------------------------------------------- what is wrong with a file


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "p.csv is empty"),
        ("\n , \n", "p.csv is empty"),
        ("x,y,z\n", "p.csv has no rows"),
        ("1,2,3\n4,5,6\n", "p.csv, line 1: must name the columns, as in x [mm]; only numbers are there"),
        ("x,y\n1,2\n", "p.csv, line 1: names 2 columns; an item of this list takes 3"),
        ("x,y,z\n1,2,3\n1,2\n", "p.csv, line 3: has 2 cells for 3 columns"),
        ("x,y,z\n1,2,3,4\n", "p.csv, line 2: has 4 cells for 3 columns"),
        ("x,y,z\n1,2,up\n", "p.csv, line 2, column 'z': 'up' is not a finite number"),
        ("x,y,z\n1,nan,3\n", "p.csv, line 2, column 'y': 'nan' is not a finite number"),
        ("x,y,z\n1,1e999,3\n", "column 'y': '1e999' is not a finite number"),
        ("x,y,z\n1,1_0,3\n", "column 'y': '1_0' is not a finite number"),
        ("x,y,z\n1,5 mm,3\n", "column 'y': '5 mm' is not a finite number"),
        ("x,y,z\n1,,3\n", "p.csv, line 2, column 'y': is empty; write a value"),
        ("x;y;z\n1;2,5;3.5\n", "decimal commas, such as '2,5', and with decimal points, such as '3.5'; write all"),
        ("x;y;z\n1;1,234,567;3\n", "column 'y': '1,234,567' is not a finite number"),
        ("x [furlongbottoms],y,z\n1,2,3\n", "p.csv, line 1, column 'x [furlongbottoms]': '1 furlongbottoms'"),
        ("x [kg],y,z\n1,2,3\n", "it is a mass; expected a quantity in m"),
        ("x (mm),y,z\n1,2,3\n", "column 'x (mm)': is no name of a column; write a name, and its unit in brackets"),
        ("x" + " " * 100_000 + "(,y,z\n1,2,3\n", "is no name of a column; write a name"),
        ("x [mm,y,z\n1,2,3\n", "column 'x [mm': is no name of a column"),
        (",y,z\n1,2,3\n", "p.csv, line 1, column '1': is no name"),
        ('x,y,z\n1,"2,3\n', "is not CSV"),
        ('x,y,z\n1,"2"3,3\n', "p.csv, line 2: is not CSV"),
        (b"x,y,z\n\xe9,2,3\n", "p.csv is not UTF-8 text (byte 6); save it as CSV in UTF-8"),
        ("x,y,z\n1,2,3\n".encode("utf-16"), "p.csv is not UTF-8 text"),
        (b"x,y,z\n\0,2,3\n", r"'\x00' is not a finite number"),
        ("x,y,z\n\x1b[2J,2,3\n", r"'\x1b[2J' is not a finite number"),
        ("x,y,z\n" + "1" * 200 + "z,2,3\n", "1…' is not a finite number"),
        ("x,y,z\n" + "1,2,3\n" * 10_001, "p.csv has more than 10000 rows"),
        (b"x" * (csv_rows.MAX_BYTES + 1), "p.csv is larger than 256 KiB, too large for a data file"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_list_is_refused_with_file_line_and_column(faults, content, told):
    (line,) = faults(content)
    assert line.startswith("line 5: parameters.points: ")
    assert told in line


@pytest.mark.parametrize(
    ("parameter", "content", "told"),
    [
        ("poses", "x,yy\n1,2\n", "p.csv, line 1, column 'yy': unknown column 'yy'; did you mean 'y'?"),
        ("poses", "y\n1\n", "p.csv, line 1: has no column 'x'"),
        ("poses", "x,x [mm]\n1,2\n", "p.csv, line 1: has the column 'x' twice; keep one"),
        ("poses", "x,weights\n1,2\n", "column 'weights': holds more than one number"),
        ("poses", "x,kind [mm]\n1,2\n", "column 'kind [mm]': holds names, not numbers; leave the unit 'mm' out"),
        ("tensions", "a,b\n1,2\n", "names 2 columns; an item of this list takes 1"),
        ("wrench", "w\n1\n2\n", "column 'w': is of a list whose items have different units"),
        ("order", "cable [mm]\n1\n", "column 'cable [mm]': '1 mm' cannot be used here: it is a length"),
    ],
)  # fmt: skip
def test_columns_are_those_of_the_list(faults, parameter, content, told):
    assert told in faults(content, parameter)[0]


def test_all_faults_of_a_file_are_reported_up_to_ten(faults):
    told = faults("x,y,z\n1,a,b\n" + "1,2,3\n1,2,c\n" * 20)
    assert len(told) == 11
    assert [line.split(": ")[2] for line in told[:3]] == [
        "p.csv, line 2, column 'y'",
        "p.csv, line 2, column 'z'",
        "p.csv, line 4, column 'z'",
    ]
    assert told[-1] == "line 5: parameters.points: p.csv has 12 more faults"


def test_faults_of_a_file_and_of_the_rest_are_reported_together(study):
    path = study('points = { csv = "p.csv" }\nlenght = 3', p="x,y,z\n1,a,3\n")
    text = path.read_text().replace("evaluations", "evaluation").replace('f = "min', 'g = "min')
    with pytest.raises(InputError) as error:
        check_text(text, "study.toml", check, path.parent)
    told = [line.split(": ")[1] for line in error.value.message.split("\n")]
    assert sorted(told) == ["objectives.g", "parameters.lenght", "parameters.points", "search"]


@pytest.mark.parametrize(
    ("parameter", "content", "told"),
    [
        ("poses", "x [mm],y\n1,2\n\n9000,3\n", "line 5: parameters.poses[1].x: p.csv, line 4, column 'x [mm]': 9.0: must"),
        ("poses", "x,kind\n1,halt\n", "parameters.poses[0].kind: p.csv, line 2, column 'kind': 'halt': must be 'stop'"),
        ("stops", "x\n1\n9\n", "line 5: parameters.stops[1].x: p.csv, line 3, column 'x': 9: must be at most 5"),
        ("order", "cable\n1\n2.5\n", "parameters.order[1]: p.csv, line 3, column 'cable': 2.5: must be a whole number"),
        ("tensions", "t\n1\n2\n3\n4\n", "line 5: parameters.tensions: p.csv: takes at most 3 items"),
    ],
)  # fmt: skip
def test_a_value_that_the_model_refuses_is_found_in_its_file(faults, parameter, content, told):
    assert told in faults(content, parameter)[0]


def test_the_row_of_a_layout_s_list_is_found_too(study):
    text = '[layouts.one.parameters]\nposes = { csv = "p.csv" }'
    path = study(text, p="x\n1\n6\n")
    with pytest.raises(
        InputError, match=r"layouts\.one\.parameters\.poses\[1\]\.x: p\.csv, line 3, column 'x'"
    ):
        check_text(path.read_text(), "study.toml", check, path.parent)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ('{ csv = "p.csv", unit = "mm" }', "names a file, which gives the whole list: remove 'unit' beside 'csv'"),
        ("{ csv = 3 }", "csv must be the name of a file"),
        ('{ csv = "" }', "csv must be the name of a file"),
    ],
)  # fmt: skip
def test_a_table_that_names_a_file_holds_nothing_else(study, value, told):
    with pytest.raises(InputError) as error:
        read_study(study(f"points = {value}", p="x,y,z\n1,2,3\n"))
    assert told in error.value.message


def test_an_item_of_a_list_cannot_be_a_file(study):
    with pytest.raises(InputError, match="is one item of a list; a file gives the whole list"):
        read_study(study('points.0 = { csv = "p.csv" }', p="x,y,z\n1,2,3\n"))


def test_what_is_no_list_cannot_be_a_file(study):
    path = study('trial = { csv = "p.csv" }', p="x\n1\n")
    with pytest.raises(InputError, match=r"parameters\.trial: unknown key 'csv'"):
        check_text(path.read_text(), "study.toml", check, path.parent)


def test_a_file_needs_its_back_end(study, monkeypatch):
    def missing(_):
        raise InputError("unknown model 'arm'")

    monkeypatch.setattr("studies.definition.data_files.load", missing)
    with pytest.raises(InputError, match="read only where the back-end is installed: unknown model 'arm'"):
        read_study(study('points = { csv = "p.csv" }', p="x,y,z\n1,2,3\n"))


def test_a_study_does_not_grow_beyond_a_study_file(study):
    """A stored study can be written as a study file, and read again."""
    rows = "".join(f"{i / 7},{i / 11},{i / 13}\n" for i in range(4500))
    assert len(rows) < csv_rows.MAX_BYTES
    with pytest.raises(
        InputError, match=r"with the rows of its data files, the study has 2.. KiB; at most 256 KiB"
    ):
        read_study(study('points = { csv = "p.csv" }', p="x,y,z\n" + rows))
    most = rows.splitlines(keepends=True)[:4000]
    text = study_toml(read_study(study('points = { csv = "p.csv" }', p="x,y,z\n" + "".join(most))))
    assert MAX_FILE_BYTES * 0.85 < len(text) <= MAX_FILE_BYTES
    assert len(parse_study(text).parameters["points"]) == 4000


# ---------------------------------------------------------------- where files are opened


@pytest.mark.parametrize(
    "name",
    ["../p.csv", "data/../p.csv", "/etc/hostname", "C:/p.csv", "data\\\\..\\\\p.csv", "link.csv", "up/p.csv"],
)
def test_a_name_does_not_lead_out_of_the_folder(tmp_path, name, monkeypatch):
    home = tmp_path / "home"
    (home / "data").mkdir(parents=True)
    for path in (tmp_path / "p.csv", home / "p.csv"):
        path.write_text("x,y,z\n1,2,3\n")
    (home / "link.csv").symlink_to(tmp_path / "p.csv")
    (home / "up").symlink_to(tmp_path)
    (home / "study.toml").write_text(STUDY % f'points = {{ csv = "{name}" }}')
    monkeypatch.setattr(Path, "open", _only("study.toml"))
    with pytest.raises(InputError, match="leads out of the folder"):
        read_study(home / "study.toml")


def _only(name):
    """Opens the file of one name only."""
    opened = Path.open

    def opening(self, *arguments, **options):
        assert self.name == name
        return opened(self, *arguments, **options)

    return opening


@pytest.mark.parametrize("name", ["none.csv", "folder", "pipe", "x" * 300, "none/p.csv"])
def test_what_is_no_file_is_not_opened(study, tmp_path, name):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"there is no file|cannot be read"):
        read_study(study(f'points = {{ csv = "{name}" }}'))


def test_names_that_no_file_can_have_are_refused(tmp_path):
    for name in ("\ud800.csv", "loop.csv", "a\0b"):
        (tmp_path / "loop.csv").unlink(missing_ok=True)
        (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
        files = DataFiles(tmp_path)
        files.fill("arm", {"points": {"csv": name}}, ("settings",))
        with pytest.raises(InputError, match=r"settings\.points"):
            files.raise_found()


TABLES = [
    'points = { csv = "p.csv" }',
    'points = { csv = "/etc/passwd" }',
    'trial.forces = { csv = "p.csv" }',
    'trials = [{ forces = { csv = "p.csv" } }]',
    '[layouts.one.parameters]\npoints = { csv = "p.csv" }',
    '[layouts.one.parameters]\n"trial.forces" = { csv = "p.csv" }',
]


@pytest.mark.parametrize("parameters", TABLES)
def test_a_text_without_a_folder_names_no_file(parameters, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("x,y,z\n1,2,3\n")
    monkeypatch.setattr("studies.exchange.csv_rows._text", _never)
    with pytest.raises(InputError, match="names a file, and no file is opened here: write the rows"):
        parse_study(STUDY % parameters)


@pytest.mark.parametrize("parameters", TABLES)
def test_a_definition_that_names_a_file_is_refused_when_it_is_checked(parameters, tmp_path, monkeypatch):
    import tomllib

    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("x,y,z\n1,2,3\n")
    monkeypatch.setattr("studies.exchange.csv_rows._text", _never)
    with pytest.raises(InputError, match="names a file, and no file is opened here"):
        check(define(tomllib.loads(STUDY % parameters)))


def test_a_model_opens_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("x,y,z\n1,2,3\n")
    with pytest.raises(InputError, match=r"points: names a file, and no file is opened here"):
        MODEL.resolve(None, {"points": {"csv": "p.csv"}})


def _never(*_):
    raise AssertionError("a file was opened")


MIXED = "name,y [mm],x [mm],z [m],force [N]\nfirst,2,1,3,5\nsecond,20,10,30,7\n"


def test_columns_are_chosen_by_name_in_the_order_of_the_study_file(study):
    path = study('points = { csv = "p.csv", columns = ["x", "y", "z"] }', p=MIXED)
    assert read_study(path).parameters["points"] == [[1e-3, 2e-3, 3], [1e-2, 2e-2, 30]]
    path = study('tensions = { csv = "p.csv", columns = ["force"] }', p=MIXED)
    assert read_study(path).parameters["tensions"] == [5, 7]


@pytest.mark.parametrize(
    ("columns", "content", "message"),
    [
        ('["x", "y", "w"]', MIXED, "p.csv, line 1: unknown column 'w'"),
        ('["x", "y"]', MIXED, "p.csv, line 1: names 2 columns; an item of this list takes 3"),
        ('["x", "y", "name"]', MIXED, "p.csv, line 2, column 'name': 'first' is not a finite number"),
        ('["x", "y", "z"]', MIXED.replace("x [mm]", "y"), "p.csv, line 1: unknown column 'x'"),
        ('["y", "y", "z"]', MIXED.replace("x [mm]", "y"), "p.csv, line 1: has the column 'y' twice"),
        ('["x", "y", "z"]', MIXED.replace(",30,7", ",30"), "p.csv, line 3: has 4 cells for 5 columns"),
        ('"x"', MIXED, 'columns must be a list of names, as in columns = ["x", "y", "z"]'),
        ("[]", MIXED, "columns must be a list of names"),
        ("[1]", MIXED, "columns must be a list of names"),
    ],
)
def test_columns_that_are_not_there_are_refused(study, columns, content, message):
    path = study(f'points = {{ csv = "p.csv", columns = {columns} }}', p=content)
    with pytest.raises(InputError) as caught:
        read_study(path)
    assert message in str(caught.value)
