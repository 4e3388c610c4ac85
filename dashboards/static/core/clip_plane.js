// Figures in space without what lies beyond a plane across one axis: points are left out, lines and meshes end there.
/** @import { Figure, Trace } from "./types.js" */
import { numbersOf } from "./plotly_values.js";

// A plane at a place along an axis of the picture ("x", "y" or "z"); `side` 1 keeps what lies below it, -1 what lies above.
/** @typedef {{ axis: "x" | "y" | "z", side: 1 | -1, at: number }} Plane */

const AXES = /** @type {const} */ (["x", "y", "z"]);
// What a trace has for each of its points.
const TEXTS = ["text", "hovertext", "customdata"];

// The figure in front of a plane; what it shares with the other one stays as it is.
/** @param {Figure} figure @param {Plane} plane @returns {Figure} */
export function clipped(figure, plane) {
  const moving = new Set((figure.frames ?? []).flatMap(({ traces }) => traces));
  const data = figure.data.map((trace, place) => clippedTrace(trace, plane, moving.has(place)));
  const frames = figure.frames?.map((frame) => ({
    ...frame,
    data: frame.data.map((/** @type {Trace} */ trace) => clippedLines(trace, plane, [])),
  }));
  return { ...figure, data, ...(frames && { frames }) };
}

/** @param {Trace} trace @param {Plane} plane @param {boolean} moves */
function clippedTrace(trace, plane, moves) {
  if (trace.type === "mesh3d") return clippedMesh(trace, plane);
  if (trace.type !== "scatter3d") return trace;
  if (!trace.mode?.includes("lines")) return clippedMarkers(trace, plane);
  // Texts belong to points by their number, which changes from moment to moment.
  if (moves) return { ...clippedLines(trace, plane, []), mode: "lines", text: null, hoverinfo: "name" };
  return clippedLines(trace, plane, TEXTS);
}

// How far a place lies in front of the plane; less than zero beyond it.
/** @param {Plane} plane @param {number} place */
const inFront = ({ side, at }, place) => side * (at - place);

/** @param {Trace} trace @param {Plane} plane */
function clippedMarkers(trace, plane) {
  const along = numbersOf(trace[plane.axis]);
  const kept = Array.from(along, (_, place) => place).filter((place) => inFront(plane, along[place]) >= 0);
  /** @param {any} values */
  const part = (values) => {
    const all = numbersOf(values);
    return kept.map((place) => all[place]);
  };
  /** @type {Trace} */
  const result = { ...trace };
  for (const name of [...AXES, ...TEXTS]) if (isList(trace[name])) result[name] = part(trace[name]);
  if (isList(trace.marker?.color)) result.marker = { ...trace.marker, color: part(trace.marker.color) };
  return result;
}

/** @param {any} values */
const isList = (values) => Array.isArray(values) || Boolean(values?.bdata);

// Polylines with gaps between them; one that crosses the plane ends in it.
/** @param {Trace} trace @param {Plane} plane @param {string[]} texts */
function clippedLines(trace, plane, texts) {
  const columns = AXES.map((axis) => numbersOf(trace[axis]));
  const along = columns[AXES.indexOf(plane.axis)];
  const listed = texts.filter((name) => Array.isArray(trace[name]));
  /** @type {Record<string, any[]>} */
  const found = Object.fromEntries([...AXES, ...listed].map((name) => [name, []]));
  /** @param {(number | null)[]} point @param {number} from */
  const add = (point, from) => {
    AXES.forEach((axis, place) => found[axis].push(point[place]));
    for (const name of listed) found[name].push(trace[name][from]);
  };
  /** @param {number} place */
  const point = (place) => columns.map((column) => column[place]);
  /** @param {number} place */
  const isPoint = (place) => Number.isFinite(along[place]); // null is a gap
  for (let place = 0; place < along.length; place += 1) {
    const depth = isPoint(place) ? inFront(plane, along[place]) : NaN;
    const before = place > 0 && isPoint(place - 1) ? inFront(plane, along[place - 1]) : NaN;
    if (depth * before < 0) {
      const share = before / (before - depth);
      const crossing = columns.map(
        (column) => column[place - 1] + share * (column[place] - column[place - 1]),
      );
      add(crossing, before > 0 ? place - 1 : place);
    }
    if (depth >= 0) add(point(place), place);
    else if (before >= 0 || Number.isNaN(depth)) add([null, null, null], place);
  }
  return { ...trace, ...found };
}

// Triangles in front of the plane; those that cross it are cut into one or two.
/** @param {Trace} trace @param {Plane} plane */
function clippedMesh(trace, plane) {
  const columns = AXES.map((axis) => Array.from(numbersOf(trace[axis])));
  const along = columns[AXES.indexOf(plane.axis)];
  const depths = along.map((place) => inFront(plane, place));
  const corners = ["i", "j", "k"].map((name) => numbersOf(trace[name]));
  /** @type {number[][]} */
  const kept = [];
  for (let number = 0; number < corners[0].length; number += 1) {
    const polygon = cutTriangle(
      corners.map((column) => column[number]),
      depths,
      columns,
    );
    for (let next = 2; next < polygon.length; next += 1)
      kept.push([polygon[0], polygon[next - 1], polygon[next]]);
  }
  const [x, y, z] = columns;
  const [i, j, k] = [0, 1, 2].map((place) => kept.map((triangle) => triangle[place]));
  return { ...trace, x, y, z, i, j, k };
}

// The corners of a triangle's part in front of the plane; corners in the plane are added to the columns.
/** @param {number[]} triangle @param {number[]} depths @param {number[][]} columns */
function cutTriangle(triangle, depths, columns) {
  /** @type {number[]} */
  const polygon = [];
  triangle.forEach((corner, place) => {
    const next = triangle[(place + 1) % 3];
    if (depths[corner] >= 0) polygon.push(corner);
    if (depths[corner] * depths[next] >= 0) return;
    const share = depths[corner] / (depths[corner] - depths[next]);
    polygon.push(columns[0].length);
    for (const column of columns) column.push(column[corner] + share * (column[next] - column[corner]));
    depths.push(0);
  });
  return polygon;
}
