// Fields of the form. Each knows its place in the study, so that a fault can be shown at it.
/** @import { Place } from "./draft.js" */
/** @import { Attributes, Child, Listeners } from "../../core/types.js" */
import { h } from "../../core/dom.js";
import { scaleOf, unitText } from "../../core/format.js";
import { pointerOf } from "./draft.js";

/** @typedef {{ place: Place, label: string, hint?: string, tooltip?: string, after?: string, wide?: boolean }} FieldOptions */
// How a field of some unit reads, see `unitOfField`.
/** @typedef {{ label: string, written: string, factor: number | null }} Reading */

let count = 0;

// A labelled control, made by `control(attributes)`, with its unit `after` it and room for a fault.
/** @param {FieldOptions} options @param {(attributes: Attributes) => HTMLElement} control */
export function field({ place, label, hint = "", tooltip = "", after = "", wide = false }, control) {
  const id = `f${(count += 1)}`;
  const described = [after && `${id}-unit`, hint && `${id}-hint`, `${id}-fault`].filter(Boolean).join(" ");
  return h(
    "div",
    { class: wide ? "field wide" : "field", data: { pointer: pointerOf(place) } },
    h("label", { for: id, title: tooltip || null }, label),
    h(
      "span",
      { class: "entry" },
      control({ id, title: tooltip || null, aria: { describedby: described } }),
      after && h("span", { id: `${id}-unit`, class: "unit" }, after),
    ),
    hint && h("p", { id: `${id}-hint`, class: "hint" }, hint),
    h("p", { id: `${id}-fault`, class: "field-fault", hidden: true }),
  );
}

// onType(text) is called at each change, onChange(text) when the field is left.
/** @param {FieldOptions} options @param {{ onType?: (text: string) => void, onChange?: (text: string) => void, [name: string]: unknown }} control */
export function entry(options, { onType, onChange, ...settings }) {
  /** @type {Listeners<HTMLInputElement>} */
  const on = {};
  if (onType) on.input = (event) => onType(event.currentTarget.value);
  if (onChange) on.change = (event) => onChange(event.currentTarget.value);
  const plain = { type: "text", autocomplete: "off", spellcheck: "false" };
  return field(options, (attributes) => h("input", { ...plain, ...settings, ...attributes, on }));
}

/** @param {FieldOptions} options @param {{ onType: (text: string) => void, code?: boolean, rows?: number, [name: string]: unknown }} options */
export function area(options, { onType, code = false, rows = 3, ...settings }) {
  /** @type {Listeners<HTMLTextAreaElement>} */
  const on = {
    input: (event) => onType(event.currentTarget.value),
  };
  const kind = code ? { class: "code", spellcheck: "false" } : {};
  return field(options, (attributes) => h("textarea", { rows, ...kind, ...settings, ...attributes, on }));
}

// choices: [[value, text], ...]; values are texts.
/** @param {FieldOptions} options @param {{ value?: string, choices: string[][], onChange: (value: string) => void }} options */
export function choice(options, { value = "", choices, onChange }) {
  const known = choices.some(([key]) => key === value) ? choices : [...choices, [value, value]];
  return field(options, (attributes) => {
    const offered = known.map(([key, text]) => h("option", { value: key }, text));
    const select = h(
      "select",
      { ...attributes, on: { change: (event) => onChange(event.currentTarget.value) } },
      offered,
    );
    select.value = value;
    return select;
  });
}

// A part of the form that is folded until it is opened; it stays open when the form is drawn again.
const open = new Set();

/** @param {string} name @param {string} title @param {...Child} children */
export function folded(name, title, ...children) {
  const details = h("details", { class: "fold", open: open.has(name) }, h("summary", {}, title), children);
  details.addEventListener("toggle", () => (details.open ? open.add(name) : open.delete(name)));
  return details;
}

// A section of the form; faults in it that have no field are shown under its heading.
/** @param {string} title @param {Place | null} place @param {...Child} children */
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

