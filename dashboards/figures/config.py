"""How plotly.js shows our figures, wherever it shows them."""

from __future__ import annotations

from typing import Any

CONFIG: dict[str, Any] = {
    "responsive": True,
    "displaylogo": False,
    # plotly.js would otherwise offer to send the figure's data to its maker's server
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "modeBarButtonsToRemove": [
        "select2d", "lasso2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "tableRotation", "orbitRotation",
        "resetCameraLastSave3d",
    ],
}  # fmt: skip
"""The last argument of ``Plotly.newPlot(element, data, layout, config)``."""
