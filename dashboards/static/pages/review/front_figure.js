// The style of the figures that this page makes: the same as in dashboards/figures/axes.py and palette.py.
import { array, get } from "../../core/api.js";
import { count, withUnit, words } from "../../core/format.js";
import { settings } from "../../core/plot.js";
import { idealOf } from "../../core/scatter/axes_2d.js";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const FAINT = "rgba(128,136,146,0.30)";
export const GREY = "#8A929C";
const BETTER = { minimize: "less is better", maximize: "more is better" };

const MARKUP = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

// A text for Plotly, which reads a little HTML.
const plotlyText = (text) => String(text).replace(/[&<>]/g, (letter) => MARKUP[letter]);

export const colourOf = (place) => settings.colours[place % settings.colours.length];
const dashOf = (place) => settings.dashes[place % settings.dashes.length];

const symbolOf = (place) => settings.symbols[place % settings.symbols.length];

function markerStyle(place, size) {
  return {
    color: colourOf(place),
    symbol: symbolOf(place),
    size,
    opacity: 0.85,
    line: { width: 0.5, color: "rgba(255,255,255,0.6)" },
  };
}

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

const ticks = (column) =>
  column.options
    ? {
        tickvals: column.options.map((_, place) => place),
        ticktext: column.options.map((_, place) => plotlyText(column.bare(place))),
      }
    : {};

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
const scaledValues = (column, places) =>
  Array.from(places, (place) => column.values[place] * column.scale.factor);

// ------------------------------------------------------------------ front_figure

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

// Designs by layout, those outside the ranges as a group of their own: [{ name, meta, places, number }].
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
  return [...groups, { name: `outside the ranges (${out.length})`, places: out, number: -1 }];
}

// In space or in a plane. The axes end where the front does, whatever lies behind it.
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
    columns: columns.map((column) => scaledValues(column, places)),
    text: (place) => designText(study, places[place]),
  }));
  const background = cloud === null ? [] : cloud.groups.map((group) => cloud.drawn(group, columns));
  const axes = columns.map((column, place) =>
    axisOf(column, logs[place], whole ? background.map((group) => group.columns[place]) : []),
  );
  return { axes, groups: [...background, ...shown], ideal: idealOf(columns.map(frontEnds)) };
}

// Between which values the front lies, as they are drawn, and which end is the better one.
const frontEnds = (column) => ({
  range: column.range?.map((end) => end * column.scale.factor),
  better: betterOf(column),
});

function axisOf(column, log, others) {
  const ends = frontEnds(column).range ?? [0, 0];
  for (const value of others.flatMap((values) => [...values])) {
    if (value < ends[0]) ends[0] = value;
    if (value > ends[1]) ends[1] = value;
  }
  const options = column.options?.map((_, place) => column.bare(place));
  return { title: column.heading, range: ends, log, options, better: betterOf(column) };
}

const betterOf = (column) => ({ maximize: 1, minimize: -1 })[column.sense] ?? 0;

// What the legend of the matrix lists: its groups, as `legendEntries` takes them.
export const matrixGroups = (study, inside) =>
  groupsOf(study, inside).map(({ name, places, number }) => ({
    name,
    listed: number >= 0 || places.length > 0,
    size: MATRIX_SIZE,
    colour: number < 0 ? GREY : colourOf(number),
    symbol: number < 0 ? "circle" : symbolOf(number),
  }));

