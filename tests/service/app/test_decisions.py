"""Decisions, the records of them, and notes, tags and stars beside designs."""

import pytest

from errors import (
    AbsentError,
    EditConflictError,
    ForbiddenError,
    InputError,
    StateError,
)
from service.resources.decisions import DecisionRequest, FilterRequest, PreferencesRequest
from service.resources.studies import AnnotationEdit, AnnotationRequest, StudyEdit
from studies.store.trials import TrialFilter


@pytest.fixture
def hers(store, anne, define_bnh, run_inline):
    """A finished study of Anne's that everybody sees."""
    anne.studies.create(define_bnh("hers"))
    run_inline(store, "hers")
    return anne.studies.edit("hers", StudyEdit(visibility="shared")).name


def choose(local, key, name="hers", **more):
    return local.decisions.add(name, DecisionRequest(**{"key": key, "reason": "light and stiff", **more}))


def test_a_decision_keeps_who_when_why_the_rule_and_the_candidates(anne, vera, hers):
    wanted = {"weights": {"f1": 3, "f2": 1}, "filters": {"x1": FilterRequest(upper="4")}}
    ranking = anne.decisions.rank(hers, PreferencesRequest(**wanted))
    best = ranking.candidates[0]
    made = choose(anne, best.key[:10], **wanted)
    assert (made.number, made.key, made.author) == (1, best.key, "anne")
    assert made.candidates == ranking.candidates
    assert made.preferences == ranking.preferences
    assert made.preferences.filters["x1"].upper == 4.0
    assert vera.decisions.list(hers).items == [made]
    assert vera.decisions.get(hers, 1) == made
    with pytest.raises(AbsentError, match="no decision 2; it has 1"):
        vera.decisions.get(hers, 2)


def test_a_decision_is_replaced_only_by_whom_it_is_named(anne, root, hers):
    keys = [one.key for one in anne.decisions.rank(hers, PreferencesRequest()).candidates]
    choose(anne, keys[0])
    with pytest.raises(EditConflictError, match="decision 1 of study 'hers' stands"):
        choose(anne, keys[1])
    second = choose(root, keys[1], replaces=1)
    assert (second.number, second.replaces, second.author) == (2, 1, "root")
    assert [one.number for one in anne.decisions.list(hers).items] == [2, 1]


def test_only_who_may_change_a_study_decides(bert, vera, hers):
    key = vera.decisions.rank(hers, PreferencesRequest()).candidates[0].key
    with pytest.raises(ForbiddenError, match="belongs to 'anne'"):
        choose(bert, key)
    with pytest.raises(ForbiddenError, match="only read"):
        choose(vera, key)


def test_a_hidden_study_has_no_decisions_for_others(anne, bert, hers):
    anne.studies.edit(hers, StudyEdit(visibility="private"))
    for look in (
        lambda: bert.decisions.list(hers),
        lambda: bert.decisions.rank(hers, PreferencesRequest()),
        lambda: bert.decisions.get(hers, 1),
        lambda: bert.decisions.sheet(hers),
        lambda: bert.decisions.sheet(hers, number=1),
        lambda: bert.annotations.list(hers),
        lambda: bert.annotations.add(hers, AnnotationRequest(kind="tag", text="mine")),
    ):
        with pytest.raises(AbsentError):
            look()


def test_a_rule_takes_its_candidates_and_judgement_any_feasible_design(store, anne, hers):
    study = store.study(hers)
    trials = store.trials(TrialFilter([run.id for run in study.runs], limit=1000))
    on_front = {one.key for one in anne.fronts.list(hers).items}
    feasible = next(one.key for one in trials if one.violation == 0.0 and one.key not in on_front)
    broken = next(one.key for one in trials if one.violation > 0.0)
    with pytest.raises(InputError, match=r"none of the .* candidates"):
        choose(anne, feasible, rule="topsis")
    with pytest.raises(InputError, match="not feasible"):
        choose(anne, broken, rule="judgement")
    made = choose(anne, feasible, rule="judgement")
    own = next(one for one in made.candidates if one.key == feasible)
    assert own.rank is None
    assert set(own.objectives) == {"f1", "f2"}
    assert len(made.candidates) == len(on_front) + 1


def test_a_design_of_another_study_is_not_there(store, anne, hers, define_bnh, run_inline):
    other = anne.studies.create(define_bnh("other", seeds="[5]")).name
    run_inline(store, other)
    theirs = {one.key for one in anne.fronts.list(hers).items}
    key = next(one.key for one in anne.fronts.list(other).items if one.key not in theirs)
    with pytest.raises(AbsentError, match="no design of study 'hers'"):
        choose(anne, key)


def test_a_study_on_which_somebody_decided_is_deleted_only_if_that_is_said(anne, hers):
    choose(anne, anne.decisions.rank(hers, PreferencesRequest()).candidates[0].key)
    with pytest.raises(StateError, match=r"holds 1 decision.*archive it"):
        anne.studies.delete(hers)
    assert anne.studies.get(hers).state == "done"
    assert anne.studies.delete(hers, with_decisions=True).evaluations > 0


