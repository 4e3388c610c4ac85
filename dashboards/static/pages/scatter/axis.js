// An axis: where a value stands between its ends, and which values are written along it.
import { number } from "../format.js";

const ROOM = 1 / 32;
const STEPS = [1, 2, 5, 10];

export class Axis {
  // `better`: 1 where more is better, -1 where less is, 0 for neither; `options` are texts that stand at 0, 1, 2 ...
  constructor({ title, range, better = 0, log = false, options = null }) {
    Object.assign(this, { title, better, log: log && range[0] > 0, options });
    this.whole = this.roomy(range);
    this.ends = this.whole;
  }

  // A little room beyond the outermost values.
  roomy([low, high]) {
    const [from, to] = [this.scaled(low), this.scaled(high)];
    const room = (to - from) * ROOM || Math.max(1, Math.abs(to)) * ROOM;
    return [from - room, to + room];
  }

  scaled(value) {
    return this.log ? Math.log10(value) : value;
  }

  // From -0.5 at the lower end to 0.5 at the upper one.
  share(value) {
    const [from, to] = this.ends;
    return (this.scaled(value) - from) / (to - from) - 0.5;
  }

  value(share) {
    const [from, to] = this.ends;
    const scaled = from + (share + 0.5) * (to - from);
    return this.log ? 10 ** scaled : scaled;
  }

  // Show a part of the axis, from one value to another; null: all of it.
  show(part) {
    const scaled = part?.map((value) => this.scaled(value)) ?? [];
    this.ends = scaled.length === 2 && scaled.every(Number.isFinite) && scaled[0] < scaled[1] ? scaled : this.whole;
  }

  get isWhole() {
    return this.ends === this.whole;
  }

  // About `most` values to write along it: [{ share, text }].
  ticks(most) {
    const inside = (value) => Math.abs(this.share(value)) <= 0.5 + 1e-9;
    const values = this.options ? this.options.map((_, place) => place) : this.log ? decades(this.ends, most) : even(this.ends, most);
    return values.filter(inside).map((value) => ({ share: this.share(value), text: this.options ? this.options[value] : number(value) }));
  }
}

// The best value of each axis at once, where every one of them has a better end; else null.
export function idealOf(axes) {
  return axes.every(({ better, range }) => better && range) ? axes.map(({ better, range }) => range[better > 0 ? 1 : 0]) : null;
}

function even([low, high], most) {
  const rough = (high - low) / Math.max(most, 1);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * STEPS.find((one) => one * size >= rough * 0.999);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

// 1, 2 and 5 of each decade where there is room, else the decades; of less than a decade, even steps.
function decades([low, high], most) {
  const span = high - low;
  if (span < 0.7) return even([10 ** low, 10 ** high], most);
  const each = 3 * span <= 1.5 * most ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil(span / most));
  const found = [];
  for (let power = Math.floor(low); power <= high; power += 1) if (each.length > 1 || power % step === 0) found.push(...each.map((digit) => digit * 10 ** power));
  return found;
}
