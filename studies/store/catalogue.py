"""Studies by name: create, find, list, delete."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, insert, select

from models.errors import InputError, UnknownNameError
from studies.definition import StudyDefinition
from studies.records import StudyRecord
from studies.store import runs
from studies.store.tables import evaluation, run, run_evaluation, study


def create(
    connection: Connection, definition: StudyDefinition, layouts: list[str], now: float
) -> StudyRecord:
    """Store a study with one queued run per layout and seed; the same study again is returned as it is."""
    row = connection.execute(select(study).where(study.c.name == definition.name)).mappings().first()
    if row is not None:
        if row["digest"] != definition.digest():
            raise InputError(
                f"the store holds another study named '{definition.name}'; "
                "choose a new name or delete the old one",
                "name",
            )
        return _study(connection, row)
    values = {
        "name": definition.name,
        "definition": definition.model_dump(mode="json"),
        "digest": definition.digest(),
        "created": now,
    }
    study_id = connection.execute(insert(study).values(**values).returning(study.c.id)).scalar_one()
    rows = [
        {"study_id": study_id, "layout": layout, "seed": seed, "state": "queued", "message": ""}
        for layout in layouts
        for seed in definition.seeds
    ]
    connection.execute(insert(run), rows)
    return find(connection, definition.name)


def find(connection: Connection, name: str) -> StudyRecord:
    """The study called ``name``; raises ``UnknownNameError`` with the nearest name."""
    row = connection.execute(select(study).where(study.c.name == name)).mappings().first()
    if row is None:
        known = connection.execute(select(study.c.name).order_by(study.c.name)).scalars().all()
        raise UnknownNameError("study", name, known)
    return _study(connection, row)


def everything(connection: Connection) -> list[StudyRecord]:
    """All studies, newest first."""
    rows = connection.execute(select(study).order_by(study.c.created.desc(), study.c.id.desc())).mappings()
    return [_study(connection, row) for row in rows.all()]


def _study(connection: Connection, row: Any) -> StudyRecord:
    return StudyRecord(
        row["name"], row["definition"], row["digest"], row["created"], runs.runs_of(connection, row["id"])
    )


def remove(connection: Connection, name: str) -> int:
    """Delete a study and the evaluations that no other study uses; how many of those there were."""
    record = find(connection, name)
    own = select(run_evaluation.c.key).where(run_evaluation.c.run_id.in_([item.id for item in record.runs]))
    keys = set(connection.execute(own).scalars())
    connection.execute(delete(study).where(study.c.name == name))
    used_elsewhere = select(run_evaluation.c.key)
    unused = delete(evaluation).where(evaluation.c.key.not_in(used_elsewhere))
    removed = 0
    for chunk in _chunks(sorted(keys), 500):
        removed += connection.execute(unused.where(evaluation.c.key.in_(chunk))).rowcount
    return removed


def _chunks(items: list[str], size: int) -> list[list[str]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
