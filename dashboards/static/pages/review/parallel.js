// Parallel coordinates: one line per design over variables and objectives. All lines are drawn once on a canvas. The
// selected and pinned ones are drawn on a second canvas above it, so that a selection draws one line, not thousands.
// plotly.js draws all lines again to mark one, and has no layout for a narrow screen.
import { selection } from "../../core/address.js";
import { h, replace, saveFile, svg } from "../../core/dom.js";
import { settings } from "../../core/plot.js";
import { colours, isDark, onTheme } from "../../core/theme.js";
import { colourOf, GREY } from "./front_figure.js";
import { Axes, axesDrawing, brushing } from "./parallel_axes.js";
import { brush, inside, pins, selected } from "./view.js";

const HEIGHT = 300;
const MOST_AXES = 14;

export class Parallel {
  constructor(study, box, onPick) {
    this.study = study;
    this.box = box;
    this.onPick = onPick;
    this.lines = h("canvas", { aria: { hidden: "true" } });
    this.marks = h("canvas", { aria: { hidden: "true" } });
    this.frame = svg("svg", { "aria-hidden": "true" });
    replace(box, this.lines, this.marks, this.frame);
    selection.watch(["brush"], () => this.draw());
    selection.watch(["layout", "key", "pins"], () => this.mark());
    onTheme(() => this.draw());
    new ResizeObserver(() => this.box.clientWidth !== this.axes?.width && this.draw()).observe(box);
    brushing(this);
  }

  get columns() {
    return this.study.main.slice(0, MOST_AXES);
  }

  draw() {
    if (!this.box.clientWidth) return;
    const axes = new Axes(this.columns, this.box.clientWidth, HEIGHT);
    this.axes = axes;
    this.box.style.height = `${axes.height}px`;
    this.shares = axes.columns.map((column, axis) =>
      Float64Array.from(column.values, (value) => axes.share(axis, value)),
    );
    this.inside = inside(this.study);
    const context = prepared(this.lines, axes);
    const { designs, layouts } = this.study;
    context.lineWidth = 1;
    const faint = Math.max(0.02, Math.min(0.7, 60 / Math.max(designs.length, 1)));
    const pass = (isIncluded, colour, alpha) => {
      context.strokeStyle = tint(colour);
      context.globalAlpha = alpha;
      designs.forEach((design, place) => isIncluded(design, place) && this.path(context, place));
    };
    pass((_, place) => !this.inside[place], GREY, faint / 3);
    layouts.forEach((layout, number) =>
      pass(
        (design, place) => this.inside[place] && design.layout === layout,
        colourOf(number),
        Math.min(2 * faint, 0.7),
      ),
    );
    this.redrawRanges();
    this.mark();
    this.box.dataset.lines = String(designs.length);
    this.box.dataset.inside = String(this.inside.reduce((sum, one) => sum + one, 0));
    this.box.removeAttribute("aria-busy");
  }

  redrawRanges(ranges = brush()) {
    this.frame.setAttribute("viewBox", `0 0 ${this.axes.width} ${this.axes.height}`);
    this.frame.replaceChildren(axesDrawing(this.axes, ranges));
  }

  // Draw the lines of the pinned and the selected designs over all others.
  mark() {
    if (!this.axes) return;
    const context = prepared(this.marks, this.axes);
    const { ink, paper } = colours();
    const chosen = selected();
    const pinned = pins().map((pin) => ({ ...pin, width: 1.5, dash: [5, 3] }));
    for (const { layout, key, width, dash } of [...pinned, { ...chosen, width: 2.5, dash: [] }]) {
      const design = this.study.known(layout, key);
      if (!design) continue;
      const shares = this.axes.columns.map((column, axis) => this.axes.share(axis, column.of(design)));
      for (const { colour, more, dashes } of [
        { colour: paper, more: 3, dashes: [] },
        { colour: ink, more: 0, dashes: dash },
      ]) {
        context.strokeStyle = colour;
        context.lineWidth = width + more;
        context.setLineDash(dashes);
        this.trace(context, (axis) => shares[axis]);
      }
    }
    this.box.dataset.selected = this.study.known(chosen.layout, chosen.key)?.key ?? "";
  }

  path(context, place) {
    this.trace(context, (axis) => this.shares[axis][place]);
  }

  // A line from axis to axis, broken where a design has no value.
  trace(context, share) {
    context.beginPath();
    let open = false;
    for (let axis = 0; axis < this.axes.columns.length; axis += 1) {
      const value = share(axis);
      if (Number.isNaN(value)) open = false;
      else {
        context[open ? "lineTo" : "moveTo"](...this.axes.point(axis, value));
        open = true;
      }
    }
    context.stroke();
  }

  // Save what is seen as a picture on white paper.
  async save(name) {
    const canvas = document.createElement("canvas");
    canvas.width = this.lines.width;
    canvas.height = this.lines.height;
    const context = canvas.getContext("2d");
    context.fillStyle = colours().paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.lines, 0, 0);
    context.drawImage(this.marks, 0, 0);
    context.drawImage(await this.frameImage(), 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => canvas.toBlob(done));
    saveFile(`${name}.png`, blob);
  }

  // The axes as an image of their own, with the page's colours written into them.
  frameImage() {
    const copy = /** @type {SVGElement} */ (this.frame.cloneNode(true));
    copy.setAttribute("width", this.axes.width);
    copy.setAttribute("height", this.axes.height);
    const { ink, grid } = colours();
    copy
      .querySelectorAll("text")
      .forEach((text) => text.setAttribute("style", `fill: ${ink}; font: 12px sans-serif`));
    copy.querySelectorAll("line").forEach((line) => line.setAttribute("style", `stroke: ${grid}`));
    copy.querySelectorAll("rect").forEach((box) => box.setAttribute("style", `fill: none; stroke: ${ink}`));
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
    return image.decode().then(() => image);
  }
}

const tint = (colour) => (isDark() ? (settings.lifted[colour] ?? colour) : colour);

// A canvas of the drawing's size, as fine as the screen is, and empty.
function prepared(canvas, axes) {
  const fine = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(axes.width * fine), Math.round(axes.height * fine)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.style.width = `${axes.width}px`;
  canvas.style.height = `${axes.height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(fine, 0, 0, fine, 0, 0);
  context.clearRect(0, 0, axes.width, axes.height);
  context.globalAlpha = 1;
  context.lineJoin = "round";
  return context;
}
