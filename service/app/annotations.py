"""Notes, tags and favourites, and who may write and remove them."""

from __future__ import annotations

from errors import AbsentError, ForbiddenError, UnknownNameError
from service.app.context import Context
from service.resources.annotations import AnnotationEdit, AnnotationRequest, AnnotationResource
from service.resources.models import Page, moment
from studies.records import AnnotationRecord


class AnnotationService:
    """See :class:`service.operations.AnnotationOperations`.

    Whoever may read a study and is no mere viewer may write beside it: the study itself does not change.
    """

    def __init__(self, context: Context) -> None:
        self._store = context.store
        self._identity = context.identity
        self._authorization = context.authorization

    def list(self, name: str, key: str | None = None) -> Page[AnnotationResource]:
        """The annotations of a study and its designs, oldest first; of one design with ``key``."""
        self._authorization.require(name)
        whole = self._authorization.design(key, name).key if key else key
        found = self._store.annotations.of(name, whole)
        return Page(items=[self._resource(one) for one in found if one.kind != "favourite" or self._own(one)])

    def add(self, name: str, annotation: AnnotationRequest) -> AnnotationResource:
        """Keep one; a tag or favourite that is there already is returned as it is."""
        self._authorization.require(name)
        self._identity.require_writes()
        key = self._authorization.design(annotation.key, name).key if annotation.key else ""
        made = self._store.annotations.add(
            name, annotation.kind, annotation.text, key=key, author=self._identity.account
        )
        return self._resource(made)

    def edit(self, name: str, annotation_id: int, edit: AnnotationEdit) -> AnnotationResource:
        """Give a note of one's own another text."""
        found = self._found(name, annotation_id)
        if not self._own(found):
            raise ForbiddenError(f"the note is of '{found.author}'; write another one beside it")
        return self._resource(self._store.annotations.edit(name, annotation_id, edit.text))

    def remove(self, name: str, annotation_id: int) -> AnnotationResource:
        """Delete one; whose it is not may do so who may change the study, but for favourites."""
        found = self._found(name, annotation_id)
        if not self._own(found):
            self._authorization.changeable(name)
        return self._resource(self._store.annotations.remove(name, annotation_id))

    def _found(self, name: str, number: int) -> AnnotationRecord:
        self._authorization.require(name)
        self._identity.require_writes()
        try:
            found = self._store.annotations.find(name, number)
        except UnknownNameError:
            found = None
        if found is None or (found.kind == "favourite" and not self._own(found)):
            raise AbsentError(f"study '{name}' has no annotation {number}")
        return found

    def _own(self, record: AnnotationRecord) -> bool:
        return record.author == self._identity.account

    def _resource(self, record: AnnotationRecord) -> AnnotationResource:
        return AnnotationResource(
            id=record.id, study=record.study, key=record.key, kind=record.kind, text=record.text,
            author=record.author, mine=self._own(record), created=moment(record.created),
            changed=moment(record.changed),
        )  # fmt: skip
