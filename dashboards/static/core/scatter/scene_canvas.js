// A scene in space on a canvas: lines, boxes, surfaces and marks, as dashboards/figures/scene.py describes them for
// plotly.js. Where there is no graphics card, the two robots of a comparison stand there 0.6 s after a click; with
// plotly.js they take 4 s (two cores).
/** @import { Align, Camera, Figure, MarkLook, PlotBox, Point, Trace } from "../types.js" */
/** @import { Axis as AxisType } from "./axes_2d.js" */
/** @import { CanvasRenderer } from "./renderers.js" */
/** @import { ScatterListeners } from "./scatter.js" */
import { replace } from "../dom.js";
import { isDark, onTheme } from "../theme.js";
import { Axis } from "./axes_2d.js";
import { Axes3D } from "./axes_3d.js";
import { contextOf } from "./renderers.js";
import { lifted, pagePalette, Scatter } from "./scatter.js";

const LETTERS = ["x", "y", "z"];
// A long line is hidden in parts by what stands before it.
const PIECES = 8;
const SHADES = 24;
const DARKEST = 0.68;
const SEAM = 0.7;
const TITLE = 20;
const WORKSPACE = "workspace";
/** @type {Record<string, typeof Float32Array | typeof Int32Array>} */
const ARRAYS = { f4: Float32Array, i4: Int32Array };

// What is painted, from far to near: a corner list, the mean of which says how far away it is.
/** @typedef {{ corners: Point[], paint: (pen: CanvasRenderer, pixels: Point[]) => void }} Piece */
// The faces of a solid of one colour; of a translucent one, only what is nearest is seen.
/** @typedef {{ corners: Point[], triangles: number[][], colour: string, opacity: number }} Solid */

// Whether a canvas shows all that a figure has: nothing moves, and no colours stand for values.
/** @param {Figure} figure */
export const isStill = ({ data, frames }) =>
  !frames?.length &&
  data.every(
    ({ type, marker, intensity, facecolor }) =>
      (type === "mesh3d" && !intensity && !facecolor) ||
      (type === "scatter3d" && (marker?.color === undefined || typeof marker.color === "string")),
  );

// A list of numbers as a figure has it: plain, or as bytes.
/** @param {any} given @returns {ArrayLike<number | null>} */
function listOf(given) {
  if (!given?.bdata) return given ?? [];
  const bytes = Uint8Array.from(atob(given.bdata), (letter) => letter.charCodeAt(0));
  return new ARRAYS[given.dtype](bytes.buffer);
}

// Axes whose box has the sides that the figure says; an axis may run backwards.
class SceneAxes extends Axes3D {
  margins = { left: 40, right: 34, top: 26, bottom: 26 };

  /** @param {AxisType[]} axes @param {Point} sides */
  constructor(axes, sides) {
    super(axes);
    this.sides = sides;
  }

  /** @override @param {CanvasRenderer} pen @param {number} width @param {number} height */
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
  /** @type {Solid[]} */
  solids = [];
  /** @type {Solid[]} */
  veils = [];
  /** @type {Piece[]} */
  pieces = [];
  /** @type {{ at: Point, text: string, colour: string }[]} */
  letters = [];
  // From where the figure says that one looks.
  /** @type {Point} */
  way = [1, -1, 1];

  /** @param {PlotBox} box @param {ScatterListeners} on */
  constructor(box, on) {
    super(box, on);
    this.plot = box;
  }

  // Show a figure; `camera` is the one that somebody chose, or null for the figure's own direction.
  /** @param {Figure} figure @param {Camera | null} camera */
  showScene(figure, camera) {
    const { scene } = figure.layout;
    const ranges = LETTERS.map((letter) => scene[`${letter}axis`].range);
    const options = LETTERS.map((letter, place) => ({
      title: scene[`${letter}axis`].title.text,
      range: [Math.min(...ranges[place]), Math.max(...ranges[place])],
    }));
    this.scene = figure;
    this.figure = { axes: options, groups: [], ideal: null };
    this.axes = options.map((axis) => new Axis(axis));
    this.axes.forEach((axis, place) => axis.show(options[place].range));
    const sides = LETTERS.map(
      (letter, place) => scene.aspectratio[letter] * (ranges[place][0] > ranges[place][1] ? -1 : 1),
    );
    this.shape = new SceneAxes(this.axes, sides);
    const { eye, center } = scene.camera;
    this.way = LETTERS.map((letter) => eye[letter] - center[letter]);
    this.read(figure.data);
    if (!this.stage.isConnected) {
      replace(this.box, this.stage);
      this.sizes.observe(this.stage);
      this.stopFollowingTheme();
      this.stopFollowingTheme = onTheme(() => this.paint());
    }
    Object.assign(this.plot, { data: figure.data, layout: figure.layout });
    this.look(camera);
    this.box.dataset.drawn = "yes";
    this.box.removeAttribute("aria-busy");
  }

