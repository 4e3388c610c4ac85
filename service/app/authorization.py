"""The one place that decides which caller may see and change which study.

Everything that leaves a store for somebody passes here: lists, details, designs, exports, events,
and the names in an error. What a caller may not see counts as missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches

from errors import AbsentError, ForbiddenError, InputError, NameTakenError, UnknownNameError
from service.access.identity import Identity
from studies.records import EvaluationRecord, EventRecord, StudyRecord, Visibility
from studies.store import Store
from studies.store.reader import ALL
from studies.store.studies import Wanted

_MOST_NAMES = 20
"""Most names that an error lists; of more it gives only the nearest."""


def absent_error(kind: str, name: str, known: Sequence[str]) -> AbsentError:
    """The error for a ``name`` that is none of those ``known`` to who asks."""
    if len(known) <= _MOST_NAMES:
        return AbsentError(UnknownNameError(kind, name, known).message)
    nearest = get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"; did you mean '{nearest[0]}'?" if nearest else ""
    return AbsentError(f"unknown {kind} '{name}'{hint}")


_NAME = re.compile(r"[a-z0-9-]{1,64}")
_MOST_COMPARED = 200
"""Number of the newest studies that are searched for the nearest name."""


class Authorization:
    """A store as one identity sees it."""

    def __init__(self, store: Store, identity: Identity) -> None:
        self._store = store
        self._identity = identity

    def sees(self, study: StudyRecord) -> bool:
        """True if the study may be read: by admins, its owner, and everybody once it is shared."""
        return self.may_read(study.owner, study.visibility)

    def may_read(self, owner: str, visibility: Visibility) -> bool:
        """True if a study of this owner and visibility may be read."""
        mine = owner == self._identity.account
        return self._identity.administers or mine or visibility == "shared"

    def may_change(self, study: StudyRecord) -> bool:
        """True if the study may be worked on: by admins, and by its owner unless they only view."""
        mine = study.owner == self._identity.account
        return self._identity.administers or (self._identity.writes and mine)

    def studies(self, wanted: Wanted = ALL) -> list[StudyRecord]:
        """The wanted ones of the studies that may be read, newest first."""
        seen_by = None if self._identity.administers else self._identity.account
        return [s for s in self._store.studies(replace(wanted, seen_by=seen_by)) if self.sees(s)]

    def require(self, name: str) -> str:
        """The name of a study that may be read, like :meth:`study` at less cost; raises ``AbsentError``."""
        if not (_NAME.fullmatch(name) and self._visible([name])):
            raise self._absent(name)
        return name

    def without_hidden_names(self, study: StudyRecord) -> StudyRecord:
        """The study without the names of those that may not be read: of its origin, and of its designs."""
        if study.branch_of is not None and not self._visible([study.branch_of]):
            study = replace(study, branch_of=None)
        search = study.definition.get("search", {})
        seen = [name for name in search.get("from") or [] if self._visible([name])]
        if seen == (search.get("from") or []):
            return study
        known = {**search, "from": seen} if seen else {k: v for k, v in search.items() if k != "from"}
        return replace(study, definition={**study.definition, "search": known})

    def study(self, name: str) -> StudyRecord:
        """A study that may be read; raises ``AbsentError``, whether it is hidden or not there at all."""
        if not _NAME.fullmatch(name):
            raise self._absent(name)
        try:
            study = self._store.study(name)
        except UnknownNameError:
            raise self._absent(name) from None
        if not self.sees(study):
            raise self._absent(name)
        return study

    def changeable(self, name: str) -> StudyRecord:
        """A study that may be worked on; raises ``AbsentError`` or ``ForbiddenError``."""
        study = self.study(name)
        if not self.may_change(study):
            self._identity.require_writes()
            raise ForbiddenError(
                f"study '{name}' belongs to '{study.owner}': you may read it, or make a branch of your own"
            )
        return study

    def require_owner(self, account: str) -> None:
        """Raise unless the study may be given to ``account``: by an admin, to somebody who is there."""
        if not self._identity.administers:
            raise ForbiddenError("only an admin may give a study to another account")
        if account:
            try:
                self._store.accounts.find(account)
            except UnknownNameError as error:
                raise InputError(error.message, ("owner",)) from None

    def require_free(self, name: str) -> None:
        """Raise ``NameTakenError`` when the name of a new study is that of somebody else's."""
        try:
            study = self._store.study(name)
        except UnknownNameError:
            return
        if not self.may_change(study):
            raise NameTakenError(f"'{name}' is the name of another study; choose another one", ("name",))

    def design(self, key: str, study: str | None = None) -> EvaluationRecord:
        """The design with ``key``, or the only one whose key begins with it, asked for by a study in sight.

        ``study`` narrows it to one study. An admin at the store itself finds every stored design.
        """
        if study is None and self._identity.administers:
            return self._store.find_evaluation(key)
        if study is not None:
            self.require(study)
        matches = self._store.studies_by_key(key)
        visible = {study} if study is not None else self._visible({name for _, name in matches})
        keys = list(dict.fromkeys(found for found, name in matches if name in visible))
        if not keys:
            where = f"study '{study}'" if study is not None else "any study"
            raise AbsentError(f"no design of {where} has the key '{key}'", ("key",))
        if len(keys) > 1:
            raise InputError(
                f"several designs have keys that begin with '{key}'; give more characters", ("key",)
            )
        return self._store.evaluations(keys)[keys[0]]

    def events(self, found: Sequence[EventRecord]) -> list[EventRecord]:
        """The events of studies that the caller may read."""
        visible = self._visible({event.study for event in found})
        return [event for event in found if event.study in visible]

    def _visible(self, names: Collection[str]) -> set[str]:
        """Names of the studies that the caller may read."""
        return {name for name, standing in self._store.owners(names).items() if self.may_read(*standing)}

    def _absent(self, name: str) -> AbsentError:
        known = sorted(study.name for study in self.studies(replace(ALL, limit=_MOST_COMPARED)))
        return absent_error("study", name, known)
