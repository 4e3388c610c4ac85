"""Studies by name: create, find, list, edit, delete."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    delete,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    update,
)

from errors import EditConflictError, LeaseError, NameTakenError, StateError, UnknownNameError
from models.registry import is_built_in, names
from studies.definition.documents import continues, differences, differences_text
from studies.definition.stored_model import model_tables
from studies.definition.study_definition import StudyDefinition
from studies.records import RunRecord, RunState, StudyRecord, Visibility
from studies.store import decisions, run_log, states
from studies.store.annotations import put_back, taken_along
from studies.store.column_types import belongs_to, storable
from studies.store.lease import UNCLAIMED
from studies.store.run_lock import lock_runs, order_events
from studies.store.tables import (
    annotation,
    chunks,
    decision,
    evaluation,
    event,
    insert_of,
    run,
    run_evaluation,
    run_lease,
    study,
    sweep_study,
)


@dataclass(frozen=True, slots=True)
class CreationOptions:
    """Options of a new study: its owner, the study that it branches from, queued for a runner or a draft."""

    owner: str = ""
    branch_of: str | None = None
    launch: bool = True
    visibility: Visibility = "private"
    replaces: str = ""
    """A draft in whose place it is stored; owner, visibility, branches and annotations of the draft stay."""


def create(
    connection: Connection,
    definition: StudyDefinition,
    layouts: list[str],
    options: CreationOptions,
    host: str,
    now: float,
) -> StudyRecord:
    """Store a study with one run per layout and seed; the same study again is returned as it is.

    Raises ``NameTakenError`` when another study has the name, and ``EditConflictError`` when what it
    replaces was launched.
    """
    if options.replaces:
        return _replace_draft(connection, definition, layouts, options, host, now)
    values = {
        "name": definition.name,
        "definition": _document(definition, model_tables(definition.model)),
        "digest": definition.digest(),
        "created": now,
        "branch_of": options.branch_of,
        "owner": options.owner,
        "visibility": options.visibility,
    }
    statement = insert_of(connection.dialect.name, study).values(**values).on_conflict_do_nothing()
    study_id = connection.execute(statement.returning(study.c.id)).scalar_one_or_none()
    if study_id is None:
        found = find(connection, definition.name, host, now)
        return _same(connection, found, definition, host, now)
    pairs = [(layout, seed) for layout in layouts for seed in definition.seeds]
    _add_runs(connection, study_id, pairs, "queued" if options.launch else "draft", now)
    return find(connection, definition.name, host, now)


def _add_runs(
    connection: Connection, study_id: int, pairs: Iterable[tuple[str, int]], state: RunState, now: float
) -> None:
    """Store a run for each layout and seed, with a lease that nobody holds and the event of its state."""
    rows = [
        {"study_id": study_id, "layout": layout, "seed": seed, "state": state, "message": ""}
        for layout, seed in pairs
    ]
    connection.execute(insert(run), rows)
    new = (run.c.study_id == study_id) & run.c.id.not_in(select(run_lease.c.run_id))
    order_events(connection)
    first = select(run.c.id, literal(now), literal(state), literal("")).where(new).order_by(run.c.id)
    connection.execute(insert(event).from_select(["run_id", "time", "kind", "message"], first))
    names = ["run_id", *UNCLAIMED]
    nobody = [literal(value) for value in UNCLAIMED.values()]
    connection.execute(insert(run_lease).from_select(names, select(run.c.id, *nobody).where(new)))


def add_seeds(connection: Connection, before: StudyRecord, definition: StudyDefinition, now: float) -> None:
    """Store the runs of the seeds that ``definition`` has and the study ``before`` has not."""
    layouts = dict.fromkeys(item.layout for item in before.runs)
    more = [seed for seed in definition.seeds if seed not in before.definition["seeds"]]
    pairs = [(layout, seed) for layout in layouts for seed in more]
    if pairs:
        draft = all(item.state == "draft" for item in before.runs)
        study_id = connection.execute(select(study.c.id).where(study.c.name == before.name)).scalar_one()
        _add_runs(connection, study_id, pairs, "draft" if draft else "queued", now)


def _same(
    connection: Connection, found: StudyRecord, definition: StudyDefinition, host: str, now: float
) -> StudyRecord:
    """The stored study, if the definition says the same; another description and more seeds are stored.

    Raises ``NameTakenError`` that says what differs.
    """
    if definition.is_same(found.digest, found.definition):
        return found
    given = definition.model_dump(mode="json")
    if continues(found.definition, given):
        if redefine(connection, found, definition, host, now):
            add_seeds(connection, found, definition, now)
        if found.definition["description"] != definition.description:
            connection.execute(update(study).where(study.c.name == found.name).values(note=None))
        return find(connection, found.name, host, now)
    what = differences(found.definition, given)
    if [place for place, _, _ in what] == [FAILURE_SHARE] and _share(given) > _share(found.definition):
        redefine(connection, found, definition, host, now)
        failed = [item.id for item in found.runs if item.state == "failed"]
        states.reopen(connection, found, failed, host, now)
        return find(connection, found.name, host, now)
    budget = _larger_budget(what)
    hint = ". If only the budget should grow, extend the study" if budget else ""
    error = NameTakenError(
        f"the store holds another study named '{found.name}': {differences_text(what)}. Choose a new name "
        f"(designs that were already evaluated cost nothing under it), or delete the old study{hint}",
        ("name",),
    )
    raise error.mended_by("studies", "extend", found.name, **budget) if budget else error


FAILURE_SHARE = "evaluation.max_failure_share"
"""A value that may grow in the file of a stored study: failed runs are queued again and go on by replay."""


def _share(definition: Mapping[str, Any]) -> float:
    return float(definition["evaluation"]["max_failure_share"])


def _larger_budget(what: list[tuple[str, str, str]]) -> dict[str, str]:
    """The arguments that extend the stored study, where only its budget differs; else none."""
    names = {f"search.{key}": key for key in ("generations", "evaluations", "wall_time")}
    if any(place not in names for place, _, _ in what):
        return {}
    return {names[place]: value for place, _, value in what}


# Built once: nearly every request asks this.
_NAMED = select(study).where(study.c.name == bindparam("of_name"))


def find(connection: Connection, name: str, host: str, now: float) -> StudyRecord:
    """The study called ``name``; raises ``UnknownNameError`` with the nearest name."""
    row = connection.execute(_NAMED, {"of_name": name}).mappings().first()
    if row is None:
        known = connection.execute(select(study.c.name).order_by(study.c.name)).scalars().all()
        raise UnknownNameError("study", name, known)
    return _study(connection, row, host, now)


def owners(connection: Connection, names: Collection[str]) -> dict[str, tuple[str, Visibility]]:
    """Owner and visibility of those studies among ``names`` that there are."""
    found: dict[str, tuple[str, Visibility]] = {}
    for some in chunks(list(names)):
        rows = connection.execute(_OWNERS, {"names": some})
        found.update((name, (owner, visibility)) for name, owner, visibility in rows)
    return found


_OWNERS = select(study.c.name, study.c.owner, study.c.visibility).where(
    study.c.name.in_(bindparam("names", expanding=True))
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Filter of listed studies; without anything, all of them.

    Parameters
    ----------
    seen_by : str, optional
        An account: only its own studies and those that are shared.
    search : str
        Text in name, description, model or a tag of the study; capital letters do not count.
    models : tuple of str
        Models whose studies a search finds, too, such as those whose titles hold the text.
    archived : bool, optional
        Only those that are archived, or only those that are not.
    after : tuple of float and str, optional
        Time and name of the last study of the page before.
    limit : int, optional
        At most so many.
    names : tuple of str, optional
        Only those called so.
    of_sweeps : bool
        Also those that search under one condition of a sweep.
    """

    seen_by: str | None = None
    search: str = ""
    models: tuple[str, ...] = ()
    archived: bool | None = None
    after: tuple[float, str] | None = None
    limit: int | None = None
    names: tuple[str, ...] | None = None
    of_sweeps: bool = True

    def query(self) -> Select[Any]:
        """The rows, newest first."""
        query = select(study).order_by(study.c.created.desc(), study.c.name).limit(self.limit)
        if self.seen_by is not None:
            query = query.where(belongs_to(study.c.owner, self.seen_by) | (study.c.visibility == "shared"))
        if self.search:
            text_of = study.c.definition
            description = func.coalesce(study.c.note, text_of["description"].as_string(), "")
            wanted = storable(self.search)
            model, title = text_of["model"].as_string(), text_of[MODEL_TABLES]["title"].as_string()
            places = (study.c.name, description, model, func.coalesce(title, ""))
            tag = (annotation.c.kind == "tag") & (annotation.c.key == "")
            tagged = select(annotation.c.study_id).where(
                tag, annotation.c.text.icontains(wanted, autoescape=True)
            )
            found = (place.icontains(wanted, autoescape=True) for place in places)
            query = query.where(or_(*found, model.in_(self.models), study.c.id.in_(tagged)))
        if self.archived is not None:
            query = query.where(study.c.archived.is_(self.archived))
        if self.names is not None:
            query = query.where(study.c.name.in_(self.names))
        if not self.of_sweeps:
            query = query.where(study.c.id.not_in(select(sweep_study.c.study_id)))
        if self.after is not None:
            created, name = self.after
            same = (study.c.created == created) & (study.c.name > name)
            query = query.where((study.c.created < created) | same)
        return query