  // Look from another place; null: from where the figure says, with the box as large as there is room.
  /** @param {Camera | null} camera */
  look(camera) {
    if (camera && this.scene) this.scene.layout.scene.camera = camera;
    this.fitted = null;
    this.showView(camera);
  }

  /** @override @param {Axes3D} shape */
  aim(shape) {
    if (this.own && !Array.isArray(this.own)) shape.turn(this.own);
    else shape.fitAlong(this.way);
  }

  // ------------------------------------------------------------ what there is to paint

  /** @param {Trace[]} data */
  read(data) {
    [this.solids, this.veils, this.pieces, this.letters] = [[], [], [], []];
    for (const trace of data) {
      const columns = LETTERS.map((letter) => listOf(trace[letter]));
      const corners = Array.from(columns[0], (_, row) =>
        columns.map((column, axis) => {
          const value = column[row];
          return value === null ? NaN : this.axes[axis].share(value);
        }),
      );
      if (trace.type === "mesh3d") this.readSolid(trace, corners);
      else this.readLines(trace, corners);
    }
  }

  /** @param {Trace} trace @param {Point[]} corners */
  readSolid(trace, corners) {
    const [i, j, k] = ["i", "j", "k"].map((name) => listOf(trace[name]));
    const triangles = Array.from(i, (_, row) => [Number(i[row]), Number(j[row]), Number(k[row])]);
    const solid = { corners, triangles, colour: trace.color, opacity: trace.opacity ?? 1 };
    (trace.meta === WORKSPACE ? this.veils : this.solids).push(solid);
  }

  /** @param {Trace} trace @param {Point[]} corners */
  readLines(trace, corners) {
    const { mode, line, marker, text } = trace;
    corners.forEach((corner, row) => {
      if (!corner.every(Number.isFinite)) return;
      const before = corners[row - 1];
      if (mode.includes("lines") && before?.every(Number.isFinite))
        this.pieces.push(...piecesOf(before, corner, line));
      if (mode.includes("markers")) this.pieces.push(markOf(corner, marker));
      if (mode.includes("text") && text[row])
        this.letters.push({ at: corner, text: text[row], colour: line.color });
    });
  }

  // ------------------------------------------------------------ painting

  /** @override */
  paint() {
    const { pen, shape } = this;
    if (!pen || !this.scene || !(shape instanceof Axes3D)) return;
    const palette = pagePalette();
    pen.clear();
    shape.draw(pen, palette);
    for (const veil of this.veils) paintVeil(pen, shape, veil);
    const facets = this.solids.flatMap((solid) => facetsOf(shape, solid));
    const seen = [...facets, ...this.pieces].map(({ corners, paint }) => {
      const pixels = corners.map((corner) => shape.point(corner));
      return { pixels, paint, away: pixels.reduce((sum, [, , away]) => sum + away, 0) / pixels.length };
    });
    seen.sort((one, other) => other.away - one.away);
    for (const { pixels, paint } of seen) paint(pen, pixels);
    for (const { at, text, colour } of this.letters) {
      const [x, y] = shape.point(at);
      pen.text(x + 6, y - 6, text, { colour: lifted(colour, isDark()), size: 11, bold: true });
    }
    this.on.drawn?.();
  }
}

/** @param {Point} from @param {Point} to @param {{ color: string, width: number }} line @returns {Piece[]} */
function piecesOf(from, to, { color, width }) {
  /** @param {number} share */
  const at = (share) => from.map((value, axis) => value + share * (to[axis] - value));
  return Array.from({ length: PIECES }, (_, piece) => ({
    corners: [at(piece / PIECES), at((piece + 1) / PIECES)],
    paint: (pen, pixels) => {
      pen.context.lineCap = "round";
      pen.line(pixels, { colour: lifted(color, isDark()), width: 0.6 * width });
    },
  }));
}

