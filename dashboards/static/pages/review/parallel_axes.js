// Where the axes of parallel coordinates stand, and what is written at them. Upright where there is room; on a narrow
// screen they lie below each other.
/** @import { Point, Range } from "../../core/types.js" */
/** @import { Column, KnownDesign, Study } from "./study.js" */
import { svg } from "../../core/dom.js";
import { heading, withUnit } from "../../core/format.js";
import { brush, setBrush } from "./view_state.js";

// What dragging and clicking needs of the drawing.
/** @typedef {{ box: HTMLElement, study: Study, axes: () => Axes | null, shares: () => Float64Array[], inside: () => Uint8Array, onPick: (design: KnownDesign) => void, drawRanges: (ranges?: Map<string, Range>) => void }} Brushed */

const NARROW = 560;
const EDGE = {
  upright: { start: 46, end: 46, top: 40, bottom: 26 },
  lying: { left: 14, right: 14, first: 44, step: 66 },
};

// The scene of axes: `point(axis, share)` is where a share (0 to 1) of an axis stands on the drawing.
export class Axes {
  /** @param {Column[]} columns @param {number} width @param {number} height */
  constructor(columns, width, height) {
    this.columns = columns;
    this.lying = width < NARROW;
    this.width = width;
    this.height = this.lying ? EDGE.lying.first + (columns.length - 1) * EDGE.lying.step + 34 : height;
    this.ends = columns.map((column) => roomy(column.range ?? [0, 1]));
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

  /** @param {number} axis @param {number} value */
  share(axis, value) {
    const [low, high] = this.ends[axis];
    return (value - low) / (high - low);
  }

  /** @param {number} axis @param {number} share */
  value(axis, share) {
    const [low, high] = this.ends[axis];
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

// A value that all designs share stands in the middle of its axis.
/** @param {Range} options */
function roomy([low, high]) {
  if (high > low) return [low, high];
  const room = Math.abs(low) || 1;
  return [low - room / 2, low + room / 2];
}

// Lines, names and ends of the axes, and the ranges that are set.
/** @param {Axes} axes @param {Map<string, Range>} ranges */
export function axesDrawing(axes, ranges) {
  const parts = axes.columns.map((column, axis) => {
    const [x0, y0] = axes.point(axis, 0);
    const [x1, y1] = axes.point(axis, 1);
    return svg(
      "g",
      {},
      svg("line", { x1: x0, y1: y0, x2: x1, y2: y1, class: "axis" }),
      ...rangeMark(axes, axis, ranges.get(column.id)),
      ...words(axes, axis, column),
    );
  });
  return svg("g", {}, ...parts);
}

/** @param {Axes} axes @param {number} axis @param {Range | undefined} range */
function rangeMark(axes, axis, range) {
  if (!range) return [];
  const shares = range.map((value, end) =>
    Number.isFinite(value) ? Math.min(Math.max(axes.share(axis, value), 0), 1) : end,
  );
  const [[x0, y0], [x1, y1]] = shares.map((share) => axes.point(axis, share));
  const box = {
    x: Math.min(x0, x1),
    y: Math.min(y0, y1),
    width: Math.abs(x1 - x0),
    height: Math.abs(y1 - y0),
  };
  const wide = axes.lying ? { ...box, y: box.y - 6, height: 12 } : { ...box, x: box.x - 6, width: 12 };
  return [svg("rect", { ...wide, rx: 2, class: "range" })];
}

/** @param {Axes} axes @param {number} axis @param {Column} column */
function words(axes, axis, column) {
  const [low, high] = axes.ends[axis].map((value) => endText(column, value));
  const texts = [];
  const [x0, y0] = axes.point(axis, 0);
  const [x1, y1] = axes.point(axis, 1);
  const anchor = axis === 0 ? "start" : axis === axes.columns.length - 1 ? "end" : "middle";
  if (axes.lying) {
    texts.push(svg("text", { x: x0, y: y0 - 12, class: "name" }, heading(column.id, column.scale.unit)));
    texts.push(
      svg("text", { x: x0, y: y0 + 20 }, low),
      svg("text", { x: x1, y: y1 + 20, "text-anchor": "end" }, high),
    );
    return texts;
  }
  const shift = anchor === "middle" ? 0 : anchor === "start" ? -40 : 40;
  const room = (axes.width - 92) / Math.max(axes.columns.length - 1, 1);
  texts.push(
    svg("text", { x: x1 + shift, y: 14, class: "name", "text-anchor": anchor }, shortened(column.name, room)),
  );
  texts.push(svg("text", { x: x1, y: 33, "text-anchor": "middle" }, withUnit(high, column.scale.unit)));
  texts.push(svg("text", { x: x0, y: y0 + 18, "text-anchor": "middle" }, low));
  return texts;
}

/** @param {Column} column @param {number} value */
const endText = (column, value) => (column.options ? column.bare(Math.round(value)) : column.bare(value));

// A name that fits between two axes; all of it stands in the ranges beside the drawing.
/** @param {string} name @param {number} room */
function shortened(name, room) {
  const most = Math.max(Math.floor(room / 7), 6);
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

// ------------------------------------------------------------------ pointer

// Drag along an axis to set a range, click on an axis to let it go, click on a line to select its design.
const ON_AXIS = 16;
const STILL = 4;
const ON_LINE = 8;
const NEAR_OPTION = 0.3;

/** @param {Brushed} parallel */
export function brushing(parallel) {
  const { box } = parallel;
  /** @type {{ axis: number, from: Point, moved: boolean } | null} */
  let drag = null;

  /** @param {PointerEvent} event */
  const at = (event) => {
    const corner = box.getBoundingClientRect();
    return [event.clientX - corner.left, event.clientY - corner.top];
  };

  /** @param {PointerEvent} event */
  function press(event) {
    const axes = parallel.axes();
    if (!axes || event.button !== 0) return;
    const from = at(event);
    const { axis, distance } = axes.nearest(from);
    drag = { axis: distance <= ON_AXIS ? axis : -1, from, moved: false };
    if (drag.axis >= 0) box.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  function move(event) {
    const axes = parallel.axes();
    if (!axes) return;
    const place = at(event);
    if (!drag) {
      const near = axes.nearest(place).distance <= ON_AXIS;
      box.style.cursor = near ? (axes.lying ? "ew-resize" : "ns-resize") : "default";
      return;
    }
    if (Math.hypot(place[0] - drag.from[0], place[1] - drag.from[1]) > STILL) drag.moved = true;
    if (drag.axis >= 0 && drag.moved) parallel.drawRanges(ranged(axes, drag, place));
  }

  /** @param {PointerEvent} event */
  function release(event) {
    const axes = parallel.axes();
    if (!drag || !axes) return;
    const { axis, moved, from } = drag;
    drag = null;
    if (axis >= 0 && moved) return setBrush(ranged(axes, { axis, from }, at(event)));
    if (axis >= 0) {
      const ranges = brush();
      if (ranges.delete(axes.columns[axis].id)) return setBrush(ranges);
    }
    if (!moved) pickLine(parallel, axes, at(event));
    return undefined;
  }

  box.addEventListener("pointerdown", press);
  box.addEventListener("pointermove", move);
  box.addEventListener("pointerup", release);
  box.addEventListener("pointercancel", () => {
    drag = null;
    if (parallel.axes()) parallel.drawRanges();
  });
}

// All ranges, with the one that is being dragged.
/** @param {Axes} axes @param {{ axis: number, from: Point }} drag @param {Point} to */
function ranged(axes, { axis, from }, to) {
  const column = axes.columns[axis];
  const ends = [axes.shareAt(from), axes.shareAt(to)].sort((a, b) => a - b);
  let values = ends.map((share) => axes.value(axis, share));
  // Of what has options, those are meant that the drag touched, or the nearest one.
  if (column.options) {
    const [low, high] = [Math.ceil(values[0] - NEAR_OPTION), Math.floor(values[1] + NEAR_OPTION)];
    const nearest = Math.round((values[0] + values[1]) / 2);
    values = low <= high ? [low, high] : [nearest, nearest];
  } else values = values.map((value, end) => (ends[end] === end ? (end ? Infinity : -Infinity) : value));
  return brush().set(column.id, values);
}

// The visible line nearest to a place between two axes.
/** @param {Brushed} parallel @param {Axes} axes @param {Point} place */
function pickLine({ study, shares, inside, onPick }, axes, [x, y]) {
  const across = axes.lying ? y : x;
  let axis = 0;
  while (axis < axes.columns.length - 2 && axes.place(axis + 1) < across) axis += 1;
  if (axis + 1 >= axes.columns.length) return;
  const part = (across - axes.place(axis)) / (axes.place(axis + 1) - axes.place(axis));
  const [left, right, visible] = [shares()[axis], shares()[axis + 1], inside()];
  const distances = study.designs.map((_, place) => {
    if (!visible[place]) return Infinity;
    const [lineX, lineY] = axes.point(axis, left[place] * (1 - part) + right[place] * part);
    const distance = Math.abs(axes.lying ? lineX - x : lineY - y);
    return Number.isNaN(distance) ? Infinity : distance;
  });
  const nearest = distances.reduce((best, one, place) => (one < distances[best] ? place : best), 0);
  if (distances[nearest] < ON_LINE) onPick(study.designs[nearest]);
}
