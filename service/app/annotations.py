"""Notes, tags and favourites, and who may write and remove them."""

from __future__ import annotations

from collections.abc import Callable

from errors import AbsentError, ForbiddenError, UnknownNameError
from service.app.context import Context
from service.resources.models import Page, moment
from service.resources.parameters import AnnotationId, NotedKey, StudyName
from service.resources.studies import AnnotationEdit, AnnotationRequest, AnnotationResource
from studies.records import AnnotationRecord


class AnnotationService:
    """Notes, tags and favourites of designs and studies: for everybody who may read the study.

    Whoever may read a study and is no mere viewer may write beside it: the study itself does not change.
    """

    def __init__(self, context: Context) -> None:
        self._store = context.store
        self._identity = context.identity
        self._authorization = context.authorization

    def list(self, name: StudyName, key: NotedKey = None) -> Page[AnnotationResource]:
        """Notes and tags of the study and its designs, and your own favourites, oldest first."""
        self._authorization.require(name)
        whole = self._authorization.design(key, name).key if key else key
        found = self._store.annotations.of(name, whole)
        is_own = self._is_own()
        shown = [one for one in found if one.kind != "favourite" or is_own(one)]
        return Page(items=[_resource(one, mine=is_own(one)) for one in shown])

    def add(self, name: StudyName, annotation: AnnotationRequest) -> AnnotationResource:
        """Write a note, set a tag, or mark a favourite; one that is there already is returned as it is."""
        self._authorization.require(name)
        self._identity.require_writes()
        key = self._authorization.design(annotation.key, name).key if annotation.key else ""
        # A favourite is its owner's alone, whose name nobody reads: on an own store it stands once.
        author = self._identity.account if annotation.kind == "favourite" else self._identity.author
        made = self._store.annotations.add(name, annotation.kind, annotation.text, key=key, author=author)
        return _resource(made, mine=self._is_own()(made))

    def edit(self, name: StudyName, annotation_id: AnnotationId, edit: AnnotationEdit) -> AnnotationResource:
        """Give a note of your own another text."""
        found = self._found(name, annotation_id)
        if not self._is_own()(found):
            raise ForbiddenError(f"the note is of '{found.author}'; write another one beside it")
        return _resource(self._store.annotations.edit(name, annotation_id, edit.text), mine=True)

    def remove(self, name: StudyName, annotation_id: AnnotationId) -> AnnotationResource:
        """Delete what you wrote, or anybody's note or tag of a study that you may change."""
        found = self._found(name, annotation_id)
        mine = self._is_own()(found)
        if not mine:
            self._authorization.changeable(name)
        return _resource(self._store.annotations.remove(name, annotation_id), mine=mine)

    def _found(self, name: str, number: int) -> AnnotationRecord:
        self._authorization.require(name)
        self._identity.require_writes()
        try:
            found = self._store.annotations.find(name, number)
        except UnknownNameError:
            found = None
        if found is None or (found.kind == "favourite" and not self._is_own()(found)):
            raise AbsentError(f"study '{name}' has no annotation {number}")
        return found

    def _is_own(self) -> Callable[[AnnotationRecord], bool]:
        """True if the caller wrote a record. Without an account, that is all that no account wrote.

        The operating system's user is named beside it, and may be another one on another day.
        """
        account = self._identity.account
        others = set[str]() if account else {one.name for one in self._store.accounts.all()}

        def is_own(record: AnnotationRecord) -> bool:
            if account or record.kind == "favourite":
                return record.author == account
            return record.author not in others

        return is_own


def _resource(record: AnnotationRecord, *, mine: bool) -> AnnotationResource:
    return AnnotationResource(
        id=record.id, study=record.study, key=record.key, kind=record.kind, text=record.text,
        author=record.author, mine=mine, created=moment(record.created), changed=moment(record.changed),
    )  # fmt: skip
