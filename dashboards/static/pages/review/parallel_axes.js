// Where the axes of parallel coordinates stand, and what is written at them. Upright where there is room; on a narrow
// screen they lie below each other.
/** @import { Point, Range } from "../../core/types.js" */
/** @import { Column, Study } from "./study.js" */
import { svg } from "../../core/dom.js";
import { withUnit } from "../../core/format.js";

const NARROW = 560;
const EDGE = {
  upright: { start: 46, end: 46, top: 48, bottom: 34 },
  lying: { left: 18, right: 18, first: 44, step: 66 },
};
const LINE = 13;
const ARROW = 8;

// Between which values an axis runs, by layout: all of them share a scale, or each has its own.
/** @typedef {Map<string, Range>} AxisEnds */

// The scene of axes: `point(axis, share)` is where a share (0 to 1) of an axis stands on the drawing.
export class Axes {
  // `ends` has the ends of each axis. `layout` is the one whose numbers stand at them.
  /** @param {Column[]} columns @param {AxisEnds[]} ends @param {string} layout @param {number} width @param {number} height */
  constructor(columns, ends, layout, width, height) {
    this.columns = columns;
    this.ends = ends;
    this.layout = layout;
    this.lying = width < NARROW;
    this.width = width;
    this.height = this.lying ? EDGE.lying.first + (columns.length - 1) * EDGE.lying.step + 34 : height;
  }

  /** @param {number} axis */
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

  /** @param {number} axis @param {number} share */
  point(axis, share) {
    const [from, to] = this.span;
    const along = from + share * (to - from);
    return this.lying ? [along, this.place(axis)] : [this.place(axis), along];
  }

  /** @param {number} axis */
  endsOf(axis, layout = this.layout) {
    return this.ends[axis].get(layout) ?? [0, 1];
  }

  /** @param {number} axis @param {number} value */
  share(axis, value, layout = this.layout) {
    const [low, high] = this.endsOf(axis, layout);
    return (value - low) / (high - low);
  }

  /** @param {number} axis @param {number} share */
  value(axis, share) {
    const [low, high] = this.endsOf(axis);
    return low + share * (high - low);
  }

  // Share of an axis at a place of the drawing, and the other way round: which axis is near.
  /** @param {Point} place */
  shareAt([x, y]) {
    const [from, to] = this.span;
    return Math.min(Math.max(((this.lying ? x : y) - from) / (to - from), 0), 1);
  }

  /** @param {Point} place */
  nearest([x, y]) {
    const across = this.lying ? y : x;
    const distances = this.columns.map((_, axis) => Math.abs(this.place(axis) - across));
    const axis = distances.indexOf(Math.min(...distances));
    return { axis, distance: distances[axis] };
  }
}

// The ends of an axis: those of all designs, or with `isOwn` for each layout those of its own. Options are the same
// for all layouts.
/** @param {Study} study @param {Column} column @param {boolean} isOwn @returns {AxisEnds} */
export function axisEnds(study, column, isOwn) {
  const common = roomy(column.range ?? [0, 1]);
  if (!isOwn || column.options) return new Map(study.layouts.map((layout) => [layout, common]));
  return new Map(
    study.layouts.map((layout) => {
      const values = column.values.filter(
        (value, place) => !Number.isNaN(value) && study.designs[place].layout === layout,
      );
      const ends = values.reduce(
        ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
        [Infinity, -Infinity],
      );
      return [layout, values.length ? roomy(ends) : common];
    }),
  );
}

// A value that all designs share stands in the middle of its axis.
/** @param {Range} options */
function roomy([low, high]) {
  if (high > low) return [low, high];
  const room = Math.abs(low) || 1;
  return [low - room / 2, low + room / 2];
}

// Lines, names, ends and better ends of the axes.
/** @param {Axes} axes */
export function axesDrawing(axes) {
  const parts = axes.columns.map((column, axis) => {
    const [x0, y0] = axes.point(axis, 0);
    const [x1, y1] = axes.point(axis, 1);
    return svg(
      "g",
      {},
      svg("title", {}, column.tooltip),
      svg("line", { x1: x0, y1: y0, x2: x1, y2: y1, class: "axis" }),
      column.sense && betterEnd(axes, axis, column.sense),
      ...words(axes, axis, column),
    );
  });
  return svg("g", {}, ...parts);
}

// An arrow at the end of an axis towards which values are better.
/** @param {Axes} axes @param {number} axis @param {string} sense */
function betterEnd(axes, axis, sense) {
  const isGreat = sense === "maximize";
  const [x, y] = axes.point(axis, isGreat ? 1 : 0);
  const out = isGreat ? 1 : -1;
  const tip = axes.lying ? [x + out * ARROW, y] : [x, y - out * ARROW];
  const base = axes.lying
    ? [
        [x, y - 5],
        [x, y + 5],
      ]
    : [
        [x - 5, y],
        [x + 5, y],
      ];
  const points = [tip, ...base].map((corner) => corner.join(",")).join(" ");
  return svg("polygon", { points, class: "better", "data-better": isGreat ? "greatest" : "least" });
}

/** @param {Axes} axes @param {number} axis @param {Column} column */
function words(axes, axis, column) {
  const [low, high] = axes.endsOf(axis).map((value) => endText(column, value));
  const texts = [];
  const [x0, y0] = axes.point(axis, 0);
  const [x1, y1] = axes.point(axis, 1);
  const anchor = axis === 0 ? "start" : axis === axes.columns.length - 1 ? "end" : "middle";
  if (axes.lying) {
    texts.push(svg("text", { x: x0, y: y0 - 12, class: "name" }, column.heading));
    texts.push(
      svg("text", { x: x0, y: y0 + 20 }, low),
      svg("text", { x: x1, y: y1 + 20, "text-anchor": "end" }, high),
    );
    return texts;
  }
  const shift = anchor === "middle" ? 0 : anchor === "start" ? -40 : 40;
  const room = (axes.width - 92) / Math.max(axes.columns.length - 1, 1);
  const lines = twoLines(column.name, room);
  texts.push(
    svg(
      "text",
      { class: "name", "text-anchor": anchor },
      ...lines.map((line, place) =>
        svg("tspan", { x: x1 + shift, y: 23 - LINE * (lines.length - 1 - place) }, line),
      ),
    ),
  );
  texts.push(
    svg("text", { x: x1, y: y1 - ARROW - 5, "text-anchor": "middle" }, withUnit(high, column.scale.unit)),
  );
  texts.push(svg("text", { x: x0, y: y0 + ARROW + 16, "text-anchor": "middle" }, low));
  return texts;
}

// A value of an axis as its ends show it.
/** @param {Column} column @param {number} value */
export const endText = (column, value) =>
  column.options ? column.bare(Math.round(value)) : column.bare(value);

// A name in at most two lines that fit between two axes; all of it stands in the ranges beside the drawing.
/** @param {string} name @param {number} room */
function twoLines(name, room) {
  const half = name.indexOf(" ", name.length / 2 - 4);
  if (shortened(name, room) === name || half < 0) return [shortened(name, room)];
  return [`${shortened(name.slice(0, half), room)} `, shortened(name.slice(half + 1), room)];
}

/** @param {string} name @param {number} room */
function shortened(name, room) {
  const most = Math.max(Math.floor(room / 8), 6); // bold letters of 12 px are up to 8 px wide
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
