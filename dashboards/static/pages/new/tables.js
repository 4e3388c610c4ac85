// Lists and tables among the parameters, as rows and columns of text, with the names and units of their schema.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Schema } from "../../core/types.js" */
/** @import { Column } from "./grid.js" */
/** @import { Reading } from "./fields.js" */
import { valueAt } from "../../core/parameters.js";
import { unitText, words } from "../../core/format.js";
import { isTable } from "./draft.js";
import { formatValue, parseValue, unitOfField } from "./fields.js";
import { capital } from "./names.js";

// A column: where its values stand in a row, below ROW; `at` is the place in a list there.
/** @typedef {Column & { keys: string[], at?: number, reading: Reading }} Leaf */
// The value of rows of text; what is not in their cells comes from the rows as they are `now`.
/** @typedef {(rows: string[][], now: any[]) => unknown} Read */
// A schema whose columns are `called` otherwise than its key.
/** @typedef {Schema & { called?: string }} Named */
// `inner` are lists in a row that have tables of their own, `more` what a table has room for and does not hold.
/** @typedef {{ columns: Leaf[], rows: string[][], fixed: boolean, rowName: (row: number) => string, read: Read, inner: Record<string, Schema>, more: Record<string, unknown> }} Sheet */

const DIGITS = 6;
const ROW = "row";

/** @param {unknown} value */
const isGiven = (value) => value !== undefined && value !== null;

// The sheet of a list or a table.
/** @param {Model} model @param {any} value @param {Schema} given @returns {Sheet} */
export function sheetOf(model, value, given) {
  const schema = model.form(given);
  if (schema.type === "array" || Array.isArray(value)) return ofList(model, value, schema);
  const whole = { ...defaults(schema), ...value };
  const properties = Object.entries(schema.properties ?? {});
  const forms = properties.map(([, one]) => model.form(one));
  const [first] = forms;
  const stem = rowStem(first);
  if (stem && forms.every((form) => rowStem(form) === stem)) return ofColumns(model, whole, properties, stem);
  if (isFixed(first) && forms.every((form) => isFixed(form) && String(form.parts) === String(first.parts)))
    return ofNamedRows(model, whole, properties);
  return sheet(model, [whole], schema, { fixed: true, rowName: () => "", finish: ([one]) => one });
}

// What a list or a table is while nothing is set.
/** @param {Model} model @param {Schema} given */
export function blank(model, given) {
  const schema = model.form(given);
  if (schema.type !== "array") return defaults(schema);
  return isFixed(schema) && !schema.per ? zero(schema, model) : [];
}

/** @param {Schema} schema */
const defaults = (schema) =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .map(([key, one]) => [key, one.default])
      .filter(([, value]) => isGiven(value)),
  );

/** @param {Schema | undefined} schema */
const isFixed = (schema) =>
  schema?.type === "array" && schema.minItems !== undefined && schema.minItems === schema.maxItems;

// What the rows of an open list are called: "waypoint {}, time" -> "waypoint {}"; empty for anything else.
/** @param {Schema | undefined} schema */
const rowStem = (schema) =>
  schema?.type === "array" && !isFixed(schema) && typeof schema.item === "string"
    ? schema.item.split(",")[0]
    : "";

// ------------------------------------------------------------------ kinds of tables

/** @param {Model} model @param {unknown[]} value @param {Schema} schema @returns {Sheet} */
function ofList(model, value, schema) {
  const { item, unit, parts, per } = schema;
  const [stem, what] = typeof item === "string" ? item.split(", ") : [];
  /** @param {number} row */
  const rowName = (row) =>
    capital((Array.isArray(item) ? item[row] : stem?.replace("{}", String(row + 1))) ?? String(row + 1));
  const fixed = isFixed(schema);
  const items = model.form(schema.items ?? schema.prefixItems?.[0] ?? {});
  const isDeep =
    items.type === "array" || items.type === "object" || value.some((one) => typeof one === "object");
  if ((fixed || per) && !isDeep && !Array.isArray(item))
    return sheet(model, [value], schema, { fixed: true, rowName: () => "", finish: ([one]) => one });
  const own = isDeep
    ? { ...items, ...(unit && { unit }), ...(parts && { parts }), ...(per && { per }) }
    : { ...items, unit };
  return sheet(model, value, own, {
    fixed,
    rowName,
    title: isDeep ? "" : (what ?? "value"),
    finish: (all) => all,
  });
}

