// How figures that this page makes itself look: as dashboards/figures/axes.py and palette.py make them.
import { settings } from "../plot.js";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const FAINT = "rgba(128,136,146,0.30)";
export const GREY = "#8A929C";
const BETTER = { minimize: "less is better", maximize: "more is better" };

const MARKUP = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

// A text for Plotly, which reads a little HTML.
export const plain = (text) => String(text).replace(/[&<>]/g, (letter) => MARKUP[letter]);

export const colourOf = (place) => settings.colours[place % settings.colours.length];
export const dashOf = (place) => settings.dashes[place % settings.dashes.length];

export const symbolOf = (place) => settings.symbols[place % settings.symbols.length];

export function marker(place, size) {
  return { color: colourOf(place), symbol: symbolOf(place), size, opacity: 0.85, line: { width: 0.5, color: "rgba(255,255,255,0.6)" } };
}

export function frame(more) {
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: FONT, size: 13, color: "#767C85" },
    margin: { l: 64, r: 16, t: 16, b: 56 },
    legend: { orientation: "h", x: 0, xanchor: "left", y: 1.02, yanchor: "bottom" },
    hovermode: "closest",
    hoverlabel: { align: "left", font: { family: FONT, size: 12 } },
    showlegend: true,
    ...more,
  };
}

const ticks = (column) =>
  column.options ? { tickvals: column.options.map((_, place) => place), ticktext: column.options.map((_, place) => plain(column.bare(place))) } : {};

export function axis(column) {
  const better = column.role === "objective" ? BETTER[column.sense] : "";
  const title = plain(column.heading) + (better ? `<br>${better}` : "");
  return {
    title: { text: title, standoff: 8, font: { size: 12 } },
    gridcolor: FAINT, linecolor: FAINT, tickcolor: FAINT, ticks: "outside", tickfont: { size: 12 },
    zeroline: false, automargin: true, ...ticks(column),
  };
}

// Values of some designs along an axis, as they are shown.
export const along = (column, places) => Array.from(places, (place) => column.values[place] * column.scale.factor);
