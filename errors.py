"""Every exception that Tautline raises on purpose, in one tree.

::

    TautlineError                 exit code 1
    ├── InputError                exit code 2: what was given cannot be used; nothing was done
    │   ├── UnknownNameError      a name that is not in a list; carries the list and the nearest
    │   ├── AbsentError           what is asked for by name is not there, or not for who asks
    │   ├── NameTakenError        a name that must be new and is not
    │   ├── ConditionsDifferError studies were searched under different conditions
    │   ├── TooLargeError         more bytes than are taken
    │   ├── ModelLoadError        a back-end, of an installed package or of the user's own, cannot be loaded
    │   ├── GeneratorError        a generator of gest-api cannot do what it is asked; a ValueError, too
    │   ├── AlgorithmLoadError    a search algorithm of an installed package cannot be loaded
    │   └── FaultsError           several things at once, each with its place
    ├── AccessError               a server refuses the caller
    │   ├── IdentityError         it does not know them: no token, a wrong one, one that has ended
    │   └── ForbiddenError        the caller is known, and may not do this
    ├── LimitError                too much was asked for at once; says when to try again
    ├── ServerError               a server failed, or answers what makes no sense here
    │   └── UnreachableError      it gives no answer at all, or says that it is not ready
    ├── NotReadyError             a server lives, and cannot do its work now
    ├── OutcomeError              a back-end returned what its tables do not allow
    ├── AlgorithmError            a search algorithm of another package raised, or asked for what is no design
    ├── WorkerError               a worker, or the Dask scheduler, cannot do what it is asked
    └── StoreError                the database cannot be used as asked
        ├── SchemaError           the store was written by another version
        ├── StoreFullError        there is no room left to write; reading works
        ├── StoreReadOnlyError    it may not be written, or not even read: modes, or a read-only file system
        ├── StoreBusyError        another program holds what must be written to; says when to try again
        ├── LeaseError            another living process owns the run
        ├── StateError            a run's state does not allow what was asked
        │   └── EditConflictError somebody else changed it meanwhile
        ├── VersionError          other versions than those that searched are installed here
        └── DivergedError         a replay asked for other designs than the log holds

``tautline.ShadowedPackageError``, an ``ImportError``, is not in this tree: it is raised when this module
may not be ours. Inner loops return outcomes (``Evaluation``, ``Infeasible``, ``Failure``); only edges raise.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self

MOST_FAULTS = 50
"""Faults that are reported at once."""


Place = tuple[str | int, ...]
"""The place of something: keys and item numbers, from the top of a study file or of a request inwards.

``("layouts", "suspended", "initial", 3, "beta1")``, or the name of an argument, a header or a file alone.
An empty one means the whole. Each face words it in its own way: a dotted key of a study file with its
line, an option of a command, a JSON pointer, a field of a form.
"""

UNKNOWN_KEY = "unknown_key"
"""The key of faults for which a table has a key that it must not have; the fault's name is that key."""


class Fault(NamedTuple):
    """One thing that is wrong with what was given.

    Attributes
    ----------
    place : tuple of str and int
        Where it stands.
    message : str
        What was given, what is allowed and what to do, without the place.
    key : str
        What kind of fault it is, for programs: pydantic's name, or one of ours; may be empty.
    names : tuple of str
        What the message names besides the place, such as parameters that exclude each other.
    """

    place: Place
    message: str
    key: str = ""
    names: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Place and message as one line."""
        return f"{place_text(self.place)}: {self.message}" if self.place else self.message


def place_text(place: Place) -> str:
    """A place as people write it: ``layouts.suspended.initial[3].beta1``; empty for the whole."""
    keys = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return "".join(keys).removeprefix(".")


def is_within(place: Place, holder: Place) -> bool:
    """True if a place is the holder or lies inside it."""
    return place[: len(holder)] == holder


class Remedy(NamedTuple):
    """A verb that mends what an error says: each face words it, as a command, a request or a call.

    Attributes
    ----------
    noun, verb : str
        As in the table of verbs (:mod:`service.verbs`); of a store also what is done to its file.
    names : tuple of str
        What the verb is applied to, such as a study's name.
    given : mapping of str to str
        Further arguments.
    """

    noun: str
    verb: str
    names: tuple[str, ...] = ()
    given: Mapping[str, str] = MappingProxyType({})


class TautlineError(Exception):
    """Root of the tree. ``str(error)`` is a sentence for the user.

    Remedy: read the message, which says what to do.
    """

    remedy: Remedy | None = None

    def mended_by(self, noun: str, verb: str, *names: str, **given: str) -> Self:
        """The same error with a remedy."""
        self.remedy = Remedy(noun, verb, names, given)
        return self


class InputError(TautlineError):
    """Something given by the user cannot be used.

    Remedy: correct what the message names; nothing was done.

    Parameters
    ----------
    message, place, key, names
        As those of :class:`Fault`.
    """

    def __init__(
        self, message: str, place: Place = (), *, key: str = "", names: tuple[str, ...] = ()
    ) -> None:
        self.message = message
        self.place = place
        self.key = key
        self.names = names
        super().__init__(Fault(place, message).text)

    @classmethod
    def of(cls, fault: Fault) -> Self:
        """The error of one fault."""
        return cls(fault.message, fault.place, key=fault.key, names=fault.names)

    def at(self, place: Place) -> InputError:
        """The same error at another place."""
        moved = InputError.of(self.faults[0]._replace(place=place))
        moved.remedy = self.remedy
        return moved

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong; one fault unless it is a :class:`FaultsError`."""
        return (Fault(self.place, self.message, self.key, self.names),)

    def __reduce__(self) -> tuple[Any, ...]:
        return _input_error, (type(self), self.faults[0]), {"remedy": self.remedy}


