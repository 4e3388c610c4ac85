"""Studies by name: create, find, list, delete."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, delete, insert, literal, null, select, text

from models.errors import InputError, LeaseError, UnknownNameError
from studies.definition import StudyDefinition
from studies.records import StudyRecord
from studies.store import runs
from studies.store.dialect import chunks, insert_of
from studies.store.standing import order_events, stand
from studies.store.tables import evaluation, event, run, run_evaluation, run_lease, study


def create(
    connection: Connection,
    definition: StudyDefinition,
    layouts: list[str],
    branch_of: str | None,
    here: str,
    now: float,
) -> StudyRecord:
    """Store a study with one queued run per layout and seed; the same study again is returned as it is."""
    values = {
        "name": definition.name,
        "definition": definition.model_dump(mode="json"),
        "digest": definition.digest(),
        "created": now,
        "branch_of": branch_of,
    }
    statement = insert_of(connection.dialect.name, study).values(**values).on_conflict_do_nothing()
    study_id = connection.execute(statement.returning(study.c.id)).scalar_one_or_none()
    if study_id is None:
        found = find(connection, definition.name, here, now)
        if found.digest != definition.digest():
            raise InputError(
                f"the store holds another study named '{definition.name}'; "
                "choose a new name or delete the old one",
                "name",
            )
        return found
    rows = [
        {"study_id": study_id, "layout": layout, "seed": seed, "state": "queued", "message": ""}
        for layout in layouts
        for seed in definition.seeds
    ]
    connection.execute(insert(run), rows)
    _give_each_a_lease(connection, study_id, now)
    return find(connection, definition.name, here, now)


def _give_each_a_lease(connection: Connection, study_id: int, now: float) -> None:
    """Every run of a new study gets a lease that nobody holds, and the event of being queued."""
    own = run.c.study_id == study_id
    names = ["run_id", "owner", "host", "pid", "process_started", "epoch", "expires"]
    nobody = [literal(""), literal(""), literal(0), literal(0.0), literal(0), literal(0.0)]
    connection.execute(insert(run_lease).from_select(names, select(run.c.id, *nobody).where(own)))
    order_events(connection)
    queued = select(run.c.id, literal(now), literal("queued"), literal("")).where(own).order_by(run.c.id)
    connection.execute(insert(event).from_select(["run_id", "time", "kind", "message"], queued))


def find(connection: Connection, name: str, here: str, now: float) -> StudyRecord:
    """The study called ``name``; raises ``UnknownNameError`` with the nearest name."""
    row = connection.execute(select(study).where(study.c.name == name)).mappings().first()
    if row is None:
        known = connection.execute(select(study.c.name).order_by(study.c.name)).scalars().all()
        raise UnknownNameError("study", name, known)
    return _study(connection, row, here, now)


def everything(connection: Connection, here: str, now: float) -> list[StudyRecord]:
    """All studies, newest first."""
    rows = connection.execute(select(study).order_by(study.c.created.desc(), study.c.id.desc())).mappings()
    return [_study(connection, row, here, now) for row in rows.all()]


def _study(connection: Connection, row: Any, here: str, now: float) -> StudyRecord:
    found = runs.runs_of(connection, row["id"], here, now)
    return StudyRecord(row["name"], row["definition"], row["digest"], row["created"], found, row["branch_of"])


def remove(connection: Connection, name: str, here: str, now: float) -> int:
    """Delete a study that nobody works on; how many evaluations, used by no other study, went with it."""
    ids = [item.id for item in find(connection, name, here, now).runs]
    if any(item.held for item in stand(connection, ids, here, now)):
        raise LeaseError(f"study '{name}' is being worked on; stop that process first")
    if connection.dialect.name == "postgresql":
        # Whoever logs a generation locks its evaluations through the reference, and is waited for.
        connection.execute(text("LOCK TABLE evaluation IN EXCLUSIVE MODE"))
    keys = sorted(connection.execute(used_only_by(name)).scalars())
    connection.execute(delete(study).where(study.c.name == name))
    for some in chunks(keys):
        connection.execute(delete(evaluation).where(evaluation.c.key.in_(some)))
    return len(keys)


def used_only_by(name: str) -> Select[Any]:
    """Keys that the runs of a study asked for and no other run did, each found by the index on keys."""
    own = select(run.c.id).join(study).where(study.c.name == name)
    other = run_evaluation.alias()
    elsewhere = select(null()).where(other.c.key == run_evaluation.c.key, other.c.run_id.not_in(own)).exists()
    return select(run_evaluation.c.key).where(run_evaluation.c.run_id.in_(own), ~elsewhere).distinct()
