// A back-end as the form needs it: what kind of value a parameter takes, its unit, and what it is when not set.
/** @import { Field, Scale, Schema, Schemas } from "./types.js" */
import { get, pathPart } from "./api.js";
import { description, number, scaleOf, withUnit } from "./format.js";
import rules from "./format.json" with { type: "json" };

/** @type {Map<string, Promise<Model>>} */
const known = new Map();

// A back-end by its name, requested once; a request that failed is sent again.
/** @param {string} name @returns {Promise<Model>} */
export function modelNamed(name) {
  return modelAt(`models/${pathPart(name)}`);
}

// The back-end at an address: of a study it is there without its code, too.
/** @param {string} path @returns {Promise<Model>} */
export function modelAt(path) {
  const model =
    known.get(path) ??
    get(path).then((resource) => new Model(/** @type {Schemas["ModelResource"]} */ (resource)));
  known.set(path, model);
  model.catch(() => known.delete(path));
  return model;
}

export class Model {
  /** @param {Schemas["ModelResource"]} resource */
  constructor(resource) {
    this.model = resource.model;
    this.title = resource.title;
    this.version = resource.version;
    this.built_in = resource.built_in ?? false;
    this.summary = resource.summary;
    this.source = resource.source;
    this.workspaceFields = resource.fields ?? [];
    this.parameters = /** @type {Schema} */ (resource.parameters);
    this.metrics = resource.metrics;
    this.presets = resource.presets;
    this.formats = resource.formats ?? [];
    this.geometry = new Set(resource.geometry ?? []);
    this.fields = this.parameters.properties ?? {};
    this.definitions = this.parameters.$defs ?? {};
  }

  get names() {
    return Object.keys(this.fields);
  }

  /** @param {string} name */
  metric(name) {
    return this.metrics.find((metric) => metric.metric === name);
  }

  // The first parameter that is a list of points; undefined where there is none.
  get points() {
    return this.names.find((name) => Array.isArray(valueAt(this.base(name, this.presets[0]?.preset), ["0"])));
  }

  // The back-end with the lists of a study: `listed(name)` is what a parameter holds there.
  /** @param {(name: string) => unknown} listed @returns {Model} */
  with(listed) {
    return Object.assign(Object.create(this), { listed });
  }

  /** @param {string} name @returns {unknown} */
  listed(name) {
    return this.fields[name]?.default;
  }

  // For each item of a list by which other values are counted the unit of its value; null where it names none.
  /** @param {string} name @returns {(string | null)[]} */
  unitsPer(name) {
    const list = this.listed(name);
    const { units = {}, items = {} } = this.form(this.fields[name] ?? {});
    const { properties = {} } = this.form(items);
    return (Array.isArray(list) ? list : []).map((item) => {
      const named = Object.entries(units).map(
        ([key, by]) => by[String(item?.[key] ?? properties[key]?.default)],
      );
      return named.find(Boolean) ?? null;
    });
  }

  // What a metric or a parameter is, for tooltips.
  /** @param {string} name */
  tooltip(name) {
    const metric = this.metric(name);
    if (metric) return description(name, metric.meaning, metric.better);
    return description(name, this.field(name)?.description);
  }

  // The parameter that a dotted path begins with; null where there is none.
  /** @param {string} path @returns {Field | null} */
  field(path) {
    const [name, ...inside] = path.split(".");
    const schema = this.fields[name];
    if (!schema) return null;
    const unit = Array.isArray(schema.unit) ? schema.unit[Number(inside.at(-1))] : schema.unit;
    const description = schema.description ?? "";
    return { ...this.shape(schema, inside.length > 0), unit: unit ?? "", description, schema };
  }

  // The ends between which a number at a dotted path may be, in SI, and which of them it may not reach.
  /** @param {string} path */
  bounds(path) {
    const node = schemaAt(this.parameters, path);
    const found = node ? forms(this.parameters, node) : [];
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } =
      found.find(({ type }) => type === "number" || type === "integer") ?? {};
    return {
      least: minimum ?? exclusiveMinimum ?? -Infinity,
      most: maximum ?? exclusiveMaximum ?? Infinity,
      open: [exclusiveMinimum !== undefined, exclusiveMaximum !== undefined],
    };
  }

  /** @param {Schema} schema @returns {Schema[]} */
  alternatives(schema) {
    return (schema.anyOf ?? [schema]).map((form) =>
      form.$ref ? (this.definitions[lastStep(form.$ref)] ?? {}) : form,
    );
  }

  // A schema with what it refers to; of alternatives, the list or the table.
  /** @param {Schema} schema @returns {Schema} */
  form(schema) {
    const { anyOf, $ref, ...own } = schema;
    const all = this.alternatives(schema).filter(({ type }) => type !== "null");
    return { ...(all.find(({ type }) => type === "array" || type === "object") ?? all[0]), ...own };
  }

  // What a field holds: "choice" of options, "number", "list", or "named" (options, or a value of one's own).
  /** @param {Schema} schema @param {boolean} inside @returns {Pick<Field, "form" | "options" | "integer">} */
  shape(schema, inside) {
    if (inside) return { form: "number", options: [], integer: false };
    const forms = this.alternatives(schema);
    const kinds = new Set(forms.map((form) => (form.enum ? "enum" : form.type)));
    const options = forms.flatMap(
      (form) => form.enum ?? (form.type === "boolean" ? [true, false] : "const" in form ? [form.const] : []),
    );
    const compound = kinds.has("array") || kinds.has("object");
    const integer = kinds.has("integer");
    if (options.length) return { form: compound ? "named" : "choice", options, integer };
    if (kinds.has("string")) return { form: "text", options, integer };
    return { form: compound && !kinds.has("number") ? "list" : "number", options, integer };
  }

  /** @param {string} path @param {string} option */
  optionWords(path, option) {
    return optionWords(this.parameters, path, option);
  }

  /** @param {string | undefined} name */
  preset(name) {
    return this.presets.find((preset) => preset.preset === name);
  }

  // What a parameter is when the study does not set it.
  /** @param {string} path @param {string | undefined} preset */
  base(path, preset) {
    const [name, ...inside] = path.split(".");
    const settings = this.preset(preset)?.settings ?? {};
    const whole = name in settings ? settings[name] : this.fields[name]?.default;
    return valueAt(whole, inside);
  }
}

