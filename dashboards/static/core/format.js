// Numbers for people: SI values with the unit that reads best. dashboards/formatting.py shows them by the same rules.
import rules from "./format.json" with { type: "json" };

export const MISSING = rules.missing;
const PREFIXES = /** @type {Record<string, [number, string][]>} */ (/** @type {unknown} */ (rules.prefixes));
const [LEAST, BEYOND] = rules.base_range;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const MINUS = "\u2212";
const GAP = "\u202f";

const RAISED = new Map([..."0123456789-."].map((sign, place) => [sign, `${SUPERSCRIPTS}⁻·`[place]]));
/** @param {string} digits */
export const raised = (digits) => [...digits].map((sign) => RAISED.get(sign)).join("");

// How values of one kind are shown: the SI value times `factor`, followed by `unit`.
/** @param {number[] | Float64Array} values @param {string} unit */
export function scaleOf(values, unit) {
  if (unit === "rad") return { factor: 180 / Math.PI, unit: "°" };
  let largest = 0;
  for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  const base = { factor: 1, unit: unitText(unit) };
  if (largest === 0 || (largest >= LEAST && largest < BEYOND)) return base;
  const found = (PREFIXES[unit] ?? []).find(([size]) => largest / size >= 1 && largest / size < BEYOND);
  return found ? { factor: 1 / found[0], unit: found[1] } : base;
}

// `digits` significant digits, thousands grouped, powers of ten spelled out.
/** @param {number | null | undefined} value */
export function number(value, digits = rules.digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return MISSING;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))));
  if (size >= -4 && size < 7) {
    const fixed = value.toFixed(Math.max(digits - 1 - size, 0));
    const [whole, decimals = ""] = fixed.split(".");
    const grouped = size >= 4 ? whole.replace(/\B(?=(\d{3})+$)/g, GAP) : whole;
    const trimmed = decimals.replace(/0+$/, "");
    return (trimmed ? `${grouped}.${trimmed}` : grouped).replace("-", MINUS);
  }
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return `${short}·10${raised(String(Number(exponent)))}`.replace("-", MINUS);
}

// Whole numbers in full.
/** @param {number | null | undefined} value */
export const count = (value) =>
  value === null || value === undefined ? MISSING : number(Math.round(value), 7);

// "1 design", "3 designs"
/** @param {number | null | undefined} value @param {string} one */
export const counted = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

// 0.123 -> "12 %"
/** @param {number} share */
export function percent(share) {
  const value = 100 * share;
  if (value !== 0 && Math.abs(value) < 0.1) return "under 0.1 %";
  return `${Math.abs(value) < 10 && value !== Math.round(value) ? value.toFixed(1) : value.toFixed(0)} %`;
}

/** @param {number | null | undefined} value @param {string} unit */
export function quantity(value, unit, digits = rules.digits) {
  if (value === null || value === undefined) return MISSING;
  const scale = scaleOf([value], unit);
  return withUnit(number(value * scale.factor, digits), scale.unit);
}

// Quantities that stand beside each other, in one unit.
/** @param {(number | null | undefined)[]} values @param {string} unit */
export function quantitiesAlike(values, unit) {
  const known = values.filter((value) => value !== null && value !== undefined);
  const scale = scaleOf(known, unit);
  return values.map((value) =>
    value === null || value === undefined ? MISSING : withUnit(number(value * scale.factor), scale.unit),
  );
}

// The degree sign follows its number at once, other units after a space.
/** @param {string} text @param {string} unit */
export function withUnit(text, unit) {
  if (!unit || text === MISSING) return text;
  return unit === "°" ? `${text}°` : `${text} ${unit}`;
}

/** @param {string} unit */
export function unitText(unit) {
  if (unit === "1" || !unit) return "";
  // There is no raised decimal point that reads well.
  const powers = unit.replace(/\s*(?:\*\*|\^)\s*(-?\d+(?:\.\d+)?)/g, (_, power) =>
    power.includes(".") ? `^${power}` : raised(power),
  );
  return powers.replaceAll("*", "·").replaceAll("deg", "°");
}

// Messages begin where the name of their place ends.
/** @param {string} text */
export const sentence = (text) =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

// A message with the place that it is about, if there is one.
/** @param {(string | number)[]} path @param {string} detail */
export const atPlace = (path, detail) => (path.length ? `${path.join(".")}: ${detail}` : detail);

const SHORT_KEY = 10; // as in studies/execution/evaluation_key.py

// The letters of a design's key by which people know it.
/** @param {string} key */
export const shortKey = (key) => key.slice(0, SHORT_KEY);

// The name of a metric or a setting as people say it. What a path to a number in a list is called comes from the
// server, as `labels` or `label`.
/** @param {string} name */
export const words = (name) => name.replaceAll(/[._]/g, " ");
/** @param {string} name @param {string} unit */
export const heading = (name, unit) => (unit ? `${words(name)} [${unit}]` : words(name));

// 75 -> "1 min 15 s"
/** @param {number | null | undefined} seconds */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return MISSING;
  if (seconds < 10) return `${number(seconds, 2)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return together([Math.floor(whole / 60), "min"], [whole % 60, "s"]);
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return together([Math.floor(minutes / 60), "h"], [minutes % 60, "min"]);
  const hours = Math.round(seconds / 3600);
  return together([Math.floor(hours / 24), "d"], [hours % 24, "h"]);
}

/** @param {...[value: number, unit: string]} parts */
const together = (...parts) =>
  parts
    .filter(([value]) => value)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(" ");

// 0.02 designs per second -> "1.2 per min"
/** @param {number | null | undefined} perSecond */
export function rate(perSecond) {
  if (perSecond === null || perSecond === undefined) return MISSING;
  if (perSecond >= 1) return `${number(perSecond, 3)} per s`;
  if (perSecond * 60 >= 1) return `${number(perSecond * 60, 3)} per min`;
  return `${number(perSecond * 3600, 3)} per h`;
}

/** @param {string} text */
export function moment(text) {
  return new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

// The time of the day.
/** @param {string} text */
export function clock(text) {
  return new Date(text).toLocaleTimeString(undefined, { timeStyle: "short" });
}

/** @param {string} text */
export function day(text) {
  return new Date(text).toLocaleDateString(undefined, { dateStyle: "medium" });
}

/** @type {Record<string, string>} */
export const BETTER = { minimize: "less is better", maximize: "more is better" };

// What a name means, as tooltips say it: "F2: the paper's stiffness objective; less is better".
/** @param {string} name @param {string} [meaning] @param {string} [sense] */
export function description(name, meaning = "", sense = "") {
  const parts = [meaning, BETTER[sense]].filter(Boolean);
  return parts.length ? `${name}: ${parts.join("; ")}` : "";
}

// A text for a tooltip: browsers cut long ones anywhere, so it ends with a sentence, or a word, before MOST letters.
const MOST = 400;

/** @param {string} text */
export function tooltipText(text) {
  if (text.length <= MOST) return text;
  const start = text.slice(0, MOST);
  const sentence = start.lastIndexOf(". ");
  return sentence > MOST / 2
    ? start.slice(0, sentence + 1)
    : `${start.slice(0, start.lastIndexOf(" "))}\u2026`;
}
