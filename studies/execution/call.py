"""What belongs to one call of ``evaluate``, wherever its tasks are evaluated."""

from __future__ import annotations

from dataclasses import dataclass, field

from studies.execution.base import Limits
from studies.execution.code import CodeVersion
from studies.execution.outbox import Outbox
from studies.execution.pace import Pace
from studies.execution.tries import Tries


@dataclass(frozen=True, slots=True)
class Call:
    """The code and limits that hold, what is known of the model's pace, and where records go."""

    version: CodeVersion
    limits: Limits
    pace: Pace
    outbox: Outbox
    tries: Tries = field(default_factory=Tries)