/** @param {Point} corner @param {{ color: string, size: number, opacity?: number }} marker @returns {Piece} */
function markOf(corner, { color, size, opacity = 1 }) {
  /** @type {Omit<MarkLook, "colour">} */
  const look = { symbol: "circle", size: 1.8 * size, opacity };
  return {
    corners: [corner],
    paint: (pen, [[x, y]]) => pen.mark(x, y, { ...look, colour: lifted(color, isDark()) }),
  };
}

// The faces of a solid, each as light as it is turned to whoever looks.
/** @param {Axes3D} shape @param {Solid} solid @returns {Piece[]} */
function facetsOf(shape, { corners, triangles, colour, opacity }) {
  const shades = shadesOf(lifted(colour, isDark()));
  return triangles.map((triangle) => {
    const own = triangle.map((corner) => corners[corner]);
    const shade = shades[Math.round(facing(shape, own) * (SHADES - 1))];
    return {
      corners: own,
      paint: (pen, pixels) => fill(pen.context, pixels, shade, opacity),
    };
  });
}

// A translucent solid is painted by itself, then laid over the picture as a whole: no face shines through another.
/** @param {CanvasRenderer} pen @param {Axes3D} shape @param {Solid} solid */
function paintVeil(pen, shape, solid) {
  const sheet = document.createElement("canvas");
  sheet.width = Math.round(pen.width * pen.scale);
  sheet.height = Math.round(pen.height * pen.scale);
  const context = contextOf(sheet);
  context.scale(pen.scale, pen.scale);
  const shades = shadesOf(lifted(solid.colour, isDark()));
  const pixels = solid.corners.map((corner) => shape.point(corner));
  const seen = solid.triangles.map((triangle) => ({
    triangle,
    away: triangle.reduce((sum, corner) => sum + pixels[corner][2], 0),
  }));
  seen.sort((one, other) => other.away - one.away);
  for (const { triangle } of seen) {
    const light = facing(
      shape,
      triangle.map((corner) => solid.corners[corner]),
    );
    const shade = shades[Math.round(light * (SHADES - 1))];
    fill(
      context,
      triangle.map((corner) => pixels[corner]),
      shade,
      1,
    );
  }
  pen.context.globalAlpha = 2 * solid.opacity > 1 ? solid.opacity : 1.4 * solid.opacity;
  pen.context.drawImage(sheet, 0, 0, pen.width, pen.height);
  pen.context.globalAlpha = 1;
}

// A face, and a thin line in its colour around it: no seam is left between two.
/** @param {CanvasRenderingContext2D} context @param {Point[]} pixels @param {string} colour @param {number} opacity */
function fill(context, pixels, colour, opacity) {
  Object.assign(context, { fillStyle: colour, strokeStyle: colour, lineWidth: SEAM, globalAlpha: opacity });
  context.beginPath();
  pixels.forEach(([x, y], place) => (place ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.fill();
  if (opacity === 1) context.stroke();
}

// From 0, edge on, to 1, turned to whoever looks.
/** @param {Axes3D} shape @param {Point[]} corners */
function facing({ sides, back }, corners) {
  const [one, two, three] = corners.map((corner) => corner.map((value, axis) => value * sides[axis]));
  const [a, b, c] = two.map((value, axis) => value - one[axis]);
  const [d, e, f] = three.map((value, axis) => value - one[axis]);
  const normal = [b * f - c * e, c * d - a * f, a * e - b * d];
  const length = Math.hypot(...normal) || 1;
  return Math.abs(normal[0] * back[0] + normal[1] * back[1] + normal[2] * back[2]) / length;
}

/** @type {Map<string, string[]>} */
const knownShades = new Map();

// A colour from its darkest to its lightest shade.
/** @param {string} colour */
function shadesOf(colour) {
  const known = knownShades.get(colour);
  if (known) return known;
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const shades = Array.from({ length: SHADES }, (_, step) => {
    const light = DARKEST + ((1 - DARKEST) * step) / (SHADES - 1);
    return `rgb(${parts.map((part) => Math.round(part * light)).join(" ")})`;
  });
  knownShades.set(colour, shades);
  return shades;
}
