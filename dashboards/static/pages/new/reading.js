// Quantities as they are typed: a bare number is in the unit next to the field, anything else brings its own.
import { scaleOf, unitText } from "../format.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([A-Za-zµ°%][^]*)$/i;
const DIGITS = 10;

// How a field of some unit reads. `written` follows numbers in the file, empty for SI; `factor` takes SI values to it.
export function readingOf(unit, values) {
  const given = values.filter((value) => value !== undefined && value !== null && value !== "");
  const suffixes = new Set(given.map((value) => (typeof value === "string" ? suffixOf(value) : "")));
  const [common] = suffixes;
  if (suffixes.size === 1 && common) return { label: common === "deg" ? "°" : common, written: common, factor: null };
  if (typeof unit !== "string" || unit === "1") return { label: "", written: "", factor: 1 };
  const scale = scaleOf(given.filter(Number.isFinite), unit);
  const written = scale.factor === 1 ? "" : scale.unit.replace("°", "deg");
  return { label: scale.unit || unitText(unit), written, factor: scale.factor };
}

const suffixOf = (text) => QUANTITY.exec(text.trim())?.[2] ?? "";

// A value of the tree as text for a field.
export function shown(value, reading, digits = DIGITS) {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(Number((value * (reading.factor ?? 1)).toPrecision(digits)));
  if (typeof value !== "string") return listed(value);
  const found = QUANTITY.exec(value.trim());
  return found && found[2] === reading.written && reading.written ? found[1] : value;
}

// What was typed as a value of the tree; undefined for nothing.
export function typed(text, reading = { written: "" }) {
  const clean = text.trim().replace("\u2212", "-");
  if (!clean) return undefined;
  if (NUMBER.test(clean)) return reading.written ? `${clean} ${reading.written}` : Number(clean);
  if (/^[[{]/.test(clean)) return parsed(clean);
  if (clean === "true" || clean === "false") return clean === "true";
  return clean;
}

// What is no list or table yet stays a text, and the server says what is wrong with it.
function parsed(text) {
  try {
    return JSON.parse(text.replace(/,\s*([\]}])/g, "$1"));
  } catch {
    return text;
  }
}

// A list as JSON; one of lists or tables has a line for each.
export function listed(value) {
  const spaced = (item) => JSON.stringify(item, null, 1).replace(/([[{])\n\s*/g, "$1").replace(/\n\s*([\]}])/g, "$1").replace(/\n\s*/g, " ");
  const isDeep = Array.isArray(value) && value.some((item) => typeof item === "object");
  return isDeep ? `[\n${value.map((item) => `  ${spaced(item)}`).join(",\n")}\n]` : spaced(value);
}
