import numpy as np
import pytest

from errors import InputError
from studies.definition.study_file import MAX_FILE_BYTES, define, parse_study, read_study
from studies.problem.problem import check

SOUND = """
name = "sound"
model = "faulty"
[variables]
x = { lower = 0, upper = 1 }
size = { lower = 1, upper = 5, type = "integer" }
shape = { options = ["round", "flat"] }
[objectives]
f1 = "minimize"
[search]
generations = 2
"""


def test_a_sound_file_is_read_with_defaults():
    definition = parse_study(SOUND)
    problem = check(definition)["default"]
    assert [v.path for v in problem.space.variables] == ["x", "size", "shape"]
    assert definition.seeds == [1]
    assert definition.search.algorithm == "nsga2"


def test_both_spellings_of_a_sense_are_read():
    definition = parse_study(SOUND.replace('"minimize"', '"minimise"'))
    assert definition.objectives == {"f1": "minimize"}
    assert definition.digest() == parse_study(SOUND).digest()


def test_layouts_that_are_compared_have_five_seeds_unless_the_file_says_how_many():
    variables = SOUND[SOUND.index("[variables]") : SOUND.index("[objectives]")]
    layouts = "[layouts.one]\n[layouts.other]\n"
    several = SOUND.replace(variables, variables + layouts)
    assert parse_study(several).seeds == [1, 2, 3, 4, 5]
    assert parse_study(several.replace('model = "faulty"', 'model = "faulty"\nseeds = [7]')).seeds == [7]
    assert parse_study(several.replace("[layouts.other]\n", "")).seeds == [1]


BAD = {
    "unknown key": ('name = "sound"', 'name = "sound"\nobjektives = 1', "objectives", "objektives"),
    "unknown key in a table": ("generations = 2", "generation = 2", "generations", "search"),
    "unknown model": ('"faulty"', '"fault"', "did you mean 'faulty'", "model"),
    "unknown metric": ('f1 = "minimize"', 'f11 = "minimize"', "did you mean 'f1'", "objectives"),
    "unknown sense": ('"minimize"', '"least"', "minimize", "objectives.f1"),
    "unknown parameter": ("x = {", "xx = {", "unknown parameter 'xx'", "variables.xx"),
    "unknown algorithm": ("generations = 2", 'generations = 2\nalgorithm = "nsga4"', "nsga2", "search.algorithm"),
    "unknown preset": ('model = "faulty"', 'model = "faulty"\npreset = "sounds"', "sound", "preset"),
    "lower above upper": ("lower = 0, upper = 1", "lower = 1, upper = 0", "swapped", "variables.x.lower"),
    "nan bound": ("lower = 0, upper = 1", "lower = nan, upper = 1", "finite", "variables.x.lower"),
    "infinite bound": ("lower = 0, upper = 1", "lower = 0, upper = inf", "finite", "variables.x.upper"),
    "wrong unit": ("upper = 1 }", 'upper = "1 kg" }', "kg", "variables.x.upper"),
    "outside the parameter's bounds": ("upper = 1 }", "upper = 7 }", "must be at most 1", "variables.x.upper"),
    "one bound missing": ("lower = 0, upper = 1", "upper = 1", "lower and upper", "variables.x"),
    "real range for a whole number": (', type = "integer"', "", "whole number", "variables.size"),
    "broken integer bounds": ("upper = 5", "upper = 4.5", "integer", "variables.size"),
    "range for a name": ('options = ["round", "flat"]', "lower = 0, upper = 1", "options", "variables.shape"),
    "unknown option": ('"flat"', '"fla"', "flat", "variables.shape.options"),
    "option twice": ('"flat"', '"round"', "twice", "variables.shape.options"),
    "a path as a name": ('"sound"', '"../sound"', "1 to 64 characters", "name"),
    "an empty name": ('name = "sound"', 'name = ""', "name", "name"),
    "no budget": ("generations = 2", "", "generations, evaluations or wall_time", "search"),
    "huge budget": ("generations = 2", "generations = 900000", "at most", "search"),
    "huge grid": ("generations = 2", 'algorithm = "grid"\npoints = 900000', "at most", "search.points"),
    "negative seed": ('model = "faulty"', 'model = "faulty"\nseeds = [-1]', "seeds", "seeds[0]"),
    "seed twice": ('model = "faulty"', 'model = "faulty"\nseeds = [1, 1]', "once", "seeds"),
    "variable fixed too": ("[variables]", "[parameters]\nx = 0.5\n[variables]", "fixed", "variables.x"),
    "fixed value out of bounds": ("[variables]", "[parameters]\nthreshold = 9\n[variables]", "at most", "threshold"),
    "fixed value is nan": ("[variables]", "[parameters]\nthreshold = nan\n[variables]", "finite", "threshold"),
    "constraint without a side": ("[search]", "[constraints]\nf2 = {}\n[search]", "lower, upper", "constraints.f2"),
    "constraint swapped": ("[search]", "[constraints]\nf2 = {lower=2, upper=1}\n[search]", "swapped", "constraints.f2.lower"),
    "constraint on nothing": ("[search]", "[constraints]\nf3 = {lower=2}\n[search]", "f1", "constraints"),
    "constraint in a wrong unit": (
        "[search]", '[constraints]\nsometimes = {lower="2 s"}\n[search]', "in m", "constraints.sometimes.lower",
    ),
    "reference point incomplete": ("[search]", "[indicators]\nreference_point = {}\n[search]", "f1", "reference_point"),
    "options and a bound": ('options = ["round", "flat"]', 'options = ["round", "flat"], upper = 3', "or options alone", "variables.shape"),
    "a truth value as a bound": ("lower = 0, upper = 1", "lower = false, upper = true", "number", "variables.x.lower"),
    "text as a count": ("generations = 2", 'generations = "2"', "whole number", "search.generations"),
    "a huge number": ("upper = 1 }", "upper = 1" + "0" * 400 + " }", "too large", "variables.x.upper"),
    "endless whole numbers": ("upper = 5", "upper = 99999999999", "real", "variables.size"),
    "an item that is no number": ("x = {", '"x.\u00b2" = {', "no items", "variables.x"),
    "a column's name as a layout": ("[search]", "[layouts.winner]\n[search]", "choose another", "layouts"),
    "tables without end": ("[search]", "[variables." + "a." * 400 + "b]\nlower = 0\n[search]", "more than 24 parts", ""),
    "wrong schema version": ('name = "sound"', 'name = "sound"\nschema_version = 2', "1", "schema_version"),
}  # fmt: skip


