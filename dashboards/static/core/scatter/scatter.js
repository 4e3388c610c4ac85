// Designs as marks over two axes, or over three in space: drawn on a canvas, turned, zoomed and picked by pointer.
// plotly.js takes a second to be read and needs a graphics card for space; thousands of marks are drawn here at once.
import { h, replace, saveFile, svg } from "../dom.js";
import { settings } from "../plot.js";
import { colours, isDark, onTheme } from "../theme.js";
import { Axes2D, Axis } from "./axes_2d.js";
import { Axes3D, cameraAt } from "./axes_3d.js";
import { CanvasRenderer, isOpen, shapeOf, SvgRenderer } from "./renderers.js";

const REACH = { mouse: 12, touch: 22 };
const STILL = { mouse: 4, touch: 10 };
const TURN = 0.008;
const STEEPEST = 1.5;
const SMALLEST = 6;
const INSIDE = 0.5 + 1e-9;
const ON_PAPER = { ink: "#1D2228", quiet: "#59626D", grid: "#DDE1E6", accent: "#005A8F", paper: "#FFFFFF" };
const IDEAL = { symbol: "star", size: 17, colour: "#E69F00" };

export class Scatter {
  // `on`: pick(group, number) of a mark that was clicked, view({ camera | zoom }) once somebody has turned or zoomed,
  // drawn() after each picture.
  constructor(box, on) {
    this.box = box;
    this.on = on;
    this.hidden = new Set();
    this.legend = h("div", { class: "row legend" });
    this.canvas = h("canvas", { aria: { hidden: "true" } });
    this.tip = h("div", { class: "tip", hidden: true, aria: { hidden: "true" } });
    this.frame = svg("svg", { class: "zooming", "aria-hidden": "true" });
    this.stage = h("div", { class: "stage" }, this.canvas, this.frame, this.tip);
    this.sizes = new ResizeObserver(() => this.resize());
    this.listen();
    onTheme(() => this.paint());
  }

  // Show a figure: { axes, groups, ideal }, see `Axis` for axes. A group is { name, columns, colour, symbol, size },
  // and may have: opacity, background (picked only where no other mark is), listed (false: not in the legend), data,
  // text(number) of a mark. `view` is the camera of a space, or the ends of the axes of a plane; null: all of it.
  show(figure, view) {
    const titles = (one) => one?.axes.map(({ title, log }) => `${title} ${log}`).join();
    if (titles(figure) !== titles(this.figure)) this.fitted = null;
    this.figure = figure;
    this.axes = figure.axes.map((axis) => new Axis(axis));
    /** @type {any} Axes2D or Axes3D, by the number of axes */
    this.shape = this.axes.length === 3 ? new Axes3D(this.axes) : new Axes2D(this.axes);
    if (!this.stage.isConnected) {
      replace(this.box, this.legend, this.stage);
      this.sizes.observe(this.stage);
    }
    this.list();
    this.showView(view);
    this.box.dataset.drawn = "yes";
    this.box.removeAttribute("aria-busy");
  }

  // Go to a view; null: as at first.
  showView(view) {
    this.own = view ?? null;
    if (this.axes.length === 2) this.axes.forEach((axis, place) => axis.show(view?.[place]));
    for (const group of this.figure.groups)
      group.shares = group.columns.map((values, axis) =>
        Float64Array.from(values, (value) => this.axes[axis].share(value)),
      );
    this.resize(true);
  }

  resize(always = false) {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const sized = width !== this.width || height !== this.height;
    if (!width || !height || !this.figure || (!always && !sized)) return;
    this.width = width;
    this.height = height;
    this.pen = new CanvasRenderer(this.canvas, width, height);
    this.shape.lay(this.pen, width, height);
    if (this.axes.length === 3) this.aim(sized);
    this.paint();
  }

  // A camera that was fitted stays while designs come; another size, or other axes, need another one.
  aim(sized) {
    if (this.own) return this.shape.turn(this.own);
    if (this.fitted && !sized) return this.shape.turn(this.fitted);
    this.shape.fit(this.cloudOfShares());
    this.fitted = this.shape.camera;
    return undefined;
  }

