// Values far from all others squeeze these into a corner, and values over decades lie at one end: how the axes of marks
// answer, as long as a figure does not say it.
/** @import { AxisOptions, MarkGroup, Range, ScatterFigure } from "../types.js" */

// Quartiles away from the middle half, from where values are far out (Tukey, Exploratory Data Analysis, 1977, 2D).
const FENCE = 3;
// Values by which nearest and farthest ones can be told apart at all.
const LEAST = 8;
// The share that may stand at the edges, and that of the axis below which the others count as squeezed.
const MOST_FAR = 0.05;
const SQUEEZED = 0.5;
// How many times the least of the inner nine tenths the greatest one is where an axis is logarithmic.
const DECADES = 100;

/** @param {Float64Array} sorted @param {number} share */
const quantile = (sorted, share) => sorted[Math.round(share * (sorted.length - 1))];

// What an axis shows of some values: `log`, and `bulk`, the ends of the others where few are far; else null.
/** @param {Float64Array} sorted @param {boolean} [log] @returns {{ log: boolean, bulk: Range | null }} */
function fitOf(sorted, log) {
  const isLog = log ?? spansDecades(sorted);
  const scaled = isLog ? sorted.map((value) => Math.log10(value)) : sorted;
  const inner = scaled.length < LEAST ? null : innerPlaces(scaled);
  return { log: isLog, bulk: inner && [sorted[inner[0]], sorted[inner[1]]] };
}

/** @param {Float64Array} sorted */
const spansDecades = (sorted) =>
  sorted.length >= LEAST && sorted[0] > 0 && quantile(sorted, 0.95) >= DECADES * quantile(sorted, 0.05);

// Finite values of some lists together, in order; in plain loops, as there are tens of thousands.
/** @param {...ArrayLike<number>} lists */
function sortedOf(...lists) {
  const found = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let count = 0;
  for (const values of lists)
    for (let place = 0; place < values.length; place += 1)
      if (Number.isFinite(values[place])) found[count++] = values[place];
  return found.subarray(0, count).sort();
}

// Values that a logarithmic axis shows better.
/** @param {ArrayLike<number>} values */
export const areDecades = (values) => spansDecades(sortedOf(values));

// Places of the least and the greatest value that are not far out.
/** @param {Float64Array} sorted */
function innerPlaces(sorted) {
  const [low, high] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const room = FENCE * (high - low);
  const first = sorted.findIndex((value) => value >= low - room);
  const last = sorted.findLastIndex((value) => value <= high + room);
  const far = sorted.length - (last - first + 1);
  const whole = sorted[sorted.length - 1] - sorted[0];
  const isSqueezed = sorted[last] > sorted[first] && sorted[last] - sorted[first] < SQUEEZED * whole;
  return far && far <= Math.max(1, MOST_FAR * sorted.length) && isSqueezed ? [first, last] : null;
}

/** @param {MarkGroup} group */
const isMarks = ({ line, bars, tiles }) => !line && !bars && !tiles;

// The axes of a figure with what they show at first; figures with anything else than marks keep theirs.
/** @param {ScatterFigure} figure @returns {AxisOptions[]} */
export function fittedAxes({ axes, groups }) {
  if (!groups.every(isMarks)) return axes;
  const front = groups.filter(({ background }) => !background);
  return axes.map((axis, place) => {
    if (axis.options || axis.fixed) return axis;
    const values = front.map(({ columns }) => columns[place]);
    return { ...axis, ...fitOf(sortedOf(...values), axis.log) };
  });
}

// Designs of a layout, and how many of them lie beyond the ends that are shown at first.
/** @typedef {{ layout: string, far: number, all: number }} FarDesigns */

// Layouts of which designs lie beyond the axes, those first that lie there with all they have: no reader shall miss them.
/** @param {AxisOptions[]} axes @param {MarkGroup[]} groups @returns {FarDesigns[]} */
export function farDesigns(axes, groups) {
  /** @type {Map<string, FarDesigns>} */
  const found = new Map();
  for (const { background, columns, label, meta, name } of groups) {
    if (background) continue;
    const layout = label ?? meta ?? name;
    const own = found.get(layout) ?? { layout, far: 0, all: 0 };
    found.set(layout, own);
    own.all += columns[0].length;
    for (let number = 0; number < columns[0].length; number += 1)
      own.far += Number(axes.some(({ bulk }, place) => bulk && isOutside(columns[place][number], bulk)));
  }
  const isWhole = (/** @type {FarDesigns} */ { far, all }) => Number(far === all);
  return [...found.values()].filter(({ far }) => far > 0).sort((one, other) => isWhole(other) - isWhole(one));
}

/** @param {number} value @param {Range} ends */
const isOutside = (value, [low, high]) => value < low || value > high;