GOALS = SOUND.replace('f1 = "minimize"', 'f1 = "minimize"\nf2 = "minimize"')
MISFITS = {
    "two objectives": (GOALS, 'algorithm = "cma-es"', "cma-es takes 1 objective, the study has 2; for 2 choose one of nsga2", "search.algorithm"),
    "one objective": (SOUND, 'algorithm = "sms-emoa"', "takes 2 to 4 objectives, the study has 1", "search.algorithm"),
    "constraints": (GOALS, 'algorithm = "moead"\n[constraints]\nf2 = {lower=0}', "moead takes no constraints, the study has 1; choose one of nsga2, nsga3", "search.algorithm"),
    "too many designs": (GOALS, 'algorithm = "optuna-tpe"\nevaluations = 2001', "asks for 2001 designs per run; at most 2000 are allowed for optuna-tpe", "search"),
    "a large population": (GOALS, 'algorithm = "nsga3"\npopulation = 2001', "2001 is too large for nsga3; at most 2000", "search.population"),
    "no time": (SOUND, "wall_time = 0", "above 0", "search.wall_time"),
    "endless time": (SOUND, 'wall_time = "9 years"', "a year", "search.wall_time"),
    "time in metres": (SOUND, 'wall_time = "9 m"', "quantity in s", "search.wall_time"),
    "time alone for a sample": (SOUND, 'algorithm = "lhs"\nwall_time = 5', "needs evaluations or generations", "search"),
    "stagnation alone": (SOUND, "stagnation = 5", "needs generations, evaluations or wall_time", "search"),
    "no stagnation": (SOUND, "stagnation = 0", "must be at least 1", "search.stagnation"),
}  # fmt: skip


@pytest.mark.parametrize("case", MISFITS)
def test_an_algorithm_that_does_not_suit_the_study_is_refused_with_those_that_do(case):
    text, search, told, place = MISFITS[case]
    budget = (
        ""
        if "wall_time" in search or "evaluations" in search or "stagnation" in search
        else "\ngenerations = 1"
    )
    head, _, constraints = search.partition("\n[")
    text = text.replace("generations = 2", head + budget + ("\n[" + constraints if constraints else ""))
    with pytest.raises(InputError) as error:
        check(parse_study(text))
    assert told in str(error.value)
    assert place in str(error.value)


def test_time_may_be_the_only_budget():
    definition = parse_study(SOUND.replace("generations = 2", 'wall_time = "10 min"\nstagnation = 20'))
    assert definition.search.wall_seconds == 600.0
    assert check(definition)["default"].planned_designs(definition.search) == 1_000_000


def test_budgets_end_at_the_first_one_reached():
    for budget, planned in (
        ("generations = 3", 120),
        ("generations = 3\nevaluations = 50", 50),
        ("evaluations = 7", 7),
    ):
        definition = parse_study(SOUND.replace("generations = 2", budget))
        assert check(definition)["default"].planned_designs(definition.search) == planned


