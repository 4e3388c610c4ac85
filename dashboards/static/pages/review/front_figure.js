// The style of the figures that this page makes: the same as in dashboards/figures/axes.py and palette.py.
/** @import { PlotBox, ScatterFigure, Schemas, Table } from "../../core/types.js" */
/** @import { Evaluations } from "./point_cloud.js" */
/** @import { Column, Study } from "./study.js" */
/** @import { AxesView } from "./view_state.js" */
import { POWERS } from "../../core/dom.js";
import { BETTER, shortKey, withUnit } from "../../core/format.js";
import { settings } from "../../core/plot.js";
import { idealOf } from "../../core/scatter/axes_2d.js";
import { isMarkFiltered } from "./annotations.js";
import { colourAt, encoding, NO_VALUE, sizeAt } from "./mark_encoding.js";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const FAINT = "rgba(128,136,146,0.30)";
export const GREY = NO_VALUE;

/** @type {Record<string, string>} */
const MARKUP = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

// A text for Plotly, which reads a little HTML.
/** @param {unknown} text */
const plotlyText = (text) =>
  String(text)
    .replace(/[&<>]/g, (letter) => MARKUP[letter])
    .replaceAll(POWERS, "<sup>$1</sup>");

/** @param {number} place */
export const colourOf = (place) => settings.colours[place % settings.colours.length];
/** @param {number} place */
const dashOf = (place) => settings.dashes[place % settings.dashes.length];

/** @param {number} place */
const symbolOf = (place) => settings.symbols[place % settings.symbols.length];

/** @param {number} place @param {number} size */
function markerStyle(place, size) {
  return {
    color: colourOf(place),
    symbol: symbolOf(place),
    size,
    opacity: 0.85,
    line: { width: 0.5, color: "rgba(255,255,255,0.6)" },
  };
}

