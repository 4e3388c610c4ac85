// Figures of the interface, which are plotly's dictionaries, as `Scatter` draws them: marks, lines, areas and bars.
/** @import { Bars, Figure, LineStyle, MarkGroup, Rule, ScatterFigure, Trace } from "../types.js" */
import { number } from "../format.js";
import { bare, bareLines, numbersOf } from "../plotly_values.js";
import { idealOf } from "./axes_2d.js";
import { rampColour } from "./scene_parts.js";

const KINDS = ["scatter", "scattergl", "scatter3d", "bar", "heatmap"];
const LETTERS = ["x", "y", "z"];
/** @type {Record<string, number[]>} */
const DASHES = { dash: [8, 5], dot: [2, 4], dashdot: [8, 4, 2, 4] };
// The share of its place that the bars of a category take.
const BARS = 0.8;
const FILLED = 0.5;
// In the legend, of marks whose colours are those of numbers.
const GREY = "#59626D";

/** @typedef {{ letter: string, options: any, places: Map<string, number> | null }} AxisOf */

// Null where a figure holds anything else than marks, lines and bars over two or three axes.
/** @param {Figure} figure @returns {ScatterFigure | null} */
export function flatFigure({ data: traces, layout }) {
  const data = traces.filter(({ visible }) => visible !== false);
  /** @type {Record<string, any>[]} */
  const shapes = layout.shapes ?? [];
  const letters = LETTERS.filter((letter) => data.every((trace) => trace[letter]));
  const place = layout.scene ?? layout;
  const isDrawn =
    data.length > 0 &&
    data.every((trace) => KINDS.includes(trace.type) && isPlain(trace, layout)) &&
    letters.length > 1 &&
    letters.every((letter) => place[`${letter}axis`]) &&
    !("xaxis2" in layout || "yaxis2" in layout || layout.yaxis?.scaleanchor) &&
    (letters.length === 2 || data.every(({ mode }) => mode === "markers"));
  if (!isDrawn) return null;
  const axes = letters.map((letter) => readAxis(letter, place[`${letter}axis`], data));
  const groups = data.map((trace) =>
    trace.type === "heatmap"
      ? tilesOf(trace, axes, layout[trace.coloraxis])
      : groupOf(trace, axes, barsOf(trace, data, layout), layout),
  );
  const drawn = axes.map((axis, number) => axisOf(axis, number, groups, layout));
  return {
    axes: drawn,
    groups,
    ideal: groups.every(({ line, bars }) => !line && !bars) ? idealOf(drawn) : null,
    bands: shapes.flatMap(({ type, x0, x1, fillcolor }) =>
      type === "rect" ? [{ from: x0, to: x1, colour: fillcolor }] : [],
    ),
    rules: shapes.flatMap((shape) => (shape.type === "line" ? [ruleOf(shape, layout)] : [])),
    note: noteOf(layout.annotations ?? []),
    scales: Object.keys(layout).flatMap((name) => (name.startsWith("coloraxis") ? [layout[name]] : [])),
  };
}

// A line from one end of the picture to the other, with the words that stand at the same value.
/** @param {Record<string, any>} shape @param {any} layout @returns {Rule} */
function ruleOf({ x0, y0, y1, line }, { annotations = [] }) {
  const axis = y0 === y1 ? 1 : 0;
  /** @type {Record<string, any>[]} */
  const notes = annotations;
  const words = notes.find(({ xref, x }) => axis === 0 && xref === "x" && x === x0);
  return {
    axis,
    at: axis ? y0 : x0,
    colour: line.color,
    dash: DASHES[line.dash] ?? [],
    text: words ? bare(words.text) : "",
  };
}

// Whether marks have one colour, or those of a scale that the whole figure has; and so have the tiles of a map.
/** @param {Trace} trace @param {any} layout */
function isPlain({ type, marker, coloraxis }, layout) {
  const axis = coloraxis ?? marker?.coloraxis;
  if (axis) return axis in layout && !layout.scene;
  return type !== "heatmap" && (!marker?.color || typeof marker.color === "string");
}