def listed(connection: Connection, wanted: Wanted, host: str, now: float) -> list[StudyRecord]:
    """The wanted studies, newest first."""
    rows = connection.execute(wanted.query()).mappings().all()
    found = run_log.runs_of_all(connection, [row["id"] for row in rows], host, now)
    return [_record(row, found.get(row["id"], ())) for row in rows]


def _study(connection: Connection, row: Any, host: str, now: float) -> StudyRecord:
    return _record(row, run_log.runs_of(connection, row["id"], host, now))


def _record(row: Any, its_runs: tuple[RunRecord, ...]) -> StudyRecord:
    definition = {key: value for key, value in row["definition"].items() if key != MODEL_TABLES}
    return StudyRecord(
        row["name"], definition, row["digest"], row["created"], its_runs, row["branch_of"],
        row["owner"], row["visibility"], row["archived"], row["revision"], row["note"],
        row["definition"].get(MODEL_TABLES),
    )  # fmt: skip


MODEL_TABLES = "model_tables"
"""Key of the column of definitions under which the tables of the model stand; no study file has it."""


def _document(definition: StudyDefinition, tables: Mapping[str, Any] | None) -> dict[str, Any]:
    """The content of the column of definitions."""
    document = definition.model_dump(mode="json")
    return document if tables is None else {**document, MODEL_TABLES: tables}


