"""Evaluations by key: the cache that no design passes twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, select

from errors import AbsentError, InputError
from studies.records import FINAL_KINDS, EvaluationRecord, Task
from studies.store.column_types import deferred, storable
from studies.store.tables import chunks, evaluation, insert_of

KEY = re.compile(r"[0-9a-f]{6,64}")


def find(connection: Connection, keys: Sequence[str]) -> dict[str, EvaluationRecord]:
    """The stored evaluations among ``keys``."""
    found: dict[str, EvaluationRecord] = {}
    for some in chunks(keys):
        query = select(evaluation).where(evaluation.c.key.in_(some))
        found.update((row["key"], record_of(row)) for row in connection.execute(query).mappings())
    return found


Result = tuple[Mapping[str, Any], Mapping[str, float | None]]
"""Parameters, decoded when somebody looks into them, and metrics."""


def results(connection: Connection, keys: Sequence[str]) -> dict[str, Result]:
    """Parameters and metrics of the stored evaluations among ``keys``."""
    found: dict[str, Result] = {}
    for some in chunks(keys):
        rows = connection.execute(_RESULTS, {"keys": some}).all()
        found.update((key, (parameters, metrics)) for key, parameters, metrics in rows)
    return found


def count(connection: Connection, keys: Sequence[str]) -> int:
    """Number of stored evaluations; each of ``keys`` is given once."""
    return sum(connection.execute(_COUNT, {"keys": some}).scalar_one() for some in chunks(keys))


_COUNT = select(func.count(evaluation.c.key)).where(evaluation.c.key.in_(bindparam("keys", expanding=True)))

_RESULTS = select(evaluation.c.key, deferred(evaluation.c.parameters), evaluation.c.metrics).where(
    evaluation.c.key.in_(bindparam("keys", expanding=True))
)


def known(connection: Connection, tasks: Sequence[Task]) -> dict[str, EvaluationRecord]:
    """The stored evaluations of ``tasks``, by key; what the tasks hold themselves is not read again."""
    own = {task.key: task for task in tasks}
    found: dict[str, EvaluationRecord] = {}
    for some in chunks(list(own)):
        rows: Any = connection.execute(_OUTCOMES, {"keys": some})
        for key, state, kind, reason, violation, metrics, counters, warnings, *rest in rows:
            found[key] = EvaluationRecord(
                own[key], state, kind, reason, violation, metrics, counters, tuple(warnings), *rest
            )
    return found


_OUTCOMES = select(
    *(
        evaluation.c[name]
        for name in (
            "key", "state", "kind", "reason", "violation", "metrics", "counters", "warnings",
            "seconds", "worker", "finished",
        )
    )
).where(evaluation.c.key.in_(bindparam("keys", expanding=True)))  # fmt: skip


def named(connection: Connection, key: str) -> EvaluationRecord:
    """The evaluation whose key is ``key`` or begins with it; raises ``InputError`` unless there is one."""
    if not KEY.fullmatch(key):
        raise InputError(
            f"'{key}' is not a key; give the first 6 to 64 characters of a key (0-9, a-f)", ("key",)
        )
    beginning = evaluation.c.key.between(key, key + "g")
    rows = connection.execute(select(evaluation).where(beginning).limit(2)).mappings().all()
    if not rows:
        raise AbsentError(
            f"no stored design has the key '{key}'; the front of a study lists keys", ("key",)
        ).mended_by("fronts", "list", "NAME")
    if len(rows) > 1:
        raise InputError(
            f"several stored designs have keys that begin with '{key}'; give more characters", ("key",)
        )
    return record_of(rows[0])


def insert_results(connection: Connection, records: Iterable[EvaluationRecord]) -> None:
    """Store results; one that is stored already stays as it is, unless its kind was not final."""
    rows = _rows(records)
    statement = insert_of(connection.dialect.name, evaluation)
    changed = {
        column.name: statement.excluded[column.name] for column in evaluation.c if column.name != "key"
    }
    stale = and_(*(evaluation.c.kind != kind for kind in sorted(FINAL_KINDS)))
    if rows:
        update = statement.on_conflict_do_update(index_elements=["key"], set_=changed, where=stale)
        connection.execute(update, rows)


def insert_missing(connection: Connection, records: Iterable[EvaluationRecord]) -> None:
    """Store those results that are not stored."""
    rows = _rows(records)
    if rows:
        statement = insert_of(connection.dialect.name, evaluation).on_conflict_do_nothing()
        connection.execute(statement, rows)


def _rows(records: Iterable[EvaluationRecord]) -> list[dict[str, Any]]:
    """Rows in the order of their keys: two processes that store the same ones then wait, not deadlock."""
    return [_row(record) for record in sorted(records, key=lambda record: record.key)]


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
        "warnings": list(map(storable, record.warnings)),
        "seconds": record.seconds,
        "worker": storable(record.worker)[:255],
        "finished": record.finished,
        "uncertainty": task.uncertainty,
    }


def record_of(row: Any) -> EvaluationRecord:
    """The evaluation in a row of its table."""
    task = Task(
        row["key"], row["model"], row["model_version"], row["parameters"], row["cost_class"], row["seed"],
        row["uncertainty"],
    )  # fmt: skip
    return EvaluationRecord(
        task, row["state"], row["kind"], row["reason"], row["violation"], row["metrics"],
        row["counters"], tuple(row["warnings"]), row["seconds"], row["worker"], row["finished"],
    )  # fmt: skip