def _input_error(kind: type[InputError], fault: Fault) -> InputError:
    """A copy of an error that went to another process."""
    return kind.of(fault)


_SYNONYMS: Mapping[str, str] = {
    "min": "lower", "minimum": "lower", "low": "lower", "from": "lower",
    "max": "upper", "maximum": "upper", "high": "upper", "to": "upper",
    "values": "options", "choices": "options",
}  # fmt: skip
"""Names that other programs use for ours."""


def nearest_name(given: str, known: Sequence[str]) -> str | None:
    """The known name that was probably meant: another spelling, another program's word, a slip."""
    plain = {_letters(name): name for name in known}
    if _letters(given) in plain:
        return plain[_letters(given)]
    if _SYNONYMS.get(given.lower()) in known:
        return _SYNONYMS[given.lower()]
    nearest = get_close_matches(given, known, n=1, cutoff=0.6)
    ends = (name for name in known if given and name.lower().endswith(f"_{given.lower()}"))
    return nearest[0] if nearest else next(ends, None)


def _letters(name: str) -> str:
    """Letters and digits alone, Roman numerals at the end as digits: ``NSGA-II`` is ``nsga2``."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    return re.sub(r"(?<=[a-z])(iii|ii)$", lambda found: str(len(found[0])), plain)


class UnknownNameError(InputError):
    """A name that is not among the known ones.

    Remedy: take one of the names that the message lists.

    Parameters
    ----------
    kind : str
        The kind of thing that the name means ("metric", "preset", "key", ...).
    given : str
        The name as given.
    known : iterable of str
        All names that are allowed.
    place : tuple of str and int
        Where it stands.
    advice : str
        What else to do, without full stop.
    """

    def __init__(
        self, kind: str, given: str, known: Iterable[str], place: Place = (), advice: str = ""
    ) -> None:
        self.kind = kind
        self.given = given
        self.known = tuple(known)
        nearest = nearest_name(given, self.known)
        hint = f"; did you mean '{nearest}'?" if nearest is not None else ""
        allowed = ", ".join(self.known) or "none"
        more = f"; {advice}" if advice else ""
        super().__init__(f"unknown {kind} '{given}'{hint} (known: {allowed}){more}", place, names=(given,))

    def __reduce__(self) -> tuple[Any, ...]:
        return _input_error, (InputError, self.faults[0]), {"remedy": self.remedy}  # names are in its text


class AbsentError(InputError):
    """A study, design, model or figure of that name is not there, or not for who asks: both look alike.

    Remedy: look at the list of studies, designs or models; ask the owner to share a private study.
    """


class NameTakenError(InputError):
    """A name that must be new belongs to something else already.

    Remedy: choose another name.
    """


class ConditionsDifferError(InputError):
    """Studies were searched under different loads, limits, resolutions or versions; ``names`` lists these.

    Remedy: compare studies with the same conditions, or ask for a comparison across conditions.
    """


class TooLargeError(InputError):
    """A request sends more bytes than are read.

    Remedy: send less: a study has at most 256 KiB.
    """


class ModelLoadError(InputError):
    """A back-end of an installed package, or one of the user's own, cannot be loaded; others can be used.

    Remedy: correct the line that the message names, or install what the package lacks.
    """


class AlgorithmLoadError(InputError):
    """A search algorithm of an installed package cannot be loaded; others can be used.

    Remedy: install what the package lacks, or search with another algorithm.
    """


class GeneratorError(InputError, ValueError):
    """A generator of gest-api cannot take a problem or a result, or has not as many designs as are wanted.

    Remedy: hand over the results that are missing, or change the problem as the message says.
    """


class FaultsError(InputError):
    """Several faults of what was given. Its text has one line for each.

    Remedy: correct each of them; they are independent.

    Parameters
    ----------
    faults : sequence of Fault
        At least one.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self._faults = tuple(faults)
        first, *rest = self._faults
        others = "".join(f"\n{one.text}" for one in rest)
        super().__init__(first.message + others, first.place)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong."""
        return self._faults

    def __reduce__(self) -> tuple[Any, ...]:
        return FaultsError, (self._faults,)


class FaultList:
    """Faults found so far. A check that goes on after a fault reports all of them at its end."""

    def __init__(self) -> None:
        self.errors: list[InputError] = []

    def __bool__(self) -> bool:
        return bool(self.errors)

    @contextmanager
    def collect(self) -> Generator[None]:
        """Keep the error that is raised inside, and go on after the block."""
        try:
            yield
        except InputError as error:
            self.errors.append(error)

    def add(self, *errors: InputError) -> None:
        """Keep errors that were not raised."""
        self.errors += errors

    def raise_found(self) -> None:
        """Raise what was found: one error as it is, several as one, each fault once, at most MOST_FAULTS."""
        if len(self.errors) == 1:
            raise self.errors[0]
        if self.errors:
            found = dict.fromkeys(fault for error in self.errors for fault in error.faults)
            raise FaultsError(list(found)[:MOST_FAULTS])


class AccessError(TautlineError):
    """A server does not do this for the caller; nothing was done.

    Remedy: see IdentityError and ForbiddenError.
    """


class IdentityError(AccessError):
    """The server does not know who asks: no token, a wrong one, or one that has ended.

    Remedy: log in again, or get another token.
    """


class ForbiddenError(AccessError):
    """The server knows the caller, who may not do this.

    Remedy: ask the owner or an admin, or branch the study.
    """


class LimitError(TautlineError):
    """More was asked for at once than one person may have; nothing was done.

    ``retry_after`` are the seconds after which it may be asked for again, when that is known.

    Remedy: wait for `retry_after`, or until studies of yours have ended.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class ServerError(TautlineError):
    """A server failed, or gave an answer that this version of Tautline does not understand.

    Remedy: find the request in the log of the server; install the same version on both sides.
    """


