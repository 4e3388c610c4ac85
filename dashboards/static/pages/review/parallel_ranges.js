// Ranges on the axes of parallel coordinates: drag to set one, drag its middle or an end to change it, click on it to let
// it go, click on a line to select its design.
/** @import { Point, Range } from "../../core/types.js" */
/** @import { Axes } from "./parallel_axes.js" */
/** @import { Column, KnownDesign, Study } from "./study.js" */
import { svg } from "../../core/dom.js";
import { withUnit } from "../../core/format.js";
import { endText } from "./parallel_axes.js";
import { brush, setBrush } from "./view_state.js";

// What dragging and clicking needs of the drawing.
/** @typedef {{ box: HTMLElement, study: Study, axes: () => Axes | null, shares: () => Float64Array[], inside: () => Uint8Array, onPick: (design: KnownDesign) => void, drawRanges: (ranges?: Map<string, Range>) => void }} Brushed */
// What a press has hold of: an axis, or none (-1), and of its range both ends, one of them, or nothing yet.
/** @typedef {{ axis: number, grip: "both" | "low" | "high" | "new", range: Range, from: Point, moved: boolean }} Drag */

const ON_AXIS = 16;
const ON_END = 7;
const STILL = 4;
const ON_LINE = 8;
// How far from an option a range may end, in options.
const NEAR_OPTION = 0.3;

// ------------------------------------------------------------------ drawing

// The ranges that are set, with numbers at their ends.
/** @param {Axes} axes @param {Map<string, Range>} ranges */
export function rangesDrawing(axes, ranges) {
  const parts = axes.columns.flatMap((column, axis) => {
    const range = ranges.get(column.id);
    return range ? [rangeBox(axes, axis, range), ...rangeTexts(axes, axis, column, range)] : [];
  });
  return svg("g", {}, ...parts);
}

// The ends of a range as shares of its axis; what is open or lies outside ends with the axis. Around an option there is
// room, so that it can be seen and held.
/** @param {Axes} axes @param {number} axis @param {Range} range */
function sharesOf(axes, axis, range) {
  const room = axes.columns[axis].options ? NEAR_OPTION : 0;
  return range.map((value, end) =>
    Number.isFinite(value) ? Math.min(Math.max(axes.share(axis, value + (end ? room : -room)), 0), 1) : end,
  );
}

/** @param {Axes} axes @param {number} axis @param {Range} range */
function rangeBox(axes, axis, range) {
  const [[x0, y0], [x1, y1]] = sharesOf(axes, axis, range).map((share) => axes.point(axis, share));
  const box = {
    x: Math.min(x0, x1),
    y: Math.min(y0, y1),
    width: Math.abs(x1 - x0),
    height: Math.abs(y1 - y0),
  };
  const wide = axes.lying ? { ...box, y: box.y - 6, height: 12 } : { ...box, x: box.x - 6, width: 12 };
  return svg("rect", { ...wide, rx: 2, class: "range" });
}

// A number at each end that is not open. Beside the last axis there is room on the left alone.
/** @param {Axes} axes @param {number} axis @param {Column} column @param {Range} range */
function rangeTexts(axes, axis, column, range) {
  if (column.options) return [];
  const isLast = axis === axes.columns.length - 1;
  return sharesOf(axes, axis, range).flatMap((share, end) => {
    if (!Number.isFinite(range[end])) return [];
    const [x, y] = axes.point(axis, share);
    const place = axes.lying
      ? { x, y: y - 9, "text-anchor": end ? "start" : "end" }
      : { x: x + (isLast ? -10 : 10), y: y + (end ? -3 : 12), "text-anchor": isLast ? "end" : "start" };
    const text = withUnit(endText(column, range[end]), column.scale.unit);
    return [svg("text", { ...place, class: "bound" }, text)];
  });
}

// ------------------------------------------------------------------ pointer