// A table of lists, which all have one item for each row.
/** @param {Model} model @param {Record<string, unknown[]>} value @param {[string, Schema][]} properties @param {string} stem @returns {Sheet} */
function ofColumns(model, value, properties, stem) {
  const held = properties.filter(([key]) => isGiven(value[key]));
  const count = Math.max(0, ...held.map(([key]) => value[key].length));
  /** @param {Schema} one @returns {Named} */
  const cell = (one) => {
    const { items = {}, unit, parts, item, per } = model.form(one);
    const called = typeof item === "string" ? item.split(", ")[1] : undefined;
    return { ...items, unit, called, ...(parts && { parts }), ...(per && { per }) };
  };
  const rows = Array.from({ length: count }, (_, row) =>
    Object.fromEntries(held.map(([key]) => [key, value[key][row]])),
  );
  const schema = { properties: Object.fromEntries(held.map(([key, one]) => [key, cell(one)])) };
  /** @param {Record<string, unknown>[]} all */
  const finish = (all) =>
    Object.fromEntries(
      held
        .map(([key, one]) => [key, all.map((row) => row[key] ?? zero(cell(one), model))])
        .filter(([key]) => all.some((row) => isGiven(row[String(key)]))),
    );
  const found = sheet(model, rows, schema, {
    fixed: false,
    rowName: (row) => capital(stem.replace("{}", String(row + 1))),
    finish,
  });
  const absent = properties.filter(([key]) => !isGiven(value[key]));
  return {
    ...found,
    more: Object.fromEntries(absent.map(([key, one]) => [key, rows.map(() => zero(cell(one), model))])),
  };
}

// A row without a length of its own has as many numbers as the list by which it is counted.
/** @param {Named} schema @param {Model} model */
function zero({ type, prefixItems = [], per }, model) {
  if (type !== "array") return 0;
  return (per ? model.unitsPer(per) : prefixItems).map(() => 0);
}

// A table of lists of the same parts: each is a row.
/** @param {Model} model @param {Record<string, unknown[]>} value @param {[string, Schema][]} properties @returns {Sheet} */
function ofNamedRows(model, value, properties) {
  const rows = properties.map(([key]) => value[key]);
  return sheet(model, rows, properties[0][1], {
    fixed: true,
    rowName: (row) => capital(words(properties[row][0])),
    finish: (all) => Object.fromEntries(properties.map(([key], row) => [key, all[row]])),
  });
}

// ------------------------------------------------------------------ rows and columns

// Each row carries its number in a cell that is not shown: what is not in its cells stays with it.
/** @param {Model} model @param {unknown[]} rows @param {Schema} schema @param {{ fixed: boolean, rowName: (row: number) => string, title?: string, finish: (rows: any[]) => unknown }} options @returns {Sheet} */
function sheet(model, rows, schema, { fixed, rowName, title = "", finish }) {
  const inner = innerLists(model, schema);
  const columns = leaves(model, schema, rows, [ROW], title).filter(({ keys }) => !(keys[1] in inner));
  /** @param {unknown} row */
  const texts = (row) => columns.map((leaf) => formatValue(held(row, leaf), leaf.reading, DIGITS));
  /** @param {string[]} cells @param {any[]} now */
  const read = (cells, now) => {
    const place = Number(cells[columns.length] ?? NaN);
    const before = rows[place];
    const written = isGiven(before) ? texts(before) : [];
    const found = valueOf(columns, cells, (column) =>
      cells[column] === written[column] ? held(before, columns[column]) : undefined,
    );
    if (!isTable(found)) return found;
    const lists = Object.keys(inner).map((key) => [key, valueAt(now[place], [key])]);
    return { ...found, ...Object.fromEntries(lists.filter(([, list]) => isGiven(list))) };
  };
  return {
    columns,
    rows: rows.map((row, place) => [...texts(row), String(place)]),
    fixed,
    rowName,
    read: (all, now) => finish(all.map((cells) => read(cells, now))),
    inner,
    more: {},
  };
}

// What a row holds in a column.
/** @param {unknown} row @param {Leaf} leaf */
const held = (row, { keys, at }) =>
  valueAt(row, [...keys.slice(1), ...(at === undefined ? [] : [String(at)])]);

// The lists in a row that have no fixed length, and no other list by which they are counted.
/** @param {Model} model @param {Schema} schema @returns {Record<string, Schema>} */
const innerLists = (model, { properties = {} }) =>
  Object.fromEntries(
    Object.entries(properties).filter(([, one]) => {
      const form = model.form(one);
      return form.type === "array" && !isFixed(form) && !form.per;
    }),
  );