  // The marks that matter, to find a camera for.
  cloudOfShares() {
    const groups = this.figure.groups.filter((group) => !group.background);
    return groups
      .flatMap(({ shares }) => Array.from(shares[0], (_, place) => shares.map((values) => values[place])))
      .filter((point) => point.every(Number.isFinite));
  }

  close() {
    this.sizes.disconnect();
    this.box.replaceChildren();
    this.figure = null;
    delete this.box.dataset.drawn;
  }

  // Where values stand on the stage; null where they are not shown.
  project(values) {
    if (!this.pen) return null;
    const shares = values.map((value, axis) => this.axes[axis].share(value));
    if (!shares.every((share) => Math.abs(share) <= INSIDE)) return null;
    return this.shape.point(shares);
  }

  // Lines that lead from values to the floor, in space.
  drops(values) {
    return this.shape.drops && this.project(values)
      ? this.shape.drops(values.map((value, axis) => this.axes[axis].share(value)))
      : [];
  }

  get palette() {
    const page = colours();
    return { ...page, quiet: page.ink, accent: isDark() ? "#6DB9EE" : ON_PAPER.accent };
  }

  // ------------------------------------------------------------ drawing

  paint() {
    if (!this.pen || !this.figure) return;
    this.pen.clear();
    this.pen.sprites.clear();
    this.seen = this.drawOn(this.pen, this.palette, isDark());
    this.on.drawn?.();
  }

  drawOn(pen, palette, dark) {
    const lifted = (colour) => (dark ? (settings.lifted[colour] ?? colour) : colour);
    this.shape.draw(pen, palette);
    this.shape.clip(pen);
    const seen = this.marks();
    const looks = this.figure.groups.map(({ colour, symbol, size, opacity, background }) => ({
      colour: lifted(colour),
      symbol,
      size,
      opacity,
      edge: background ? "" : palette.paper,
    }));
    const ideal = this.figure.ideal && this.project(this.figure.ideal);
    const drawMark = ({ group, x, y }) => pen.mark(x, y, looks[group]);
    seen.filter(({ background }) => background).forEach(drawMark);
    if (ideal) pen.mark(ideal[0], ideal[1], { ...IDEAL, edge: palette.ink }); // it hides no design of the front
    seen.filter(({ background }) => !background).forEach(drawMark);
    if (this.axes.length === 2) pen.unclip();
    return seen;
  }

  // Every mark that is seen, those far away first; background groups before all others.
  marks() {
    const found = [];
    this.figure.groups.forEach(({ shares, background, name }, group) => {
      if (this.hidden.has(name)) return;
      for (let number = 0; number < shares[0].length; number += 1) {
        const point = shares.map((values) => values[number]);
        if (!point.every((share) => Math.abs(share) <= INSIDE)) continue;
        const [x, y, away] = this.shape.point(point);
        found.push({ group, number, x, y, away, background: background ? 1 : 0 });
      }
    });
    return found.sort((one, other) => other.background - one.background || other.away - one.away);
  }

  list() {
    const entries = legendEntries(this.figure.groups, this.hidden, () => {
      this.list();
      this.paint();
    });
    const star =
      this.figure.ideal &&
      h(
        "span",
        { class: "quiet" },
        legendKey({ d: shapeOf("star", 14), fill: IDEAL.colour }),
        " ideal point",
      );
    const reset = h(
      "button",
      { type: "button", class: "bare end", on: { click: () => this.reset() } },
      "Reset the view",
    );
    fillLegend(this.legend, [entries, star, reset]);
  }

  reset() {
    this.fitted = null;
    this.showView(null);
    this.on.view?.(this.axes.length === 3 ? { camera: null } : { zoom: null });
  }