// What dashboards/figures/axes.py marks a figure with.
/** @param {Record<string, any>[]} annotations */
function noteOf(annotations) {
  const found = annotations.find(({ name }) => name === "conditions");
  return found ? { text: bare(found.text), colour: found.font.color } : null;
}

// ------------------------------------------------------------------ axes

// An axis of categories has the place of each.
/** @param {string} letter @param {any} options @param {Trace[]} data @returns {AxisOf} */
function readAxis(letter, options, data) {
  if (options.type !== "category") return { letter, options, places: null };
  const names = new Set([...(options.categoryarray ?? []), ...data.flatMap((trace) => trace[letter])]);
  const order = options.autorange === "reversed" ? [...names].reverse() : [...names];
  return { letter, options, places: new Map(order.map((name, place) => [name, place])) };
}

/** @param {AxisOf} axis @param {number} place @param {MarkGroup[]} groups @param {any} layout */
function axisOf({ options, places }, place, groups, layout) {
  const [title] = bareLines(options.title?.text ?? "");
  const better = layout.meta?.better[place] ?? 0;
  if (places)
    return { title, range: [-0.5, places.size - 0.5], better, options: [...places.keys()].map(bare) };
  if (options.range) return { title, range: options.range, better, fixed: true };
  const ends = [Infinity, -Infinity];
  /** @param {number} value */
  const reach = (value) => {
    if (value < ends[0]) ends[0] = value;
    if (value > ends[1]) ends[1] = value;
  };
  for (const { columns, bars, tiles } of groups) {
    for (const value of Array.from(columns[place])) reach(value);
    for (const corners of tiles?.corners ?? []) corners.slice(2 * place, 2 * place + 2).forEach(reach);
    if (bars?.along === place) reach(bars.from);
    else
      for (const [row, wide] of bars?.wide.entries() ?? []) {
        reach(columns[place][row] - wide / 2);
        reach(columns[place][row] + wide / 2);
      }
  }
  if (options.rangemode === "tozero" && ends[0] <= ends[1]) reach(0);
  return { title, range: ends[0] <= ends[1] ? ends : [0, 0], better };
}

/** @param {any} values @param {AxisOf} axis */
function columnOf(values, { places }) {
  if (values.bdata) return numbersOf(values);
  return Array.from(values, (value) => (places ? (places.get(value) ?? NaN) : (value ?? NaN)));
}

// ------------------------------------------------------------------ groups

// Bars side by side, or over each other, around the places of their categories.
/** @param {Trace} trace @param {Trace[]} data @param {any} layout @returns {Bars & { shift: number } | undefined} */
function barsOf(trace, data, layout) {
  if (trace.type !== "bar") return undefined;
  const [along, beside] = trace.orientation === "h" ? [0, "y"] : [1, "x"];
  const all = data.filter(({ type }) => type === "bar");
  const count = layout.barmode === "group" ? all.length : 1;
  const wide = BARS / count;
  const shift = layout.barmode === "group" ? ((count - 1) / 2 - all.indexOf(trace)) * wide : 0;
  return {
    along,
    from: trace.base ?? 0,
    wide: Array.from(trace.width ? numbersOf(trace.width) : trace[beside], (own) =>
      trace.width ? own : wide,
    ),
    errors: Array.from(numbersOf(trace[along ? "error_y" : "error_x"]?.array)),
    opacity: trace.opacity ?? 1,
    shift,
  };
}

