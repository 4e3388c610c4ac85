// An axis: where a value stands between its ends, and which values are written along it.
/** @import { Renderer } from "./renderers.js" */
/** @import { AxisOptions, Palette, Point, Range } from "../types.js" */
import { plainPowers } from "../dom.js";
import { number } from "../format.js";

const ROOM = 1 / 32;
const STEPS = [1, 2, 5, 10];

// A value that is written along an axis, and where.
/** @typedef {{ share: number, text: string }} Tick */

export class Axis {
  // `better`: 1 where more is better, -1 where less is, 0 for neither; `options` are texts that stand at 0, 1, 2 ...
  /** @param {AxisOptions} options */
  constructor({ title, range, better = 0, log = false, options = null, bulk = null }) {
    this.title = plainPowers(title);
    this.better = better;
    this.log = log && range[0] > 0;
    this.options = options;
    this.whole = this.roomy(range);
    this.bulk = bulk && this.roomy(bulk);
    this.ends = this.whole;
  }

  // A little room beyond the outermost values.
  /** @param {Range} options */
  roomy([low, high]) {
    const [from, to] = [this.scaled(low), this.scaled(high)];
    const room = (to - from) * ROOM || Math.max(1, Math.abs(to)) * ROOM;
    return [from - room, to + room];
  }

  /** @param {number} value */
  scaled(value) {
    return this.log ? Math.log10(value) : value;
  }

  // From -0.5 at the lower end to 0.5 at the upper one.
  /** @param {number} value */
  share(value) {
    const [from, to] = this.ends;
    return (this.scaled(value) - from) / (to - from) - 0.5;
  }

  /** @param {number} share */
  value(share) {
    const [from, to] = this.ends;
    const scaled = from + (share + 0.5) * (to - from);
    return this.log ? 10 ** scaled : scaled;
  }

  // Share of a value that is no farther than the edge, where an axis ends before its farthest values.
  /** @param {number} value */
  edgeShare(value) {
    const share = this.share(value);
    return this.ends === this.bulk ? Math.min(Math.max(share, -0.5), 0.5) : share;
  }

  // Show a part of the axis, from one value to another; null: all of it, or, not `all`, what most values take.
  /** @param {Range | null | undefined} part @param {boolean} all */
  show(part, all) {
    const scaled = part?.map((value) => this.scaled(value)) ?? [];
    const isPart = scaled.length === 2 && scaled.every(Number.isFinite) && scaled[0] < scaled[1];
    this.ends = isPart ? scaled : all ? this.whole : (this.bulk ?? this.whole);
  }

  // About `most` values to write along it: [{ share, text }].
  /** @param {number} most */
  ticks(most) {
    /** @param {number} value */
    const inside = (value) => Math.abs(this.share(value)) <= 0.5 + 1e-9;
    const values = this.options
      ? this.options.map((_, place) => place)
      : this.log
        ? decades(this.ends, most)
        : even(this.ends, most);
    return values.filter(inside).map((value) => ({
      share: this.share(value),
      text: this.options ? this.options[value] : number(value),
    }));
  }
}

// The best value of each axis at once, where every one of them has a better end; else null.
/** @param {{ better?: number, range?: Range | null }[]} axes */
export function idealOf(axes) {
  const best = axes.flatMap(({ better, range }) => (better && range ? [range[better > 0 ? 1 : 0]] : []));
  return best.length === axes.length ? best : null;
}

/** @param {number[]} ends @param {number} most */
function even([low, high], most) {
  const rough = (high - low) / Math.max(most, 1);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * (STEPS.find((one) => one * size >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, place) =>
    Number(((first + place) * step).toPrecision(12)),
  );
}

// 1, 2 and 5 of each decade where there is room, else the decades; of less than a decade, even steps.
/** @param {number[]} ends @param {number} most */
function decades([low, high], most) {
  const span = high - low;
  if (span < 0.7) return even([10 ** low, 10 ** high], most);
  const each = 3 * span <= 1.5 * most ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil(span / most));
  const found = [];
  for (let power = Math.floor(low); power <= high; power += 1)
    if (each.length > 1 || power % step === 0) found.push(...each.map((digit) => digit * 10 ** power));
  return found;
}

// ------------------------------------------------------------------ two axes

// Two axes at right angles, in a rectangle with room for what is written beside it.
const EDGE = { top: 14, right: 18, bottom: 46 };
const SPACING = { across: 90, upwards: 50 };
const GAP = 8;
// Room for the name of the upright axis.
const BESIDE = 22;