// Every pair of columns, as plotly.js draws it: one trace per layout, those outside the ranges in one of their own.
export function matrixFigure(study, { columns }, inside, hidden) {
  const texts = study.designs.length <= MOST_TEXTS;
  const draw = (places, more) => ({
    // plotly.js cannot leave out the upper half of a matrix of two.
    type: "splom",
    diagonal: { visible: false },
    showupperhalf: columns.length < 3,
    customdata: places,
    dimensions: columns.map((column) => ({
      label: plotlyText(column.heading),
      values: scaledValues(column, places),
    })),
    ...(texts
      ? {
          text: places.map((place) => designText(study, place).map(plotlyText).join("<br>")),
          hoverinfo: "text",
        }
      : { hoverinfo: "x+y+name" }),
    ...more,
  });
  const data = groupsOf(study, inside).map(({ name, meta, places, number }) =>
    number < 0
      ? draw(places, {
          name,
          visible: !hidden.has(name),
          marker: { color: GREY, symbol: "circle", size: MATRIX_SIZE - 3, opacity: 0.35 },
        })
      : draw(places, {
          name: plotlyText(name),
          visible: !hidden.has(name),
          meta,
          marker: markerStyle(number, MATRIX_SIZE),
        }),
  );
  const axes = columns.flatMap((column, place) => {
    const { title, automargin, ...style } = axisStyle(column);
    return [
      [axisName("x", place), { ...style, domain: planeDomains(columns.length, place).x }],
      [axisName("y", place), { ...style, domain: planeDomains(columns.length, place).y }],
    ];
  });
  const uirevision = `matrix ${columns.map((column) => `${column.id} ${column.scale.unit}`)}`;
  return {
    data,
    layout: figureLayout({
      ...Object.fromEntries(axes),
      margin: MATRIX_MARGIN,
      showlegend: false,
      uirevision,
    }),
  };
}

const axisName = (letter, place) => `${letter}axis${place ? place + 1 : ""}`;

// The part of the drawing that the planes of a column take: a column of planes along x, a row of them along y. The
// diagonal is left out, and of more than two columns the half above it, with its empty row and column.
function planeDomains(count, place) {
  const cells = Math.max(count - 1, 2);
  const cell = (number) => [(number + PLANE_GAP) / cells, (number + 1 - PLANE_GAP) / cells];
  const row = count > 2 ? Math.max(place - 1, 0) : place;
  return { x: cell(Math.min(place, cells - 1)), y: cell(Math.max(cells - 1 - row, 0)) };
}