def test_a_study_without_designs_has_no_ranking_and_no_sheet(anne, define_bnh):
    draft = anne.studies.create(define_bnh("draft"), launch=False).name
    with pytest.raises(StateError, match="nothing to choose from"):
        anne.decisions.rank(draft, PreferencesRequest())
    with pytest.raises(StateError, match="nothing is decided"):
        anne.decisions.sheet(draft)


def test_on_an_own_store_the_operating_systems_user_decides(local, finished, monkeypatch):
    monkeypatch.setenv("LOGNAME", "ada")
    keys = [one.key for one in local.decisions.rank(finished, PreferencesRequest()).candidates]
    assert choose(local, keys[0], finished).author == "ada"
    monkeypatch.setattr("studies.process_identity.getuser", nobody)
    assert choose(local, keys[1], finished, replaces=1).author == ""
    assert [one.author for one in local.decisions.list(finished).items] == ["", "ada"]


def nobody():
    """As the function does where the system has no table of users."""
    raise OSError("no username set in the environment")


# ---------------------------------------------------------------- annotations


def note(local, name, text="look again", **more):
    return local.annotations.add(name, AnnotationRequest(kind="note", text=text, **more))


def test_whoever_reads_a_study_and_may_work_writes_beside_it(anne, bert, vera, hers):
    key = anne.fronts.list(hers).items[0].key
    theirs = note(bert, hers, key=key[:10])
    assert (theirs.author, theirs.key, theirs.mine) == ("bert", key, True)
    seen = vera.annotations.list(hers, key[:8]).items
    assert [(one.text, one.mine) for one in seen] == [("look again", False)]
    with pytest.raises(ForbiddenError, match="only read"):
        note(vera, hers)
    with pytest.raises(AbsentError):
        note(bert, hers, key="ffffff")


def test_notes_are_changed_by_their_authors_and_removed_by_them_or_the_owner(anne, bert, root, hers):
    mine, other = note(anne, hers), note(bert, hers)
    assert anne.annotations.edit(hers, mine.id, AnnotationEdit(text="done")).text == "done"
    with pytest.raises(ForbiddenError, match="of 'bert'"):
        anne.annotations.edit(hers, other.id, AnnotationEdit(text="mine"))
    with pytest.raises(ForbiddenError, match="belongs to 'anne'"):
        bert.annotations.remove(hers, mine.id)
    assert anne.annotations.remove(hers, other.id).text == "look again"
    assert root.annotations.remove(hers, mine.id).id == mine.id
    with pytest.raises(AbsentError, match="no annotation"):
        anne.annotations.remove(hers, mine.id)


def test_favourites_are_seen_and_removed_by_their_owner_alone(anne, bert, root, hers):
    mine = anne.annotations.add(hers, AnnotationRequest(kind="favourite"))
    theirs = bert.annotations.add(hers, AnnotationRequest(kind="favourite"))
    assert [one.id for one in anne.annotations.list(hers, "").items] == [mine.id]
    for somebody in (anne, root):
        with pytest.raises(AbsentError, match="no annotation"):
            somebody.annotations.remove(hers, theirs.id)
    assert bert.annotations.remove(hers, theirs.id).kind == "favourite"


def test_without_accounts_everything_is_ones_own_whoever_the_operating_systems_user_is(
    store, local, finished, monkeypatch
):
    old = store.annotations.add(finished, "note", "of an earlier version")
    monkeypatch.setenv("LOGNAME", "ada")
    mine = note(local, finished)
    assert (mine.author, mine.mine) == ("ada", True)
    star = local.annotations.add(finished, AnnotationRequest(kind="favourite"))
    monkeypatch.setenv("LOGNAME", "carl")
    assert local.annotations.add(finished, AnnotationRequest(kind="favourite")).id == star.id
    changed = local.annotations.edit(finished, mine.id, AnnotationEdit(text="done"))
    assert (changed.author, changed.mine) == ("ada", True)
    assert local.annotations.edit(finished, old.id, AnnotationEdit(text="still")).author == ""
    listed = local.annotations.list(finished).items
    assert [(one.id, one.mine) for one in listed] == [(old.id, True), (mine.id, True), (star.id, True)]


def test_what_an_account_wrote_is_its_own_also_for_who_opens_the_store(local, finished, anne):
    local.studies.edit(finished, StudyEdit(visibility="shared"))
    hers = note(anne, finished)
    assert [one.mine for one in local.annotations.list(finished).items] == [False]
    with pytest.raises(ForbiddenError, match="of 'anne'"):
        local.annotations.edit(finished, hers.id, AnnotationEdit(text="mine"))
    assert local.annotations.remove(finished, hers.id).id == hers.id
