"""Everything that a comparison of studies needs, read from the store once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from models import Model
from studies.comparison.comparison import Comparison
from studies.comparison.conditions import ComparedSetups, read_setups
from studies.comparison.entries import ComparisonEntry
from studies.problem.problem import Setup
from studies.store import Store


@dataclass(frozen=True, slots=True)
class ComparisonData:
    """Compared studies with their setups, and the versions of the back-end that evaluated each."""

    comparison: Comparison
    compared: ComparedSetups
    asked: Mapping[str, int]
    """Number of designs that each entry's runs asked for so far."""

    @property
    def entries(self) -> tuple[ComparisonEntry, ...]:
        """The entries that are compared, in order."""
        return self.comparison.entries

    @property
    def setups(self) -> Mapping[str, Setup]:
        """The setup of each study."""
        return self.compared.setups

    def setup(self, entry: ComparisonEntry) -> Setup:
        """The setup of the entry's study."""
        return self.setups[entry.study.name]

    @property
    def models(self) -> dict[str, Model]:
        """The back-end of each entry, by label."""
        return {entry.label: self.setup(entry).model for entry in self.entries}

    @property
    def several(self) -> bool:
        """True if more than one study is compared."""
        return len(self.setups) > 1


def read_comparison_data(store: Store, comparison: Comparison) -> ComparisonData:
    """The context of a comparison: setups, versions, counts."""
    studies = list({entry.study.name: entry.study for entry in comparison.entries}.values())
    counts = store.trial_counts([run for study in studies for run in study.runs])
    return ComparisonData(
        comparison,
        read_setups(store, comparison.entries),
        {entry.label: sum(counts.get(run.id, 0) for run in entry.runs) for entry in comparison.entries},
    )
