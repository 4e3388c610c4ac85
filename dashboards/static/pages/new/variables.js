// The variables: ranges, whole numbers or options; for all layouts, or for one.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place, Tree } from "./draft.js" */
import { h } from "../../core/dom.js";
import { pointerOf } from "./draft.js";
import { button, choice, entry, folded, formatValue, parseValue, unitOfField } from "./fields.js";
import { valueAt } from "../../core/parameters.js";
import { drives } from "./linked.js";
import { parameterName } from "./names.js";
import { range } from "./ranges.js";

const KINDS = [
  ["real", "range"],
  ["log", "range over decades"],
  ["step", "in steps"],
  ["integer", "whole numbers"],
  ["options", "options"],
];
const AROUND = 0.2;
const ROUND = 3;
const DEGREES = 180 / Math.PI;
const SIDE = Math.PI / 4;

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
  const kind = kindOf(value);
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
    kind === "options" ? options(draft, place, value) : range(draft, place, name, model),
    h("p", { class: "field-fault", hidden: true }),
    folded(
      `variable ${pointerOf(place)}`,
      "More",
      choice({ place: [...place, "type"], label: "Kind" }, { value: kind, choices: KINDS, onChange: onTurn }),
      condition(draft, place),
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

/** @param {Tree} value */
function kindOf(value) {
  if (value.options !== undefined) return "options";
  if (value.step !== undefined) return "step";
  return value.scale === "log" ? "log" : (value.type ?? "real");
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

// The values of other variables at which this one acts.
/** @param {Draft} draft @param {Place} place */
function condition(draft, place) {
  const given = draft.get(...place, "when");
  const text = Object.entries(given ?? {})
    .map(([name, values]) => `${name} = ${[values].flat().join(", ")}`)
    .join("; ");
  /** @param {string} words */
  const read = (words) => {
    const parts = words.split(";").map((part) => part.split("="));
    const named = parts.filter(([name]) => name.trim());
    return named.map(([name, values = ""]) => {
      const all = values.split(",").map((one) => parseValue(one));
      return [name.trim(), all.length > 1 ? all : (all[0] ?? "")];
    });
  };
  return entry(
    { place: [...place, "when"], label: "Acts only where", wide: true },
    {
      value: text,
      placeholder: "kind = belt, gear; stages = 2",
      onType: (words) =>
        draft.set([...place, "when"], words.trim() ? Object.fromEntries(read(words)) : undefined),
    },
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
    log: { ...ends, scale: "log" },
    step: { ...ends, step: tenth(ends, model.field(path)?.unit) },
    integer: { ...ends, type: "integer" },
    options: { options: known.length ? known : [base] },
  };
  const { drives: driven, when } = draft.get(...place);
  const kept = { ...(driven && { drives: driven }), ...(when && { when }) };
  draft.reshape(() => draft.set(place, { ...next[kind], ...kept }));
}

// Ten steps from end to end, in the unit in which the ends are written.
/** @param {{ lower: Tree, upper: Tree }} ends @param {string | undefined} unit */
function tenth({ lower, upper }, unit) {
  const reading = unitOfField(unit, [lower, upper]);
  const [least, most] = [lower, upper].map((end) => Number(formatValue(end, reading)));
  return Number.isFinite(most - least)
    ? parseValue(String(Number(((most - least) / 10).toPrecision(12))), reading)
    : undefined;
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

// The initial range of a variable, within the back-end's bounds: 45 degrees to either side for angles, else a fifth of
// the value. Of one without a value: what its field says is usual, else what a published robot has.
/** @param {Model} model @param {string} path @param {unknown} base */
export function around(model, path, base) {
  const { unit, integer } = model.field(path) ?? {};
  const { least, most, open } = model.bounds(path);
  const [lower, upper] = inside(ends(model, path, base), { least, most, open });
  if (integer)
    return {
      lower: Math.max(Math.floor(lower), Math.ceil(least)),
      upper: Math.min(Math.ceil(upper), Math.floor(most)),
    };
  if (unit === "rad") {
    const [from, to] = [Math.ceil(least * DEGREES), Math.floor(most * DEGREES)];
    return {
      lower: `${Math.max(Math.round(lower * DEGREES), from)} deg`,
      upper: `${Math.min(Math.round(upper * DEGREES), to)} deg`,
    };
  }
  const reading = unitOfField(unit, [lower, upper]);
  const factor = reading.factor ?? 1;
  /** @param {number} value */
  const written = (value) => {
    const short = Number((value * factor).toPrecision(ROUND));
    const isInside = short / factor >= least && short / factor <= most;
    return parseValue(String(isInside ? short : value * factor), reading);
  };
  return { lower: written(lower), upper: written(upper) };
}

// Ends of a range before bounds count.
/** @param {Model} model @param {string} path @param {unknown} base @returns {[number, number]} */
function ends(model, path, base) {
  const { unit, schema } = model.field(path) ?? {};
  /** @param {unknown} value */
  const says = (value) => typeof value === "number" && value !== 0;
  if (unit === "rad") return [Number(base ?? 0) - SIDE, Number(base ?? 0) + SIDE];
  if (!says(base) && schema?.usual) return schema.usual;
  const { least, most } = model.bounds(path);
  const published = [base, ...model.presets.map(({ preset }) => model.base(path, preset))].find(says);
  const middle = Number(published ?? (least > 0 ? Math.sqrt(least * most) : 0));
  const spread = Number.isFinite(middle) && middle ? Math.abs(middle) * AROUND : 1;
  return Number.isFinite(middle) ? [middle - spread, middle + spread] : [least, least + spread];
}

// A range within bounds; from an end that no value may reach it keeps a tenth of its width.
/** @param {[number, number]} ends @param {{ least: number, most: number, open: boolean[] }} bounds */
function inside([from, to], { least, most, open }) {
  const [lower, upper] = [Math.max(from, least), Math.min(to, most)];
  const margin = (upper - lower) / 10;
  return [
    open[0] && lower <= least ? least + margin : lower,
    open[1] && upper >= most ? most - margin : upper,
  ];
}
