"""Places of faults as data, as people read them, and through another process."""

import pickle

import pytest

from errors import (
    AbsentError,
    EditConflictError,
    Fault,
    FaultList,
    FaultsError,
    InputError,
    LeaseError,
    LimitError,
    OutcomeError,
    UnknownNameError,
    is_within,
    place_text,
)

DEEP = ("layouts", "suspended", "initial", 3, "beta1")


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ((), ""),
        (("seeds", 0), "seeds[0]"),
        (DEEP, "layouts.suspended.initial[3].beta1"),
        (("variables", "pulleys.0.2", "lower"), "variables.pulleys.0.2.lower"),
    ],
)
def test_a_place_is_worded_as_study_files_write_it(place, text):
    assert place_text(place) == text


def test_a_place_is_within_itself_and_what_holds_it_and_not_beside_a_longer_name():
    assert is_within(DEEP, DEEP)
    assert is_within(DEEP, ("layouts", "suspended"))
    assert is_within(DEEP, ())
    assert not is_within(("variables", "x1"), ("variables", "x"))
    assert not is_within(("variables",), ("variables", "x"))


@pytest.mark.parametrize("kind", [InputError, AbsentError])
def test_an_error_keeps_all_of_its_fault_in_another_process(kind):
    error = kind("is too high", DEEP, key="greater_than", names=("beta1", "beta2"))
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(copy), copy.faults, str(copy)) == (kind, error.faults, str(error))


def test_several_faults_keep_their_places_in_another_process():
    error = FaultsError([Fault(("x",), "is nothing"), Fault(DEEP, "is too high")])
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert copy.faults == error.faults
    assert str(copy) == f"x: is nothing\n{place_text(DEEP)}: is too high"


def test_an_unknown_name_says_what_kind_it_is_and_where_it_stood():
    error = UnknownNameError("layout", "upper", ["low", "high"], ("layout",))
    assert (error.kind, error.given, error.place, error.names) == ("layout", "upper", ("layout",), ("upper",))


def test_an_error_that_is_moved_keeps_what_it_says():
    error = InputError("is taken", ("name",), key="taken", names=("a",))
    assert error.at(("branch",)).faults == (Fault(("branch",), "is taken", "taken", ("a",)),)


def test_faults_that_are_collected_are_raised_once_each():
    found = FaultList()
    found.add(
        InputError("is nothing", ("x",)), InputError("is nothing", ("y",)), InputError("is nothing", ("x",))
    )
    with pytest.raises(FaultsError) as caught:
        found.raise_found()
    assert [fault.place for fault in caught.value.faults] == [("x",), ("y",)]


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        (LimitError("later", 3.0), {"retry_after": 3.0}),
        (
            InputError("is old", ("store",)).mended_by("store", "upgrade"),
            {"remedy": ("store", "upgrade", (), {}), "place": ("store",)},
        ),
        (LeaseError("taken", 30.0), {"lapses_in": 30.0}),
        (EditConflictError("decision 2 stands", ("replaces", 2)), {"needed": ("replaces", 2)}),
        (
            OutcomeError("is nan", "non_finite", {"poses": 3}, ["odd"]),
            {"kind": "non_finite", "counters": {"poses": 3}, "warnings": ("odd",)},
        ),
    ],
    ids=["limit", "remedy", "lease", "edit-conflict", "outcome"],
)
def test_a_copy_in_another_process_keeps_what_programs_read(error, kept):
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(copy), str(copy)) == (type(error), str(error))
    assert {name: getattr(copy, name) for name in kept} == kept