// Where values stand in the matrix that is drawn in a box, in pixels: in each plane whose axes show them.
export function placesInMatrix(box, values) {
  const { l, r, t, b } = MATRIX_MARGIN;
  const [width, height] = [box.clientWidth - l - r, box.clientHeight - t - b];
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
function designText(study, place) {
  const design = study.designs[place];
  const head =
    study.layouts.length > 1
      ? `${design.layout}, design ${design.key.slice(0, 8)}`
      : `design ${design.key.slice(0, 8)}`;
  const shown = study.columns.filter(
    (column) =>
      ["variable", "objective", "constraint"].includes(column.role) && !Number.isNaN(column.values[place]),
  );
  return [
    head,
    ...shown
      .slice(0, MOST_LINES)
      .map((column) => `${words(column.id)} = ${withUnit(column.shown(design), column.scale.unit)}`),
  ];
}

// ------------------------------------------------------------------ evaluations behind the front

// All evaluations of the runs, as a cloud behind the front: only the values of the drawn axes, and at most MOST
// designs, which the server selects.
const MOST = 30_000;
const FIXED = ["run", "ask_no", "state", "violation"];
const STATE_DONE = 0;

// The server's name of a column.
const stored = (column) => (column.role === "variable" ? column.id.replace(/^variable /, "") : column.id);

class Evaluations {
  constructor(study, found, onFound) {
    const [rows, width] = found.shape;
    this.study = study;
    this.onFound = onFound;
    this.width = width;
    this.rows = rows;
    this.values = found.values;
    this.asked = found.asked;
    this.columns = found.columns;
    this.at = new Map(found.columns.map((name, place) => [name, place]));
    const [state, violation] = [this.at.get("state"), this.at.get("violation")];
    const done = [];
    for (let row = 0; row < rows; row += 1)
      if (found.values[row * width + state] === STATE_DONE) done.push(row);
    this.groups = [
      {
        name: "evaluated",
        symbol: "circle",
        rows: done.filter((row) => !(found.values[row * width + violation] > 0)),
      },
      {
        name: "evaluated, a constraint broken",
        symbol: "x",
        rows: done.filter((row) => found.values[row * width + violation] > 0),
      },
    ].filter((group) => group.rows.length);
    this.done = done.length;
  }

  // A group as `Scatter` draws it.
  drawn(group, columns) {
    const drawn = columns.map((column) => this.column(column, group.rows));
    return {
      name: `${group.name} (${count(group.rows.length)})`,
      columns: drawn,
      data: group.rows,
      background: true,
      colour: GREY,
      symbol: group.symbol,
      size: 3,
      opacity: 0.45,
    };
  }

  // The quantity of some rows as it is drawn; the layout is that of the row's run.
  column(column, rows) {
    // A variable may be called like a metric, which comes after it.
    const place =
      column.role === "variable" ? this.columns.indexOf(stored(column)) : this.at.get(stored(column));
    const read = (row, name) =>
      this.values[row * this.width + (name === undefined ? place : this.at.get(name))];
    const layouts = this.study.runs.map((run) => this.study.layouts.indexOf(run.layout));
    if (column.role === "layout") return Float32Array.from(rows, (row) => layouts[read(row, "run")]);
    if (place === undefined || place < 0) return new Float32Array(rows.length).fill(NaN);
    if (!column.options) return Float32Array.from(rows, (row) => read(row) * column.scale.factor);
    // Each layout counts its own options; the column holds those of all.
    const own = this.study.quantities.layouts.map(
      ({ variables }) => variables.find((variable) => variable.path === column.id)?.options ?? [],
    );
    return Float32Array.from(rows, (row) => column.place(own[layouts[read(row, "run")]][read(row)]));
  }

  // How many designs lie outside the axes, which end where the front does.
  countOutside(columns) {
    const out = columns.map((column) => {
      const [low, high] = (column.range ?? [-Infinity, Infinity]).map((end) => end * column.scale.factor);
      const room = (high - low) / 32;
      return (value) => value < low - room || value > high + room;
    });
    return this.groups.reduce((sum, { rows }) => {
      const drawn = columns.map((column) => this.column(column, rows));
      return sum + rows.filter((_, place) => out.some((isOut, axis) => isOut(drawn[axis][place]))).length;
    }, 0);
  }

  // The text about the cloud in the figure's caption.
  description({ mode, columns, whole }) {
    if (mode === "matrix") return "The cloud of all evaluations is not drawn in the matrix.";
    const thinned =
      this.rows < this.asked
        ? ` Only ${count(this.rows)} of ${count(this.asked)} evaluations are drawn.`
        : "";
    const lost = this.rows - this.done;
    const none = lost ? ` ${count(lost)} more have no metrics.` : "";
    const outside = whole ? 0 : this.countOutside(columns);
    const remark = outside
      ? ` ${count(outside)} of them are not drawn: they lie beyond the ends of the axes, which are those of the front.`
      : "";
    return `${count(this.done)} evaluations in grey.${remark}${none}${thinned}`;
  }

  // The array has no keys: ask for the one of a row.
  async pick(row) {
    const value = (name) => this.values[row * this.width + this.at.get(name)];
    const run = this.study.runs[value("run")];
    this.onFound(await get(`${this.study.path}/runs/${run.id}/evaluations/${value("ask_no")}`));
  }
}

// The cloud over some columns; in a matrix there is none to draw, but its counts.
export async function fetchEvaluations(study, columns, onFound) {
  const names = [...FIXED, ...columns.filter((column) => column.role !== "layout").map(stored)];
  return new Evaluations(
    study,
    await array(`${study.path}/evaluations/array`, { column: [...new Set(names)], most: MOST }),
    onFound,
  );
}