// What stands in a value where some keys lead; undefined where they lead nowhere.
/** @param {unknown} value @param {string[]} keys */
export const valueAt = (value, keys) =>
  keys.reduce((node, key) => /** @type {Record<string, unknown> | undefined} */ (node)?.[key], value);

// ------------------------------------------------------------------ groups

// Parameters in the groups that the back-end names, those in none last: [[title, names], ...].
/** @param {Model} model @returns {[string, string[]][]} */
export function parameterGroups(model) {
  const groups = model.parameters.groups ?? [];
  const grouped = new Set(groups.flatMap(([, names]) => names));
  const rest = model.names.filter((name) => !grouped.has(name));
  return rest.length ? [...groups, [groups.length ? "Others" : "Parameters", rest]] : groups;
}

// ------------------------------------------------------------------ values with units

// Parameters of a back-end with the units that its JSON Schema names.

// The schema of what stands at a dotted path; null where the schema does not say.
/** @param {Schema} schema @param {string} path */
export function schemaAt(schema, path) {
  /** @type {Schema | null} */
  let node = schema;
  /** @type {Unit} */
  let unit = null;
  for (const step of path.split(".")) {
    node = inside(schema, node, step);
    if (!node) return unit ? /** @type {Schema} */ ({ unit }) : null;
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
    if (/^\d+$/.test(step) && form.type === "array")
      return form.prefixItems?.[Number(step)] ?? form.items ?? {};
  }
  return null;
}

// "#/$defs/Pulley" -> "Pulley"
/** @param {string} reference */
const lastStep = (reference) => reference.slice(reference.lastIndexOf("/") + 1);

// A schema itself, what it refers to, and its alternatives.
/** @param {Schema} schema @param {Schema} node @returns {Schema[]} */
function forms(schema, node) {
  const found = node.$ref ? schema.$defs?.[lastStep(node.$ref)] : node;
  if (!found) return [];
  return [found, ...(found.anyOf ?? []).flatMap((form) => forms(schema, form))];
}

// An option as people say it: "minimum-norm" of the rule for tensions is "least norm".
/** @param {Schema} schema @param {string} path @param {string} option */
export const optionWords = (schema, path, option) =>
  schema.option_names?.[path.split(".")[0]]?.[option] ?? option.replaceAll(/[-_](?=[a-z])/gi, " ");

// A stored parameter at a dotted path as text, with its unit.
/** @param {Schema} schema @param {string} path @param {unknown} value */
export const parameterText = (schema, path, value) =>
  typeof value === "string"
    ? optionWords(schema, path, value)
    : valueText(value, schemaAt(schema, path)?.unit);

// Any stored parameter as text, with its unit.
/** @typedef {Schema["unit"]} Unit */
/** @param {unknown} value @param {Unit} unit @returns {string} */
export function valueText(value, unit) {
  if (value === null || value === undefined) return "not set";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number")
    return scaledText([value], unit, (scale) => number(value * scale.factor, rules.setting_digits));
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return listText(value, unit);
  return Object.entries(value)
    .map(([name, item]) => `${name} ${valueText(item, unit)}`)
    .join("; ");
}

/** @param {unknown[]} items @param {Unit} unit @returns {string} */
function listText(items, unit) {
  if (Array.isArray(unit) && unit.length === items.length)
    return `(${items.map((item, place) => valueText(item, unit[place])).join(", ")})`;
  const flat = /** @type {unknown[]} */ (items.flat(Infinity));
  if (!flat.every((item) => typeof item === "number"))
    return `(${items.map((item) => valueText(item, unit)).join(", ")})`;
  const repeated = flat.length === items.length && flat.length > rules.longest_list ? runsOf(flat) : [];
  /** @param {unknown} item @param {Scale} scale @returns {string} */
  const nested = (item, scale) =>
    Array.isArray(item)
      ? `(${item.map((part) => nested(part, scale)).join(", ")})`
      : number(Number(item) * scale.factor, rules.setting_digits);
  if (!repeated.length || repeated.length > rules.most_repeated)
    return scaledText(flat, unit, (scale) => nested(items, scale));
  return scaledText(flat, unit, (scale) =>
    repeated
      .map(([value, count]) => `${count} times ${number(value * scale.factor, rules.setting_digits)}`)
      .join(", "),
  );
}

// [1, 1, 2] -> [[1, 2], [2, 1]]
/** @param {number[]} values */
function runsOf(values) {
  /** @type {[value: number, count: number][]} */
  const runs = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last?.[0] === value) last[1] += 1;
    else runs.push([value, 1]);
  }
  return runs;
}

/** @param {number[]} values @param {Unit} unit @param {(scale: Scale) => string} text */
function scaledText(values, unit, text) {
  const scale = scaleOf(values, typeof unit === "string" ? unit : "1");
  const shown = text(scale);
  return withUnit(shown, scale.unit);
}
