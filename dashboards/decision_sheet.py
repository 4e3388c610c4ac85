"""One page of HTML about a decision and the design that it chose: it holds no script and loads nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from markupsafe import Markup

from dashboards.content.front.sheet import (
    SheetData,
    building_facts,
    cables_table,
    caption,
    condition_facts,
    decision_facts,
    decision_title,
    drawn_scene,
    metrics_table,
    parameters_table,
    provenance_facts,
    read_sheet_data,
    rows_beside,
)
from dashboards.figures.dimensioned_views import dimensioned_views
from dashboards.formatting import moment
from dashboards.templating import environment, static_text
from errors import InputError
from studies.execution.evaluation_key import short_key
from studies.store import Store

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""A sheet may do nothing but show itself."""


def write_sheet(store: Store, name: str, path: Path, key: str = "", *, decision: int | None = None) -> Path:
    """Write the sheet of a decision about a study, or of the design with ``key``; return the path.

    ``decision`` is the number of one; without it and without a key it is the decision that stands. Raises
    ``StateError`` where nothing was chosen, ``AbsentError`` where no decision has the number, and
    ``InputError`` when the file cannot be written.
    """
    whole = store.find_evaluation(key).key if key else ""
    data = read_sheet_data(store, store.study(name), store.decisions.of(name), whole, decision)
    text = render(data, datetime.now(UTC).timestamp())
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", (str(path),)) from None
    return path


def render(data: SheetData, now: float) -> str:
    """The sheet as HTML; ``now`` (UTC seconds) is printed as its date."""
    key = data.evaluation.key
    layouts, cables, drawn = data.setup.layouts, cables_table(data), drawn_scene(data)
    most = rows_beside(cables)
    return environment().get_template("sheet.html.j2").render(
        study=data.setup.study.name,
        description=data.setup.study.description,
        model=data.setup.model.name,
        layout=data.layout if len(layouts) > 1 else "",
        key=short_key(key),
        decision=decision_title(data),
        decided=decision_facts(data),
        views=dimensioned_views(drawn) if drawn is not None else None,
        caption=caption(data),
        parameters=parameters_table(data, most),
        metrics=metrics_table(data, most),
        cables=cables,
        building=building_facts(data),
        conditions=condition_facts(data),
        provenance=provenance_facts(data),
        command=f"tautline study reproduce {short_key(key)}",
        written=moment(now),
        style=Markup(static_text("sheet.css")),  # noqa: S704  our own file
        policy=POLICY,
    )  # fmt: skip
