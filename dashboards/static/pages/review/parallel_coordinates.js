// Parallel coordinates: one line per design over variables and objectives. All lines are drawn once on a canvas. The
// selected and pinned ones are drawn on a second canvas above it, so that a selection draws one line, not thousands.
// plotly.js draws all lines again to mark one, and has no layout for a narrow screen.
/** @import { Range } from "../../core/types.js" */
/** @import { KnownDesign, Study } from "./study.js" */
import { selection } from "../../core/url_state.js";
import { findAll, h, replace, saveFile, svg } from "../../core/dom.js";
import { settings } from "../../core/plot.js";
import { contextOf } from "../../core/scatter/renderers.js";
import { pictureOf } from "../../core/scatter/scatter.js";
import { colours, isDark, onTheme } from "../../core/theme.js";
import { colourOf, GREY } from "./front_figure.js";
import { colourAt, encoding } from "./mark_encoding.js";
import { Axes, axesDrawing, axisEnds } from "./parallel_axes.js";
import { brushing, rangesDrawing } from "./parallel_ranges.js";
import { brush, FILTERS, inside, pins, selected } from "./view_state.js";

const HEIGHT = 300;
const MOST_AXES = 14;

/** @param {Study} study @param {(design: KnownDesign) => void} choose */
export function createParallel(study, choose) {
  const lines = h("canvas", { aria: { hidden: "true" } });
  const marks = h("canvas", { aria: { hidden: "true" } });
  const frame = svg("svg", { "aria-hidden": "true" });
  const element = h("div", { class: "parallel" }, lines, marks, frame);
  /** @type {Axes | null} */
  let axes = null;
  // For each axis the shares of all designs, and which designs lie in all ranges.
  /** @type {Float64Array[]} */
  let shares = [];
  let visible = new Uint8Array(0);
  const scaling = createScaling(study);

  function update() {
    if (!element.clientWidth) return;
    const columns = study.main.slice(0, MOST_AXES);
    const ends = columns.map((column) => axisEnds(study, column, isOwnScale(study)));
    const made = new Axes(columns, ends, shownLayout(study), element.clientWidth, HEIGHT);
    axes = made;
    shares = columns.map((column, axis) =>
      Float64Array.from(column.values, (value, place) =>
        made.share(axis, value, study.designs[place].layout),
      ),
    );
    visible = inside(study);
    element.style.height = `${made.height}px`;
    drawLines(prepared(lines, made), made);
    scaling.update(made.layout);
    drawRanges();
    mark();
    element.dataset.lines = String(study.designs.length);
    element.dataset.inside = String(visible.reduce((sum, one) => sum + one, 0));
  }

  // Those outside the ranges first, then layout by layout.
  /** @param {CanvasRenderingContext2D} context @param {Axes} axes */
  function drawLines(context, axes) {
    const { designs, layouts } = study;
    const faint = Math.max(0.02, Math.min(0.7, 60 / Math.max(designs.length, 1)));
    context.lineWidth = 1;
    /** @param {(design: KnownDesign, place: number) => boolean} isIncluded @param {string} colour @param {number} alpha */
    const pass = (isIncluded, colour, alpha) => {
      context.strokeStyle = tint(colour);
      context.globalAlpha = alpha;
      designs.forEach((design, place) => {
        if (isIncluded(design, place)) trace(context, axes, (axis) => shares[axis][place]);
      });
    };
    pass((_, place) => !visible[place], GREY, faint / 3);
    const { colour } = encoding(study);
    const strong = Math.min(2 * faint, 0.7);
    if (colour) {
      const tints = Array.from(colour.values, (value) => colourAt(colour, value));
      for (const one of new Set(tints))
        pass((_, place) => Boolean(visible[place]) && tints[place] === one, one, strong);
      return;
    }
    layouts.forEach((layout, number) =>
      pass((design, place) => Boolean(visible[place]) && design.layout === layout, colourOf(number), strong),
    );
  }

  /** @param {Map<string, Range>} [ranges] */
  function drawRanges(ranges = brush()) {
    if (!axes) return;
    frame.setAttribute("viewBox", `0 0 ${axes.width} ${axes.height}`);
    frame.replaceChildren(axesDrawing(axes), rangesDrawing(axes, ranges));
  }

  // Draw the lines of the pinned and the selected designs over all others.
  function mark() {
    if (!axes) return;
    if (axes.layout !== shownLayout(study)) {
      // The numbers at the axes are those of the selected design's layout.
      axes.layout = shownLayout(study);
      scaling.update(axes.layout);
      drawRanges();
    }
    const context = prepared(marks, axes);
    const chosen = selected();
    for (const { layout, key } of pins()) drawMark(context, axes, study.known(layout, key), 1.5, [5, 3]);
    const design = study.known(chosen.layout, chosen.key);
    drawMark(context, axes, design, 2.5, []);
    element.dataset.selected = design?.key ?? "";
  }

  // Save what is seen as a picture on the page's paper.
  /** @param {string} name */
  async function save(name) {
    if (!axes) return;
    const { width, height } = lines;
    const canvas = h("canvas", { width, height });
    const context = contextOf(canvas);
    context.fillStyle = colours().paper;
    context.fillRect(0, 0, width, height);
    context.drawImage(lines, 0, 0);
    context.drawImage(marks, 0, 0);
    context.drawImage(await frameImage(frame, axes), 0, 0, width, height);
    saveFile(`${name}.png`, await pictureOf(canvas));
  }

  selection.watch([...FILTERS, "scale", "colour"], update);
  study.annotations.listen(update);
  selection.watch(["layout", "key", "pins"], mark);
  onTheme(update);
  new ResizeObserver(() => {
    if (element.clientWidth !== axes?.width) update();
  }).observe(element);
  brushing({
    box: element,
    study,
    axes: () => axes,
    shares: () => shares,
    inside: () => visible,
    onPick: choose,
    drawRanges,
  });
  return { element, scaling: scaling.element, update, mark, save };
}

