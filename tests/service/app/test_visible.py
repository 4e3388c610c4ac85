"""Sight and changes of studies by each caller, verb by verb."""

import pytest

from errors import AbsentError, ForbiddenError, InputError, NameTakenError
from service.access.identity import Identity
from service.app.context import Context
from service.app.services import StoreServices
from service.resources.studies import StudyEdit
from studies.definition.study_file import define

READS = {
    "study": lambda local, name: local.studies.get(name),
    "runs": lambda local, name: local.runs.list(name).items,
    "front": lambda local, name: local.fronts.list(name).items,
    "compare": lambda local, name: local.comparisons.layouts(name),
    "report": lambda local, name: local.exports.report(name),
    "export": lambda local, name: local.exports.table(name, "csv"),
    "events": lambda local, name: list(local.events.follow(name)),
    "design": lambda local, name: local.designs.get("0" * 64, name),
}
CHANGES = {
    "launch": lambda local, name: local.studies.launch(name),
    "pause": lambda local, name: local.studies.pause(name),
    "stop": lambda local, name: local.studies.stop(name),
    "edit": lambda local, name: local.studies.edit(name, StudyEdit(description="mine now")),
    "delete": lambda local, name: local.studies.delete(name),
}


@pytest.fixture
def hers(anne, define_bnh):
    """A draft of Anne's, that only she sees."""
    return anne.studies.create(define_bnh("hers"), launch=False).name


@pytest.fixture
def shared(anne, define_bnh):
    """A draft of Anne's, that everybody sees."""
    name = anne.studies.create(define_bnh("shared"), launch=False).name
    return anne.studies.edit(name, StudyEdit(visibility="shared")).name


@pytest.mark.parametrize("verb", [*READS, *CHANGES, "branch"])
def test_a_foreign_study_is_not_there_and_no_error_tells_its_name(bert, vera, hers, verb):
    verbs = {**READS, **CHANGES, "branch": lambda local, name: local.studies.branch(name, "other")}
    for somebody in (bert, vera):
        with pytest.raises(AbsentError) as hidden:
            verbs[verb](somebody, hers)
        with pytest.raises(AbsentError) as missing:
            verbs[verb](somebody, "hars")
        assert str(hidden.value).replace("hers", "hars") == str(missing.value)
        assert "hers" not in str(missing.value)


@pytest.mark.parametrize("verb", sorted(set(READS) - {"design"}))
def test_what_is_shared_is_read_by_all(bert, vera, root, anne, shared, verb):
    for somebody in (bert, vera, root, anne):
        READS[verb](somebody, shared)


@pytest.mark.parametrize("verb", CHANGES)
def test_what_is_shared_is_changed_by_its_owner_and_admins_alone(bert, vera, shared, verb):
    with pytest.raises(ForbiddenError, match="belongs to 'anne'"):
        CHANGES[verb](bert, shared)
    with pytest.raises(ForbiddenError, match="you may only read"):
        CHANGES[verb](vera, shared)


@pytest.mark.parametrize("verb", CHANGES)
def test_admins_change_everything(root, hers, verb):
    if verb == "pause":
        root.studies.launch(hers)
    CHANGES[verb](root, hers)


def test_a_viewer_makes_nothing_and_does_not_change_what_is_their_own(store, anne, vera, define_bnh, shared):
    for launch in (False, True):
        with pytest.raises(ForbiddenError):
            vera.studies.create(define_bnh("new"), launch=launch)
    with pytest.raises(ForbiddenError):
        vera.studies.branch(shared, "new")
    anne.studies.create(define_bnh("given"), launch=False)
    store.edit_study("given", {"owner": "vera"})
    assert vera.studies.get("given").owner == "vera"
    for verb in CHANGES.values():
        with pytest.raises(ForbiddenError, match="you may only read"):
            verb(vera, "given")


def test_a_token_that_only_reads_changes_nothing(store, hers):
    reader = StoreServices(Context(store=store, identity=Identity("anne", "editor", "read")))
    assert reader.studies.get(hers).name == hers
    for verb in CHANGES.values():
        with pytest.raises(ForbiddenError):
            verb(reader, hers)


