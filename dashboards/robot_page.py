"""One HTML file that shows the robots of a study, or of a preset, before any search.

Like a report, the file loads nothing; :mod:`dashboards.report` says how that is kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from dashboards.content.robot.robots import RobotView, drawn_robots
from dashboards.figures import PLOT_SETTINGS
from dashboards.formatting import moment
from dashboards.report import figure_script, policy
from dashboards.templating import environment, static_text


def robot_page(title: str, note: str, views: Sequence[RobotView], now: float) -> str:
    """The robots as HTML; ``now`` (UTC seconds) is printed as its date."""
    style = static_text("core/base.css") + static_text("report.css")
    return environment().get_template("robot.html.j2").render(
        title=title,
        note=note,
        model=views[0].model.name,
        robots=drawn_robots(views),
        written=moment(now),
        plot_settings=PLOT_SETTINGS,
        style=Markup(style),  # noqa: S704  our own files
        scripts=[Markup(figure_script())],  # noqa: S704  our own file
        early=Markup(static_text("core/early_theme.js")),  # noqa: S704  our own file
        policy=policy((figure_script(),)),
    )  # fmt: skip
