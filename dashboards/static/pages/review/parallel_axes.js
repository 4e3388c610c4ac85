// Where the axes of parallel coordinates stand, and what is written at them. Upright where there is room; on a narrow
// screen they lie below each other.
import { svg } from "../../core/dom.js";
import { heading, withUnit } from "../../core/format.js";
import { brush, setBrush } from "./view.js";

const NARROW = 560;
const EDGE = {
  upright: { start: 46, end: 46, top: 40, bottom: 26 },
  lying: { left: 14, right: 14, first: 44, step: 66 },
};

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

const endText = (column, value) => (column.options ? column.bare(Math.round(value)) : column.bare(value));

// A name that fits between two axes; all of it stands in the ranges beside the drawing.
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

export function brushing(parallel) {
  const { box } = parallel;
  let drag = null;

  const at = (event) => {
    const corner = box.getBoundingClientRect();
    return [event.clientX - corner.left, event.clientY - corner.top];
  };

  box.addEventListener("pointerdown", (event) => {
    if (!parallel.axes || event.button !== 0) return;
    const [x, y] = at(event);
    const { axis, distance } = parallel.axes.nearest(x, y);
    drag = { axis: distance <= ON_AXIS ? axis : -1, from: [x, y], moved: false };
    if (drag.axis >= 0) box.setPointerCapture(event.pointerId);
  });

  box.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (!drag) {
      const near = parallel.axes && parallel.axes.nearest(x, y).distance <= ON_AXIS;
      box.style.cursor = near ? (parallel.axes.lying ? "ew-resize" : "ns-resize") : "default";
      return;
    }
    if (Math.hypot(x - drag.from[0], y - drag.from[1]) > STILL) drag.moved = true;
    if (drag.axis >= 0 && drag.moved) parallel.redrawRanges(ranged(parallel, drag, [x, y]));
  });

  box.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const done = drag;
    drag = null;
    if (done.axis < 0) {
      if (!done.moved) pickLine(parallel, at(event));
    } else if (done.moved) setBrush(ranged(parallel, done, at(event)));
    else {
      const ranges = brush();
      if (ranges.delete(parallel.axes.columns[done.axis].id)) setBrush(ranges);
      else pickLine(parallel, at(event));
    }
  });
  box.addEventListener("pointercancel", () => {
    drag = null;
    if (parallel.axes) parallel.redrawRanges();
  });
}

// All ranges, with the one that is being dragged.
function ranged({ axes }, { axis, from }, to) {
  const column = axes.columns[axis];
  const ends = [axes.shareAt(...from), axes.shareAt(...to)].sort((a, b) => a - b);
  let values = ends.map((share) => axes.value(axis, share));
  // Of what has options, those are meant that the drag touched, or the nearest one.
  if (column.options) {
    const [low, high] = [Math.ceil(values[0] - NEAR_OPTION), Math.floor(values[1] + NEAR_OPTION)];
    const nearest = Math.round((values[0] + values[1]) / 2);
    values = low <= high ? [low, high] : [nearest, nearest];
  } else values = values.map((value, end) => (ends[end] === end ? (end ? Infinity : -Infinity) : value));
  return new Map([...brush(), [column.id, values]]);
}

// The visible line nearest to a place between two axes.
/** @param {any} parallel @param {number[]} place */
function pickLine(parallel, [x, y]) {
  const { axes, shares, inside, study } = parallel;
  const across = axes.lying ? y : x;
  let axis = 0;
  while (axis < axes.columns.length - 2 && axes.place(axis + 1) < across) axis += 1;
  if (axis + 1 >= axes.columns.length) return;
  const part = (across - axes.place(axis)) / (axes.place(axis + 1) - axes.place(axis));
  let best = ON_LINE;
  let found = null;
  study.designs.forEach((design, place) => {
    if (!inside[place]) return;
    const share = shares[axis][place] * (1 - part) + shares[axis + 1][place] * part;
    const [lineX, lineY] = axes.point(axis, share);
    const distance = Math.abs(axes.lying ? lineX - x : lineY - y);
    if (distance < best) [best, found] = [distance, design];
  });
  if (found) parallel.onPick(found);
}