/** @param {Record<string, unknown>} more */
function figureLayout(more) {
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

/** @param {Column} column */
const ticks = (column) =>
  column.options
    ? {
        tickvals: column.options.map((_, place) => place),
        ticktext: column.options.map((_, place) => plotlyText(column.bare(place))),
      }
    : {};

/** @param {Column} column */
function axisStyle(column) {
  const better = column.role === "objective" ? BETTER[column.sense] : "";
  const title = plotlyText(column.heading) + (better ? `<br>${better}` : "");
  return {
    title: { text: title, standoff: 8, font: { size: 12 } },
    gridcolor: FAINT,
    linecolor: FAINT,
    tickcolor: FAINT,
    ticks: "outside",
    tickfont: { size: 12 },
    zeroline: false,
    automargin: true,
    ...ticks(column),
  };
}

// Values of some designs along an axis, as they are shown.
/** @param {Column} column @param {number[]} places */
const scaledValues = (column, places) =>
  Array.from(places, (place) => column.values[place] * column.scale.factor);

// ------------------------------------------------------------------ the front

// The front as a figure over any columns: in space or in a plane, as `Scatter` draws it, or as a matrix of pairs.
const SIZE = 8;
const SMALL = 6;
const MANY = 4000;
const MATRIX_SIZE = 6;
const MATRIX_MARGIN = { l: 80, r: 16, t: 16, b: 80, autoexpand: false };
// On either side of a plane, as a share of its cell.
const PLANE_GAP = 0.03;
const MOST_TEXTS = 3000;
const MOST_LINES = 16;

// `number` is that of the layout; -1 for designs outside the ranges.
/** @typedef {{ name: string, meta?: string, places: number[], number: number }} DesignGroup */

// Designs by layout, those outside the ranges as a group of their own: [{ name, meta, places, number }].
/** @param {Study} study @param {Uint8Array} inside @returns {DesignGroup[]} */
function groupsOf(study, inside) {
  const groups = study.layouts.map((layout, number) => {
    const mine = study.designs.flatMap((design, place) => (design.layout === layout ? [place] : []));
    const left = mine.filter((place) => inside[place]);
    const title = study.layouts.length > 1 ? layout : "front";
    const name =
      left.length === mine.length
        ? `${title} (${mine.length})`
        : `${title} (${left.length} of ${mine.length})`;
    return { name, meta: layout, places: left, number };
  });
  const out = study.designs.flatMap((_, place) => (inside[place] ? [] : [place]));
  const others = isMarkFiltered() ? "filtered out" : "outside the ranges";
  return [...groups, { name: `${others} (${out.length})`, places: out, number: -1 }];
}

// In space or in a plane. The axes end where the front does, whatever lies behind it.
/** @param {Study} study @param {AxesView} options @param {Uint8Array} inside @param {Evaluations | null} cloud @returns {ScatterFigure} */
export function scatterFigure(study, { columns, logs, whole }, inside, cloud) {
  const size = study.designs.length > MANY ? SMALL : SIZE;
  const shown = groupsOf(study, inside).map(({ name, meta, places, number }) => ({
    name,
    meta,
    data: places,
    size: number < 0 ? size - 2 : size,
    listed: number >= 0 || places.length > 0,
    colour: number < 0 ? GREY : colourOf(number),
    symbol: number < 0 ? "circle" : symbolOf(number),
    opacity: number < 0 ? 0.35 : 0.9,
    ...encodedLook(study, places, number),
    columns: columns.map((column) => scaledValues(column, places)),
    /** @param {number} place */
    text: (place) => designText(study, places[place]),
  }));
  const background = cloud === null ? [] : cloud.groups.map((group) => cloud.drawn(group, columns));
  const axes = columns.map((column, place) =>
    axisOf(column, logs[place], whole ? background.map((group) => group.columns[place]) : []),
  );
  return { axes, groups: [...background, ...shown], ideal: idealOf(columns.map(frontEnds)) };
}

// The colours and sizes of some designs where they stand for quantities. The legend shows the symbol of a layout then,
// not its colour.
/** @param {Study} study @param {number[]} places @param {number} number @returns {{ colour?: string, colours?: string[], sizes?: number[] }} */
function encodedLook(study, places, number) {
  const { colour, size } = encoding(study);
  if (number < 0) return {};
  return {
    ...(colour && { colour: GREY, colours: places.map((place) => colourAt(colour, colour.values[place])) }),
    ...(size && { sizes: places.map((place) => sizeAt(size, size.values[place])) }),
  };
}

// Between which values the front lies, as they are drawn, and which end is the better one.
/** @param {Column} column */
const frontEnds = (column) => ({
  range: column.range?.map((end) => end * column.scale.factor),
  better: betterOf(column),
});

/** @param {Column} column @param {boolean} log @param {ArrayLike<number>[]} others */
function axisOf(column, log, others) {
  const ends = frontEnds(column).range ?? [0, 0];
  for (const value of others.flatMap((values) => Array.from(values))) {
    if (value < ends[0]) ends[0] = value;
    if (value > ends[1]) ends[1] = value;
  }
  const options = column.options?.map((_, place) => column.bare(place));
  return { title: column.heading, range: ends, log, options, better: betterOf(column) };
}

// 1 where more is better, -1 where less is, 0 for neither.
/** @param {Column} column */
const betterOf = (column) => (column.sense === "maximize" ? 1 : column.sense === "minimize" ? -1 : 0);

// What the legend of the matrix lists: its groups, as `legendEntries` takes them.
/** @param {Study} study @param {Uint8Array} inside */
export const matrixGroups = (study, inside) =>
  groupsOf(study, inside).map(({ name, places, number }) => ({
    name,
    listed: number >= 0 || places.length > 0,
    size: MATRIX_SIZE,
    colour: number < 0 || encoding(study).colour ? GREY : colourOf(number),
    symbol: number < 0 ? "circle" : symbolOf(number),
  }));

// Every pair of columns, as plotly.js draws it: one trace per layout, those outside the ranges in one of their own.
/** @param {Study} study @param {AxesView} view @param {Uint8Array} inside @param {Set<string>} hidden */
export function matrixFigure(study, { columns }, inside, hidden) {
  const data = groupsOf(study, inside).map((group) => ({
    ...matrixTrace(study, columns, group),
    visible: !hidden.has(group.name),
  }));
  const axes = columns.flatMap((column, place) => {
    const { title, automargin, ...style } = axisStyle(column);
    const { x, y } = planeDomains(columns.length, place);
    return [
      [axisName("x", place), { ...style, domain: x }],
      [axisName("y", place), { ...style, domain: y }],
    ];
  });
  const uirevision = `matrix ${columns.map((column) => `${column.id} ${column.scale.unit}`)}`;
  const layout = { ...Object.fromEntries(axes), margin: MATRIX_MARGIN, showlegend: false, uirevision };
  return { data, layout: figureLayout(layout) };
}

/** @param {Study} study @param {Column[]} columns @param {DesignGroup} group */
function matrixTrace(study, columns, { name, meta, places, number }) {
  const hasTexts = study.designs.length <= MOST_TEXTS;
  const text = hasTexts && places.map((place) => designText(study, place).map(plotlyText).join("<br>"));
  const outside = { color: GREY, symbol: "circle", size: MATRIX_SIZE - 3, opacity: 0.35 };
  return {
    // plotly.js cannot leave out the upper half of a matrix of two.
    type: "splom",
    diagonal: { visible: false },
    showupperhalf: columns.length < 3,
    customdata: places,
    dimensions: columns.map((column) => ({
      label: plotlyText(column.heading),
      values: scaledValues(column, places),
    })),
    ...(text ? { text, hoverinfo: "text" } : { hoverinfo: "x+y+name" }),
    name: plotlyText(name),
    meta,
    marker: number < 0 ? outside : { ...markerStyle(number, MATRIX_SIZE), ...matrixLook(study, places) },
  };
}

// What the marks of a matrix show of quantities; a matrix has room for smaller marks alone.
/** @param {Study} study @param {number[]} places */
function matrixLook(study, places) {
  const { colours, sizes } = encodedLook(study, places, 0);
  return {
    ...(colours && { color: colours }),
    ...(sizes && { size: sizes.map((size) => (size * MATRIX_SIZE) / SIZE) }),
  };
}

/** @param {string} letter @param {number} place */
const axisName = (letter, place) => `${letter}axis${place ? place + 1 : ""}`;

// The part of the drawing that the planes of a column take: a column of planes along x, a row of them along y. The
// diagonal is left out, and of more than two columns the half above it, with its empty row and column.
/** @param {number} count @param {number} place */
function planeDomains(count, place) {
  const cells = Math.max(count - 1, 2);
  /** @param {number} number */
  const cell = (number) => [(number + PLANE_GAP) / cells, (number + 1 - PLANE_GAP) / cells];
  const row = count > 2 ? Math.max(place - 1, 0) : place;
  return { x: cell(Math.min(place, cells - 1)), y: cell(Math.max(cells - 1 - row, 0)) };
}

// Where values stand in the matrix that is drawn in a box, in pixels: in each plane whose axes show them.
/** @param {PlotBox} box @param {number[]} values */
export function placesInMatrix(box, values) {
  const { l, r, t, b } = MATRIX_MARGIN;
  const [width, height] = [box.clientWidth - l - r, box.clientHeight - t - b];
  /** @param {string} letter @param {number} place */
  const along = (letter, place) => {
    const { domain, range } = box.layout[axisName(letter, place)];
    const share = (values[place] - range[0]) / (range[1] - range[0]);
    return share >= 0 && share <= 1 ? domain[0] + share * (domain[1] - domain[0]) : NaN;
  };
  const planes = values.flatMap((_, x) =>
    values.flatMap((__, y) => (x < y || (x > y && values.length < 3) ? [[x, y]] : [])),
  );
  const places = planes.map(([x, y]) => [l + along("x", x) * width, t + (1 - along("y", y)) * height]);
  return places.filter((place) => place.every(Number.isFinite));
}

// The lines of a design's tooltip.
/** @param {Study} study @param {number} place */
function designText(study, place) {
  const design = study.designs[place];
  const head =
    study.layouts.length > 1
      ? `${design.layout}, design ${shortKey(design.key)}`
      : `design ${shortKey(design.key)}`;
  const { colour, size } = encoding(study);
  const isShown = (/** @type {Column} */ column) =>
    ["variable", "objective", "constraint"].includes(column.role) || column === colour || column === size;
  const shown = study.columns.filter((column) => isShown(column) && !Number.isNaN(column.values[place]));
  return [
    head,
    ...shown
      .slice(0, MOST_LINES)
      .map((column) => `${column.name} = ${withUnit(column.shown(design), column.scale.unit)}`),
  ];
}
