// Fields of the form. Each knows its place in the study, so that a fault can be shown at it.
import { h } from "../../core/dom.js";
import { scaleOf, unitText } from "../../core/format.js";
import { pointerOf } from "./draft.js";

let count = 0;

// A labelled control, made by `control(attributes)`, with its unit `after` it and room for a fault.
export function field({ place, label, hint = "", after = "", wide = false }, control) {
  const id = `f${(count += 1)}`;
  const described = [after && `${id}-unit`, hint && `${id}-hint`, `${id}-fault`].filter(Boolean).join(" ");
  return h(
    "div",
    { class: wide ? "field wide" : "field", data: { pointer: pointerOf(place) } },
    h("label", { for: id }, label),
    h(
      "span",
      { class: "entry" },
      control({ id, aria: { describedby: described } }),
      after && h("span", { id: `${id}-unit`, class: "unit" }, after),
    ),
    hint && h("p", { id: `${id}-hint`, class: "hint" }, hint),
    h("p", { id: `${id}-fault`, class: "field-fault", hidden: true }),
  );
}

// onType(text) is called at each change, onChange(text) when the field is left.
/** @param {any} options @param {{ onType?: (text: string) => void, onChange?: (text: string) => void, [name: string]: any }} control */
export function entry(options, { onType, onChange, ...settings }) {
  const on = {};
  if (onType) on.input = (event) => onType(event.target.value);
  if (onChange) on.change = (event) => onChange(event.target.value);
  const plain = { type: "text", autocomplete: "off", spellcheck: "false" };
  return field(options, (attributes) => h("input", { ...plain, ...settings, ...attributes, on }));
}

export function area(options, { onType, code = false, rows = 3, ...settings }) {
  const on = { input: (event) => onType(event.target.value) };
  const kind = code ? { class: "code", spellcheck: "false" } : {};
  return field(options, (attributes) => h("textarea", { rows, ...kind, ...settings, ...attributes, on }));
}

// choices: [[value, text], ...]; values are texts.
export function choice(options, { value = "", choices, onChange }) {
  const known = choices.some(([key]) => key === value) ? choices : [...choices, [value, value]];
  return field(options, (attributes) => {
    const offered = known.map(([key, text]) => h("option", { value: key }, text));
    const select = h(
      "select",
      { ...attributes, on: { change: (event) => onChange(event.target.value) } },
      offered,
    );
    select.value = value;
    return select;
  });
}

// A part of the form that is folded until it is opened; it stays open when the form is drawn again.
const open = new Set();

export function folded(name, title, ...children) {
  const details = h("details", { class: "fold", open: open.has(name) }, h("summary", {}, title), children);
  details.addEventListener("toggle", () => (details.open ? open.add(name) : open.delete(name)));
  return details;
}

// A section of the form; faults in it that have no field are shown under its heading.
export function section(title, place, ...children) {
  const id = `s${(count += 1)}`;
  return h(
    "section",
    { class: "part", data: place ? { pointer: pointerOf(place) } : {}, aria: { labelledby: id } },
    h("h2", { id }, title),
    h("p", { class: "field-fault", hidden: true }),
    children,
  );
}

export const button = (text, onClick, attributes = {}) =>
  h("button", { type: "button", ...attributes, on: { click: onClick } }, text);

// Names to choose from, and a button that adds the chosen one.
export function adder(label, text, names, onAdd) {
  const select = h(
    "select",
    { aria: { label } },
    names.map((name) => h("option", { value: name }, name)),
  );
  const add = () => select.value && onAdd(select.value);
  return h("div", { class: "row add" }, select, button(text, add, { disabled: !names.length }));
}

// ------------------------------------------------------------------ quantities as they are typed

// Quantities as they are typed: a bare number is in the unit next to the field, anything else brings its own.
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([A-Za-zµ°%][^]*)$/i;
const DIGITS = 10;

// How a field of some unit reads. `written` follows numbers in the file, empty for SI; `factor` takes SI values to it.
export function unitOfField(unit, values) {
  const given = values.filter((value) => value !== undefined && value !== null && value !== "");
  const suffixes = new Set(given.map((value) => (typeof value === "string" ? suffixOf(value) : "")));
  const [common] = suffixes;
  if (suffixes.size === 1 && common)
    return { label: common === "deg" ? "°" : common, written: common, factor: null };
  if (typeof unit !== "string" || unit === "1") return { label: "", written: "", factor: 1 };
  const scale = scaleOf(given.filter(Number.isFinite), unit);
  const written = scale.factor === 1 ? "" : scale.unit.replace("°", "deg");
  return { label: scale.unit || unitText(unit), written, factor: scale.factor };
}

const suffixOf = (text) => QUANTITY.exec(text.trim())?.[2] ?? "";

// A value of the definition as text for a field.
export function formatValue(value, reading, digits = DIGITS) {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(Number((value * (reading.factor ?? 1)).toPrecision(digits)));
  if (typeof value !== "string") return formatList(value);
  const found = QUANTITY.exec(value.trim());
  return found && found[2] === reading.written && reading.written ? found[1] : value;
}

// The text of a field as a value of the definition; undefined for an empty field.
export function parseValue(text, reading = { written: "" }) {
  const clean = text.trim().replace("\u2212", "-");
  if (!clean) return undefined;
  if (NUMBER.test(clean)) return reading.written ? `${clean} ${reading.written}` : Number(clean);
  if (/^[[{]/.test(clean)) return parseJson(clean);
  if (clean === "true" || clean === "false") return clean === "true";
  return clean;
}

// Text that is not yet a list or table stays text; the server reports what is wrong with it.
function parseJson(text) {
  try {
    return JSON.parse(text.replace(/,\s*([\]}])/g, "$1"));
  } catch {
    return text;
  }
}

// A list as JSON; one of lists or tables has a line for each.
export function formatList(value) {
  const spaced = (item) =>
    JSON.stringify(item, null, 1)
      .replace(/([[{])\n\s*/g, "$1")
      .replace(/\n\s*([\]}])/g, "$1")
      .replace(/\n\s*/g, " ");
  const isDeep = Array.isArray(value) && value.some((item) => typeof item === "object");
  return isDeep ? `[\n${value.map((item) => `  ${spaced(item)}`).join(",\n")}\n]` : spaced(value);
}
