"""Who sees and changes what, verb by verb."""

import pytest

from errors import AbsentError, ForbiddenError, InputError, NameTakenError
from service.access.identity import Identity
from service.app.studies import Local
from service.resources.studies import StudyEdit
from studies.store.studies import Wanted

READS = {
    "study": lambda local, name: local.study(name),
    "runs": lambda local, name: local.runs(name),
    "front": lambda local, name: local.front(name),
    "compare": lambda local, name: local.compare(name),
    "report": lambda local, name: local.report(name),
    "export": lambda local, name: local.export(name, "csv"),
    "events": lambda local, name: list(local.events(name)),
    "design": lambda local, name: local.design("0" * 64, name),
}
CHANGES = {
    "launch": lambda local, name: local.launch(name),
    "pause": lambda local, name: local.pause(name),
    "stop": lambda local, name: local.stop(name),
    "edit": lambda local, name: local.edit(name, StudyEdit(description="mine now")),
    "delete": lambda local, name: local.delete(name),
}


@pytest.fixture
def hers(anne, define_bnh):
    """A draft of Anne's, that only she sees."""
    return anne.create(define_bnh("hers"), launch=False).name


@pytest.fixture
def shared(anne, define_bnh):
    """A draft of Anne's, that everybody sees."""
    name = anne.create(define_bnh("shared"), launch=False).name
    return anne.edit(name, StudyEdit(visibility="shared")).name


@pytest.mark.parametrize("verb", [*READS, *CHANGES, "branch"])
def test_a_foreign_study_is_not_there_and_no_error_tells_its_name(bert, vera, hers, verb):
    verbs = {**READS, **CHANGES, "branch": lambda local, name: local.branch(name, "other")}
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
        root.launch(hers)
    CHANGES[verb](root, hers)


def test_a_viewer_makes_nothing_and_does_not_change_what_is_their_own(store, anne, vera, define_bnh, shared):
    for launch in (False, True):
        with pytest.raises(ForbiddenError):
            vera.create(define_bnh("new"), launch=launch)
    with pytest.raises(ForbiddenError):
        vera.branch(shared, "new")
    anne.create(define_bnh("given"), launch=False)
    store.edit_study("given", {"owner": "vera"})
    assert vera.study("given").owner == "vera"
    for verb in CHANGES.values():
        with pytest.raises(ForbiddenError, match="you may only read"):
            verb(vera, "given")


def test_a_token_that_only_reads_changes_nothing(store, hers):
    reader = Local(store, Identity("anne", "editor", "read"))
    assert reader.study(hers).name == hers
    for verb in CHANGES.values():
        with pytest.raises(ForbiddenError):
            verb(reader, hers)


def test_lists_and_searches_hold_what_one_may_see(anne, bert, vera, root, local, hers, shared, define_bnh):
    bert.create(define_bnh("his"), launch=False)
    local.create(define_bnh("shell"), launch=False)

    def names(somebody, search=""):
        return {study.name for study in somebody.studies(search)}

    assert names(anne) == {"hers", "shared"}
    assert names(bert) == {"shared", "his"}
    assert names(vera) == {"shared"}
    assert names(root) == names(local) == {"hers", "shared", "his", "shell"}
    assert names(bert, "h") == {
        "shared",
        "his",
    }
    assert names(bert, "hers") == set()
    page, after = root.page_of_studies(Wanted(limit=3))
    rest, end = root.page_of_studies(Wanted(limit=3, after=after))
    assert [study.name for study in page + rest] == [study.name for study in root.studies()]
    assert end is None


def test_a_name_that_is_taken_is_taken_and_tells_nothing_else(bert, anne, hers, define_bnh):
    for definition in (define_bnh("hers"), define_bnh("hers", population=16)):
        with pytest.raises(NameTakenError) as taken:
            bert.create(definition)
        assert "anne" not in str(taken.value)
    assert anne.create(define_bnh("hers"), launch=False).state == "draft", "her own comes back as it is"


def test_only_admins_give_studies_away_and_only_to_those_who_are_there(store, anne, bert, root, hers):
    store.accounts.add("bert", "editor")
    with pytest.raises(ForbiddenError):
        anne.edit(hers, StudyEdit(owner="bert"))
    with pytest.raises(InputError, match="unknown account 'bart'") as fault:
        root.edit(hers, StudyEdit(owner="bart"))
    assert fault.value.place == ("owner",)
    assert root.edit(hers, StudyEdit(owner="bert")).owner == "bert"
    assert bert.study(hers).owner == "bert"
    with pytest.raises(AbsentError):
        anne.study(hers)


def test_a_design_is_reached_through_a_study_that_one_may_see(store, local, anne, bert, finished):
    key = local.front(finished)[0].key
    assert local.design(key[:12]).key == local.design(key, finished).key == key
    for way in ((key,), (key[:12],), (key, finished)):
        with pytest.raises(AbsentError):
            anne.design(*way)
        with pytest.raises(AbsentError):
            anne.reproduce(*way)
    local.edit(finished, StudyEdit(visibility="shared"))
    assert anne.design(key[:12]).key == anne.design(key, finished).key == key
    assert anne.reproduce(key).identical
    with pytest.raises(InputError, match="is not a key"):
        anne.design("%", finished)


def test_a_branch_of_a_shared_study_is_ones_own(bert, shared):
    made = bert.branch(shared, "mine")
    assert (made.owner, made.branch_of, made.visibility) == ("bert", shared, "private")


def test_a_branch_names_only_a_study_that_one_may_see(anne, bert, root, shared):
    bert.branch(shared, "mine")
    anne.edit(shared, StudyEdit(visibility="private"))
    shown = [bert.study("mine"), bert.launch("mine"), bert.edit("mine", StudyEdit(description="new"))]
    assert [study.branch_of for study in shown] == [None, None, None]
    assert root.study("mine").branch_of == shared
    anne.edit(shared, StudyEdit(visibility="shared"))
    assert bert.study("mine").branch_of == shared
