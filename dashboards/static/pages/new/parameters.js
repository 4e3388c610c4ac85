// The parameters that the study sets; all others have the value of the preset or of the back-end.
/** @import { FieldOptions, Reading } from "./fields.js" */
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place } from "./draft.js" */
/** @import { Field, Listeners } from "../../core/types.js" */
import { findAll, h } from "../../core/dom.js";
import { unitText } from "../../core/format.js";
import { parameterGroups } from "../../core/parameters.js";
import { isTable } from "./draft.js";
import {
  area,
  button,
  choice,
  entry,
  field,
  folded,
  formatList,
  formatValue,
  parseValue,
  section,
  unitOfField,
} from "./fields.js";
import { addVariable, varies } from "./variables.js";

const WHAT =
  "An empty field keeps the preset's value, shown in grey. You can write a unit after a number: 5 mm, 30 deg, 1.2 kN.";

/** @param {Draft} draft @param {Model} model */
export function parameters(draft, model) {
  const others = Object.keys(draft.get("parameters") ?? {}).filter((path) => !(path in model.fields));
  return section(
    "Parameters",
    ["parameters"],
    h("p", { class: "quiet small" }, WHAT),
    h("div", { class: "fields" }, presetChoice(draft, model, []), finder()),
    others.length > 0 &&
      h(
        "div",
        { class: "rows" },
        others.map((path) => line(draft, model, [], path)),
      ),
    parameterGroups(model).map(([title, names]) => group(draft, model, title, names)),
  );
}

/** @param {Draft} draft @param {Model} model @param {string} title @param {string[]} names */
function group(draft, model, title, names) {
  const set = names.filter((name) => draft.get("parameters", name) !== undefined).length;
  const lines = names.map((name) => line(draft, model, [], name));
  return folded(
    `parameters ${title}`,
    set ? `${title} (${set} set)` : title,
    h("div", { class: "rows" }, lines),
  );
}

/** @param {Draft} draft @param {Model} model @param {Place} scope */
export function presetChoice(draft, model, scope) {
  const place = [...scope, "preset"];
  const now = draft.get(...place) ?? "";
  const unset = scope.length ? "as for all layouts" : "none: the back-end's own values";
  const choices = [["", unset], ...model.presets.map(({ preset }) => [preset, preset])];
  /** @param {string} value */
  const onChange = (value) => draft.reshape(() => draft.set(place, value || undefined));
  return choice(
    { place, label: "Preset", hint: model.preset(now)?.description },
    { value: now, choices, onChange },
  );
}

// One parameter; one that a layout sets, or that is no parameter by itself, can be removed, others can vary.
/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} path */
export function line(draft, model, scope, path) {
  const known = model.field(path);
  const own = scope.length > 0 || !(path in model.fields);
  const remove = () => draft.reshape(() => draft.set([...scope, "parameters", path], undefined));
  const vary = () => addVariable(draft, model, scope, path);
  const canVary = !own && varies(model, path) && !draft.get("variables", path);
  return h(
    "div",
    { class: "line", data: { search: `${path} ${known?.description ?? ""}`.toLowerCase() } },
    parameter(draft, model, scope, path, known),
    own && button("Remove", remove, { aria: { label: `Remove ${path}` } }),
    canVary && button("Vary", vary, { aria: { label: `Vary ${path}` } }),
  );
}

function finder() {
  /** @type {Listeners<HTMLInputElement>} */
  const on = {
    input: ({ currentTarget: input }) => {
      const part = input.closest("section");
      if (part) narrow(part, input.value.trim().toLowerCase());
    },
  };
  return field({ place: ["", "find"], label: "Find a parameter" }, (attributes) =>
    h("input", { type: "search", placeholder: "name or meaning", ...attributes, on }),
  );
}

/** @param {HTMLElement} part @param {string} text */
function narrow(part, text) {
  for (const fold of findAll(part, ".fold", HTMLDetailsElement)) {
    const lines = findAll(fold, ".line");
    lines.forEach((one) => (one.hidden = !one.dataset.search?.includes(text)));
    fold.hidden = lines.every((one) => one.hidden);
    // What was folded before the search is folded again after it.
    if (text) {
      fold.dataset.before ??= fold.open ? "open" : "";
      fold.open = !fold.hidden;
    } else if (fold.dataset.before !== undefined) {
      fold.open = fold.dataset.before === "open";
      delete fold.dataset.before;
    }
  }
}

