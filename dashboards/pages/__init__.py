"""Pages in the browser: HTML that holds no results; its scripts ask the REST interface for them."""

from dashboards.pages.assets import Asset, asset, asset_version
from dashboards.pages.rendering import PLOT_PAGES, page

__all__ = ["PLOT_PAGES", "Asset", "asset", "asset_version", "page"]
