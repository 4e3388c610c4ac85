// Two pens with the same strokes: one draws on a canvas, for the page; one writes SVG, for a file.
/** @import { LineLook, MarkLook, Point, TextLook } from "../types.js" */

/** @typedef {CanvasRenderer | SvgRenderer} Renderer */

const DOT = 3;
// Around a face [px].
const SEAM = 0.7;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** @param {Point[]} points */
const corners = (points) => `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}Z`;
/** @param {number} size @param {number} arms */
const star = (size, arms) =>
  corners(
    Array.from({ length: 2 * arms }, (_, place) => {
      const radius = place % 2 ? 0.42 * size : size;
      const angle = (Math.PI * place) / arms;
      return [radius * Math.sin(angle), -radius * Math.cos(angle)];
    }),
  );

// A triangle that points one way.
/** @param {number} r @param {Point} way */
const triangle = (r, [x, y]) =>
  corners([
    [1.3 * r * x, 1.3 * r * y],
    [-r * x - r * y, -r * y + r * x],
    [-r * x + r * y, -r * y - r * x],
  ]);

// The outline of a mark around the origin, as SVG writes paths; `size` is its width in pixels.
/** @param {string} symbol @param {number} size */
function outline(symbol, size) {
  const r = size / 2;
  /** @type {Record<string, () => string>} */
  const shapes = {
    circle: () => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`,
    square: () =>
      corners([
        [-0.9 * r, -0.9 * r],
        [0.9 * r, -0.9 * r],
        [0.9 * r, 0.9 * r],
        [-0.9 * r, 0.9 * r],
      ]),
    diamond: () =>
      corners([
        [0, -1.2 * r],
        [1.2 * r, 0],
        [0, 1.2 * r],
        [-1.2 * r, 0],
      ]),
    cross: () => plus(r, 0.36 * r, 0),
    x: () => plus(1.1 * r, 0.36 * r, Math.PI / 4),
    star: () => star(r, 5),
    "arrow-left": () => triangle(r, [-1, 0]),
    "arrow-right": () => triangle(r, [1, 0]),
    "arrow-up": () => triangle(r, [0, -1]),
    "arrow-down": () => triangle(r, [0, 1]),
    line: () => `M${-r} 0H${r}`,
    "line-ns": () => `M0 ${-r}V${r}`,
  };
  return (shapes[symbol] ?? shapes.circle)();
}

/** @param {number} long @param {number} wide @param {number} angle */
function plus(long, wide, angle) {
  const points = [
    [long, wide],
    [wide, wide],
    [wide, long],
    [-wide, long],
    [-wide, wide],
    [-long, wide],
    [-long, -wide],
    [-wide, -wide],
    [-wide, -long],
    [wide, -long],
    [wide, -wide],
    [long, -wide],
  ];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return corners(points.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]));
}

// "circle-open" is a circle that is not filled.
/** @param {string} symbol */
export const isOpen = (symbol) => symbol.endsWith("-open");
/** @param {string} symbol @param {number} size */
export const shapeOf = (symbol, size) => outline(symbol.replace("-open", ""), size);

// What draws on a canvas.
/** @param {HTMLCanvasElement} canvas */
export function contextOf(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser draws nothing on a canvas");
  return context;
}

export class CanvasRenderer {
  /** @type {Map<string, HTMLCanvasElement & { half: number }>} */
  sprites = new Map();

  /** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height @param {number} [scale] */
  constructor(canvas, width, height, scale = window.devicePixelRatio || 1) {
    this.width = width;
    this.height = height;
    this.scale = scale;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    this.context = contextOf(canvas);
    this.context.scale(scale, scale);
  }

  /** @param {string} colour */
  fill(colour) {
    Object.assign(this.context, { fillStyle: colour, globalAlpha: 1 });
    this.context.fillRect(0, 0, this.width, this.height);
  }

  clear() {
    this.context.clearRect(0, 0, this.width, this.height);
  }

  // Everything until `unclip` stays inside of a rectangle.
  /** @param {number} left @param {number} top @param {number} width @param {number} height */
  clip(left, top, width, height) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(left, top, width, height);
    this.context.clip();
  }

  unclip() {
    this.context.restore();
  }

  /** @param {Point[]} points @param {LineLook} options */
  line(points, { colour, width = 1, dash = [], cap = "butt", opacity = 1 }) {
    const { context } = this;
    Object.assign(context, { strokeStyle: colour, lineWidth: width, globalAlpha: opacity, lineCap: cap });
    context.setLineDash(dash);
    context.beginPath();
    points.forEach(([x, y], place) => (place ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
  }

  /** @param {Point[]} points @param {string} colour */
  area(points, colour) {
    Object.assign(this.context, { fillStyle: colour, globalAlpha: 1 });
    this.context.fill(new Path2D(corners(points)));
  }

  // A face, and a thin line in its colour around it: no seam is left between two.
  /** @param {Point[]} points @param {string} colour @param {number} opacity */
  face(points, colour, opacity) {
    const { context } = this;
    Object.assign(context, { fillStyle: colour, strokeStyle: colour, lineWidth: SEAM, globalAlpha: opacity });
    context.setLineDash([]);
    context.beginPath();
    points.forEach(([x, y], place) => (place ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fill();
    if (opacity === 1) context.stroke();
  }

  // What `paint` draws stands farther to the right and lower.
  /** @param {number} x @param {number} y @param {() => void} paint */
  shifted(x, y, paint) {
    this.context.save();
    this.context.translate(x, y);
    paint();
    this.context.restore();
  }

  // What `paint` draws on a sheet of its own is laid over the picture as a whole: nothing of it shines through.
  /** @param {number} opacity @param {(pen: CanvasRenderer) => void} paint */
  veil(opacity, paint) {
    const sheet = document.createElement("canvas");
    paint(new CanvasRenderer(sheet, this.width, this.height, this.scale));
    this.context.globalAlpha = opacity;
    this.context.drawImage(sheet, 0, 0, this.width, this.height);
  }

  /** @param {number} x @param {number} y @param {string} text @param {TextLook} options */
  text(x, y, text, { colour, align = "center", size = 12, bold = false, turned = false }) {
    const { context } = this;
    Object.assign(context, {
      fillStyle: colour,
      textAlign: align,
      textBaseline: "middle",
      globalAlpha: 1,
      font: `${bold ? "600 " : ""}${size}px ${FONT}`,
    });
    context.save();
    context.translate(x, y);
    if (turned) context.rotate(-Math.PI / 2);
    context.fillText(text, 0, 0);
    context.restore();
  }

  // Marks of one look are painted once and copied: thousands take milliseconds.
  /** @param {number} x @param {number} y @param {MarkLook} look */
  mark(x, y, look) {
    if (look.size <= DOT) return this.dot(x, y, look);
    const sprite = this.sprite(look);
    this.context.globalAlpha = look.opacity ?? 1;
    this.context.drawImage(sprite, x - sprite.half, y - sprite.half, 2 * sprite.half, 2 * sprite.half);
    return undefined;
  }

  // So small a mark has no shape.
  /** @param {number} x @param {number} y @param {MarkLook} options */
  dot(x, y, { size, colour, opacity = 1 }) {
    if (this.context.fillStyle !== colour) this.context.fillStyle = colour;
    this.context.globalAlpha = opacity;
    this.context.fillRect(x - size / 2, y - size / 2, size, size);
  }

  /** @param {MarkLook} options */
  sprite({ symbol, size, colour, edge }) {
    const name = `${symbol} ${size} ${colour} ${edge}`;
    const known = this.sprites.get(name);
    if (known) return known;
    const half = Math.ceil(0.75 * size) + 2;
    const sprite = Object.assign(document.createElement("canvas"), {
      width: 2 * half * this.scale,
      height: 2 * half * this.scale,
      half,
    });
    const context = contextOf(sprite);
    context.scale(this.scale, this.scale);
    context.translate(half, half);
    const path = new Path2D(shapeOf(symbol, size));
    Object.assign(context, {
      fillStyle: colour,
      strokeStyle: isOpen(symbol) ? colour : edge,
      lineWidth: isOpen(symbol) ? 2 : 1,
    });
    if (!isOpen(symbol)) context.fill(path);
    if (edge || isOpen(symbol)) context.stroke(path);
    this.sprites.set(name, sprite);
    return sprite;
  }

  // How wide a text is.
  /** @param {string} text @param {number} [size] */
  measure(text, size = 12) {
    this.context.font = `${size}px ${FONT}`;
    return this.context.measureText(text).width;
  }
}

/** @type {Record<string, string>} */
const MARKUP = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** @param {string} text */
const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => MARKUP[letter]);
/** @param {number} value */
const round = (value) => Number(value.toFixed(2));

export class SvgRenderer {
  // `ruler` is a pen on a canvas, which knows how wide texts are.
  /** @param {CanvasRenderer} ruler @param {number} width @param {number} height */
  constructor(ruler, width, height) {
    this.ruler = ruler;
    this.width = width;
    this.height = height;
    /** @type {string[]} */
    this.parts = [];
    this.clips = 0;
  }

  /** @param {string} colour */
  fill(colour) {
    this.parts.push(`<rect width="${this.width}" height="${this.height}" fill="${colour}"/>`);
  }

  /** @param {number} left @param {number} top @param {number} width @param {number} height */
  clip(left, top, width, height) {
    this.clips += 1;
    this.parts.push(
      `<clipPath id="clip${this.clips}"><rect x="${left}" y="${top}" width="${width}" height="${height}"/></clipPath><g clip-path="url(#clip${this.clips})">`,
    );
  }

  unclip() {
    this.parts.push("</g>");
  }

  /** @param {Point[]} points @param {LineLook} look */
  line(points, { colour, width = 1, dash = [], cap = "butt", opacity = 1 }) {
    const dashes = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    this.parts.push(
      `<polyline points="${points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ")}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="${cap}" opacity="${opacity}"${dashes}/>`,
    );
  }

  /** @param {Point[]} points @param {string} colour */
  area(points, colour) {
    this.parts.push(`<path d="${corners(points)}" fill="${colour}"/>`);
  }

  /** @param {Point[]} points @param {string} colour @param {number} opacity */
  face(points, colour, opacity) {
    const seam = opacity === 1 ? ` stroke="${colour}" stroke-width="${SEAM}"` : ` fill-opacity="${opacity}"`;
    this.parts.push(`<path d="${corners(points)}" fill="${colour}"${seam}/>`);
  }

  /** @param {number} x @param {number} y @param {() => void} paint */
  shifted(x, y, paint) {
    this.parts.push(`<g transform="translate(${round(x)} ${round(y)})">`);
    paint();
    this.parts.push("</g>");
  }

  /** @param {number} opacity @param {(pen: SvgRenderer) => void} paint */
  veil(opacity, paint) {
    this.parts.push(`<g opacity="${opacity}">`);
    paint(this);
    this.parts.push("</g>");
  }

  /** @param {number} x @param {number} y @param {string} text @param {TextLook} look */
  text(x, y, text, { colour, align = "center", size = 12, bold = false, turned = false }) {
    const anchor = { center: "middle", left: "start", right: "end" }[align];
    const turn = turned ? " rotate(-90)" : "";
    this.parts.push(
      `<text transform="translate(${round(x)} ${round(y)})${turn}" text-anchor="${anchor}" dominant-baseline="central" font-size="${size}"${bold ? ' font-weight="600"' : ""} fill="${colour}">${escaped(text)}</text>`,
    );
  }

  /** @param {number} x @param {number} y @param {MarkLook} look */
  mark(x, y, { symbol, size, colour, edge, opacity = 1 }) {
    const paint = isOpen(symbol)
      ? `fill="none" stroke="${colour}" stroke-width="2"`
      : `fill="${colour}"${edge ? ` stroke="${edge}"` : ""}`;
    this.parts.push(
      `<path d="${shapeOf(symbol, size)}" transform="translate(${round(x)} ${round(y)})" ${paint} opacity="${opacity}"/>`,
    );
  }

  /** @param {string} text @param {number} size */
  measure(text, size = 12) {
    return this.ruler.measure(text, size);
  }

  get content() {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}" font-family="${escaped(FONT)}">${this.parts.join("")}</svg>`;
  }
}
