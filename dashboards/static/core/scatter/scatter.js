// Designs as marks over two axes, or over three in space: drawn on a canvas, turned, zoomed and picked by pointer.
// plotly.js takes a second to be read and needs a graphics card for space; thousands of marks are drawn here at once.
/** @import { FarDesigns } from "./far_values.js" */
/** @import { Renderer } from "./renderers.js" */
/** @import { Camera, MarkGroup, Palette, Point, Range, ScatterFigure, View } from "../types.js" */
/** @import { Ink } from "./strokes.js" */
import { h, replace, saveFile, svg } from "../dom.js";
import { Axes2D, Axis, fitted } from "./axes_2d.js";
import { Axes3D } from "./axes_3d.js";
import { farDesigns, fittedAxes } from "./far_values.js";
import { ScatterPointer } from "./pointer.js";
import { farEntry, farText, fillLegend, IDEAL, legendEntries, legendKey, scaleKey } from "./legend.js";
import { lifted, ON_PAPER, pagePalette } from "./look.js";
import { CanvasRenderer, shapeOf, SvgRenderer } from "./renderers.js";
import { drawBars, drawLine, drawRule, drawTiles } from "./strokes.js";
import { isDark, onTheme } from "../theme.js";

const INSIDE = 0.5 + 1e-9;
// Above a plane [px].
const STRIP = { from: 10, to: 6 };
// Parts of the strip up to which lines lead to their ends.
const MOST_RULED = 6;
const STRIP_TEXT = "Strip on top: the best layout at each limit";
const NOTE_EDGE = 8;
const EDGES = [
  ["left", "right"],
  ["down", "up"],
];

// What a scatter calls: pick(group, number) of a mark that was clicked, view({ camera | zoom }) once somebody has turned
// or zoomed, drawn() after each picture.
/** @typedef {{ camera?: Camera | null, zoom?: Range[] | null }} ViewChange */
/** @typedef {{ pick?: (group: MarkGroup, number: number) => void, view?: (change: ViewChange) => void, drawn?: () => void }} ScatterListeners */
// What stands at values in a saved picture, beside the marks of the figure.
/** @typedef {{ values: Point, symbol: string, size: number, away?: number, letter?: string }} SavedMark */
// A mark on the stage: of which group, its number there, where it stands, how far away, and the edge beyond which its
// values lie.
/** @typedef {{ group: number, number: number, x: number, y: number, away: number, background: boolean, edge: string }} Mark */

export class Scatter {
  width = 0;
  height = 0;
  /** @type {ScatterFigure | null} */
  figure = null;
  /** @type {Axis[]} */
  axes = [];
  // The axes on the stage, by their number.
  /** @type {Axes2D | Axes3D} */
  shape = new Axes2D([]);
  /** @type {CanvasRenderer | null} */
  pen = null;
  // The view that somebody chose, and the camera that was fitted.
  /** @type {View} */
  own = null;
  /** @type {Camera | null} */
  fitted = null;
  // For each group the shares of its columns.
  /** @type {Float64Array[][]} */
  shares = [];
  /** @type {Mark[]} */
  seen = [];
  // Names of the groups that are hidden, and of those that were hidden until somebody asks for them.
  /** @type {Set<string>} */
  hidden = new Set();
  /** @type {Set<string>} */
  offered = new Set();
  // Designs that lie beyond the axes, unless these show all.
  /** @type {FarDesigns[]} */
  far = [];
  showsAll = false;
  stopFollowingTheme = () => {};

  // A `plain` picture has no legend.
  /** @param {HTMLElement} box @param {ScatterListeners} on @param {{ plain?: boolean }} [options] */
  constructor(box, on, { plain = false } = {}) {
    this.box = box;
    this.on = on;
    this.plain = plain;
    this.legend = h("div", { class: "row legend" });
    this.canvas = h("canvas", { aria: { hidden: "true" } });
    this.tooltip = h("div", { class: "tooltip", hidden: true, aria: { hidden: "true" } });
    this.frame = svg("svg", { class: "zooming", "aria-hidden": "true" });
    this.stage = h("div", { class: "stage" }, this.canvas, this.frame, this.tooltip);
    this.sizes = new ResizeObserver(() => this.resize());
    new ScatterPointer(this).listen();
  }

