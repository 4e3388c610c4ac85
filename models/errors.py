"""Every exception that Tautline raises on purpose, in one tree.

::

    TautlineError                 exit code 1
    ├── InputError                exit code 2: what was given cannot be used; nothing was done
    │   ├── UnknownNameError      a name that is not in a list; carries the list and the nearest
    │   ├── AbsentError           what is asked for by name is not there, or not for who asks
    │   ├── NameTakenError        a name that must be new and is not
    │   └── TooLargeError         more bytes than are taken
    ├── AccessError               a server refuses whoever asks
    │   ├── IdentityError         it does not know them: no token, a wrong one, one that has ended
    │   └── ForbiddenError        it knows them, and they may not do this
    ├── LimitError                too much was asked for at once; says when to try again
    ├── ServerError               a server failed, or answers what makes no sense here
    │   └── UnreachableError      it gives no answer at all, or says that it is not ready
    ├── NotReadyError             a server lives, and cannot do its work now
    ├── WorkerError               a worker, or the Dask scheduler, cannot do what it is asked
    ├── ContractError             a back-end broke the model contract
    └── StoreError                the database cannot be used as asked
        ├── SchemaError           the store was written by another version
        ├── StoreFullError        there is no room left to write; reading works
        ├── LeaseError            another living process owns the run
        ├── StateError            a run's state does not allow what was asked
        │   └── EditConflictError somebody else changed it meanwhile
        ├── VersionError          other versions than those that searched are installed here
        └── DivergedError         a replay asked for other designs than the log holds

``tautline.ShadowedPackageError``, an ``ImportError``, stands outside: it is raised when this module
may not be ours. Inner loops return outcomes (``Evaluation``, ``Infeasible``, ``Failure``); only edges raise.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class TautlineError(Exception):
    """Root of the tree. ``str(error)`` is a sentence for the user."""


class InputError(TautlineError):
    """Something given by the user cannot be used.

    Parameters
    ----------
    message : str
        What was given, what is allowed and what to do.
    place : str
        Where it stands: a dotted path in a study file or an option's name; may be empty.
    """

    def __init__(self, message: str, place: str = "") -> None:
        self.message = message
        self.place = place
        super().__init__(f"{place}: {message}" if place else message)

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str]]:
        return InputError, (self.message, self.place)


class UnknownNameError(InputError):
    """A name that is not among the known ones.

    Parameters
    ----------
    kind : str
        What the name stands for ("metric", "preset", "key", ...).
    given : str
        The name as given.
    known : iterable of str
        All names that are allowed.
    place : str
        Where it stands.
    """

    def __init__(self, kind: str, given: str, known: Iterable[str], place: str = "") -> None:
        self.kind = kind
        self.given = given
        self.known = tuple(known)
        nearest = get_close_matches(given, self.known, n=1, cutoff=0.6)
        hint = f"; did you mean '{nearest[0]}'?" if nearest else ""
        allowed = ", ".join(self.known) or "none"
        super().__init__(f"unknown {kind} '{given}'{hint} (known: {allowed})", place)

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str]]:
        return InputError, (self.message, self.place)


class AbsentError(InputError):
    """A study, design, model or figure of that name is not there, or not for who asks: both look alike."""

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str]]:
        return AbsentError, (self.message, self.place)


class NameTakenError(InputError):
    """A name that must be new belongs to something else already."""

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str]]:
        return NameTakenError, (self.message, self.place)


class TooLargeError(InputError):
    """What was given is larger than what is read."""

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str]]:
        return TooLargeError, (self.message, self.place)


class AccessError(TautlineError):
    """A server does not do this for whoever asks; nothing was done."""


class IdentityError(AccessError):
    """The server does not know who asks: no token, a wrong one, or one that has ended."""


class ForbiddenError(AccessError):
    """The server knows who asks, and they may not do this."""


class LimitError(TautlineError):
    """More was asked for at once than one person may have; nothing was done.

    ``retry_after`` are the seconds after which it may be asked for again, when that is known.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)

    def __reduce__(self) -> tuple[type[LimitError], tuple[str, float | None]]:
        return LimitError, (str(self), self.retry_after)


class ServerError(TautlineError):
    """A server failed, or gave an answer that this version of Tautline does not understand."""


class UnreachableError(ServerError):
    """A server gives no answer, or says that it is not ready; later it may be."""


class NotReadyError(TautlineError):
    """A server lives, and something that it needs for its work does not."""


class WorkerError(TautlineError):
    """A process that should evaluate designs cannot; it says nothing about the designs."""


class ContractError(TautlineError):
    """A back-end returned something that the model contract does not allow."""


class StoreError(TautlineError):
    """The database cannot do what was asked; what it holds is unharmed."""


class SchemaError(StoreError):
    """The store's schema is not the one that this version of Tautline writes."""


class StoreFullError(StoreError):
    """There is no room left on the store's disk; what it holds can be read."""


class StateError(StoreError):
    """The state of a run, or of all runs of a study, does not allow what was asked."""


class EditConflictError(StateError):
    """What was to be changed is no longer as it was when it was looked at."""


class LeaseError(StoreError):
    """The run belongs to another process that is alive, or was taken over by one.

    ``lapses_in`` is set when that process is on another machine, so that nobody here knows whether it
    lives: the seconds after which its lease ends unless it renews it.
    """

    def __init__(self, message: str, lapses_in: float | None = None) -> None:
        self.lapses_in = lapses_in
        super().__init__(message)

    def __reduce__(self) -> tuple[type[LeaseError], tuple[str, float | None]]:
        return LeaseError, (str(self), self.lapses_in)


class DivergedError(StoreError):
    """The search asked for other designs than the ones it asked for when the log was written."""


class VersionError(StoreError):
    """A run was searched with other versions than those installed, which may ask for other designs."""
