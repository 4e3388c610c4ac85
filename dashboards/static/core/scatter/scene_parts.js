// What a scene in space is painted with: pieces of lines, marks, and faces, each by itself so that what is nearer hides
// what is farther away.
/** @import { ColourScale, Point, Trace } from "../types.js" */
/** @import { Renderer } from "./renderers.js" */
/** @import { Axes3D } from "./axes_3d.js" */
import { bare, bareLines, numbersOf } from "../plotly_values.js";
import { lifted } from "./look.js";

const LETTERS = ["x", "y", "z"];
// A long line is hidden in parts by what stands before it; of a dashed one every second part is painted.
const PIECES = 8;
const DASHES = 24;
const SHADES = 24;
const DARKEST = 0.68;
const WORKSPACE = "workspace";
// Of plotly.js's pixels.
const LINE = 0.6;
const MARK = 1.8;

// What is painted: its corners, the mean of which says how far away it is. `place` is its point in the trace.
/** @typedef {{ corners: Point[], place?: number, paint: (pen: Renderer, pixels: Point[], dark: boolean) => void }} Piece */
// The faces of a solid of one colour.
/** @typedef {{ corners: Point[], triangles: number[][], colour: string, opacity: number }} Solid */
// A trace of a figure: `solid` is what is opaque, `veil` what one looks through.
/** @typedef {{ name: string, colour: string, isListed: boolean, isLeftOut: boolean, scale: any, pieces: Piece[], letters: { at: Point, text: string, colour: string }[], solid: Solid | null, veil: Solid | null, text: (place: number) => string[] }} Part */

// A trace as parts of a scene; `share` gives shares of the axes, `scales` the colour axes of the layout by their names.
/** @param {Trace} trace @param {(axis: number, value: number) => number} share @param {Record<string, any>} scales @returns {Part} */
export function partOf(trace, share, scales) {
  const columns = LETTERS.map((letter) => numbersOf(trace[letter]));
  const corners = Array.from(columns[0], (_, row) =>
    columns.map((column, axis) => (column[row] === null ? NaN : share(axis, column[row]))),
  );
  /** @type {Part} */
  const part = {
    name: bare(trace.name ?? ""),
    colour: trace.line?.color ?? trace.marker?.color ?? trace.color,
    isListed: trace.showlegend !== false && trace.visible !== false,
    isLeftOut: trace.visible === false,
    scale: trace.marker?.showscale ? trace.marker : null,
    pieces: [],
    letters: [],
    solid: null,
    veil: null,
    text: (place) => textOf(trace, place),
  };
  if (trace.type === "mesh3d") part[trace.meta === WORKSPACE ? "veil" : "solid"] = solidOf(trace, corners);
  else readLines(part, trace, corners, scales);
  return part;
}

/** @param {Trace} trace @param {number} place */
function textOf(trace, place) {
  const name = [bare(trace.name ?? "")];
  if (trace.hoverinfo === "skip") return [];
  const text = textAt(trace.hovertext, place) || (trace.hoverinfo === "text" && textAt(trace.text, place));
  if (text) return bareLines(text);
  if (!trace.hovertemplate) return name;
  const at = LETTERS.map((letter) => numbersOf(trace[letter])[place]);
  /** @type {Record<string, number>} */
  const values = { x: at[0], y: at[1], z: at[2], "marker.color": numbersOf(trace.marker?.color)[place] };
  const filled = trace.hovertemplate
    .replace(/<extra>.*?<\/extra>/, "")
    .replace(/%\{([\w.]+)(?::\.\d+g)?\}/g, (/** @type {string} */ _, /** @type {string} */ key) =>
      String(Number((values[key] ?? NaN).toPrecision(3))),
    );
  return bareLines(filled);
}

// One text for all points, or one each.
/** @param {string | string[] | undefined} texts @param {number} place */
const textAt = (texts, place) => (typeof texts === "string" ? texts : texts?.[place]);

/** @param {Trace} trace @param {Point[]} corners @returns {Solid} */
function solidOf(trace, corners) {
  const [i, j, k] = ["i", "j", "k"].map((name) => numbersOf(trace[name]));
  const triangles = Array.from(i, (_, row) => [Number(i[row]), Number(j[row]), Number(k[row])]);
  return { corners, triangles, colour: trace.color, opacity: trace.opacity ?? 1 };
}

/** @param {Part} part @param {Trace} trace @param {Point[]} corners @param {Record<string, any>} scales */
function readLines(part, trace, corners, scales) {
  const { mode, line, marker, text, textfont } = trace;
  const lineColour = line && coloursOf(line, scales);
  const markColour = marker && coloursOf(marker, scales);
  corners.forEach((corner, row) => {
    if (!corner.every(Number.isFinite)) return;
    const before = corners[row - 1];
    if (mode.includes("lines") && before?.every(Number.isFinite))
      part.pieces.push(
        ...piecesOf(before, corner, { ...line, color: lineColour(row), opacity: trace.opacity }, row),
      );
    if (mode.includes("markers"))
      part.pieces.push(markOf(corner, { ...marker, color: markColour(row) }, row));
    if (mode.includes("text") && text[row])
      part.letters.push({ at: corner, text: bare(text[row]), colour: textfont?.color ?? lineColour(row) });
  });
}