/** @param {Model} model @param {Schema} given @param {unknown[]} samples @param {string[]} keys @param {string} name @returns {Leaf[]} */
function leaves(model, given, samples, keys, name) {
  const schema = model.form(given);
  const found = /** @type {any[]} */ (samples.filter(isGiven));
  const { properties } = schema;
  if (properties || found.some(isTable)) {
    const names = properties ? Object.keys(properties) : [...new Set(found.flatMap(Object.keys))];
    return names.flatMap((key) =>
      leaves(
        model,
        properties?.[key] ?? {},
        found.map((one) => one[key]),
        [...keys, key],
        titled(name, nameOf(properties?.[key], key)),
      ),
    );
  }
  if (schema.type !== "array" && !found.some(Array.isArray))
    return [{ ...column(name, schema.unit, found, schema), keys }];
  const units = schema.per ? model.unitsPer(schema.per) : Array.isArray(schema.unit) ? schema.unit : null;
  const least = schema.per ? (units?.length ?? 0) : (schema.minItems ?? 1);
  const width = schema.prefixItems?.length ?? Math.max(least, ...found.map((one) => one.length));
  return Array.from({ length: width }, (_, at) => {
    const part = schema.per ? itemOf(model, schema.per, name, at) : partOf(schema, at, width);
    const one = schema.prefixItems?.[at] ?? schema.items ?? {};
    const numbers = units ? found.map((list) => list[at]) : found.flat();
    const common = Array.isArray(schema.unit) ? null : schema.unit;
    const unit = units?.[at] ?? common;
    // Of a unit that is the item's, a study file has numbers in SI: it takes units as the list states them.
    const isOwn = Boolean(schema.per) && unit !== common;
    return { ...column(titled(name, part), unit, numbers, one, isOwn), keys, at };
  });
}

/** @param {Named | undefined} schema @param {string} key */
const nameOf = (schema, key) => schema?.called ?? words(key);
/** @param {string} name @param {string} part */
const titled = (name, part) => [name, part].filter(Boolean).join(" ");

/** @param {Schema} schema @param {number} at @param {number} width */
function partOf({ parts, item }, at, width) {
  const named = parts?.[at] ?? (Array.isArray(item) ? item[at] : item?.replace("{}", String(at + 1)));
  return named ?? (width <= 3 ? "xyz"[at] : String(at + 1));
}

// "arm joint 2", or the number where the name of the column says the rest.
/** @param {Model} model @param {string} per @param {string} name @param {number} at */
function itemOf(model, per, name, at) {
  const item = model.fields[per]?.item;
  const stem = typeof item === "string" ? item : "{}";
  return (stem === `${name} {}` ? "{}" : stem).replace("{}", String(at + 1));
}

/** @param {string} name @param {Schema["unit"]} unit @param {unknown[]} samples @param {Schema} schema @param {boolean} [isSI] */
function column(name, unit, samples, schema, isSI = false) {
  const known = typeof unit === "string" ? unit : null;
  const reading = isSI
    ? { label: unitText(known ?? ""), written: "", factor: 1 }
    : unitOfField(known, samples);
  const choices = schema.enum?.map((one) => [String(one), words(String(one).replaceAll("-", " "))]);
  return { title: reading.label ? `${name} [${reading.label}]` : name, reading, ...(choices && { choices }) };
}

// ------------------------------------------------------------------ a row as a value

// A row as its cells say; `kept` has the value of a cell that nobody changed, which may have more digits.
/** @param {Leaf[]} columns @param {string[]} cells @param {(column: number) => unknown} kept */
function valueOf(columns, cells, kept) {
  /** @type {Record<string, any>} */
  const root = {};
  columns.forEach(({ keys, at, reading }, place) => {
    const value = kept(place) ?? parseValue(cells[place] ?? "", reading);
    const last = keys[keys.length - 1];
    const holder = keys.slice(0, -1).reduce((node, key) => (node[key] ??= {}), root);
    if (at === undefined) holder[last] = value;
    else (holder[last] ??= [])[at] = value;
  });
  return pruned(root)?.[ROW];
}

// Without what is empty; a list with one number has zeros in its other places.
/** @param {any} value @returns {any} */
function pruned(value) {
  if (Array.isArray(value))
    return value.some((one) => one !== undefined) ? value.map((one) => one ?? 0) : undefined;
  if (!isTable(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, pruned(one)]);
  const filled = entries.filter(([, one]) => one !== undefined);
  return filled.length ? Object.fromEntries(filled) : undefined;
}