  // Show a figure. `view` is the camera of a space, or the ends of the axes of a plane; null: all of it.
  /** @param {ScatterFigure} figure @param {View} view */
  show(figure, view) {
    if (titles(figure) !== titles(this.figure)) this.fitted = null;
    this.figure = figure;
    const axes = fittedAxes(figure);
    this.axes = axes.map((axis) => new Axis(axis));
    this.far = farDesigns(axes, figure.groups);
    this.hideWhatWaits(figure.groups.flatMap(({ name, waits }) => (waits ? [name] : [])));
    this.shape = this.axes.length === 3 ? new Axes3D(this.axes) : new Axes2D(this.axes);
    if (!this.stage.isConnected) {
      replace(this.box, !this.plain && this.legend, this.stage);
      this.sizes.observe(this.stage);
      this.stopFollowingTheme();
      this.stopFollowingTheme = onTheme(() => this.paint());
    }
    this.list();
    this.showView(view);
    this.box.dataset.drawn = "yes";
    this.box.removeAttribute("aria-busy");
  }

  // What a figure offers without showing it is hidden once; after that, whoever looks decides.
  /** @param {string[]} names */
  hideWhatWaits(names) {
    for (const name of names.filter((each) => !this.offered.has(each))) {
      this.offered.add(name);
      this.hidden.add(name);
    }
  }