/** @param {string} text @param {() => void} onClick @param {Attributes} [attributes] */
export const button = (text, onClick, attributes = {}) =>
  h("button", { type: "button", ...attributes, on: { click: onClick } }, text);

// Names to choose from, and a button that adds the chosen one.
/** @param {string} label @param {string} text @param {string[]} names @param {(name: string) => void} onAdd @param {(name: string) => string} tooltip */
export function adder(label, text, names, onAdd, tooltip) {
  const select = h(
    "select",
    { aria: { label } },
    names.map((name) => h("option", { value: name, title: tooltip(name) }, name)),
  );
  const describe = () => void (select.title = tooltip(select.value));
  select.addEventListener("change", describe);
  describe();
  const add = () => select.value && onAdd(select.value);
  return h("div", { class: "row add" }, select, button(text, add, { disabled: !names.length }));
}

// ------------------------------------------------------------------ quantities as they are typed

// Quantities as they are typed: a bare number is in the unit next to the field, anything else brings its own.
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([A-Za-zµ°%][^]*)$/i;
const DIGITS = 10;

// How a field of some unit reads. `written` follows numbers in the file, empty for SI; `factor` takes SI values to it.
/** @param {string | null | undefined} unit @param {unknown[]} values */
export function unitOfField(unit, values) {
  const given = values.filter((value) => value !== undefined && value !== null && value !== "");
  const suffixes = new Set(given.map((value) => (typeof value === "string" ? suffixOf(value) : "")));
  const [common] = suffixes;
  if (suffixes.size === 1 && common)
    return { label: common === "deg" ? "°" : common, written: common, factor: null };
  if (typeof unit !== "string" || unit === "1") return { label: "", written: "", factor: 1 };
  const numbers = given.filter((value) => typeof value === "number").filter(Number.isFinite);
  const scale = scaleOf(numbers, unit);
  const written = scale.factor === 1 ? "" : scale.unit.replace("°", "deg");
  return { label: scale.unit || unitText(unit), written, factor: scale.factor };
}

/** @param {string} text */
const suffixOf = (text) => QUANTITY.exec(text.trim())?.[2] ?? "";

// A value of the definition as text for a field.
/** @param {unknown} value @param {Reading} reading @param {number} [digits] */
export function formatValue(value, reading, digits = DIGITS) {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(Number((value * (reading.factor ?? 1)).toPrecision(digits)));
  if (typeof value !== "string") return formatList(value);
  const found = QUANTITY.exec(value.trim());
  return found && found[2] === reading.written && reading.written ? found[1] : value;
}

// The text of a field as a value of the definition; undefined for an empty field.
/** @param {string} text @param {Pick<Reading, "written">} [reading] */
export function parseValue(text, reading = { written: "" }) {
  const clean = text.trim().replace("\u2212", "-");
  if (!clean) return undefined;
  if (NUMBER.test(clean)) return reading.written ? `${clean} ${reading.written}` : Number(clean);
  if (/^[[{]/.test(clean)) return parseJson(clean);
  if (clean === "true" || clean === "false") return clean === "true";
  return clean;
}

// Text that is not yet a list or table stays text; the server reports what is wrong with it.
/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text.replace(/,\s*([\]}])/g, "$1"));
  } catch {
    return text;
  }
}

// A list as JSON; one of lists or tables has a line for each.
/** @param {unknown} value */
export function formatList(value) {
  /** @param {unknown} item */
  const spaced = (item) =>
    JSON.stringify(item, null, 1)
      .replace(/([[{])\n\s*/g, "$1")
      .replace(/\n\s*([\]}])/g, "$1")
      .replace(/\n\s*/g, " ");
  const isDeep = Array.isArray(value) && value.some((item) => typeof item === "object");
  return isDeep ? `[\n${value.map((item) => `  ${spaced(item)}`).join(",\n")}\n]` : spaced(value);
}
