// Where the axes of parallel coordinates stand, and what is written at them. Upright where there is room; on a narrow
// screen they lie below each other.
import { heading, withUnit } from "../format.js";
import { svg } from "./svg.js";

const NARROW = 560;
const EDGE = { upright: { start: 46, end: 46, top: 40, bottom: 26 }, lying: { left: 14, right: 14, first: 44, step: 66 } };

// The scene of axes: `point(axis, share)` is where a share (0 to 1) of an axis stands on the drawing.
export class Axes {
  constructor(columns, width, height) {
    this.columns = columns;
    this.lying = width < NARROW;
    this.width = width;
    this.height = this.lying ? EDGE.lying.first + (columns.length - 1) * EDGE.lying.step + 34 : height;
    this.ends = columns.map((column) => roomy(column.range ?? [0, 1]));
  }

  place(axis) {
    if (this.lying) return EDGE.lying.first + axis * EDGE.lying.step;
    const { start, end } = EDGE.upright;
    return start + (axis * (this.width - start - end)) / Math.max(this.columns.length - 1, 1);
  }

  // Where share 0 and share 1 of every axis are.
  get span() {
    if (this.lying) return [EDGE.lying.left, this.width - EDGE.lying.right];
    return [this.height - EDGE.upright.bottom, EDGE.upright.top];
  }

  point(axis, share) {
    const [from, to] = this.span;
    const along = from + share * (to - from);
    return this.lying ? [along, this.place(axis)] : [this.place(axis), along];
  }

  share(axis, value) {
    const [low, high] = this.ends[axis];
    return (value - low) / (high - low);
  }

  value(axis, share) {
    const [low, high] = this.ends[axis];
    return low + share * (high - low);
  }

  // Share of an axis at a place of the drawing, and the other way round: which axis is near.
  shareAt(x, y) {
    const [from, to] = this.span;
    return Math.min(Math.max(((this.lying ? x : y) - from) / (to - from), 0), 1);
  }

  nearest(x, y) {
    const across = this.lying ? y : x;
    const distances = this.columns.map((_, axis) => Math.abs(this.place(axis) - across));
    const axis = distances.indexOf(Math.min(...distances));
    return { axis, distance: distances[axis] };
  }
}

// A value that all designs share stands in the middle of its axis.
function roomy([low, high]) {
  if (high > low) return [low, high];
  const room = Math.abs(low) || 1;
  return [low - room / 2, low + room / 2];
}

// Lines, names and ends of the axes, and the ranges that are set.
export function axesDrawing(axes, ranges) {
  const parts = axes.columns.map((column, axis) => {
    const [x0, y0] = axes.point(axis, 0);
    const [x1, y1] = axes.point(axis, 1);
    return svg("g", {},
      svg("line", { x1: x0, y1: y0, x2: x1, y2: y1, class: "axis" }),
      ...rangeMark(axes, axis, ranges.get(column.id)),
      ...words(axes, axis, column));
  });
  return svg("g", {}, ...parts);
}

function rangeMark(axes, axis, range) {
  if (!range) return [];
  const shares = range.map((value, end) => (Number.isFinite(value) ? Math.min(Math.max(axes.share(axis, value), 0), 1) : end));
  const [[x0, y0], [x1, y1]] = shares.map((share) => axes.point(axis, share));
  const box = { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
  const wide = axes.lying ? { ...box, y: box.y - 6, height: 12 } : { ...box, x: box.x - 6, width: 12 };
  return [svg("rect", { ...wide, rx: 2, class: "range" })];
}

function words(axes, axis, column) {
  const [low, high] = axes.ends[axis].map((value) => endText(column, value));
  const texts = [];
  const [x0, y0] = axes.point(axis, 0);
  const [x1, y1] = axes.point(axis, 1);
  const anchor = axis === 0 ? "start" : axis === axes.columns.length - 1 ? "end" : "middle";
  if (axes.lying) {
    texts.push(svg("text", { x: x0, y: y0 - 12, class: "name" }, heading(column.id, column.scale.unit)));
    texts.push(svg("text", { x: x0, y: y0 + 20 }, low), svg("text", { x: x1, y: y1 + 20, "text-anchor": "end" }, high));
    return texts;
  }
  const shift = anchor === "middle" ? 0 : anchor === "start" ? -40 : 40;
  const room = (axes.width - 92) / Math.max(axes.columns.length - 1, 1);
  texts.push(svg("text", { x: x1 + shift, y: 14, class: "name", "text-anchor": anchor }, shortened(column.name, room)));
  texts.push(svg("text", { x: x1, y: 33, "text-anchor": "middle" }, withUnit(high, column.scale.unit)));
  texts.push(svg("text", { x: x0, y: y0 + 18, "text-anchor": "middle" }, low));
  return texts;
}

const endText = (column, value) => (column.options ? column.bare(Math.round(value)) : column.bare(value));

// A name that fits between two axes; all of it stands in the ranges beside the drawing.
function shortened(name, room) {
  const most = Math.max(Math.floor(room / 7), 6);
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