OLD = """
name = "old"
model = "faulty"
seeds = [1, 2]
[parameters]
threshold = 0.5
[variables]
x = { lower = 0, upper = 1 }
[layouts.a]
[layouts.b]
preset = "sound"
[layouts.b.variables]
y = { lower = 0.25, upper = "0.75" }
[objectives]
f1 = "minimize"
f2 = "maximize"
[constraints]
sometimes = { upper = "2 m" }
[search]
population = 8
generations = 3
"""


def test_a_study_of_the_first_release_keeps_its_digest():
    """Keys that came later must not count unless they are set: name them in their table's ``added``."""
    old = parse_study(OLD)
    assert old.digest() == "4c722e4e87daa3ccc2950de18671a1c8aecb0f7c99c2b9da1cc24a6235cc2655"
    assert set(old.model_dump(mode="json")["search"]) == {
        "algorithm",
        "population",
        "generations",
        "evaluations",
        "points",
    }
    for more in ('wall_time = "1 h"', "stagnation = 3", "initial = [{ x = 0.5 }]"):
        assert parse_study(OLD + more).digest() != old.digest()


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_gets_one_error_with_place_and_what_is_allowed(case):
    old, new, told, place = BAD[case]
    assert old in SOUND
    with pytest.raises(InputError) as error:
        check(parse_study(SOUND.replace(old, new, 1)))
    assert told in str(error.value)
    assert place in str(error.value)


@pytest.mark.parametrize("text", ["", "   \n", "# only a comment\n"])
def test_an_empty_file_says_what_a_study_needs(text):
    with pytest.raises(InputError, match="is empty; a study needs at least name"):
        parse_study(text)


@pytest.mark.parametrize("text", ["{]", "name = ", "\x00", "<html>", "x = " + "[" * 5000])
def test_text_that_is_no_toml_is_refused(text):
    with pytest.raises(InputError, match="is not TOML"):
        parse_study(text)


def test_objectives_are_needed():
    with pytest.raises(InputError, match="objectives"):
        parse_study('name = "a"\nmodel = "zdt1"\n')
    with pytest.raises(InputError, match="objectives"):
        parse_study('name = "a"\nmodel = "zdt1"\n[objectives]\n')


