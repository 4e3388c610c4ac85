// The variables: ranges, whole numbers or options; for all layouts, or for one.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place, Tree } from "./draft.js" */
import { h } from "../../core/dom.js";
import { pointerOf } from "./draft.js";
import { button, choice, entry, folded, parseValue, unitOfField } from "./fields.js";
import { valueAt } from "../../core/parameters.js";
import { drives } from "./linked.js";
import { parameterName } from "./names.js";
import { range } from "./ranges.js";

const KINDS = [
  ["real", "range"],
  ["integer", "whole numbers"],
  ["options", "options"],
];
const AROUND = 0.2;
const ROUND = 3;
const DEGREES = 180 / Math.PI;

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
    ...around(model, path, valueOf(draft, model, scope, path)),
    ...(integer && { type: "integer" }),
  });
  draft.reshape(() => {
    draft.set([...scope, "parameters", path], undefined);
    draft.set([...scope, "variables", path], options.length ? { options } : range());
  });
}

// Paths that can vary: parameters, and the numbers in those that are lists of numbers or of points.
/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} name @returns {string[]} */
export function pathsOf(draft, model, scope, name) {
  const base = valueOf(draft, model, scope, name);
  if (!Array.isArray(base)) return varies(model, name) ? [name] : [];
  const paths = base.flatMap((one, at) =>
    Array.isArray(one) ? one.map((_, inside) => `${name}.${at}.${inside}`) : [`${name}.${at}`],
  );
  return paths.filter((path) => varies(model, path));
}

// The range or the options of one variable, in the cell of its layout.
/** @param {Draft} draft @param {Model} model @param {Place} place */
export function variable(draft, model, place) {
  const path = place[place.length - 1];
  const value = draft.get(...place) ?? {};
  const known = model.field(path);
  const name = parameterName(model, path);
  const kind = value.options !== undefined ? "options" : (value.type ?? "real");
  const remove = () => draft.reshape(() => draft.set(place, undefined));
  /** @param {string} to */
  const onTurn = (to) => turn(draft, model, place, to);
  return h(
    "div",
    {
      class: "variable",
      role: "group",
      aria: { label: `Variable ${name}` },
      data: { pointer: pointerOf(place) },
    },
    kind === "options" ? options(draft, place, value) : range(draft, place, name, known),
    h("p", { class: "field-fault", hidden: true }),
    folded(
      `variable ${pointerOf(place)}`,
      "More",
      choice({ place: [...place, "type"], label: "Kind" }, { value: kind, choices: KINDS, onChange: onTurn }),
      drives(draft, model, place),
    ),
    button("", remove, {
      data: { icon: "close" },
      class: "remove",
      title: "Fix it again",
      aria: { label: `Remove variable ${name}` },
    }),
  );
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
    { place: [...place, "options"], label: "Between semicolons", wide: true },
    { value: text, onType: (words) => draft.set([...place, "options"], read(words)) },
  );
}

// Another kind of the same variable, which keeps its ends where it has any.
/** @param {Draft} draft @param {Model} model @param {Place} place @param {string} kind */
function turn(draft, model, place, kind) {
  const { lower, upper } = draft.get(...place);
  const path = place[place.length - 1];
  const scope = place.slice(0, -2);
  const ends =
    lower === undefined ? around(model, path, valueOf(draft, model, scope, path)) : { lower, upper };
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

// What a parameter is in a layout: its own value, that of the study, or that of the preset.
/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} path @returns {unknown} */
function valueOf(draft, model, scope, path) {
  const [name, ...inside] = path.split(".");
  const own = draft.get(...scope, "parameters", name) ?? draft.get("parameters", name);
  return own === undefined ? model.base(path, presetOf(draft, scope)) : valueAt(own, inside);
}

// A layout's preset takes precedence over the study's.
/** @param {Draft} draft @param {Place} scope */
export const presetOf = (draft, scope) => draft.get(...scope, "preset") ?? draft.get("preset");

// The initial range: 45 degrees to either side for angles, else a fifth of the value, within the back-end's bounds.
/** @param {Model} model @param {string} path @param {unknown} base */
function around(model, path, base) {
  const { unit, integer, schema } = model.field(path) ?? { schema: {} };
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
