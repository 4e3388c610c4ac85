"""Evaluations by key: the cache that no design passes twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, and_, select
from sqlalchemy.dialects.sqlite import insert

from studies.records import FINAL_KINDS, EvaluationRecord, Task
from studies.store.tables import evaluation

_KEYS_PER_QUERY = 500


def find(connection: Connection, keys: Sequence[str]) -> dict[str, EvaluationRecord]:
    """The stored evaluations among ``keys``."""
    found: dict[str, EvaluationRecord] = {}
    for start in range(0, len(keys), _KEYS_PER_QUERY):
        query = select(evaluation).where(evaluation.c.key.in_(keys[start : start + _KEYS_PER_QUERY]))
        found.update((row["key"], record_of(row)) for row in connection.execute(query).mappings())
    return found


def insert_results(connection: Connection, records: Iterable[EvaluationRecord]) -> None:
    """Store results; one that is stored already stays as it is, unless it was a lost worker's."""
    rows = [_row(record) for record in records]
    if not rows:
        return
    statement = insert(evaluation)
    changed = {name: statement.excluded[name] for name in rows[0] if name != "key"}
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["key"],
            set_=changed,
            where=and_(*(evaluation.c.kind != kind for kind in sorted(FINAL_KINDS))),
        ),
        rows,
    )


def _row(record: EvaluationRecord) -> dict[str, Any]:
    task = record.task
    return {
        "key": task.key,
        "model": task.model,
        "model_version": task.model_version,
        "parameters": task.parameters,
        "cost_class": task.cost_class,
        "seed": task.seed,
        "state": record.state,
        "kind": record.kind,
        "reason": record.reason,
        "violation": record.violation,
        "metrics": record.metrics,
        "counters": record.counters,
        "warnings": list(record.warnings),
        "seconds": record.seconds,
        "worker": record.worker,
        "finished": record.finished,
    }


def record_of(row: Any) -> EvaluationRecord:
    """The evaluation in a row of its table."""
    task = Task(
        row["key"], row["model"], row["model_version"], row["parameters"], row["cost_class"], row["seed"]
    )
    return EvaluationRecord(
        task, row["state"], row["kind"], row["reason"], row["violation"], row["metrics"],
        row["counters"], tuple(row["warnings"]), row["seconds"], row["worker"], row["finished"],
    )  # fmt: skip
