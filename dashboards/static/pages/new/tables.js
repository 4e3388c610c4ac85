// Lists and tables among the parameters, as rows and columns of text: points, cables, bodies.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Schema } from "../../core/types.js" */
/** @import { Column } from "./grid.js" */
import { words } from "../../core/format.js";
import { isTable } from "./draft.js";
import { formatValue, parseValue, unitOfField } from "./fields.js";
import { capital } from "./names.js";

/** @typedef {{ columns: Column[], rows: string[][], fixed: boolean, rowName: (row: number) => string, read: (rows: string[][]) => unknown }} Sheet */

const DIGITS = 6;
const SEPARATORS = [/;/, /[,\s]+/];

// A nested list in one cell: "1, 2; 3, 4".
/** @param {unknown} value @returns {string} */
function cellText(value) {
  if (!Array.isArray(value)) return value === null || value === undefined ? "" : String(value);
  return value.map(cellText).join(value.some(Array.isArray) ? "; " : ", ");
}

/** @param {string} text @param {number} depth how many lists stand inside each other @returns {unknown} */
function cellValue(text, depth) {
  if (!depth) return parseValue(text);
  if (text.includes(";")) depth = SEPARATORS.length;
  const parts = text.split(SEPARATORS[SEPARATORS.length - depth]).filter((part) => part.trim());
  return parts.map((part) => cellValue(part.trim(), depth - 1));
}

/** @param {unknown} value @returns {number} */
const depthOf = (value) => (Array.isArray(value) ? 1 + Math.max(0, ...value.map(depthOf)) : 0);
/** @param {unknown} value @returns {boolean} */
const isPlain = (value) =>
  Array.isArray(value) ? depthOf(value) < 3 && value.flat(2).every(isPlain) : !isTable(value);

// The sheet of a list or a table; null for one with tables inside each other.
/** @param {unknown} value @param {Schema} [schema] @returns {Sheet | null} */
export function sheetOf(value, schema = {}) {
  const { item } = schema;
  const list = (schema.anyOf ?? [schema]).find((form) => form.type === "array") ?? schema;
  const fixed = list.minItems !== undefined && list.minItems === list.maxItems;
  /** @param {number} row */
  const rowName = (row) =>
    capital(
      (Array.isArray(item) ? item[row] : item?.split(",")[0].replace("{}", String(row + 1))) ??
        String(row + 1),
    );
  if (isTable(value))
    return ofTables(
      [value],
      true,
      () => "",
      ([one]) => one,
    );
  if (!Array.isArray(value)) return null;
  if (value.length && value.every(isTable)) return ofTables(value, fixed, rowName);
  if (!value.every(isPlain) || depthOf(value) > 2) return null;
  if (value.some(Array.isArray)) return ofLists(value, schema, fixed, rowName);
  if (fixed && !Array.isArray(item))
    return ofLists(
      [value],
      schema,
      true,
      () => "",
      ([row]) => row,
    );
  return ofLists(
    value.map((one) => [one]),
    schema,
    fixed,
    rowName,
    (rows) => rows.map(([one]) => one),
  );
}

/** @param {any[]} rows @param {Schema} schema @param {boolean} fixed @param {(row: number) => string} rowName @param {(rows: unknown[][]) => unknown} [finish] */
function ofLists(rows, schema, fixed, rowName, finish = (found) => found) {
  const width = Math.max(...rows.map((row) => row.length), 1);
  const { unit, parts } = schema;
  const readings = Array.from({ length: width }, (_, column) =>
    unitOfField(
      Array.isArray(unit) ? unit[column] : unit,
      Array.isArray(unit) ? rows.map((row) => row[column]) : rows.flat(),
    ),
  );
  /** @param {number} column */
  const title = (column) => {
    const name = parts?.[column] ?? (width === 1 ? "value" : ("xyz"[column] ?? String(column + 1)));
    return readings[column].label ? `${name} [${readings[column].label}]` : name;
  };
  return {
    columns: readings.map((_, column) => ({ title: title(column) })),
    rows: rows.map((row) =>
      row.map((/** @type {unknown} */ one, /** @type {number} */ column) =>
        formatValue(one, readings[column], DIGITS),
      ),
    ),
    fixed,
    rowName,
    /** @param {string[][]} texts */
    read: (texts) =>
      finish(texts.map((row) => row.map((text, column) => parseValue(text, readings[column]) ?? 0))),
  };
}

/** @param {any[]} rows @param {boolean} fixed @param {(row: number) => string} rowName @param {(rows: unknown[]) => unknown} [finish] @returns {Sheet | null} */
function ofTables(rows, fixed, rowName, finish = (found) => found) {
  const keys = [...new Set(rows.flatMap(Object.keys))];
  if (!rows.every((row) => Object.values(row).every(isPlain))) return null;
  const depths = keys.map((key) => Math.max(...rows.map((row) => depthOf(row[key]))));
  /** @param {string[]} row */
  const table = (row) =>
    Object.fromEntries(
      keys
        .map((key, column) => [key, cellValue(row[column], depths[column])])
        .filter(([, value]) => value !== undefined),
    );
  return {
    columns: keys.map((key) => ({ title: words(key) })),
    rows: rows.map((row) => keys.map((key) => cellText(row[key]))),
    fixed,
    rowName,
    /** @param {string[][]} texts */
    read: (texts) => finish(texts.map(table)),
  };
}
