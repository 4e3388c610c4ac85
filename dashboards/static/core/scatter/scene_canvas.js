// A scene in space on a canvas, as dashboards/figures/scene.py describes it. This is the one renderer of robots, on
// pages and in reports: docs/contributing/pages.md has what plotly.js takes for the same without a graphics card.
/** @import { Align, Camera, Figure, MarkGroup, Palette, PlotBox, Point, Trace } from "../types.js" */
/** @import { Axis as AxisType } from "./axes_2d.js" */
/** @import { Renderer } from "./renderers.js" */
/** @import { Mark, ScatterListeners } from "./scatter.js" */
/** @import { Part, Piece } from "./scene_parts.js" */
import { h, replace } from "../dom.js";
import { number } from "../format.js";
import { bare } from "../plotly_values.js";
import { onTheme } from "../theme.js";
import { Axis } from "./axes_2d.js";
import { Axes3D } from "./axes_3d.js";
import { fillLegend, legendEntries } from "./legend.js";
import { lifted } from "./look.js";
import { Scatter } from "./scatter.js";
import { facetsOf, partOf, rampColour } from "./scene_parts.js";

const LETTERS = ["x", "y", "z"];
const TITLE = 20;
const KEY = 11;
// A colour bar, and the height of its line [px].
const BAR = 18;
const RAMP = { width: 110, height: 9, gap: 6, steps: 22 };
// Of what one looks through, as a sheet: plotly.js lays both of its sides over each other.
const VEIL = 1.4;

// Axes whose box has the sides that the figure says; an axis may run backwards.
class SceneAxes extends Axes3D {
  // `foot` is room for what stands below [px].
  /** @param {AxisType[]} axes @param {Point} sides @param {number} foot */
  constructor(axes, sides, foot) {
    super(axes);
    this.sides = sides;
    this.margins = { left: 40, right: 34, top: 26, bottom: 26 + foot };
  }

  /** @override @param {Renderer} pen @param {number} width @param {number} height */
  lay(pen, width, height) {
    this.width = width;
    this.height = height;
    this.aim();
  }

  // Names are short, so all stand beside the numbers of their axes, inside of the picture.
  /** @override @param {number} axis @param {Point[]} ends @param {Point} out @param {number} widest @returns {{ at: Point, align?: Align }} */
  titlePlace(axis, ends, out, widest) {
    if (axis === 2) return super.titlePlace(axis, ends, out, widest);
    const away = TITLE + widest * Math.abs(out[0]);
    return { at: [0, 1].map((place) => (ends[0][place] + ends[1][place]) / 2 + away * out[place]) };
  }
}

export class SceneCanvas extends Scatter {
  /** @type {Figure | null} */
  scene = null;
  /** @type {Part[]} */
  parts = [];
  // From where the figure says that one looks.
  /** @type {Point} */
  way = [1, -1, 1];

  // A `plain` picture has neither a legend nor colour bars.
  /** @param {PlotBox} box @param {ScatterListeners} on @param {{ plain?: boolean }} [options] */
  constructor(box, on, options) {
    super(box, on, options);
    this.plot = box;
  }

  // Show a figure; `camera` is the one that somebody chose, or null for the figure's own direction.
  /** @param {Figure} figure @param {Camera | null} camera */
  showScene(figure, camera) {
    const { scene } = figure.layout;
    const ranges = LETTERS.map((letter) => scene[`${letter}axis`].range);
    const options = LETTERS.map((letter, place) => ({
      title: bare(scene[`${letter}axis`].title.text),
      range: [Math.min(...ranges[place]), Math.max(...ranges[place])],
    }));
    this.scene = figure;
    this.axes = options.map((axis) => new Axis(axis));
    this.axes.forEach((axis, place) => axis.show(options[place].range, true));
    const sides = LETTERS.map(
      (letter, place) => scene.aspectratio[letter] * (ranges[place][0] > ranges[place][1] ? -1 : 1),
    );
    const { eye, center } = scene.camera;
    this.way = LETTERS.map((letter) => eye[letter] - center[letter]);
    this.parts = figure.data.map((trace) => this.read(trace));
    this.figure = { axes: options, groups: this.parts.map(groupOf), ideal: null };
    this.hideWhatWaits(this.parts.flatMap(({ name }, place) => (waits(figure.data[place]) ? [name] : [])));
    this.shape = new SceneAxes(this.axes, sides, BAR * this.colourScales().length);
    if (!this.stage.isConnected) {
      replace(this.box, !this.plain && this.legend, this.stage);
      this.sizes.observe(this.stage);
      this.stopFollowingTheme();
      this.stopFollowingTheme = onTheme(() => this.paint());
    }
    Object.assign(this.plot, { data: figure.data, layout: figure.layout });
    this.list();
    this.look(camera);
    this.box.dataset.drawn = "yes";
    this.box.removeAttribute("aria-busy");
  }

  // Lines of these traces have moved.
  /** @param {number[]} traces */
  refresh(traces) {
    if (!this.scene) return;
    for (const place of traces) this.parts[place] = this.read(this.scene.data[place]);
    this.paint();
  }

  /** @param {Trace} trace */
  read(trace) {
    return partOf(trace, (axis, value) => this.axes[axis].share(value), this.scene?.layout ?? {});
  }

  // Look from another place; null: from where the figure says, with the box as large as there is room.
  /** @param {Camera | null} camera */
  look(camera) {
    if (camera && this.scene) this.scene.layout.scene.camera = camera;
    this.fitted = null;
    this.showView(camera);
  }

  // Look along a direction of the picture, with the box as large as there is room.
  /** @param {Point} way */
  lookAlong(way) {
    if (!(this.shape instanceof Axes3D)) return;
    this.shape.fitAlong(way);
    const { camera } = this.shape;
    this.look(camera);
    this.on.view?.({ camera });
  }

