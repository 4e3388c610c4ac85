"""Everything that a comparison of studies needs, read from the store once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dashboards.content.setup import Setup, setup_of
from models import Model
from studies.comparison import Comparison
from studies.comparison_entries import ComparisonEntry
from studies.model_versions import ModelVersion, versions_of
from studies.records import StudyRecord
from studies.store import Store


@dataclass(frozen=True, slots=True)
class ComparisonData:
    """Compared studies with their setups, and the versions of the back-end that evaluated each."""

    comparison: Comparison
    setups: Mapping[str, Setup]
    versions: Mapping[str, tuple[ModelVersion, ...]]
    asked: Mapping[str, int]
    """How many designs each entry's runs asked for so far."""

    @property
    def entries(self) -> tuple[ComparisonEntry, ...]:
        """Who is compared, in order."""
        return self.comparison.entries

    def setup(self, entry: ComparisonEntry) -> Setup:
        """The setup of the entry's study."""
        return self.setups[entry.study.name]

    @property
    def models(self) -> dict[str, Model]:
        """The back-end of each entry, by label."""
        return {entry.label: self.setup(entry).model for entry in self.entries}

    @property
    def several(self) -> bool:
        """Whether more than one study is compared."""
        return len(self.setups) > 1

    @property
    def one_model(self) -> bool:
        """Whether all studies use the same back-end."""
        return len({setup.model.name for setup in self.setups.values()}) == 1


def read_comparison_data(store: Store, comparison: Comparison) -> ComparisonData:
    """The context of a comparison: setups, versions, counts."""
    studies = list({entry.study.name: entry.study for entry in comparison.entries}.values())
    counts = store.trial_counts([run for study in studies for run in study.runs])
    return ComparisonData(
        comparison,
        {study.name: setup_of(study) for study in studies},
        {study.name: _versions(store, study) for study in studies},
        {entry.label: sum(counts.get(run.id, 0) for run in entry.runs) for entry in comparison.entries},
    )


def _versions(store: Store, study: StudyRecord) -> tuple[ModelVersion, ...]:
    return tuple(sorted({version for found in versions_of(store, study).values() for version in found}))