  // Go to a view; null: as at first.
  /** @param {View} view */
  showView(view) {
    this.own = view;
    const ends = Array.isArray(view) ? view : [];
    this.axes.forEach((axis, place) => axis.show(ends[place], this.showsAll));
    this.shares = (this.figure?.groups ?? []).map((group) =>
      group.columns.map((values, place) => {
        const axis = this.axes[place];
        return Float64Array.from(values, (value) =>
          group.background ? axis.share(value) : axis.edgeShare(value),
        );
      }),
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
    if (this.shape instanceof Axes3D) this.aim(this.shape, sized);
    this.paint();
  }

  // A camera that was fitted stays while designs come; another size, or other axes, need another one.
  /** @param {Axes3D} shape @param {boolean} sized */
  aim(shape, sized) {
    if (this.own && !Array.isArray(this.own)) shape.turn(this.own);
    else if (this.fitted && !sized) shape.turn(this.fitted);
    else {
      shape.fit(this.cloudOfShares());
      this.fitted = shape.camera;
    }
  }

  // The marks that matter, to find a camera for.
  cloudOfShares() {
    const groups = this.shares.filter((_, group) => !this.figure?.groups[group].background);
    return groups
      .flatMap((shares) => Array.from(shares[0], (_, place) => shares.map((values) => values[place])))
      .filter((point) => point.every(Number.isFinite));
  }

  close() {
    this.stopFollowingTheme();
    this.sizes.disconnect();
    this.box.replaceChildren();
    this.figure = null;
    delete this.box.dataset.drawn;
  }

  // Where values stand on the stage; null where they are not shown.
  /** @param {Point} values */
  project(values) {
    if (!this.pen) return null;
    const shares = values.map((value, axis) => this.axes[axis].edgeShare(value));
    if (!shares.every((share) => Math.abs(share) <= INSIDE)) return null;
    return this.shape.point(shares);
  }

  // Lines that lead from values to the floor, in space.
  /** @param {Point} values */
  drops(values) {
    return this.shape instanceof Axes3D && this.project(values)
      ? this.shape.drops(values.map((value, axis) => this.axes[axis].edgeShare(value)))
      : [];
  }

  // ------------------------------------------------------------ drawing

  paint() {
    if (!this.pen || !this.figure) return;
    this.pen.clear();
    this.pen.sprites.clear();
    this.seen = this.drawOn(this.pen, pagePalette(), isDark());
    this.on.drawn?.();
  }

  /** @param {Renderer} pen @param {Palette} palette @param {boolean} dark */
  drawOn(pen, palette, dark) {
    const { groups, ideal } = this.figure ?? { groups: [], ideal: null };
    this.drawBands(pen, palette, dark);
    this.shape.draw(pen, palette);
    this.drawNote(pen, dark);
    if (this.shape instanceof Axes2D) this.shape.clip(pen);
    this.drawStrokes(pen, palette, dark);
    const seen = this.marks();
    const looks = groups.map(({ colour, symbol, size, opacity, background }) => ({
      colour: lifted(colour, dark),
      symbol,
      size,
      opacity,
      edge: background ? "" : palette.paper,
    }));
    const star = ideal && this.project(ideal);
    /** @param {Mark} mark */
    const drawMark = ({ group, number, x, y, edge }) => {
      const { colours, sizes, symbols, marked = true } = groups[group];
      const look = looks[group];
      if (!marked) return undefined;
      if (edge)
        return pen.mark(x, y, { ...look, size: 1.4 * look.size, symbol: edgeSymbol(edge, look.symbol) });
      if (!colours && !sizes && !symbols) return pen.mark(x, y, look);
      const colour = colours ? lifted(colours[number], dark) : look.colour;
      const [size, symbol] = [sizes?.[number] ?? look.size, symbols?.[number] ?? look.symbol];
      return pen.mark(x, y, { ...look, colour, size, symbol });
    };
    seen.filter(({ background }) => background).forEach(drawMark);
    if (star) pen.mark(star[0], star[1], { ...IDEAL, edge: palette.ink }); // it hides no design of the front
    seen.filter(({ background }) => !background).forEach(drawMark);
    if (this.shape instanceof Axes2D) pen.unclip();
    return seen;
  }

  // What joins the points of groups, from below: areas, bars, rules, lines.
  /** @param {Renderer} pen @param {Palette} palette @param {boolean} dark */
  drawStrokes(pen, palette, dark) {
    if (!(this.shape instanceof Axes2D)) return;
    /** @type {Ink} */
    const ink = { pen, shape: this.shape, axes: this.axes, colour: (own) => lifted(own, dark) };
    const seen = (this.figure?.groups ?? []).filter(({ name }) => !this.hidden.has(name));
    for (const { tiles } of seen) if (tiles) drawTiles(ink, tiles);
    for (const group of seen) if (group.line?.filled) drawLine(ink, group, group.line);
    for (const group of seen) if (group.bars) drawBars(ink, group, group.bars, palette);
    for (const [row, rule] of (this.figure?.rules ?? []).entries()) drawRule(ink, rule, row, palette);
    for (const group of seen) if (group.line && !group.line.filled) drawLine(ink, group, group.line);
  }

  // The coloured parts of the first axis of a plane, where it has several, as a strip above it with lines at their ends.
  /** @param {Renderer} pen @param {Palette} palette @param {boolean} dark */
  drawBands(pen, palette, dark) {
    if (!(this.shape instanceof Axes2D)) return;
    const [axis] = this.axes;
    const { top, height } = this.shape.frame;
    const bottom = top + height;
    const bands = this.bands();
    for (const { from, to, colour } of bands) {
      const shares = [from, to].map((value) => Math.min(Math.max(axis.share(value), -0.5), 0.5));
      const [low, high] = shares
        .sort((one, other) => one - other)
        .map((share) => this.shape.point([share, 0])[0]);
      if (high <= low) continue;
      const edges = [top - STRIP.from, top - STRIP.to];
      pen.area(
        [
          [low, edges[0]],
          [high, edges[0]],
          [high, edges[1]],
          [low, edges[1]],
        ],
        lifted(colour, dark),
      );
      if (bands.length <= MOST_RULED)
        for (const x of [low, high])
          pen.line(
            [
              [x, top - STRIP.from],
              [x, bottom],
            ],
            { colour: palette.quiet, dash: [2, 5] },
          );
    }
  }

  // A single one says no more than the words below the figure.
  bands() {
    const { bands = [] } = this.figure ?? {};
    return bands.length > 1 ? bands : [];
  }

  /** @param {Renderer} pen @param {boolean} dark */
  drawNote(pen, dark) {
    const note = this.figure?.note;
    if (!note) return;
    const text = fitted(pen, note.text, this.width - 2 * NOTE_EDGE);
    pen.text(this.width - NOTE_EDGE, NOTE_EDGE, text, {
      colour: lifted(note.colour, dark),
      align: "right",
      bold: true,
    });
  }

  // Every mark that is seen, those far away first; background groups before all others.
  marks() {
    /** @type {Mark[]} */
    const found = [];
    (this.figure?.groups ?? []).forEach(({ background = false, silent = false, name }, group) => {
      if (silent || this.hidden.has(name)) return;
      const shares = this.shares[group];
      for (let number = 0; number < shares[0].length; number += 1) {
        const point = shares.map((values) => values[number]);
        if (!point.every((share) => Math.abs(share) <= INSIDE)) continue;
        const [x, y, away] = this.shape.point(point);
        found.push({ group, number, x, y, away, background, edge: background ? "" : this.edgeOf(point) });
      }
    });
    return found.sort(
      (one, other) => Number(other.background) - Number(one.background) || other.away - one.away,
    );
  }

  // The edge of a plane at which a mark stands for values beyond it.
  /** @param {Point} shares */
  edgeOf(shares) {
    const place = shares.findIndex(
      (share, axis) => Math.abs(share) === 0.5 && this.axes[axis].ends === this.axes[axis].bulk,
    );
    return place < 0 || shares.length > 2 ? "" : EDGES[place][shares[place] < 0 ? 0 : 1];
  }

  list() {
    const entries = legendEntries(this.figure?.groups ?? [], this.hidden, () => {
      this.list();
      this.paint();
    });
    const key = legendKey({ d: shapeOf("star", 14), fill: IDEAL.colour });
    const star = this.figure?.ideal && h("span", { class: "quiet" }, key, " ideal point");
    const reset = h(
      "button",
      { type: "button", class: "bare end", on: { click: () => this.reset() } },
      "Reset the view",
    );
    const logs = this.axes.filter((axis, place) => axis.log && this.figure?.axes[place].log === undefined);
    const log = logs.length > 0 && h("span", { class: "quiet" }, logText(logs.map(({ title }) => title)));
    const strip = this.bands().length > 0 && h("span", { class: "quiet" }, STRIP_TEXT);
    const far = farEntry(this.far, this.showsAll, () => {
      this.showsAll = !this.showsAll;
      this.fitted = null;
      this.list();
      this.showView(null);
      this.on.view?.(this.axes.length === 3 ? { camera: null } : { zoom: null });
    });
    fillLegend(this.legend, [
      entries,
      (this.figure?.scales ?? []).map(scaleKey),
      star,
      strip,
      log,
      far,
      reset,
    ]);
  }

  reset() {
    this.fitted = null;
    this.showView(null);
    this.on.view?.(this.axes.length === 3 ? { camera: null } : { zoom: null });
  }

  // Save what is shown, on white paper, with symbols at marked values: `away` to the right and above them.
  /** @param {string} format @param {string} filename @param {SavedMark[]} [marked] */
  async save(format, filename, marked = []) {
    await saveDrawing(format, filename, this.width, this.height, (pen) => this.paintOn(pen, marked));
  }

  /** @param {Renderer} pen @param {SavedMark[]} marked */
  paintOn(pen, marked) {
    this.shape.lay(pen, this.width, this.height);
    this.drawOn(pen, ON_PAPER, false);
    if (this.far.length && !this.showsAll && !this.own)
      pen.text(
        this.width - NOTE_EDGE,
        this.height - NOTE_EDGE,
        fitted(pen, farText(this.far), this.width - 2 * NOTE_EDGE),
        {
          colour: ON_PAPER.quiet,
          align: "right",
        },
      );
    for (const { values, symbol, size, away = 0, letter } of marked) {
      const at = this.project(values);
      if (at) pen.mark(at[0] + away, at[1] - away, { symbol, size, colour: ON_PAPER.ink });
      if (at && letter) pen.text(at[0] + 14, at[1], letter, { colour: ON_PAPER.ink, bold: true });
    }
  }
}

// Save what `paint` draws on white paper.
/** @param {string} format @param {string} filename @param {number} width @param {number} height @param {(pen: Renderer) => void} paint */
export async function saveDrawing(format, filename, width, height, paint) {
  const canvas = document.createElement("canvas");
  const plain = new CanvasRenderer(canvas, width, height, 2);
  const file = format === "svg" ? new SvgRenderer(plain, width, height) : null;
  const pen = file ?? plain;
  pen.fill(ON_PAPER.paper);
  paint(pen);
  const blob = file ? new Blob([file.content], { type: "image/svg+xml" }) : await pictureOf(canvas);
  saveFile(`${filename}.${format}`, blob);
}

// An arrow to the edge beyond which values lie; open where the mark is.
/** @param {string} edge @param {string} symbol */
const edgeSymbol = (edge, symbol) => `arrow-${edge}${symbol.endsWith("-open") ? "-open" : ""}`;

/** @param {string[]} titles */
const logText = (titles) => `Logarithmic: ${titles.join(", ")}`;

/** @param {ScatterFigure | null} figure */
const titles = (figure) => figure?.axes.map(({ title, log }) => `${title} ${log}`).join();

// What is drawn on a canvas, as a PNG file.
/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
export function pictureOf(canvas) {
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture is too large to be saved")))),
  );
}
