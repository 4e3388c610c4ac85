// What the address says of the view, read and written: selection, pins, axes, ranges.
/** @import { Column, KnownDesign, Study } from "./study.js" */
/** @import { Range } from "../../core/types.js" */
import { selection } from "../../core/url_state.js";
import { isMarkFiltered, MARK_FILTERS, markFilter } from "./annotations.js";

// How the front is drawn, along which columns, and whether the axes take in all evaluations.
/** @typedef {{ mode: "3d" | "2d" | "matrix", columns: Column[], logs: boolean[], whole: boolean }} AxesView */

export const MOST_PINS = 4;
export const LETTERS = "ABCD";

export const selected = () => ({ layout: selection.get().layout ?? "", key: selection.get().key ?? "" });
/** @param {string} layout @param {string} key */
export const select = (layout, key) => selection.set({ layout, key });

// Pinned designs, in the order of pinning: [{ layout, key }].
export function pins() {
  const written = (selection.get().pins ?? "").split(",").filter(Boolean);
  return written.slice(0, MOST_PINS).map((text) => {
    const [key, layout] = text.split(":").reverse();
    return { layout: layout ?? "", key };
  });
}

/** @param {Pick<KnownDesign, "layout" | "key">[]} list */
export function setPins(list) {
  selection.set({ pins: list.map(({ layout, key }) => `${layout}:${key}`).join(",") });
}

/** @param {string} layout @param {string} key */
export const isPinned = (layout, key) => pins().some((pin) => pin.key === key && pin.layout === layout);

// Says whether it was done: no more than MOST_PINS can be pinned.
/** @param {string} layout @param {string} key */
export function togglePin(layout, key) {
  const others = pins().filter((pin) => pin.key !== key || pin.layout !== layout);
  const pinned = isPinned(layout, key);
  if (!pinned && others.length >= MOST_PINS) return false;
  setPins(pinned ? others : [...others, { layout, key }]);
  return true;
}

// Ranges by column, in SI: Map of id to [low, high], open ends infinite.
export function brush() {
  /** @type {Map<string, Range>} */
  const found = new Map();
  for (const text of (selection.get().brush ?? "").split(",").filter(Boolean)) {
    const [high, low, ...name] = text.split(":").reverse();
    const ends = [low === "" ? -Infinity : Number(low), high === "" ? Infinity : Number(high)];
    if (name.length && !ends.some(Number.isNaN)) found.set(name.reverse().join(":"), ends);
  }
  return found;
}

/** @param {Iterable<[string, Range]>} ranges */
export function setBrush(ranges) {
  /** @param {number} value */
  const end = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(9))) : "");
  const kept = [...ranges].filter(([, [low, high]]) => Number.isFinite(low) || Number.isFinite(high));
  selection.set({ brush: kept.map(([id, [low, high]]) => `${id}:${end(low)}:${end(high)}`).join(",") });
}

/** @param {string} id @param {number} low @param {number} high */
export function setRange(id, low, high) {
  setBrush(new Map([...brush(), [id, [low, high]]]));
}

// The entries of the address that say which designs are shown.
export const FILTERS = ["brush", ...MARK_FILTERS];

// Which designs lie in all ranges, and are marked as the filter asks: a byte for each.
/** @param {Study} study */
export function inside(study) {
  const found = new Uint8Array(study.designs.length).fill(1);
  for (const [id, [low, high]] of brush()) {
    const column = study.column(id);
    if (!column) continue;
    // Ends in the address have nine digits; what lies on them counts as inside.
    const slack =
      1e-8 * Math.max(Math.abs(Number.isFinite(low) ? low : 0), Math.abs(Number.isFinite(high) ? high : 0));
    column.values.forEach((value, place) => {
      if (!(value >= low - slack && value <= high + slack)) found[place] = 0;
    });
  }
  if (!isMarkFiltered()) return found;
  const filter = markFilter();
  study.designs.forEach(({ key }, place) => {
    if (!study.annotations.matches(key, filter)) found[place] = 0;
  });
  return found;
}

// Axes of the front: how it is drawn, and which columns along which axis.
const MODES = { "3d": 3, "2d": 2, matrix: 5 };

const MODE_NAMES = /** @type {const} */ (["3d", "2d", "matrix"]);

/** @param {number} objectives */
const usualMode = (objectives) => (objectives > 3 ? "matrix" : objectives === 3 ? "3d" : "2d");

/** @param {Study} study @returns {AxesView} */
export function axes(study) {
  const { objectives } = study;
  const mode = MODE_NAMES.find((name) => name === selection.get().view) ?? usualMode(objectives.length);
  const count = mode === "matrix" ? Math.min(Math.max(objectives.length, 2), MODES.matrix) : MODES[mode];
  const known = study.columns.filter((column) => column.exists);
  const named = (selection.get().axes ?? "").split(",").map((id) => known.find((column) => column.id === id));
  const usual = [
    ...objectives.filter((column) => column.exists),
    ...known.filter((column) => column.role === "variable"),
    ...known,
  ];
  /** @type {Column[]} */
  const chosen = [];
  const most = mode === "matrix" && named.some(Boolean) ? named.length : count;
  for (let place = 0; place < most; place += 1) {
    chosen.push(
      named[place] ?? usual.find((column) => !chosen.includes(column) && !named.includes(column)) ?? usual[0],
    );
  }
  const columns = chosen.filter(Boolean);
  const logs = columns.map((column) => mode !== "matrix" && isLog(column));
  return { mode, columns, logs, whole: selection.get().range === "all" };
}

// The designs are shown as lines over variables and objectives, in place of the front.
export const areLinesShown = () => selection.get().view === "lines";

// A logarithmic axis needs values above zero.
/** @param {Column} column */
export const canBeLog = (column) => !column.options && column.range !== null && column.range[0] > 0;

// What the address says of logarithmic axes: the names of their columns, and, after a minus, those of others. Without, the
// values decide.
const statedLogs = () => (selection.get().log ?? "").split(",").filter(Boolean);

/** @param {Column} column */
function isLog(column) {
  const stated = statedLogs();
  if (!canBeLog(column) || stated.includes(`-${column.id}`)) return false;
  return stated.includes(column.id) || column.decades;
}

/** @param {string} id @param {boolean} isLog */
export function setLog(id, isLog) {
  const others = statedLogs().filter((one) => one !== id && one !== `-${id}`);
  selection.set({ log: [...others, isLog ? id : `-${id}`].join(","), zoom: null });
}

// ------------------------------------------------------------------ zoom

// The part of a plane that is looked at, as the address says it: ends of both axes in SI, "low:high,low:high".
const DIGITS = 6;

// Of ranges as they are drawn; null where everything is shown.
/** @param {Column[]} columns @param {Range[] | null | undefined} ranges */
export function zoomText(columns, ranges) {
  if (!ranges) return null;
  return ranges
    .map((ends, place) =>
      ends.map((end) => Number((end / columns[place].scale.factor).toPrecision(DIGITS))).join(":"),
    )
    .join(",");
}

// The ranges of both axes, as they are drawn; null of another text.
/** @param {Column[]} columns @param {string | undefined} text */
export function zoomOf(columns, text) {
  const ranges = (text ?? "").split(",").map((ends) => ends.split(":").map(Number));
  if (
    ranges.length !== 2 ||
    ranges.some((ends) => ends.length !== 2 || ends.some((end) => !Number.isFinite(end)))
  )
    return null;
  return ranges.map((ends, place) => ends.map((end) => end * columns[place].scale.factor));
}
