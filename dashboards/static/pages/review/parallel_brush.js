// Drag along an axis to set a range, click on an axis to let it go, click on a line to select its design.
import { brush, setBrush } from "./view.js";

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