  // ------------------------------------------------------------ pointers

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", () => this.drop());
    canvas.addEventListener("pointerleave", () => this.point(null));
    canvas.addEventListener("dblclick", () => this.reset());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  // The position of an event on the stage. A mouse event has the corner of its pixel: we take the middle.
  at(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const half = event.pointerType === "mouse" ? 0.5 : 0;
    return half
      ? [Math.floor(event.clientX) + half - left, Math.floor(event.clientY) + half - top]
      : [event.clientX - left, event.clientY - top];
  }

  // The nearest mark within reach; of marks at the same place the one in front.
  near(x, y, reach) {
    let best = null;
    for (const mark of this.seen ?? []) {
      const distance = Math.hypot(mark.x - x, mark.y - y);
      if (distance > reach) continue;
      const closer =
        !best ||
        mark.background < best.background ||
        (mark.background === best.background &&
          (distance < best.distance - 0.1 || (distance <= best.distance + 0.1 && mark.away < best.away)));
      if (closer) best = { ...mark, distance };
    }
    return best;
  }

  press(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.pressed = { at: this.at(event), last: this.at(event), moved: false };
  }

  move(event) {
    const at = this.at(event);
    if (!this.pressed) return this.point(event.pointerType === "touch" ? null : at);
    const { pressed } = this;
    const still = STILL[event.pointerType] ?? STILL.mouse;
    pressed.moved ||= Math.hypot(at[0] - pressed.at[0], at[1] - pressed.at[1]) > still;
    if (!pressed.moved) return undefined;
    this.point(null);
    if (this.axes.length === 3) this.drag(at[0] - pressed.last[0], at[1] - pressed.last[1], event.shiftKey);
    else this.outline(pressed.at, at);
    pressed.last = at;
    return undefined;
  }

  release(event) {
    const { pressed } = this;
    if (!pressed) return;
    this.drop();
    const at = this.at(event);
    if (!pressed.moved) {
      const found = this.near(...at, REACH[event.pointerType] ?? REACH.mouse);
      if (found) this.on.pick?.(this.figure.groups[found.group], found.number);
    } else if (this.axes.length === 3) this.on.view?.({ camera: this.shape.camera });
    else this.zoom(pressed.at, at);
  }

  drop() {
    this.pressed = null;
    this.frame.replaceChildren();
  }

  // Turn about the upright axis and up or down; or move sideways.
  drag(dx, dy, sideways) {
    const { camera, back, right, above, scale } = this.shape;
    const [eye, center] = [camera.eye, camera.center].map(({ x, y, z }) => [x, y, z]);
    const distance = Math.hypot(...eye.map((value, axis) => value - center[axis]));
    if (sideways) {
      const moved = center.map(
        (value, axis) => value + (distance / scale) * (dy * above[axis] - dx * right[axis]),
      );
      this.own = cameraAt(moved, back, distance);
    } else {
      const azimuth = Math.atan2(back[1], back[0]) - TURN * dx;
      const release = Math.min(Math.max(Math.asin(back[2]) + TURN * dy, -STEEPEST), STEEPEST);
      this.own = cameraAt(
        center,
        [Math.cos(azimuth) * Math.cos(release), Math.sin(azimuth) * Math.cos(release), Math.sin(release)],
        distance,
      );
    }
    this.shape.turn(this.own);
    this.paint();
  }

  wheel(event) {
    if (this.axes.length !== 3) return;
    event.preventDefault();
    const { camera, back } = this.shape;
    const [eye, center] = [camera.eye, camera.center].map(({ x, y, z }) => [x, y, z]);
    const distance =
      Math.hypot(...eye.map((value, axis) => value - center[axis])) * Math.exp(Math.sign(event.deltaY) * 0.1);
    this.own = cameraAt(center, back, Math.min(Math.max(distance, 0.3), 12));
    this.shape.turn(this.own);
    this.paint();
    clearTimeout(this.turned);
    this.turned = setTimeout(() => this.on.view?.({ camera: this.shape.camera }), 250);
  }

  outline(from, to) {
    const [x, y] = [0, 1].map((axis) => Math.min(from[axis], to[axis]));
    const [width, height] = [0, 1].map((axis) => Math.abs(from[axis] - to[axis]));
    this.frame.replaceChildren(svg("rect", { x, y, width, height }));
  }