class UnreachableError(ServerError):
    """A server gives no answer, or says that it is not ready; later it may be.

    Remedy: check the address and the network, and try again.
    """


class NotReadyError(TautlineError):
    """A server lives, and something that it needs for its work does not.

    Remedy: try again later; the log of the server says what it waits for.
    """


class OutcomeError(TautlineError):
    """A back-end returned something else than the metrics of its tables, each a finite number.

    ``kind`` is ``non_finite`` for a number that is not finite; ``timeout`` or ``out_of_memory`` where a
    program that the back-end started was ended for what it took; else ``model_error``. ``counters`` and
    ``warnings`` are those that the back-end gave until then.

    Remedy: correct the back-end.
    """

    def __init__(
        self,
        message: str,
        kind: Literal["model_error", "non_finite", "timeout", "out_of_memory"] = "model_error",
        counters: Mapping[str, int] | None = None,
        warnings: Sequence[str] = (),
    ) -> None:
        self.kind: Literal["model_error", "non_finite", "timeout", "out_of_memory"] = kind
        self.counters = dict(counters or {})
        self.warnings = tuple(warnings)
        super().__init__(message)


class AlgorithmError(TautlineError):
    """A search algorithm of another package raised, or asked for something that is no batch of designs.

    Remedy: correct the algorithm, or search with another one.
    """


class WorkerError(TautlineError):
    """A process that should evaluate designs cannot; it says nothing about the designs.

    Remedy: start workers with the same versions, or let the scheduler be reached; then run the study again.
    """


class StoreError(TautlineError):
    """The database cannot do what was asked; what it holds is unharmed.

    Remedy: follow the message.
    """


class SchemaError(StoreError):
    """The store's schema is not the one that this version of Tautline writes.

    Remedy: upgrade the store, or use the version of Tautline that wrote it.
    """


class StoreFullError(StoreError):
    """There is no room left on the store's disk; what it holds can be read.

    Remedy: free space on the disk, and go on.
    """


class StoreReadOnlyError(StoreError):
    """The store may not be written, or not read, by this process; the sentence says what stops it.

    Remedy: give this user the right to write, or use a copy.
    """


class StoreBusyError(StoreError):
    """Another program kept the store locked, or it did not answer, for as long as it was tried.

    ``retry_after`` are the seconds after which it may be tried again.

    Remedy: try again after `retry_after`, or end the other program.
    """

    retry_after = 5.0


class StateError(StoreError):
    """The state of a run, or of all runs of a study, does not allow what was asked.

    Remedy: pause, stop or launch the study first, as the message says.
    """


class EditConflictError(StateError):
    """The thing to change is no longer as it was when the caller read it.

    ``needed`` is what would have to be given to change it all the same: its place, and the value.

    Remedy: read it again, then change it.
    """

    def __init__(self, message: str, needed: tuple[str, int] | None = None) -> None:
        self.message, self.needed = message, needed
        super().__init__(message if needed is None else "{}; give {} = {}".format(message, *needed))


class LeaseError(StoreError):
    """The run, or the sweep, belongs to another process that is alive, or was taken over by one.

    ``lapses_in`` is set when that process is on another machine, so that nobody here knows whether it
    lives: the seconds after which its lease ends unless it renews it.

    Remedy: wait until the other process ends, or pause the run there.
    """

    def __init__(self, message: str, lapses_in: float | None = None) -> None:
        self.lapses_in = lapses_in
        super().__init__(message)


class DivergedError(StoreError):
    """The search asked for other designs than the ones it asked for when the log was written.

    Remedy: branch the study, which searches it anew under another name.
    """


class VersionError(StoreError):
    """A run was searched with other versions than those installed, which may ask for other designs.

    Remedy: install the versions that the message names, or branch the study.
    """
