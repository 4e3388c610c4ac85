// A back-end as the form needs it: what kind of value a parameter takes, its unit, and what it is when not set.
import { get, part } from "../api.js";

const known = new Map();

export async function modelNamed(name) {
  if (!known.has(name)) known.set(name, new Model(await get(`models/${part(name)}`)));
  return known.get(name);
}

export class Model {
  constructor(resource) {
    Object.assign(this, resource);
    this.fields = resource.parameters.properties ?? {};
    this.definitions = resource.parameters.$defs ?? {};
  }

  get names() {
    return Object.keys(this.fields);
  }

  metric(name) {
    return this.metrics.find((metric) => metric.metric === name);
  }

  // { form, options, integer, unit, description } of the parameter that a dotted path begins with.
  field(path) {
    const [name, ...inside] = path.split(".");
    const schema = this.fields[name];
    if (!schema) return null;
    const unit = Array.isArray(schema.unit) ? schema.unit[Number(inside.at(-1))] : schema.unit;
    return { ...this.shape(schema, inside.length > 0), unit, description: schema.description ?? "", schema };
  }

  // What a field holds: "choice" of options, "number", "list", or "named" (options, or a value of one's own).
  shape(schema, inside) {
    const forms = (schema.anyOf ?? [schema]).map((form) => (form.$ref ? this.definitions[form.$ref.split("/").at(-1)] : form));
    const kinds = new Set(forms.map((form) => (form.enum ? "enum" : form.type)));
    const options = forms.flatMap((form) => form.enum ?? (form.type === "boolean" ? [true, false] : []));
    const compound = kinds.has("array") || kinds.has("object");
    kinds.delete("null");
    if (inside) return { form: "number", options: [], integer: false };
    if (options.length) return { form: compound ? "named" : "choice", options };
    if (kinds.has("string")) return { form: "text", options };
    return { form: compound && !kinds.has("number") ? "list" : "number", options, integer: kinds.has("integer") };
  }

  preset(name) {
    return this.presets.find((preset) => preset.preset === name);
  }

  // What a parameter is when the study does not set it.
  base(path, preset) {
    const [name, ...inside] = path.split(".");
    const settings = this.preset(preset)?.settings ?? {};
    const whole = name in settings ? settings[name] : this.fields[name]?.default;
    return inside.reduce((node, key) => node?.[key], whole);
  }
}
