// What joins points over two axes: lines, areas and bars, and rules across the picture.
/** @import { Bars, LineStyle, MarkGroup, Palette, Point, Rule, Tiles } from "../types.js" */
/** @import { Axes2D, Axis } from "./axes_2d.js" */
/** @import { Renderer } from "./renderers.js" */

// With what it is drawn: `colour(own)` is a colour on the page as it is.
/** @typedef {{ pen: Renderer, shape: Axes2D, axes: Axis[], colour: (own: string) => string }} Ink */

const ROW = 15;

/** @param {Ink} ink @param {Point} values */
const pixelsOf = ({ shape, axes }, values) =>
  shape.point(values.map((value, axis) => axes[axis].share(value))).slice(0, 2);

// A line through the points of a group, with a gap where one is missing, or the area within it.
/** @param {Ink} ink @param {MarkGroup} group @param {LineStyle} line */
export function drawLine(ink, { columns: [x, y], colour }, { width, dash, isStepped, filled, opacity }) {
  /** @type {Point[][]} */
  const parts = [[]];
  for (let place = 0; place < x.length; place += 1) {
    const part = parts[parts.length - 1];
    if (!Number.isFinite(x[place] + y[place])) {
      if (part.length) parts.push([]);
      continue;
    }
    const at = pixelsOf(ink, [x[place], y[place]]);
    if (isStepped && part.length) part.push([at[0], part[part.length - 1][1]]);
    part.push(at);
  }
  const shown = ink.colour(colour);
  for (const part of parts) {
    if (filled) ink.pen.face(part, shown, filled);
    else if (part.length > 1) ink.pen.line(part, { colour: shown, width, dash, opacity });
  }
}

/** @param {Ink} ink @param {Tiles} tiles */
export function drawTiles(ink, { corners, colours, opacity }) {
  for (const [place, [left, right, low, high]] of corners.entries()) {
    const rim = [
      [left, low],
      [right, low],
      [right, high],
      [left, high],
    ];
    ink.pen.face(
      rim.map((corner) => pixelsOf(ink, corner)),
      colours[place],
      opacity,
    );
  }
}

/** @param {Ink} ink @param {MarkGroup} group @param {Bars} bars @param {Palette} palette */
export function drawBars(ink, { columns, colour }, { along, from, wide, errors, opacity }, palette) {
  /** @param {number} end @param {number} beside */
  const at = (end, beside) => pixelsOf(ink, along ? [beside, end] : [end, beside]);
  for (const [place, width] of wide.entries()) {
    const [end, beside] = [columns[along][place], columns[1 - along][place]];
    if (!Number.isFinite(end + beside)) continue;
    const [low, high] = [beside - width / 2, beside + width / 2];
    ink.pen.face([at(from, low), at(end, low), at(end, high), at(from, high)], ink.colour(colour), opacity);
    const error = errors[place];
    if (error)
      ink.pen.line([at(end - error, beside), at(end + error, beside)], { colour: palette.ink, width: 1.5 });
  }
}

// Words of a rule stand beside its upper end, those of the next one below them.
/** @param {Ink} ink @param {Rule} rule @param {number} row @param {Palette} palette */
export function drawRule({ pen, shape, axes, colour }, { axis, at, colour: own, dash, text }, row, palette) {
  const share = axes[axis].share(at);
  const ends = [-0.5, 0.5].map((end) => shape.point(axis ? [end, share] : [share, end]).slice(0, 2));
  pen.line(ends, { colour: colour(own), dash });
  if (!text) return;
  const [x, y] = ends[1];
  const left = share > 0;
  pen.text(left ? x - 6 : x + 6, y + ROW * (row + 0.5), text, {
    colour: palette.ink,
    align: left ? "right" : "left",
  });
}
