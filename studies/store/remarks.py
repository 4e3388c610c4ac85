"""What a run has to say about its designs, counted in the database however long its log is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import Connection, String, bindparam, cast, func, select

from studies.records import GenerationRecord
from studies.store.dialect import chunks
from studies.store.tables import evaluation, front_member, generation, run, run_evaluation

_LOGGED = run_evaluation.c.key == evaluation.c.key


def last_generations(connection: Connection, run_ids: Sequence[int]) -> dict[int, GenerationRecord]:
    """Indicators after the last generation of each run that has one, by run."""
    found: dict[int, GenerationRecord] = {}
    for some in chunks(run_ids):
        rows = connection.execute(_LAST, {"of_runs": some}).all()
        found.update((run_id, GenerationRecord(*values)) for run_id, *values in rows)
    return found


_earlier = generation.alias()
_LAST = (
    select(generation.c.run_id, *(generation.c[name] for name in GenerationRecord.__slots__))
    .select_from(run)
    .join(generation, generation.c.run_id == run.c.id)
    .where(
        run.c.id.in_(bindparam("of_runs", expanding=True)),
        generation.c.number
        == select(func.max(_earlier.c.number)).where(_earlier.c.run_id == run.c.id).scalar_subquery(),
    )
)


def warnings(connection: Connection, run_id: int, most: int) -> list[tuple[str, int]]:
    """What the model warns of in designs on the front, and of how many; the most frequent first."""
    query = (
        select(evaluation.c.warnings)
        .select_from(front_member)
        .join(
            run_evaluation,
            (run_evaluation.c.run_id == front_member.c.run_id)
            & (run_evaluation.c.ask_no == front_member.c.ask_no),
        )
        .join(evaluation, _LOGGED)
        .where(front_member.c.run_id == run_id, front_member.c.left.is_(None))
        .where(cast(evaluation.c.warnings, String) != "[]")
        .order_by(front_member.c.ask_no)
    )
    found = Counter(text for texts in connection.execute(query).scalars() for text in texts)
    return found.most_common(most)


def reasons(connection: Connection, run_id: int, most: int) -> list[tuple[str, int]]:
    """Why designs have no metrics ("" for those that have), and how many; the most frequent first."""
    count = func.count()
    query = (
        select(evaluation.c.reason, count)
        .select_from(run_evaluation)
        .join(evaluation, _LOGGED)
        .where(run_evaluation.c.run_id == run_id)
        .group_by(evaluation.c.reason)
        .order_by(count.desc(), func.min(run_evaluation.c.ask_no))
        .limit(most)
    )
    return [(reason, number) for reason, number in connection.execute(query)]