// The colour of a point by its number: one for all, one each, or that of its value on a scale.
/** @param {{ color?: any, coloraxis?: string, colorscale?: any, cmin?: number, cmax?: number }} look @param {Record<string, any>} scales @returns {(place: number) => string} */
function coloursOf(look, scales) {
  const { color } = look;
  if (!color || typeof color === "string") return () => color;
  const values = numbersOf(color);
  if (typeof values[0] === "string") return (place) => String(values[place]);
  const scale = /** @type {ColourScale} */ (look.coloraxis ? scales[look.coloraxis] : look);
  return (place) => rampColour(scale, values[place]);
}

/** @param {string} colour */
const parts = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

// The colour of a value on a scale.
/** @param {ColourScale} scale @param {number} value */
export function rampColour({ colorscale, cmin, cmax }, value) {
  const share = Math.min(Math.max((value - cmin) / (cmax - cmin || 1), 0), 1);
  const next = Math.max(
    colorscale.findIndex(([at]) => at >= share),
    1,
  );
  const [[from, one], [to, other]] = [colorscale[next - 1], colorscale[next]];
  const [start, end] = [parts(one), parts(other)];
  const along = (share - from) / (to - from || 1);
  const mixed = start.map((value, place) => Math.round(value + along * (end[place] - value)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {Point} from @param {Point} to @param {{ color: string, width: number, dash?: string, opacity?: number }} line @param {number} place @returns {Piece[]} */
function piecesOf(from, to, { color, width, dash = "solid", opacity = 1 }, place) {
  const isSolid = dash === "solid";
  const count = isSolid ? PIECES : DASHES;
  /** @param {number} share */
  const at = (share) => from.map((value, axis) => value + share * (to[axis] - value));
  const all = Array.from({ length: count }, (_, piece) => piece).filter(
    (piece) => isSolid || piece % 2 === 0,
  );
  return all.map((piece) => ({
    corners: [at(piece / count), at((piece + 1) / count)],
    place,
    paint: (pen, pixels, dark) =>
      pen.line(pixels, {
        colour: lifted(color, dark),
        width: LINE * width,
        opacity,
        cap: isSolid ? "round" : "butt",
      }),
  }));
}

/** @param {Point} corner @param {{ color: string, size: number, opacity?: number, symbol?: string }} marker @param {number} place @returns {Piece} */
function markOf(corner, { color, size, opacity = 1, symbol = "circle" }, place) {
  return {
    corners: [corner],
    place,
    paint: (pen, [[x, y]], dark) =>
      pen.mark(x, y, { symbol, size: MARK * size, opacity, colour: lifted(color, dark) }),
  };
}

// ------------------------------------------------------------------ faces

// The faces of a solid, each as light as it is turned to whoever looks.
/** @param {Axes3D} shape @param {Solid} solid @param {number} [opacity] @returns {Piece[]} */
export function facetsOf(shape, { corners, triangles, colour, ...solid }, opacity = solid.opacity) {
  return triangles.map((triangle) => {
    const own = triangle.map((corner) => corners[corner]);
    const step = Math.round(facing(shape, own) * (SHADES - 1));
    return {
      corners: own,
      paint: (pen, pixels, dark) => pen.face(pixels, shadesOf(lifted(colour, dark))[step], opacity),
    };
  });
}

// From 0, edge on, to 1, turned to whoever looks.
/** @param {Axes3D} shape @param {Point[]} corners */
function facing({ sides, back }, corners) {
  const [one, two, three] = corners.map((corner) => corner.map((value, axis) => value * sides[axis]));
  const [a, b, c] = two.map((value, axis) => value - one[axis]);
  const [d, e, f] = three.map((value, axis) => value - one[axis]);
  const normal = [b * f - c * e, c * d - a * f, a * e - b * d];
  const length = Math.hypot(...normal) || 1;
  return Math.abs(normal[0] * back[0] + normal[1] * back[1] + normal[2] * back[2]) / length;
}

/** @type {Map<string, string[]>} */
const knownShades = new Map();

// A colour from its darkest to its lightest shade.
/** @param {string} colour */
function shadesOf(colour) {
  const known = knownShades.get(colour);
  if (known) return known;
  const shades = Array.from({ length: SHADES }, (_, step) => {
    const light = DARKEST + ((1 - DARKEST) * step) / (SHADES - 1);
    return `rgb(${parts(colour)
      .map((part) => Math.round(part * light))
      .join(" ")})`;
  });
  knownShades.set(colour, shades);
  return shades;
}