  /** @override @param {Axes3D} shape */
  aim(shape) {
    if (this.own && !Array.isArray(this.own)) shape.turn(this.own);
    else shape.fitAlong(this.way);
  }

  // ------------------------------------------------------------ legend

  /** @override */
  list() {
    const groups = new Map(this.parts.filter(({ isListed }) => isListed).map((part) => [part.name, part]));
    const entries = legendEntries(
      [...groups.values()].map(({ name, colour }) => ({
        name,
        colour: oneColour(colour),
        symbol: "square",
        size: KEY,
      })),
      this.hidden,
      () => {
        this.list();
        this.paint();
      },
    );
    const reset = h(
      "button",
      { type: "button", class: "bare end", on: { click: () => this.reset() } },
      "Reset the view",
    );
    fillLegend(this.legend, [entries, reset]);
  }

  // ------------------------------------------------------------ painting

  /** @override @param {Renderer} pen @param {Palette} palette @param {boolean} dark */
  drawOn(pen, palette, dark) {
    const { shape } = this;
    if (!(shape instanceof Axes3D)) return [];
    shape.draw(pen, palette);
    const parts = this.seenParts();
    for (const { veil } of parts) {
      if (!veil) continue;
      const opacity = 2 * veil.opacity > 1 ? veil.opacity : VEIL * veil.opacity;
      pen.veil(opacity, (sheet) => paintAll(sheet, shape, facetsOf(shape, veil, 1), dark));
    }
    paintAll(
      pen,
      shape,
      parts.flatMap(({ solid, pieces }) => [...(solid ? facetsOf(shape, solid) : []), ...pieces]),
      dark,
    );
    for (const { at, text, colour } of parts.flatMap(({ letters }) => letters)) {
      const [x, y] = shape.point(at);
      pen.text(x + 6, y - 6, text, { colour: lifted(colour, dark) ?? palette.ink, size: KEY, bold: true });
    }
    this.colourScales().forEach((scale, place) =>
      drawBar(pen, scale, this.height - BAR * (place + 0.5), palette),
    );
    return this.marksOf(shape);
  }

  seenParts() {
    return this.parts.filter(({ name, isLeftOut }) => !isLeftOut && !this.hidden.has(name));
  }

  // Those of the picture, and those that parts bring along; a plain picture has none.
  colourScales() {
    if (this.plain) return [];
    const own = Object.entries(this.scene?.layout ?? {});
    const shared = own.flatMap(([name, scale]) => (name.startsWith("coloraxis") ? [scale] : []));
    return [...shared, ...this.seenParts().flatMap(({ scale }) => (scale ? [scale] : []))];
  }

  // What can be pointed at: the beginning of each piece of a line, and each mark.
  /** @param {Axes3D} shape */
  marksOf(shape) {
    /** @type {Mark[]} */
    const marks = [];
    this.parts.forEach(({ name, isLeftOut, pieces }, group) => {
      if (isLeftOut || this.hidden.has(name)) return;
      for (const { corners, place = 0 } of pieces) {
        const [x, y, away] = shape.point(corners[0]);
        marks.push({ group, number: place, x, y, away, background: false, edge: "" });
      }
    });
    return marks;
  }
}

/** @param {Trace} trace */
const waits = ({ visible }) => visible === "legendonly";

// What is farther away is painted first.
/** @param {Renderer} pen @param {Axes3D} shape @param {Piece[]} pieces @param {boolean} dark */
function paintAll(pen, shape, pieces, dark) {
  const seen = pieces.map(({ corners, paint }) => {
    const pixels = corners.map((corner) => shape.point(corner));
    return { pixels, paint, away: pixels.reduce((sum, [, , away]) => sum + away, 0) / pixels.length };
  });
  seen.sort((one, other) => other.away - one.away);
  for (const { pixels, paint } of seen) paint(pen, pixels, dark);
}

/** @param {Part} part @returns {MarkGroup} */
const groupOf = ({ name, colour, text }) => ({
  name,
  columns: [],
  colour: oneColour(colour),
  symbol: "square",
  size: KEY,
  text,
});

/** @param {any} colour */
const oneColour = (colour) => (typeof colour === "string" ? colour : "#59626D");

// The colours of a quantity, from its least to its greatest value, at the foot of a picture.
/** @param {Renderer} pen @param {{ colorscale: [number, string][], cmin: number, cmax: number, colorbar: any }} scale @param {number} y @param {Palette} palette */
function drawBar(pen, scale, y, { ink }) {
  const [least, most] = [number(scale.cmin, 3), number(scale.cmax, 3)];
  const words = `${bare(scale.colorbar.title.text)}: ${least}`;
  const look = { colour: ink, size: KEY };
  const wide = pen.measure(words, KEY);
  const left = Math.max((pen.width - wide - RAMP.width - pen.measure(most, KEY)) / 2, 0);
  const from = left + wide + RAMP.gap;
  pen.text(left, y, words, { ...look, align: "left" });
  pen.text(from + RAMP.width + RAMP.gap, y, most, { ...look, align: "left" });
  for (let step = 0; step < RAMP.steps; step += 1) {
    const value = scale.cmin + ((step + 0.5) / RAMP.steps) * (scale.cmax - scale.cmin);
    const [one, other] = [step, step + 1].map((end) => from + (end * RAMP.width) / RAMP.steps);
    const [top, bottom] = [y - RAMP.height / 2, y + RAMP.height / 2];
    pen.area(
      [
        [one, top],
        [other, top],
        [other, bottom],
        [one, bottom],
      ],
      rampColour(scale, value),
    );
  }
}