def keep_models(connection: Connection) -> None:
    """Store the tables of loaded models with studies that were stored before studies kept them."""
    bare = study.c.definition[MODEL_TABLES].as_string().is_(None)
    named = study.c.definition["model"].as_string().not_in([name for name in names() if is_built_in(name)])
    for row in connection.execute(select(study.c.id, study.c.definition).where(bare, named)).all():
        if (tables := model_tables(row.definition["model"])) is not None:
            document = {**row.definition, MODEL_TABLES: tables}
            connection.execute(update(study).where(study.c.id == row.id).values(definition=document))


def redefine(
    connection: Connection, before: StudyRecord, definition: StudyDefinition, host: str, now: float
) -> bool:
    """Store another definition of the study ``before``; False when it is stored already.

    Raises ``EditConflictError`` when somebody else changed the study meanwhile.
    """
    tables = model_tables(definition.model) or before.model
    values = {"definition": _document(definition, tables), "digest": definition.digest()}
    own = (study.c.name == before.name) & (study.c.digest == before.digest)
    statement = update(study).where(own, study.c.revision == before.revision)
    if connection.execute(statement.values(**values, revision=study.c.revision + 1)).rowcount:
        return True
    found = find(connection, before.name, host, now)
    if found.digest == values["digest"]:  # the first try was stored, only its answer was lost
        return False
    raise _changed_meanwhile(found, before.revision)


def edit(
    connection: Connection, name: str, changes: Mapping[str, Any], revision: int | None, host: str, now: float
) -> StudyRecord:
    """Change what may be changed of a study: owner, visibility, archived, note.

    Raises ``EditConflictError`` when it is at another revision than ``revision``.
    """
    found = find(connection, name, host, now)
    current = study.c.revision == (found.revision if revision is None else revision)
    statement = update(study).where(study.c.name == name, current)
    changed = connection.execute(statement.values(**changes, revision=study.c.revision + 1))
    if not changed.rowcount:
        raise _changed_meanwhile(found, revision)
    return find(connection, name, host, now)