// ------------------------------------------------------------------ scale

/** @param {Study} study */
const isOwnScale = (study) => study.layouts.length > 1 && selection.get().scale === "layout";

// The layout whose numbers stand at the axes: that of the selected design, else the first one.
/** @param {Study} study */
function shownLayout(study) {
  const { layout, key } = selected();
  const known = study.known(layout, key)?.layout ?? layout;
  return study.layouts.includes(known) ? known : study.layouts[0];
}

// Whether each layout is drawn on a scale of its own; nothing where there is one layout alone.
/** @param {Study} study */
function createScaling(study) {
  const box = h("input", {
    type: "checkbox",
    id: "own-scale",
    on: { change: (event) => selection.set({ scale: event.currentTarget.checked ? "layout" : null }) },
  });
  const note = h("span", { class: "quiet small", role: "status" });
  const label = h("label", {}, box, " Each layout on its own scale");
  const element = h("span", { class: "row", hidden: study.layouts.length < 2 }, label, note);

  /** @param {string} layout */
  function update(layout) {
    const isOwn = isOwnScale(study);
    box.checked = isOwn;
    note.textContent = isOwn ? `Numbers at axes and ranges are on the scale of ${layout}.` : "";
  }

  return { element, update };
}

// ------------------------------------------------------------------ lines

// One design's line on the page's paper, so that it is seen above the others.
/** @param {CanvasRenderingContext2D} context @param {Axes} axes @param {KnownDesign | undefined} design @param {number} width @param {number[]} dashes */
function drawMark(context, axes, design, width, dashes) {
  if (!design) return;
  const { ink, paper } = colours();
  const shares = axes.columns.map((column, axis) => axes.share(axis, column.of(design), design.layout));
  const stroke = (
    /** @type {string} */ colour,
    /** @type {number} */ lineWidth,
    /** @type {number[]} */ dash,
  ) => {
    Object.assign(context, { strokeStyle: colour, lineWidth });
    context.setLineDash(dash);
    trace(context, axes, (axis) => shares[axis]);
  };
  stroke(paper, width + 3, []);
  stroke(ink, width, dashes);
}

// A line from axis to axis, broken where a design has no value.
/** @param {CanvasRenderingContext2D} context @param {Axes} axes @param {(axis: number) => number} share */
function trace(context, axes, share) {
  context.beginPath();
  let open = false;
  for (let axis = 0; axis < axes.columns.length; axis += 1) {
    const value = share(axis);
    if (Number.isNaN(value)) open = false;
    else {
      const [x, y] = axes.point(axis, value);
      if (open) context.lineTo(x, y);
      else context.moveTo(x, y);
      open = true;
    }
  }
  context.stroke();
}

// The axes as an image of their own, with the page's colours written into them.
/** @param {SVGElement} frame @param {Axes} axes */
function frameImage(frame, axes) {
  const copy = /** @type {SVGElement} */ (frame.cloneNode(true));
  copy.setAttribute("width", String(axes.width));
  copy.setAttribute("height", String(axes.height));
  const { ink, grid } = colours();
  // Attributes, as the policy of the page allows no style in elements.
  /** @param {string} selector @param {Record<string, string>} looks */
  const paint = (selector, looks) =>
    findAll(copy, selector, SVGElement).forEach((part) =>
      Object.entries(looks).forEach(([name, value]) => part.setAttribute(name, value)),
    );
  paint("text", { fill: ink, "font-size": "12", "font-family": "sans-serif" });
  paint("line", { stroke: grid });
  paint("rect", { fill: "none", stroke: ink });
  paint("polygon", { fill: ink });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  return image.decode().then(() => image);
}

/** @param {string} colour */
const tint = (colour) => (isDark() ? (settings.lifted[colour] ?? colour) : colour);

// A canvas of the drawing's size, as fine as the screen is, and empty.
/** @param {HTMLCanvasElement} canvas @param {Axes} axes */
function prepared(canvas, axes) {
  const fine = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(axes.width * fine), Math.round(axes.height * fine)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.style.width = `${axes.width}px`;
  canvas.style.height = `${axes.height}px`;
  const context = contextOf(canvas);
  context.setTransform(fine, 0, 0, fine, 0, 0);
  context.clearRect(0, 0, axes.width, axes.height);
  context.globalAlpha = 1;
  context.lineJoin = "round";
  return context;
}
