// What a pointer does on a scatter: it picks a mark, turns a space, zooms into a plane, and shows what is near.
/** @import { Point } from "../types.js" */
/** @import { Mark, Scatter } from "./scatter.js" */
import { h, replace, svg } from "../dom.js";
import { Axes2D } from "./axes_2d.js";
import { Axes3D, cameraAt } from "./axes_3d.js";

const REACH = { mouse: 12, touch: 22 };
const STILL = { mouse: 4, touch: 10 };
const TURN = 0.008;
const STEEPEST = 1.5;
const SMALLEST = 6;

// Distances for a kind of pointer; a pen counts as a mouse.
/** @param {{ mouse: number, touch: number }} distances @param {string} kind */
const distanceOf = (distances, kind) => (kind === "touch" ? distances.touch : distances.mouse);

export class ScatterPointer {
  /** @type {{ at: Point, last: Point, moved: boolean } | null} */
  pressed = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {Scatter} scatter */
  constructor(scatter) {
    this.scatter = scatter;
  }

  listen() {
    const { canvas } = this.scatter;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", () => this.letGo());
    canvas.addEventListener("pointerleave", () => this.pointAt(null));
    canvas.addEventListener("dblclick", () => this.scatter.reset());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  // The position of an event on the stage. A mouse event has the corner of its pixel: we take the middle.
  /** @param {PointerEvent} event */
  at(event) {
    const { left, top } = this.scatter.canvas.getBoundingClientRect();
    if (event.pointerType !== "mouse") return [event.clientX - left, event.clientY - top];
    return [Math.floor(event.clientX) + 0.5 - left, Math.floor(event.clientY) + 0.5 - top];
  }

  // The nearest mark within reach; of marks at the same place the one in front.
  /** @param {Point} at @param {number} reach */
  near([x, y], reach) {
    /** @type {(Mark & { distance: number }) | null} */
    let best = null;
    for (const mark of this.scatter.seen) {
      const found = { ...mark, distance: Math.hypot(mark.x - x, mark.y - y) };
      if (found.distance <= reach && (!best || isNearer(found, best))) best = found;
    }
    return best;
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    this.scatter.canvas.setPointerCapture(event.pointerId);
    this.pressed = { at: this.at(event), last: this.at(event), moved: false };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const at = this.at(event);
    const { pressed } = this;
    if (!pressed) {
      this.pointAt(event.pointerType === "touch" ? null : at);
      return;
    }
    const still = distanceOf(STILL, event.pointerType);
    pressed.moved ||= Math.hypot(at[0] - pressed.at[0], at[1] - pressed.at[1]) > still;
    if (!pressed.moved) return;
    this.pointAt(null);
    const { shape } = this.scatter;
    if (shape instanceof Axes3D)
      this.drag(shape, at[0] - pressed.last[0], at[1] - pressed.last[1], event.shiftKey);
    else this.outline(pressed.at, at);
    pressed.last = at;
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { pressed, scatter } = this;
    if (!pressed) return;
    this.letGo();
    const at = this.at(event);
    if (!pressed.moved) {
      const found = this.near(at, distanceOf(REACH, event.pointerType));
      const group = found && scatter.figure?.groups[found.group];
      if (group) scatter.on.pick?.(group, found.number);
    } else if (scatter.shape instanceof Axes3D) scatter.on.view?.({ camera: scatter.shape.camera });
    else this.zoom(scatter.shape, pressed.at, at);
  }

  letGo() {
    this.pressed = null;
    this.scatter.frame.replaceChildren();
  }

  // Turn about the upright axis and up or down; or move sideways.
  /** @param {Axes3D} shape @param {number} dx @param {number} dy @param {boolean} sideways */
  drag(shape, dx, dy, sideways) {
    const { back, right, above, scale } = shape;
    const { center, distance } = shape.lookedAt();
    if (sideways) {
      const moved = center.map(
        (value, axis) => value + (distance / scale) * (dy * above[axis] - dx * right[axis]),
      );
      this.look(shape, cameraAt(moved, back, distance));
      return;
    }
    const azimuth = Math.atan2(back[1], back[0]) - TURN * dx;
    const rise = Math.min(Math.max(Math.asin(back[2]) + TURN * dy, -STEEPEST), STEEPEST);
    const way = [Math.cos(azimuth) * Math.cos(rise), Math.sin(azimuth) * Math.cos(rise), Math.sin(rise)];
    this.look(shape, cameraAt(center, way, distance));
  }

  /** @param {Axes3D} shape @param {ReturnType<typeof cameraAt>} camera */
  look(shape, camera) {
    this.scatter.own = camera;
    shape.turn(camera);
    this.scatter.paint();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const { shape, on } = this.scatter;
    if (!(shape instanceof Axes3D)) return;
    event.preventDefault();
    const { center, distance } = shape.lookedAt();
    const next = distance * Math.exp(Math.sign(event.deltaY) * 0.1);
    this.look(shape, cameraAt(center, shape.back, Math.min(Math.max(next, 0.3), 12)));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => on.view?.({ camera: shape.camera }), 250);
  }

  /** @param {Point} from @param {Point} to */
  outline(from, to) {
    const [x, y] = [0, 1].map((axis) => Math.min(from[axis], to[axis]));
    const [width, height] = [0, 1].map((axis) => Math.abs(from[axis] - to[axis]));
    this.scatter.frame.replaceChildren(svg("rect", { x, y, width, height }));
  }

  // Show the part of a plane between two corners.
  /** @param {Axes2D} shape @param {Point} from @param {Point} to */
  zoom(shape, from, to) {
    if (from.some((value, axis) => Math.abs(value - to[axis]) < SMALLEST)) return;
    const [one, other] = [shape.shares(from[0], from[1]), shape.shares(to[0], to[1])];
    const view = shape.axes.map((axis, place) =>
      [Math.min(one[place], other[place]), Math.max(one[place], other[place])].map((share) =>
        axis.value(share),
      ),
    );
    this.scatter.showView(view);
    this.scatter.on.view?.({ zoom: view });
  }

  // Show the tooltip of the mark near the pointer.
  /** @param {Point | null} at */
  pointAt(at) {
    const { canvas, figure, tooltip, width, height } = this.scatter;
    const found = at && this.near(at, REACH.mouse);
    canvas.classList.toggle("near", Boolean(found));
    const lines = (found && figure?.groups[found.group].text?.(found.number)) ?? [];
    tooltip.hidden = !lines.length;
    if (!found || !lines.length) return;
    replace(
      tooltip,
      h("strong", {}, lines[0]),
      lines.slice(1).map((line) => h("div", {}, line)),
    );
    const left =
      found.x + 14 + tooltip.offsetWidth > width ? found.x - 14 - tooltip.offsetWidth : found.x + 14;
    const top = Math.max(found.y - tooltip.offsetHeight / 2, 0);
    tooltip.setAttribute("data-of", `${found.group} ${found.number}`);
    tooltip.style.left = `${Math.max(left, 0)}px`;
    tooltip.style.top = `${Math.min(top, Math.max(height - tooltip.offsetHeight, 0))}px`;
  }
}

/** @param {Mark & { distance: number }} mark @param {Mark & { distance: number }} best */
function isNearer(mark, best) {
  if (mark.background !== best.background) return best.background;
  const { distance } = best;
  return mark.distance < distance - 0.1 || (mark.distance <= distance + 0.1 && mark.away < best.away);
}
