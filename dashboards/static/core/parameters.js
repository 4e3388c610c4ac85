// A back-end as the form needs it: what kind of value a parameter takes, its unit, and what it is when not set.
/** @import { Scale, Schema, Schemas } from "./types.js" */
import { get, pathPart } from "./api.js";
import { number, scaleOf, withUnit } from "./format.js";

const known = new Map();

/** @param {string} name */
export async function modelNamed(name) {
  if (!known.has(name)) known.set(name, new Model(await get(`models/${pathPart(name)}`)));
  return known.get(name);
}

export class Model {
  /** @param {any} resource */
  constructor(resource) {
    /** @type {string} */
    this.model = resource.model;
    this.version = resource.version;
    this.summary = resource.summary;
    this.source = resource.source;
    /** @type {Schema} */
    this.parameters = resource.parameters;
    /** @type {Schemas["MetricResource"][]} */
    this.metrics = resource.metrics ?? [];
    /** @type {Schemas["PresetResource"][]} */
    this.presets = resource.presets;
    this.fields = resource.parameters.properties ?? {};
    this.definitions = resource.parameters.$defs ?? {};
  }

  get names() {
    return Object.keys(this.fields);
  }

  /** @param {string} name */
  metric(name) {
    return this.metrics.find((/** @type {any} */ metric) => metric.metric === name);
  }

  // { form, options, integer, unit, description } of the parameter that a dotted path begins with.
  /** @param {string} path */
  field(path) {
    const [name, ...inside] = path.split(".");
    const schema = this.fields[name];
    if (!schema) return null;
    const unit = Array.isArray(schema.unit) ? schema.unit[Number(inside.at(-1))] : schema.unit;
    return { ...this.shape(schema, inside.length > 0), unit, description: schema.description ?? "", schema };
  }

  // What a field holds: "choice" of options, "number", "list", or "named" (options, or a value of one's own).
  /** @param {Schema} schema @param {boolean} inside */
  shape(schema, inside) {
    const forms = (schema.anyOf ?? [schema]).map((/** @type {any} */ form) =>
      form.$ref ? this.definitions[form.$ref.split("/").at(-1)] : form,
    );
    const kinds = new Set(forms.map((/** @type {any} */ form) => (form.enum ? "enum" : form.type)));
    const options = forms.flatMap(
      (/** @type {any} */ form) => form.enum ?? (form.type === "boolean" ? [true, false] : []),
    );
    const compound = kinds.has("array") || kinds.has("object");
    kinds.delete("null");
    if (inside) return { form: "number", options: [], integer: false };
    if (options.length) return { form: compound ? "named" : "choice", options };
    if (kinds.has("string")) return { form: "text", options };
    return {
      form: compound && !kinds.has("number") ? "list" : "number",
      options,
      integer: kinds.has("integer"),
    };
  }

  /** @param {string | undefined} name */
  preset(name) {
    return this.presets.find((/** @type {any} */ preset) => preset.preset === name);
  }

  // What a parameter is when the study does not set it.
  /** @param {string} path @param {string | undefined} preset */
  base(path, preset) {
    const [name, ...inside] = path.split(".");
    const settings = this.preset(preset)?.settings ?? {};
    const whole = name in settings ? settings[name] : this.fields[name]?.default;
    return inside.reduce((node, key) => node?.[key], whole);
  }
}

// ------------------------------------------------------------------ groups

// Parameters in the groups that the back-end names, those in none last: [[title, names], ...].
/** @param {Model} model @returns {[string, string[]][]} */
export function parameterGroups(model) {
  /** @type {[string, string[]][]} */
  const groups = model.parameters.groups ?? [];
  const grouped = new Set(groups.flatMap(([, names]) => names));
  const rest = model.names.filter((name) => !grouped.has(name));
  return rest.length ? [...groups, [groups.length ? "Others" : "Parameters", rest]] : groups;
}

// ------------------------------------------------------------------ values with units

// Parameters of a back-end with the units that its JSON Schema names.
const MOST_ITEMS = 6;
const MOST_REPEATED = 2;

// The schema of what stands at a dotted path; null where the schema does not say.
/** @param {Schema} schema @param {string} path */
export function schemaAt(schema, path) {
  let node = schema;
  let unit = null;
  for (const step of path.split(".")) {
    node = inside(schema, node, step);
    if (!node) return unit && { unit };
    if (node.unit !== undefined) unit = node.unit;
    if (Array.isArray(unit) && /^\d+$/.test(step) && unit[Number(step)] !== undefined)
      unit = unit[Number(step)];
  }
  return { ...node, unit };
}

/** @param {Schema} schema @param {Schema} node @param {string} step */
function inside(schema, node, step) {
  for (const form of forms(schema, node)) {
    if (form.properties && step in form.properties) return form.properties[step];
    if (/^\d+$/.test(step) && form.type === "array") return form.prefixItems?.[step] ?? form.items ?? {};
  }
  return null;
}

// A schema itself, what it refers to, and its alternatives.
/** @param {Schema} schema @param {Schema} node */
function forms(schema, node) {
  const found = node.$ref ? schema.$defs?.[node.$ref.split("/").at(-1)] : node;
  if (!found) return [];
  return [found, ...(found.anyOf ?? []).flatMap((/** @type {any} */ form) => forms(schema, form))];
}

// Any stored parameter as text, with its unit.
/** @param {any} value @param {any} unit @returns {string} */
export function valueText(value, unit) {
  if (value === null || value === undefined) return "not set";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return scaledText([value], unit, (scale) => number(value * scale.factor, 5));
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return listText(value, unit);
  return Object.entries(value)
    .map(([name, item]) => `${name} ${valueText(item, unit)}`)
    .join("; ");
}

/** @param {any[]} items @param {any} unit @returns {string} */
function listText(items, unit) {
  if (Array.isArray(unit) && unit.length === items.length)
    return `(${items.map((item, place) => valueText(item, unit[place])).join(", ")})`;
  const flat = items.flat(Infinity);
  if (!flat.every((item) => typeof item === "number"))
    return `(${items.map((item) => valueText(item, unit)).join(", ")})`;
  const repeated = flat.length === items.length && flat.length > MOST_ITEMS ? runsOf(flat) : [];
  /** @param {any} item @param {Scale} scale @returns {string} */
  const nested = (item, scale) =>
    Array.isArray(item)
      ? `(${item.map((part) => nested(part, scale)).join(", ")})`
      : number(item * scale.factor, 5);
  if (!repeated.length || repeated.length > MOST_REPEATED)
    return scaledText(flat, unit, (scale) => nested(items, scale));
  return scaledText(flat, unit, (scale) =>
    repeated.map(([value, count]) => `${count} times ${number(value * scale.factor, 5)}`).join(", "),
  );
}

// [1, 1, 2] -> [[1, 2], [2, 1]]
/** @param {number[]} values */
function runsOf(values) {
  /** @type {any[]} */
  const runs = [];
  for (const value of values) {
    if (runs.length && runs.at(-1)[0] === value) runs.at(-1)[1] += 1;
    else runs.push([value, 1]);
  }
  return runs;
}

/** @param {number[]} values @param {any} unit @param {(scale: Scale) => string} text */
function scaledText(values, unit, text) {
  const scale = scaleOf(values, typeof unit === "string" ? unit : "1");
  const shown = text(scale);
  return withUnit(shown, scale.unit);
}
