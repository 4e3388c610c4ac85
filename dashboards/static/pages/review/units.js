// Parameters of a back-end with the units that its JSON Schema names.
import { number, scaleOf, withUnit as unitAfter } from "../format.js";

const MOST_ITEMS = 6;
const MOST_REPEATED = 2;

// The schema of what stands at a dotted path; null where the schema does not say.
export function schemaAt(schema, path) {
  let node = schema;
  let unit = null;
  for (const step of path.split(".")) {
    node = inside(schema, node, step);
    if (!node) return unit && { unit };
    if (node.unit !== undefined) unit = node.unit;
    if (Array.isArray(unit) && /^\d+$/.test(step) && unit[step] !== undefined) unit = unit[step];
  }
  return { ...node, unit };
}

function inside(schema, node, step) {
  for (const form of forms(schema, node)) {
    if (form.properties && step in form.properties) return form.properties[step];
    if (/^\d+$/.test(step) && form.type === "array") return form.prefixItems?.[step] ?? form.items ?? {};
  }
  return null;
}

// A schema itself, what it refers to, and its alternatives.
function forms(schema, node) {
  const found = node.$ref ? schema.$defs?.[node.$ref.split("/").at(-1)] : node;
  if (!found) return [];
  return [found, ...(found.anyOf ?? []).flatMap((form) => forms(schema, form))];
}

// Any stored parameter as text, with its unit.
export function valueText(value, unit) {
  if (value === null || value === undefined) return "not set";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return withUnit([value], unit, (scale) => number(value * scale.factor, 5));
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return listText(value, unit);
  return Object.entries(value).map(([name, item]) => `${name} ${valueText(item, unit)}`).join("; ");
}

function listText(items, unit) {
  if (Array.isArray(unit) && unit.length === items.length) return `(${items.map((item, place) => valueText(item, unit[place])).join(", ")})`;
  const flat = items.flat(Infinity);
  if (!flat.every((item) => typeof item === "number")) return `(${items.map((item) => valueText(item, unit)).join(", ")})`;
  const repeated = flat.length === items.length && flat.length > MOST_ITEMS ? runsOf(flat) : [];
  const nested = (item, scale) => (Array.isArray(item) ? `(${item.map((part) => nested(part, scale)).join(", ")})` : number(item * scale.factor, 5));
  if (!repeated.length || repeated.length > MOST_REPEATED) return withUnit(flat, unit, (scale) => nested(items, scale));
  return withUnit(flat, unit, (scale) => repeated.map(([value, count]) => `${count} times ${number(value * scale.factor, 5)}`).join(", "));
}

// [1, 1, 2] -> [[1, 2], [2, 1]]
function runsOf(values) {
  const runs = [];
  for (const value of values) {
    if (runs.length && runs.at(-1)[0] === value) runs.at(-1)[1] += 1;
    else runs.push([value, 1]);
  }
  return runs;
}

function withUnit(values, unit, text) {
  const scale = scaleOf(values, typeof unit === "string" ? unit : "1");
  const shown = text(scale);
  return unitAfter(shown, scale.unit);
}
