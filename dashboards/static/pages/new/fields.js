// Fields of the form. Each knows its place in the study, so that a fault can be shown at it.
/** @import { Place } from "./draft.js" */
/** @import { Attributes, Child, Listeners } from "../../core/types.js" */
import { h, replace } from "../../core/dom.js";
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
    hint && h("p", { id: `${id}-hint`, class: "hint", tabindex: -1 }, hint),
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

// Rows whose long texts are seen whole, by their names. They stay so: one that became lower would move what is pressed.
/** @type {Set<string | undefined>} */
const whole = new Set();

/** @param {string} kind @param {string} name */
export const rowClass = (kind, name) => (whole.has(name) ? `${kind} whole` : kind);

// Show the texts of a row whole when something in it, or a text itself, has the focus.
/** @param {FocusEvent} event */
export function showWhole({ target }) {
  const row = target instanceof Element ? (target.closest(".goal") ?? target.closest(".line")) : null;
  if (!(row instanceof HTMLElement)) return;
  row.classList.add("whole");
  whole.add(row.dataset.goal ?? row.dataset.path);
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

// ------------------------------------------------------------------ steps

// The steps of the form, of which one is open: the browser closes the others. It stays open when the form is drawn again.
let current = "robot";

/** @typedef {{ name: string, number: number, title: string, chosen: string, next?: [string, string] }} StepOptions */

// A step with what was `chosen` in it, which is seen while it is folded, and the way to the `next` one.
/** @param {StepOptions} options @param {...Child} children */
export function step({ name, number, title, chosen, next }, ...children) {
  const details = h(
    "details",
    { class: "step", name: "step", open: current === name, data: { step: name } },
    h(
      "summary",
      {},
      h("h2", {}, h("span", { class: "which" }, `${number} `), title),
      h("span", { class: "gist" }, chosen),
      h("span", { class: "bad", hidden: true }),
    ),
    h(
      "div",
      { class: "inside" },
      children,
      next && button(`Next: ${next[1]}`, () => openStep(details, next[0]), { class: "main next" }),
    ),
  );
  details.addEventListener("toggle", () => {
    if (!details.isConnected) return;
    if (details.open) current = name;
    else if (current === name) current = "";
  });
  return details;
}

/** @param {HTMLElement} from @param {string} name */
function openStep(from, name) {
  const step = from.parentElement?.querySelector(`[data-step=${name}]`);
  if (!(step instanceof HTMLDetailsElement)) return;
  current = name;
  step.open = true;
  step.querySelector("summary")?.focus({ preventScroll: true });
  step.scrollIntoView({ block: "start" });
}

export const beginSteps = () => (current = "robot");

// ------------------------------------------------------------------ search in a list

/** @typedef {{ key: string, title: string, note?: string, tooltip?: string }} Found */
const MOST = 12;

// A field that searches names and meanings; `onPick` takes the chosen one. Enter takes the first.
/** @param {{ place: Place, label: string, placeholder?: string, items: () => Found[], onPick: (key: string) => void }} options */
export function finder({ place, label, placeholder = "name or meaning", items, onPick }) {
  const list = h("ul", { class: "found", hidden: true });
  const count = h("p", { class: "hint", role: "status" });
  /** @param {string} text @param {boolean} [all] */
  const search = (text, all = false) => {
    const typed = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const begins = (/** @type {Found} */ item) =>
      item.title.toLowerCase().startsWith(typed[0] ?? "") ? 0 : 1;
    const known = items();
    /** @param {Found} item */
    const fits = ({ key, title, note }) => {
      const words = `${title} ${key} ${note}`.toLowerCase();
      return typed.length > 0 && typed.every((word) => words.includes(word));
    };
    const found = known.filter(fits).sort((one, other) => begins(one) - begins(other));
    const shown = all ? known : found.slice(0, MOST);
    replace(list, shown.map(option));
    list.hidden = !shown.length;
    count.textContent = typed.length && found.length !== shown.length ? `${MOST} of ${found.length}` : "";
    if (typed.length && !found.length) count.textContent = "Nothing has this name or meaning.";
  };
  /** @param {Found} item */
  const option = ({ key, title, note, tooltip }) =>
    h(
      "li",
      {},
      button(title, () => onPick(key), { class: "link", title: tooltip, data: { pick: key } }),
      note && h("span", { class: "note" }, note),
    );
  /** @type {Listeners<HTMLInputElement>} */
  const on = {
    input: ({ currentTarget }) => search(currentTarget.value),
    keydown: (event) => {
      if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
      list.querySelector("button")?.click();
    },
  };
  return h(
    "div",
    { class: "finder" },
    field({ place, label }, (attributes) => h("input", { type: "search", placeholder, ...attributes, on })),
    button("List all", () => (list.hidden ? search("", true) : search("")), {
      aria: { label: `List all: ${label}` },
    }),
    count,
    list,
  );
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