def test_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_study(tmp_path / "missing.toml")
    with pytest.raises(InputError, match="cannot be read"):
        read_study(tmp_path)
    (tmp_path / "huge.toml").write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    with pytest.raises(InputError, match="256 KiB"):
        read_study(tmp_path / "huge.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        read_study(tmp_path / "binary.toml")


def test_nested_tables_flatten_until_one_holds_a_range():
    nested = parse_study(
        'name="a"\nmodel="zdt1"\n[variables.x]\n0 = {lower=0, upper=1}\n1 = {lower=0, upper=1}\n'
        '[objectives]\nf1="minimize"\n[search]\ngenerations=1'
    )
    dotted = parse_study(
        'name="a"\nmodel="zdt1"\n[variables]\n"x.0" = {lower=0, upper=1}\n"x.1" = {lower=0, upper=1}\n'
        '[objectives]\nf1="minimize"\n[search]\ngenerations=1'
    )
    assert list(nested.variables) == ["x.0", "x.1"]
    assert nested.digest() == dotted.digest()
    check(nested)


def test_an_item_that_is_not_there_is_named():
    text = 'name="a"\nmodel="zdt1"\n[variables]\n"x.99" = {lower=0, upper=1}\n[objectives]\nf1="minimize"\n[search]\ngenerations=1'
    with pytest.raises(InputError, match="items are 0 to 29"):
        check(parse_study(text))


def test_layouts_share_variables_and_may_replace_them():
    definition = parse_study(
        SOUND.replace(
            "[search]", "[layouts.a]\n[layouts.b.variables]\nx = { lower = 0.5, upper = 0.75 }\n[search]"
        )
    )
    problems = check(definition)
    assert [v.upper for p in problems.values() for v in p.space.variables if v.path == "x"] == [1.0, 0.75]


def test_digest_knows_content_and_not_form():
    assert parse_study(SOUND).digest() == parse_study("# a remark\n" + SOUND).digest()
    assert parse_study(SOUND).digest() != parse_study(SOUND.replace("upper = 5", "upper = 6")).digest()


def test_a_stored_definition_reads_back_as_itself():
    definition = parse_study(SOUND)
    assert define(definition.model_dump(mode="json")) == definition


def test_quantities_convert_to_si():
    text = SOUND.replace("[search]", '[constraints]\nsometimes = { lower = "2 mm", upper = "1 m" }\n[search]')
    constraint = check(parse_study(text))["default"].constraints[0]
    assert (constraint.lower, constraint.upper) == (0.002, 1.0)


def test_items_of_lists_may_be_fixed_without_quotes():
    text = 'name="a"\nmodel="zdt1"\n[parameters]\nx.3 = 0.25\n[variables]\nx.0 = {lower=0, upper=1}\n[objectives]\nf1="minimize"\n[search]\ngenerations=1'
    definition = parse_study(text)
    assert definition.parameters == {"x.3": 0.25}
    (task,) = check(definition)["default"].tasks(np.array([[0.5]]))
    assert task.parameters["x"][:5] == [0.5, 0.0, 0.0, 0.25, 0.0]


def test_a_fault_is_placed_in_the_table_in_which_its_key_stands():
    common = SOUND.replace(
        "[search]", "[parameters]\nthreshold = 9\n[layouts.a.parameters]\nsize = 2\n[search]"
    )
    common = common.replace('size = { lower = 1, upper = 5, type = "integer" }\n', "")
    with pytest.raises(InputError) as error:
        check(parse_study(common))
    assert error.value.place == ("parameters", "threshold")
    with pytest.raises(InputError) as error:
        check(parse_study(common.replace("threshold = 9", "threshold = 1").replace("size = 2", "size = 99")))
    assert error.value.place == ("layouts", "a", "parameters", "size")


def test_a_preset_among_the_parameters_is_sent_where_it_belongs():
    with pytest.raises(InputError, match="one level up"):
        check(parse_study(SOUND.replace("[search]", '[parameters]\npreset = "sound"\n[search]')))


def test_an_error_in_text_names_its_source():
    with pytest.raises(InputError, match=r"^mine\.toml: "):
        parse_study(SOUND.replace('"sound"', '"../x"'), "mine.toml")


@pytest.mark.parametrize("path", ["x.00", "x.0.0", "x.1e1", "x.²", "x.-1"])
def test_an_item_has_one_spelling(path):
    text = f'name="a"\nmodel="zdt1"\n[variables]\n"{path}" = {{lower=0, upper=1}}\n[objectives]\nf1="minimize"\n[search]\ngenerations=1'
    with pytest.raises(InputError):
        check(parse_study(text))


LIMITED = 'name="a"\nmodel="zdt1"\n[variables]\n"x.0" = {lower=0, upper=1}\n[objectives]\nf1="minimize"\n[evaluation]\n'


@pytest.mark.parametrize(
    ("lines", "timeout", "memory"),
    [
        ("", None, None),
        ("timeout = 10", 10.0, None),
        ('timeout = "1.5 min"', 90.0, None),
        ("memory = 3000000", None, 3_000_000),
        ('timeout = "200 ms"\nmemory = "2 GiB"', 0.2, 2 * 1024**3),
        ('memory = "500 MB"', None, 500_000_000),
    ],
)
def test_limits_are_seconds_and_bytes_or_carry_units(lines, timeout, memory):
    limits = parse_study(LIMITED + lines).evaluation.limits
    assert (limits.timeout, limits.memory) == (timeout, memory)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("timeout = 0", "evaluation.timeout: 0: must be more than 0 s"),
        ('timeout = "-1 s"', "must be more than 0 s"),
        (
            'timeout = "10 m"',
            "evaluation.timeout: '10 m': '10 m' cannot be used here: it is a length; expected a quantity in s",
        ),
        ("timeout = true", "evaluation.timeout"),
        ("timeout = nan", "evaluation.timeout"),
        ("memory = 2", "evaluation.memory: 2: is less than 1 MiB"),
        ('memory = "2 s"', "expected a quantity in byte"),
        ('memory = "much"', "evaluation.memory"),
        ("time = 3", "unknown key 'time'"),
    ],
)
def test_limits_that_cannot_be_are_refused(line, said):
    with pytest.raises(InputError) as raised:
        parse_study(LIMITED + line)
    assert said in str(raised.value)


def test_whole_numbers_with_and_without_a_point_are_the_same_study():
    one = parse_study(SOUND.replace("[variables]", "[parameters]\nthreshold = 1.0\n[variables]"))
    other = parse_study(SOUND.replace("[variables]", "[parameters]\nthreshold = 1\n[variables]"))
    assert one.digest() != other.digest(), "stores hold digests that tell them apart"
    assert other.is_same(one.digest(), one.model_dump(mode="json"))
    assert one.is_same(other.digest(), other.model_dump(mode="json"))
    for text in ("threshold = 1.5", "threshold = true", 'threshold = "1"'):
        third = parse_study(SOUND.replace("[variables]", f"[parameters]\n{text}\n[variables]"))
        assert not third.is_same(one.digest(), one.model_dump(mode="json"))