// ------------------------------------------------------------------ one parameter

// One parameter: its value in a readable unit; the placeholder shows its default.
const OWN = "own value";
const READABLE = 5;
const SI = unitOfField("1", []);
const BY_LAYOUT = "as in each layout";

/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} path @param {Field | null} known */
function parameter(draft, model, scope, path, known) {
  const place = [...scope, "parameters", path];
  const options = { place, label: path, hint: known?.description };
  if (draft.get(...scope, "variables", path) ?? draft.get("variables", path)) return varied(options);
  const value = draft.get(...place);
  const bases = basesOf(draft, model, scope, path);
  const isOne = bases.every((base) => same(base, bases[0], SI));
  const named = known?.form === "choice" || (known?.form === "named" && typeof value !== "object");
  if (named)
    return ofNames(draft, options, known, {
      value,
      base: bases[0],
      unset: isOne ? `not set: ${word(bases[0])}` : BY_LAYOUT,
    });
  const stands = value ?? bases[0];
  const reading =
    typeof stands === "object" || known?.form !== "number" ? plain(known) : unitOfField(known.unit, [stands]);
  /** @param {string} text */
  const onType = (text) => draft.set(place, stated(parseValue(text, reading), bases, reading));
  if (isTable(stands) || isTable(stands?.[0]) || Array.isArray(stands?.[0])) {
    const placeholder = isOne ? textOf(bases[0]) : BY_LAYOUT;
    return area(
      { ...options, wide: true },
      { value: textOf(value), placeholder, rows: 4, code: true, onType },
    );
  }
  const placeholder = isOne ? formatValue(bases[0], reading, READABLE) || "not set" : BY_LAYOUT;
  return entry(
    { ...options, after: reading.label },
    { value: formatValue(value, reading), placeholder, onType },
  );
}

// The default of a parameter: one value for each layout that it applies to.
/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} path */
function basesOf(draft, model, scope, path) {
  const layouts = Object.values(draft.get("layouts") ?? {});
  const concerned = scope.length ? [draft.get(...scope)] : layouts.length ? layouts : [{}];
  return concerned.map(({ preset }) => model.base(path, preset ?? draft.get("preset")));
}

/** @param {FieldOptions} options */
const varied = (options) =>
  field(options, (attributes) =>
    h("input", { type: "text", value: "varies, see Variables", disabled: true, ...attributes }),
  );

// Lists and texts are written as they are; numbers in them are SI.
/** @param {Field | null} known */
const plain = (known) => ({
  label: typeof known?.unit === "string" ? unitText(known.unit) : "",
  written: "",
  factor: 1,
});

/** @param {unknown} value */
const textOf = (value) =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : formatList(value);

// A choice of named values; "own value", where allowed, opens a field for it.
/** @param {Draft} draft @param {FieldOptions} options @param {Field} known @param {{ value: unknown, base: unknown, unset: string }} options */
function ofNames(draft, options, known, { value, base, unset }) {
  const { place } = options;
  const choices = [["", unset], ...known.options.map((option) => [JSON.stringify(option), word(option)])];
  if (known.form === "named") choices.push([OWN, "a value of its own"]);
  /** @param {string} text */
  const onChange = (text) => {
    if (text === OWN)
      draft.reshape(() => draft.set(place, typeof base === "object" ? structuredClone(base) : {}));
    else draft.set(place, text ? JSON.parse(text) : undefined);
  };
  return choice(options, { value: value === undefined ? "" : JSON.stringify(value), choices, onChange });
}

/** @param {unknown} value */
function word(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === undefined || value === null) return "none";
  return typeof value === "object" ? "a value of its own" : String(value);
}

// The value to write into the study: none where it equals the default.
/** @param {unknown} value @param {unknown[]} bases @param {Reading} reading */
const stated = (value, bases, reading) =>
  bases.every((base) => same(value, base, reading)) ? undefined : value;

/** @param {unknown} value @param {unknown} base @param {Reading} reading */
function same(value, base, reading) {
  if (typeof value === "object" || typeof base === "object")
    return JSON.stringify(value) === JSON.stringify(base);
  if (typeof value !== "string" || typeof base !== "number") return value === base;
  return reading.factor !== null && formatValue(value, reading) === formatValue(base, reading);
}