def _changed_meanwhile(found: StudyRecord, revision: int | None) -> EditConflictError:
    return EditConflictError(
        f"study '{found.name}' is at revision {found.revision}, not {revision}: somebody else has changed it "
        "since you read it; read it again, then change it"
    )


def remove(
    connection: Connection,
    name: str,
    revision: int | None,
    host: str,
    now: float,
    *,
    with_decisions: bool = False,
) -> int:
    """Delete a study that nobody works on; how many evaluations, used by no other study, went with it.

    Raises ``EditConflictError`` when it is at another revision than ``revision``, and ``StateError`` when
    it has decisions, unless they shall go ``with_decisions``.
    """
    found = find(connection, name, host, now)
    if revision is not None and not _locked_at(connection, name, revision):
        raise _changed_meanwhile(found, revision)
    own = select(run.c.id).join(study).where(study.c.name == name)
    held = [item for item in lock_runs(connection, connection.execute(own).scalars(), host, now) if item.held]
    if held and held[0].kind != "search":
        raise LeaseError(f"study '{name}' is being worked on: {held[0].label}; stop that first")
    if held:
        raise LeaseError(f"study '{name}' is being worked on; stop the process that works on it first")
    if not with_decisions:
        _require_no_decisions(connection, name)
    keys = sorted(connection.execute(used_only_by(name)).scalars())
    connection.execute(delete(study).where(study.c.name == name))
    return sum(_remove_unused(connection, some) for some in chunks(keys))


def _require_no_decisions(connection: Connection, name: str) -> None:
    count = decisions.count_of(connection, name)
    if count:
        raise StateError(
            f"study '{name}' holds {count} {'decision' if count == 1 else 'decisions'}, which would be lost "
            "with it; archive it instead, or say that its decisions shall be deleted too"
        )


def _remove_unused(connection: Connection, keys: Sequence[str]) -> int:
    """Delete those of the evaluations that no run, decision or annotation refers to; how many there were.

    On PostgreSQL a run that just logs one of them has locked its row: it is left. A run that comes later
    waits for this row alone, and then stores the evaluation again.
    """
    wanted = select(evaluation.c.key).where(evaluation.c.key.in_(keys)).order_by(evaluation.c.key)
    ours = connection.execute(wanted.with_for_update(skip_locked=True)).scalars().all()
    unused = [
        ~select(null()).where(table.c.key == evaluation.c.key).exists()
        for table in (run_evaluation, decision, annotation)
    ]
    return connection.execute(delete(evaluation).where(evaluation.c.key.in_(ours), *unused)).rowcount


def _replace_draft(
    connection: Connection,
    definition: StudyDefinition,
    layouts: list[str],
    options: CreationOptions,
    host: str,
    now: float,
) -> StudyRecord:
    draft = find(connection, options.replaces, host, now)
    if any(item.state != "draft" for item in draft.runs):
        raise EditConflictError(
            f"study '{draft.name}' is no longer a draft and cannot be changed; "
            "store this one under another name"
        )
    branches = connection.execute(select(study.c.id).where(study.c.branch_of == draft.name)).scalars().all()
    written = taken_along(connection, draft.name)
    remove(connection, draft.name, None, host, now)
    own = replace(options, owner=draft.owner, visibility=draft.visibility, replaces="")
    made = create(connection, definition, layouts, own, host, now)
    connection.execute(update(study).where(study.c.id.in_(branches)).values(branch_of=made.name))
    put_back(connection, made.name, written)
    return made


def _locked_at(connection: Connection, name: str, revision: int) -> bool:
    """True if the study is at a revision, which nobody changes before this transaction ends."""
    query = select(study.c.id).where(study.c.name == name, study.c.revision == revision)
    return connection.execute(query.with_for_update()).first() is not None


def used_only_by(name: str) -> Select[Any]:
    """Keys that the runs of a study asked for and no other run did, each found by the index on keys."""
    own = select(run.c.id).join(study).where(study.c.name == name)
    other = run_evaluation.alias()
    elsewhere = select(null()).where(other.c.key == run_evaluation.c.key, other.c.run_id.not_in(own)).exists()
    return select(run_evaluation.c.key).where(run_evaluation.c.run_id.in_(own), ~elsewhere).distinct()