  // Show the part of a plane between two corners.
  zoom(from, to) {
    if (from.some((value, axis) => Math.abs(value - to[axis]) < SMALLEST)) return;
    const [one, other] = [this.shape.shares(...from), this.shape.shares(...to)];
    const view = this.axes.map((axis, place) =>
      [Math.min(one[place], other[place]), Math.max(one[place], other[place])].map((share) =>
        axis.value(share),
      ),
    );
    this.showView(view);
    this.on.view?.({ zoom: view });
  }

  // Show the tooltip of the mark near the pointer.
  point(at) {
    const found = at && this.near(...at, REACH.mouse);
    this.canvas.classList.toggle("near", Boolean(found));
    const group = found && this.figure.groups[found.group];
    const lines = group?.text?.(found.number) ?? [];
    this.tip.hidden = !lines.length;
    if (!lines.length) return;
    replace(
      this.tip,
      h("strong", {}, lines[0]),
      lines.slice(1).map((line) => h("div", {}, line)),
    );
    const left =
      found.x + 14 + this.tip.offsetWidth > this.width ? found.x - 14 - this.tip.offsetWidth : found.x + 14;
    this.tip.setAttribute("data-of", `${found.group} ${found.number}`);
    Object.assign(this.tip.style, {
      left: `${Math.max(left, 0)}px`,
      top: `${Math.min(Math.max(found.y - this.tip.offsetHeight / 2, 0), Math.max(this.height - this.tip.offsetHeight, 0))}px`,
    });
  }

  // ------------------------------------------------------------ a file

  // Save what is shown, on white paper, with rings at marked values [{ values, letter }].
  async save(format, filename, marked) {
    const canvas = document.createElement("canvas");
    const plain = new CanvasRenderer(canvas, this.width, this.height, 2);
    /** @type {any} a renderer of either kind */
    const pen = format === "svg" ? new SvgRenderer(plain, this.width, this.height) : plain;
    pen.fill(ON_PAPER.paper);
    this.shape.lay(pen, this.width, this.height);
    this.drawOn(pen, ON_PAPER, false);
    for (const { values, letter } of marked) {
      const at = this.project(values);
      if (at)
        pen.mark(at[0], at[1], {
          symbol: letter ? "square-open" : "circle-open",
          size: 16,
          colour: ON_PAPER.ink,
        });
      if (at && letter) pen.text(at[0] + 14, at[1], letter, { colour: ON_PAPER.ink, bold: true });
    }
    const blob =
      format === "svg"
        ? new Blob([pen.content], { type: "image/svg+xml" })
        : await new Promise((done) => canvas.toBlob(done, "image/png"));
    saveFile(`${filename}.${format}`, blob);
  }
}

function paintOf({ colour, symbol }) {
  const shown = isDark() ? (settings.lifted[colour] ?? colour) : colour;
  return isOpen(symbol) ? { fill: "none", stroke: shown, "stroke-width": 2 } : { fill: shown };
}

const legendKey = (attributes) =>
  svg(
    "svg",
    { width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true" },
    svg("path", attributes),
  );

// A button for each group that hides or shows it: `hidden` holds the names of those that are hidden.
export function legendEntries(groups, hidden, onToggle) {
  return groups
    .filter((group) => group.listed !== false)
    .map((group) => {
      const toggle = () => {
        if (!hidden.delete(group.name)) hidden.add(group.name);
        onToggle();
      };
      const key = legendKey({ d: shapeOf(group.symbol, Math.max(group.size, 5)), ...paintOf(group) });
      return h(
        "button",
        {
          type: "button",
          class: "bare",
          aria: { pressed: String(!hidden.has(group.name)) },
          on: { click: toggle },
        },
        key,
        " ",
        group.name,
      );
    });
}

// Replace the entries; the focus stays.
export function fillLegend(legend, entries) {
  const focused = [...legend.children].indexOf(/** @type {Element} */ (document.activeElement));
  replace(legend, entries);
  const button = legend.children[focused];
  if (button instanceof HTMLElement) button.focus();
}
