// Two axes at right angles, in a rectangle with room for what is written beside it.
const EDGE = { top: 14, right: 18, bottom: 46 };
const SPACING = { across: 90, upwards: 50 };
const GAP = 8;

export class Plane {
  constructor(axes) {
    this.axes = axes;
  }

  // Take the place that there is; `pen` knows how wide the numbers are.
  lay(pen, width, height) {
    const [x, y] = this.axes;
    const bottom = height - EDGE.bottom;
    this.up = y.ticks(Math.max(2, (bottom - EDGE.top) / SPACING.upwards));
    const widest = Math.max(0, ...this.up.map(({ text }) => pen.measure(text)));
    const left = Math.min(Math.ceil(widest) + 30 + GAP, width / 3);
    this.frame = { left, top: EDGE.top, width: Math.max(width - left - EDGE.right, 1), height: Math.max(bottom - EDGE.top, 1) };
    this.across = x.ticks(Math.max(2, this.frame.width / SPACING.across));
  }

  // Pixels of shares, and how far away: in a plane everything is as near.
  point([x, y]) {
    const { left, top, width, height } = this.frame;
    return [left + (x + 0.5) * width, top + (0.5 - y) * height, 0];
  }

  // Shares of pixels.
  shares(x, y) {
    const { left, top, width, height } = this.frame;
    return [(x - left) / width - 0.5, 0.5 - (y - top) / height];
  }

  draw(pen, { ink, quiet, grid, accent }) {
    const { left, top, width, height } = this.frame;
    const [x, y] = this.axes;
    for (const { share, text } of this.across) {
      const [at] = this.point([share, 0]);
      pen.line([[at, top], [at, top + height]], { colour: grid });
      pen.text(at, top + height + 13, text, { colour: quiet });
    }
    for (const { share, text } of this.up) {
      const [, at] = this.point([0, share]);
      pen.line([[left, at], [left + width, at]], { colour: grid });
      pen.text(left - GAP, at, text, { colour: quiet, align: "right" });
    }
    pen.line([[left, top], [left, top + height], [left + width, top + height]], { colour: quiet });
    arrow(pen, [left, top + height], [left + width, top + height], x.better, accent);
    arrow(pen, [left, top + height], [left, top], y.better, accent);
    pen.text(left + width / 2, top + height + 34, fitted(pen, x.title, width), { colour: ink });
    pen.text(11, top + height / 2, fitted(pen, y.title, height), { colour: ink, turned: true });
  }

  clip(pen) {
    const { left, top, width, height } = this.frame;
    pen.clip(left - 5, top - 5, width + 10, height + 10);
  }
}

const HEAD = 8;
const LONG = 0.18;

// From somewhere along the line to the end at which it is better.
export function arrow(pen, from, to, better, colour) {
  if (!better) return;
  const [tail, tip] = better > 0 ? [from, to] : [to, from];
  const length = Math.hypot(tip[0] - tail[0], tip[1] - tail[1]) || 1;
  const [dx, dy] = [(tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length];
  const start = [tip[0] - dx * LONG * length, tip[1] - dy * LONG * length];
  const neck = [tip[0] - dx * HEAD, tip[1] - dy * HEAD];
  pen.line([start, neck], { colour, width: 2.5 });
  pen.area([tip, [neck[0] - 0.5 * HEAD * dy, neck[1] + 0.5 * HEAD * dx], [neck[0] + 0.5 * HEAD * dy, neck[1] - 0.5 * HEAD * dx]], colour);
}

// A text that is no longer than there is room.
export function fitted(pen, text, room) {
  if (pen.measure(text) <= room) return text;
  let length = text.length;
  while (length > 1 && pen.measure(`${text.slice(0, length)}\u2026`) > room) length -= 1;
  return `${text.slice(0, length)}\u2026`;
}