/** @param {Brushed} parallel */
export function brushing(parallel) {
  const { box } = parallel;
  /** @type {Drag | null} */
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
    drag = held(axes, at(event));
    if (drag.axis >= 0) box.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  function move(event) {
    const axes = parallel.axes();
    if (!axes) return;
    const place = at(event);
    if (!drag) {
      box.style.cursor = cursorOf(axes, held(axes, place));
      return;
    }
    if (Math.hypot(place[0] - drag.from[0], place[1] - drag.from[1]) > STILL) drag.moved = true;
    if (drag.axis >= 0 && drag.moved) parallel.drawRanges(dragged(axes, drag, place));
  }

  /** @param {PointerEvent} event */
  function release(event) {
    const axes = parallel.axes();
    if (!drag || !axes) return;
    const done = drag;
    drag = null;
    if (done.axis >= 0 && done.moved) return setBrush(dragged(axes, done, at(event)));
    if (done.axis >= 0) {
      const ranges = brush();
      if (ranges.delete(axes.columns[done.axis].id)) return setBrush(ranges);
    }
    if (!done.moved) pickLine(parallel, axes, at(event));
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

// What lies under a place.
/** @param {Axes} axes @param {Point} place @returns {Drag} */
function held(axes, place) {
  const { axis, distance } = axes.nearest(place);
  if (distance > ON_AXIS) return { axis: -1, grip: "new", range: [], from: place, moved: false };
  const range = brush().get(axes.columns[axis].id);
  return {
    axis,
    grip: range ? gripAt(axes, axis, range, place) : "new",
    range: range ?? [],
    from: place,
    moved: false,
  };
}

// An end is near where the pointer is within ON_END pixels of it; of a short range, its middle third stays free.
/** @param {Axes} axes @param {number} axis @param {Range} range @param {Point} place */
function gripAt(axes, axis, range, place) {
  const along = axes.lying ? 0 : 1;
  const [low, high] = sharesOf(axes, axis, range).map((share) => axes.point(axis, share)[along]);
  const near = Math.min(ON_END, Math.abs(high - low) / 3);
  if (Math.abs(place[along] - low) <= near) return "low";
  if (Math.abs(place[along] - high) <= near) return "high";
  const isBetween = place[along] > Math.min(low, high) && place[along] < Math.max(low, high);
  if (isBetween) return "both";
  // Just outside the ends, where a hand that aims at them may miss.
  if (Math.abs(place[along] - low) <= ON_END) return "low";
  return Math.abs(place[along] - high) <= ON_END ? "high" : "new";
}

/** @param {Axes} axes @param {Drag} drag */
function cursorOf(axes, { axis, grip }) {
  if (axis < 0) return "default";
  if (grip === "both") return "move";
  if (grip === "new") return "crosshair";
  return axes.lying ? "ew-resize" : "ns-resize";
}

// All ranges, with the one that is being dragged.
/** @param {Axes} axes @param {Drag} drag @param {Point} to */
function dragged(axes, drag, to) {
  const column = axes.columns[drag.axis];
  const shares = draggedShares(axes, drag, axes.shareAt(to)).sort((one, other) => one - other);
  return brush().set(column.id, valuesOf(axes, drag.axis, column, shares));
}

/** @param {Axes} axes @param {Drag} drag @param {number} to */
function draggedShares(axes, { axis, grip, range, from }, to) {
  const start = axes.shareAt(from);
  if (grip === "new") return [start, to];
  const [low, high] = sharesOf(axes, axis, range);
  if (grip === "both") return shifted([low, high], to - start);
  return grip === "low" ? [to, high] : [low, to];
}

// A range that keeps its length and stays on its axis.
/** @param {number[]} shares @param {number} by */
function shifted([low, high], by) {
  const kept = Math.min(Math.max(by, -low), 1 - high);
  return [low + kept, high + kept];
}

// What lies between two shares of an axis. What reaches an end of the axis is open there. Of what has options, those are
// meant that lie between them, or the nearest one.
/** @param {Axes} axes @param {number} axis @param {Column} column @param {number[]} shares */
function valuesOf(axes, axis, column, shares) {
  const values = shares.map((share) => axes.value(axis, share));
  if (!column.options)
    return values.map((value, end) => (shares[end] === end ? (end ? Infinity : -Infinity) : value));
  const [low, high] = [Math.ceil(values[0] - NEAR_OPTION), Math.floor(values[1] + NEAR_OPTION)];
  const nearest = Math.round((values[0] + values[1]) / 2);
  return low <= high ? [low, high] : [nearest, nearest];
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