def test_lists_and_searches_hold_what_one_may_see(anne, bert, vera, root, local, hers, shared, define_bnh):
    bert.studies.create(define_bnh("his"), launch=False)
    local.studies.create(define_bnh("shell"), launch=False)

    def names(somebody, search=""):
        return {study.name for study in somebody.studies.list(search).items}

    assert names(anne) == {"hers", "shared"}
    assert names(bert) == {"shared", "his"}
    assert names(vera) == {"shared"}
    assert names(root) == names(local) == {"hers", "shared", "his", "shell"}
    assert names(bert, "h") == {
        "shared",
        "his",
    }
    assert names(bert, "hers") == set()
    page = root.studies.list(limit=3)
    rest = root.studies.list(limit=3, cursor=page.next)
    assert page.items + rest.items == root.studies.list().items
    assert (len(page.items), rest.next) == (3, None)


def test_a_name_that_is_taken_is_taken_and_tells_nothing_else(bert, anne, hers, define_bnh):
    for definition in (define_bnh("hers"), define_bnh("hers", population=16)):
        with pytest.raises(NameTakenError) as taken:
            bert.studies.create(definition)
        assert "anne" not in str(taken.value)
    assert anne.studies.create(define_bnh("hers"), launch=False).state == "draft", (
        "her own comes back as it is"
    )


def test_only_admins_give_studies_away_and_only_to_those_who_are_there(store, anne, bert, root, hers):
    with pytest.raises(ForbiddenError):
        anne.studies.edit(hers, StudyEdit(owner="bert"))
    with pytest.raises(InputError, match="unknown account 'bart'") as fault:
        root.studies.edit(hers, StudyEdit(owner="bart"))
    assert fault.value.place == ("owner",)
    assert root.studies.edit(hers, StudyEdit(owner="bert")).owner == "bert"
    assert bert.studies.get(hers).owner == "bert"
    with pytest.raises(AbsentError):
        anne.studies.get(hers)


def test_a_design_is_reached_through_a_study_that_one_may_see(store, local, anne, bert, finished):
    key = local.fronts.list(finished).items[0].key
    assert local.designs.get(key[:12]).key == local.designs.get(key, finished).key == key
    for way in ((key,), (key[:12],), (key, finished)):
        with pytest.raises(AbsentError):
            anne.designs.get(*way)
        with pytest.raises(AbsentError):
            anne.designs.reproduce(*way)
    local.studies.edit(finished, StudyEdit(visibility="shared"))
    assert anne.designs.get(key[:12]).key == anne.designs.get(key, finished).key == key
    assert anne.designs.reproduce(key).identical
    with pytest.raises(InputError, match="is not a key"):
        anne.designs.get("%", finished)


def test_a_branch_of_a_shared_study_is_ones_own(bert, shared):
    made = bert.studies.branch(shared, "mine")
    assert (made.owner, made.branch_of, made.visibility) == ("bert", shared, "private")


def test_a_branch_names_only_a_study_that_one_may_see(anne, bert, root, shared):
    bert.studies.branch(shared, "mine")
    anne.studies.edit(shared, StudyEdit(visibility="private"))
    shown = [
        bert.studies.get("mine"),
        bert.studies.launch("mine"),
        bert.studies.edit("mine", StudyEdit(description="new")),
    ]
    assert [study.branch_of for study in shown] == [None, None, None]
    assert root.studies.get("mine").branch_of == shared
    anne.studies.edit(shared, StudyEdit(visibility="shared"))
    assert bert.studies.get("mine").branch_of == shared


def beginning(define_bnh, name, source):
    tree = define_bnh(name).model_dump(mode="json", exclude_unset=True)
    return define({**tree, "search": {**tree["search"], "from": [source]}})


def test_a_study_begins_only_with_designs_that_one_may_see(anne, bert, root, hers, shared, define_bnh):
    for verb in (bert.studies.check, bert.studies.create):
        for name in (hers, "nobodys"):
            with pytest.raises(InputError, match=rf"unknown study '{name}' \(known: shared\)"):
                verb(beginning(define_bnh, "mine", name))
    bert.studies.create(beginning(define_bnh, "mine", shared), launch=False)
    assert bert.studies.get("mine").definition["search"]["from"] == [shared]
    anne.studies.edit(shared, StudyEdit(visibility="private"))
    assert "from" not in bert.studies.get("mine").definition["search"]
    assert "from = " not in bert.studies.file("mine")
    assert root.studies.get("mine").definition["search"]["from"] == [shared]
    assert bert.studies.branch("mine", "again", launch=False).name == "again"