export class Axes2D {
  frame = { left: 0, top: 0, width: 1, height: 1 };
  /** @type {Tick[]} */
  across = [];
  /** @type {Tick[]} */
  up = [];

  /** @param {Axis[]} axes */
  constructor(axes) {
    this.axes = axes;
  }

  // Take the place that there is; `pen` knows how wide the numbers are.
  /** @param {Renderer} pen @param {number} width @param {number} height */
  lay(pen, width, height) {
    const [x, y] = this.axes;
    const bottom = height - EDGE.bottom;
    this.up = y.ticks(Math.max(2, (bottom - EDGE.top) / SPACING.upwards));
    const widest = Math.max(0, ...this.up.map(({ text }) => pen.measure(text)));
    const left = Math.min(Math.ceil(widest) + BESIDE + GAP, width / 3);
    this.frame = {
      left,
      top: EDGE.top,
      width: Math.max(width - left - EDGE.right, 1),
      height: Math.max(bottom - EDGE.top, 1),
    };
    this.across = x.ticks(Math.max(2, this.frame.width / SPACING.across));
  }

  // Pixels of shares, and how far away: in a plane everything is as near.
  /** @param {Point} options */
  point([x, y]) {
    const { left, top, width, height } = this.frame;
    return [left + (x + 0.5) * width, top + (0.5 - y) * height, 0];
  }

  // Shares of pixels.
  /** @param {number} x @param {number} y */
  shares(x, y) {
    const { left, top, width, height } = this.frame;
    return [(x - left) / width - 0.5, 0.5 - (y - top) / height];
  }

  /** @param {Renderer} pen @param {Palette} options */
  draw(pen, { ink, quiet, grid, accent }) {
    const { left, top, width, height } = this.frame;
    const [x, y] = this.axes;
    for (const { share, text } of this.across) {
      const [at] = this.point([share, 0]);
      pen.line(
        [
          [at, top],
          [at, top + height],
        ],
        { colour: grid },
      );
      const room = x.options ? width / x.options.length - GAP : width;
      pen.text(at, top + height + 13, fitted(pen, text, room), { colour: quiet });
    }
    for (const { share, text } of this.up) {
      const [, at] = this.point([0, share]);
      pen.line(
        [
          [left, at],
          [left + width, at],
        ],
        { colour: grid },
      );
      pen.text(left - GAP, at, fitted(pen, text, left - GAP - BESIDE), { colour: quiet, align: "right" });
    }
    pen.line(
      [
        [left, top],
        [left, top + height],
        [left + width, top + height],
      ],
      { colour: quiet },
    );
    arrow(pen, [left, top + height], [left + width, top + height], x.better, accent);
    arrow(pen, [left, top + height], [left, top], y.better, accent);
    pen.text(left + width / 2, top + height + 34, fitted(pen, x.title, width), { colour: ink });
    pen.text(11, top + height / 2, fitted(pen, y.title, height), { colour: ink, turned: true });
  }

  /** @param {Renderer} pen */
  clip(pen) {
    const { left, top, width, height } = this.frame;
    pen.clip(left - 5, top - 5, width + 10, height + 10);
  }
}

const HEAD = 8;
const LONG = 0.18;

// From somewhere along the line to the end at which it is better.
/** @param {Renderer} pen @param {Point} from @param {Point} to @param {number} better @param {string} colour */
export function arrow(pen, from, to, better, colour) {
  if (!better) return;
  const [tail, tip] = better > 0 ? [from, to] : [to, from];
  const length = Math.hypot(tip[0] - tail[0], tip[1] - tail[1]) || 1;
  const [dx, dy] = [(tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length];
  const start = [tip[0] - dx * LONG * length, tip[1] - dy * LONG * length];
  const neck = [tip[0] - dx * HEAD, tip[1] - dy * HEAD];
  pen.line([start, neck], { colour, width: 2.5 });
  pen.area(
    [
      tip,
      [neck[0] - 0.5 * HEAD * dy, neck[1] + 0.5 * HEAD * dx],
      [neck[0] + 0.5 * HEAD * dy, neck[1] - 0.5 * HEAD * dx],
    ],
    colour,
  );
}

// A text that is no longer than there is room.
/** @param {Renderer} pen @param {string} text @param {number} room */
export function fitted(pen, text, room) {
  if (pen.measure(text) <= room) return text;
  let length = text.length;
  while (length > 1 && pen.measure(`${text.slice(0, length)}\u2026`) > room) length -= 1;
  return `${text.slice(0, length)}\u2026`;
}
