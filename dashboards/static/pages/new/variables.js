// The variables: ranges, whole numbers or options; for all layouts, or for one.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place, Tree } from "./draft.js" */
import { h } from "../../core/dom.js";
import { renameKey } from "./draft.js";
import { adder, button, choice, entry, formatValue, parseValue, unitOfField } from "./fields.js";
import { drives } from "./linked.js";

const KINDS = [
  ["real", "range"],
  ["integer", "whole numbers"],
  ["options", "options"],
];
const AROUND = 0.2;
const ROUND = 3;
const DEGREES = 180 / Math.PI;

/** @param {Draft} draft @param {Model} model @param {Place} [scope] */
export function variables(draft, model, scope = []) {
  const table = draft.get(...scope, "variables") ?? {};
  const rows = Object.keys(table).map((path) => variable(draft, model, [...scope, "variables", path]));
  const free = model.names.filter((name) => !(name in table) && varies(model, startOf(model, name)));
  /** @param {string} name */
  const add = (name) => addVariable(draft, model, scope, startOf(model, name));
  return [
    rows.length > 0 && h("div", { class: "items" }, rows),
    adder("Parameter to vary", "Add variable", free, add, (path) => model.tooltip(path)),
  ];
}

// Whether a parameter, or a coordinate of it, can be given a range or options.
/** @param {Model} model @param {string} path */
export function varies(model, path) {
  if (model.field(path)?.schema.numerical) return false; // a setting of the computation
  const known = model.field(path);
  if (!known || known.form === "list") return false;
  return known.options.length > 0 || typeof (model.base(path, model.presets[0]?.preset) ?? 0) === "number";
}

/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} path */
export function addVariable(draft, model, scope, path) {
  const { options = [], integer = false } = model.field(path) ?? {};
  const range = () => ({
    ...around(model, path, presetOf(draft, scope)),
    ...(integer && { type: "integer" }),
  });
  draft.reshape(() => {
    draft.set([...scope, "parameters", path], undefined);
    draft.set([...scope, "variables", path], options.length ? { options } : range());
  });
}

/** @param {Draft} draft @param {Model} model @param {Place} place */
function variable(draft, model, place) {
  const path = place[place.length - 1];
  const value = draft.get(...place);
  const known = model.field(path);
  const kind = value.options !== undefined ? "options" : (value.type ?? "real");
  /** @param {string} text */
  const onRename = (text) => {
    const name = text.trim();
    if (name && name !== path) draft.reshape((definition) => renameKey(definition, place, name));
  };
  const remove = () => draft.reshape(() => draft.set(place, undefined));
  /** @param {string} to */
  const onTurn = (to) => turn(draft, model, place, to);
  return h(
    "div",
    { class: "item", role: "group", aria: { label: `Variable ${path}` } },
    h(
      "div",
      { class: "fields tight" },
      entry({ place, label: "Parameter" }, { value: path, list: "parameters", onChange: onRename }),
      choice({ place: [...place, "type"], label: "Kind" }, { value: kind, choices: KINDS, onChange: onTurn }),
      kind === "options" ? options(draft, place, value) : range(draft, place, value, known?.unit),
      drives(draft, model, place),
    ),
    button("Remove", remove, { aria: { label: `Remove variable ${path}` } }),
    known && h("p", { class: "hint" }, known.description),
  );
}

/** @param {Draft} draft @param {Place} place @param {Tree} value @param {string | undefined} unit */
function range(draft, place, value, unit) {
  const reading = unitOfField(unit, [value.lower, value.upper]);
  /** @param {string} key @param {string} label */
  const end = (key, label) => {
    /** @param {string} text */
    const onType = (text) => draft.set([...place, key], parseValue(text, reading));
    return entry(
      { place: [...place, key], label, after: reading.label },
      { value: formatValue(value[key], reading), onType },
    );
  };
  return [end("lower", "From"), end("upper", "To")];
}

/** @param {Draft} draft @param {Place} place @param {Tree} value */
function options(draft, place, value) {
  const given = Array.isArray(value.options) ? value.options : [];
  const text = given
    .map((/** @type {unknown} */ option) => (typeof option === "string" ? option : JSON.stringify(option)))
    .join("; ");
  /** @param {string} words */
  const read = (words) =>
    words
      .split(";")
      .map((word) => parseValue(word))
      .filter((item) => item !== undefined);
  return entry(
    { place: [...place, "options"], label: "Options, between semicolons", wide: true },
    { value: text, onType: (words) => draft.set([...place, "options"], read(words)) },
  );
}

// Another kind of the same variable, which keeps its ends where it has any.
/** @param {Draft} draft @param {Model} model @param {Place} place @param {string} kind */
function turn(draft, model, place, kind) {
  const { lower, upper } = draft.get(...place);
  const path = place[place.length - 1];
  const scope = place.slice(0, -2);
  const ends = lower === undefined ? around(model, path, presetOf(draft, scope)) : { lower, upper };
  const known = model.field(path)?.options ?? [];
  const base = model.base(path, model.presets[0]?.preset) ?? 0;
  /** @type {Record<string, Tree>} */
  const next = {
    real: ends,
    integer: { ...ends, type: "integer" },
    options: { options: known.length ? known : [base] },
  };
  const kept = draft.get(...place, "drives");
  draft.reshape(() => draft.set(place, { ...next[kind], ...(kept && { drives: kept }) }));
}

// A list varies in one coordinate; which one is written in its path.
/** @param {Model} model @param {string} name */
function startOf(model, name) {
  const base = model.base(name, model.presets[0]?.preset);
  if (!Array.isArray(base)) return name;
  return Array.isArray(base[0]) ? `${name}.0.0` : `${name}.0`;
}

// A layout's preset takes precedence over the study's.
/** @param {Draft} draft @param {Place} scope */
const presetOf = (draft, scope) => draft.get(...scope, "preset") ?? draft.get("preset");

// The initial range: 45 degrees to either side for angles, else a fifth of the value, within the back-end's bounds.
/** @param {Model} model @param {string} path @param {string | undefined} preset */
function around(model, path, preset) {
  const { unit, integer, schema } = model.field(path) ?? { schema: {} };
  const base = model.base(path, preset);
  const middle = typeof base === "number" ? base : 0;
  if (unit === "rad") {
    const [least, greatest] = [schema.minimum ?? -Infinity, schema.maximum ?? Infinity].map(
      (end) => end * DEGREES,
    );
    const round = Math.round(middle * DEGREES);
    return {
      lower: `${Math.max(round - 45, Math.ceil(least))} deg`,
      upper: `${Math.min(round + 45, Math.floor(greatest))} deg`,
    };
  }
  const spread = Math.abs(middle) * AROUND || 1;
  const lower = Math.max(middle - spread, schema.minimum ?? -Infinity);
  const upper = Math.min(middle + spread, schema.maximum ?? Infinity);
  if (integer) return { lower: Math.floor(lower), upper: Math.ceil(upper) };
  const reading = unitOfField(unit, [lower, upper]);
  /** @param {number} value */
  const written = (value) =>
    parseValue(String(Number((value * (reading.factor ?? 1)).toPrecision(ROUND))), reading);
  return { lower: written(lower), upper: written(upper) };
}