/** @param {Trace} trace @param {AxisOf[]} axes @param {(Bars & { shift: number }) | undefined} bars @param {any} layout @returns {MarkGroup} */
function groupOf(trace, axes, bars, layout) {
  const columns = axes.map((axis) => columnOf(trace[axis.letter], axis));
  if (bars?.shift) columns[1 - bars.along] = Array.from(columns[1 - bars.along], (at) => at + bars.shift);
  const { color, symbol = "circle", opacity, size = 8, coloraxis } = trace.marker ?? {};
  const line = lineOf(trace);
  const marked = !bars && (trace.mode ?? "markers").includes("markers");
  const isListed = trace.showlegend !== false && layout.showlegend !== false;
  return {
    // Whatever an entry of the legend hides has its name.
    name: bare((isListed ? trace.name : trace.legendgroup) ?? trace.name ?? ""),
    label: trace.legendgroup,
    listed: isListed,
    waits: trace.visible === "legendonly",
    columns,
    data: trace.customdata,
    colour: coloraxis ? GREY : (color ?? trace.line?.color),
    colours: coloraxis
      ? Array.from(numbersOf(color), (value) => rampColour(layout[coloraxis], value))
      : undefined,
    symbol: bars ? "square" : !marked ? "line-open" : Array.isArray(symbol) ? symbol[0] : symbol,
    symbols: Array.isArray(symbol) ? symbol : undefined,
    opacity,
    size: columns[0].length > 4000 ? 6 : trace.type === "scatter3d" ? 8 : size,
    marked,
    silent: trace.hoverinfo === "skip",
    line,
    bars,
    text: (place) => textOf(trace, columns, axes, place),
  };
}

// The tiles of a map that have a value, each as wide and as high as there is room.
/** @param {Trace} trace @param {AxisOf[]} axes @param {any} scale @returns {MarkGroup} */
function tilesOf(trace, axes, scale) {
  const [x, y] = axes.map((axis) => Array.from(columnOf(trace[axis.letter], axis)));
  /** @type {(number | null)[][]} */
  const rows = trace.z;
  const known = rows.flatMap((row, up) =>
    row.flatMap((value, across) => (value === null ? [] : [{ up, across, value }])),
  );
  const [columns, lines] = [x, y].map(edgesOf);
  return {
    name: "",
    listed: false,
    columns: [known.map(({ across }) => x[across]), known.map(({ up }) => y[up])],
    colour: GREY,
    symbol: "square",
    size: 8,
    marked: false,
    tiles: {
      corners: known.map(({ up, across }) => [...columns[across], ...lines[up]]),
      colours: known.map(({ value }) => rampColour(scale, value)),
      opacity: trace.opacity ?? 1,
    },
    text: (place) => [`median: ${number(known[place].value, 4)}`],
  };
}

// Both ends of each place, half-way to the next ones.
/** @param {number[]} at */
function edgesOf(at) {
  /** @param {number} place @param {number} step */
  const half = (place, step) => {
    const other = at[place + step] ?? 2 * at[place] - (at[place - step] ?? at[place] + 1);
    return (at[place] + other) / 2;
  };
  return at.map((_, place) => [half(place, -1), half(place, 1)]);
}

/** @param {Trace} trace @returns {LineStyle | undefined} */
function lineOf({ type, mode = "markers", line = {}, fill, opacity = 1 }) {
  if (type === "bar" || !mode.includes("lines")) return undefined;
  const { width = 2, dash = "solid", shape } = line;
  const filled = fill === "toself" ? FILLED * opacity : 0;
  return { width, dash: DASHES[dash] ?? [], isStepped: shape === "hv", filled, opacity };
}

// The lines of a tooltip: those of the figure, else the name and the numbers for which it asks.
/** @param {Trace} trace @param {ArrayLike<number>[]} columns @param {AxisOf[]} axes @param {number} place */
function textOf({ text, hovertemplate, hoverinfo = "", name = "" }, columns, axes, place) {
  if (Array.isArray(text) && text.length) return bareLines(text[place]);
  if (typeof text === "string") return bareLines(text);
  const values = axes.map(({ places }, axis) => {
    const value = columns[axis][place];
    return places ? bare([...places.keys()][Math.round(value)]) : number(value, 4);
  });
  /** @param {string} letter */
  const valueOf = (letter) => values[axes.findIndex((axis) => axis.letter === letter)] ?? "";
  if (hovertemplate)
    return bareLines(hovertemplate.replace(/<extra>.*/, "")).map((line) =>
      line.replace(/%\{([xyz])[^}]*\}/g, (_, letter) => valueOf(letter)),
    );
  const numbers = axes.filter(({ letter }) => hoverinfo.split("+").includes(letter));
  return [bare(name), ...numbers.map(({ letter }) => valueOf(letter))];
}
