// The parameters that the study sets; all others have the value of the preset or of the back-end.
/** @import { FieldOptions, Reading } from "./fields.js" */
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place } from "./draft.js" */
/** @import { Field, Schema } from "../../core/types.js" */
import { h } from "../../core/dom.js";
import { counted, unitText, words } from "../../core/format.js";
import { parameterGroups } from "../../core/parameters.js";
import {
  button,
  choice,
  entry,
  field,
  finder,
  folded,
  formatValue,
  parseValue,
  rowClass,
  unitOfField,
} from "./fields.js";
import { grid } from "./grid.js";
import { parameterName, presetName } from "./names.js";
import { blank, sheetOf } from "./tables.js";
import { addVariable, varies } from "./variables.js";

const WHAT =
  "An empty field keeps the value in grey. You can write a unit after a number: 5 mm, 30 deg, 1.2 kN.";
const MOST_USUAL = 6;

// Parameters that were found by the search, by back-end: they stay in view though they have no value yet.
/** @type {Map<string, Set<string>>} */
const picked = new Map();

// The fields of what is `usual` to change and of what the study sets, and a search for all others.
/** @param {Draft} draft @param {Model} model @param {string[]} usual */
export function parameters(draft, model, usual) {
  const set = Object.keys(draft.get("parameters") ?? {});
  const found = picked.get(model.model) ?? new Set();
  const wanted = new Set([...usual.slice(0, MOST_USUAL), ...set, ...found]);
  const varied = variedNames(draft);
  const names = model.names.filter((name) => wanted.has(name) && (!varied.has(name) || set.includes(name)));
  const own = set.filter((path) => !(path in model.fields));
  const groups = parameterGroups(model);
  const others = () =>
    groups.flatMap(([group, members]) =>
      members.filter((name) => !names.includes(name)).map((name) => offered(model, name, group)),
    );
  /** @param {string} name */
  const pick = (name) => {
    picked.set(model.model, found.add(name));
    draft.show(["parameters", name]);
  };
  const layouts = Object.values(draft.get("layouts") ?? {});
  return h(
    "div",
    { data: { pointer: "/parameters" } },
    (!layouts.length || layouts.some((layout) => !layout?.preset)) && presetChoice(draft, model, []),
    h("h3", {}, "Values that all layouts share"),
    h("p", { class: "quiet small" }, WHAT),
    h("p", { class: "field-fault", hidden: true }),
    h(
      "div",
      { class: "rows" },
      [...own, ...names].map((path) => line(draft, model, [], path)),
    ),
    finder({ place: ["", "find"], label: "Change another value", items: others, onPick: pick }),
  );
}

// Names of parameters that vary in every layout, or in some.
/** @param {Draft} draft */
function variedNames(draft) {
  const tables = [
    draft.get("variables"),
    ...Object.values(draft.get("layouts") ?? {}).map((layout) => layout?.variables),
  ];
  return new Set(tables.flatMap((table) => Object.keys(table ?? {})));
}

/** @param {Model} model @param {string} path @param {string} group */
export const offered = (model, path, group) => ({
  key: path,
  title: parameterName(model, path),
  note: [group, model.field(path)?.description].filter(Boolean).join(": "),
  tooltip: path,
});

/** @param {Draft} draft @param {Model} model @param {Place} scope */
export function presetChoice(draft, model, scope) {
  const place = [...scope, "preset"];
  const now = draft.get(...place) ?? "";
  const unset = scope.length ? "as for all layouts" : "none: the model's own values";
  const choices = [["", unset], ...model.presets.map(({ preset }) => [preset, presetName(preset)])];
  /** @param {string} value */
  const onChange = (value) => draft.reshape(() => draft.set(place, value || undefined));
  const preset = model.preset(now);
  return choice(
    { place, label: "Published robot", hint: preset?.description, tooltip: preset?.source },
    { value: now, choices, onChange },
  );
}

// One parameter; one that a layout sets, or that is no parameter by itself, can be removed, others can vary.
/** @param {Draft} draft @param {Model} model @param {Place} scope @param {string} path */
export function line(draft, model, scope, path) {
  const known = model.field(path);
  const own = scope.length > 0 || !(path in model.fields);
  const name = parameterName(model, path);
  const remove = () => draft.reshape(() => draft.set([...scope, "parameters", path], undefined));
  const vary = () => {
    addVariable(draft, model, scope, path);
    draft.leadTo = [...scope, "variables", path, "lower"];
  };
  const canVary = !own && varies(model, path) && !draft.get("variables", path);
  return h(
    "div",
    { class: rowClass("line", path), data: { path } },
    parameter(draft, model, scope, path, known),
    own && button("Remove", remove, { aria: { label: `Remove ${name}` } }),
    canVary && button("Vary", vary, { aria: { label: `Vary ${name}` } }),
  );
}

// ------------------------------------------------------------------ one parameter

// One parameter: its value in a readable unit; the placeholder shows its default.
const OWN = "own value";
const READABLE = 5;
const SI = unitOfField("1", []);
const BY_LAYOUT = "as in each layout";

/** @param {Draft} draft @param {Model} backend @param {Place} scope @param {string} path @param {Field | null} known */
function parameter(draft, backend, scope, path, known) {
  const model = backend.with(
    (name) =>
      draft.get(...scope, "parameters", name) ??
      draft.get("parameters", name) ??
      basesOf(draft, backend, scope, name)[0],
  );
  const place = [...scope, "parameters", path];
  const options = {
    place,
    label: parameterName(model, path),
    hint: known?.description,
    tooltip: model.tooltip(path) || path,
  };
  if (draft.get(...scope, "variables", path) ?? draft.get("variables", path)) return varied(options);
  const value = draft.get(...place);
  const bases = basesOf(draft, model, scope, path);
  const isOne = bases.every((base) => same(base, bases[0], SI));
  if (known?.form === "choice" || known?.form === "named") {
    const unset = isOne ? `not set: ${word(model, path, bases[0])}` : BY_LAYOUT;
    const names = ofNames(draft, model, options, known, { value, base: bases[0], unset });
    const own = { place, label: options.label };
    return typeof value === "object" ? [names, sheet(draft, model, own, value, bases, known.schema)] : names;
  }
  const stands =
    value ??
    countedBase(model, known, bases[0]) ??
    (known?.form === "list" ? blank(model, known.schema) : undefined);
  const reading =
    typeof stands === "object" || known?.form !== "number" ? plain(known) : unitOfField(known.unit, [stands]);
  /** @param {string} text */
  const onType = (text) => draft.set(place, stated(parseValue(text, reading), bases, reading));
  if (typeof stands === "object" && stands !== null)
    return sheet(draft, model, options, stands, bases, known?.schema ?? {});
  const placeholder = isOne ? formatValue(bases[0], reading, READABLE) || "not set" : BY_LAYOUT;
  return entry(
    { ...options, after: reading.label },
    { value: formatValue(value, reading), placeholder, onType },
  );
}

// A default of another length than the list by which it is counted is not that of this study, but the back-end's.
/** @param {Model} model @param {Field | null} known @param {unknown} base */
function countedBase(model, known, base) {
  const per = known?.schema.per;
  if (!per || !Array.isArray(base)) return base;
  const count = model.unitsPer(per).length;
  const fits = (/** @type {unknown} */ list) => !Array.isArray(list) || list.length === count;
  if (!base.some(Array.isArray)) return fits(base) ? base : [];
  return base.every(fits) ? base : base.map(() => []);
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
    h("input", { type: "text", value: "varies, see step 3", disabled: true, ...attributes }),
  );

// A list or a table in rows and columns; lists in its rows have tables below it.
/** @param {Draft} draft @param {Model} model @param {FieldOptions} options @param {any} stands @param {unknown[]} bases @param {Schema} schema */
function sheet(draft, model, options, stands, bases, schema) {
  const { place, label, hint, tooltip } = options;
  const found = sheetOf(model, stands, schema);
  const now = () => draft.get(...place) ?? stands;
  /** @param {unknown} value */
  const write = (value) => draft.set(place, stated(value, bases, SI));
  /** @param {string[][]} rows */
  const onChange = (rows) => {
    const value = rows.length ? found.read(rows, rowsOf(now())) : undefined;
    const isOther = rows.length !== found.rows.length;
    const choices = JSON.stringify(chosenIn(rows, found.columns));
    const counts =
      schema.units && (isOther || choices !== JSON.stringify(chosenIn(found.rows, found.columns)));
    if (counts || (isOther && Object.keys(found.inner).length > 0)) draft.reshape(() => write(value));
    else write(value);
  };
  const whole = found.columns.some(({ choices }) => choices);
  /** @param {string} name */
  const add = (name) => {
    const list = sheetOf(model, now(), schema).more[name];
    draft.reshape(() => write({ ...now(), [name]: list }));
  };
  const more = Object.keys(found.more).map((name) =>
    button(`Add ${words(name)}`, () => add(name), { aria: { label: `Add ${words(name)} to ${label}` } }),
  );
  const isList = Array.isArray(stands);
  const inner = Object.entries(found.inner).flatMap(([name, one]) =>
    rowsOf(stands).map((row, at) => {
      /** @param {unknown} value */
      const put = (value) => {
        const rows = rowsOf(now());
        rows[at][name] = value;
        write(isList ? rows : rows[0]);
      };
      const inside = [...place, ...(isList ? [String(at)] : []), name];
      const title = [found.rowName(at), words(name)].filter(Boolean).join(", ");
      return innerSheet(model, row[name] ?? [], one, { place: inside, label, title, put });
    }),
  );
  return [
    grid({ ...found, place, label, hint, tooltip, whole, onChange }),
    more.length > 0 && h("div", { class: "row" }, more),
    inner,
  ];
}

/** @param {string[][]} rows @param {{ choices?: string[][] }[]} columns */
const chosenIn = (rows, columns) => rows.map((row) => row.filter((_, at) => columns[at]?.choices));

// The rows of a list, or a table as one row, without what is not set: a study file has no such values.
/** @param {any} value @returns {Record<string, any>[]} */
const rowsOf = (value) =>
  (Array.isArray(value) ? value : [value]).map((row) =>
    Object.fromEntries(Object.entries(row ?? {}).filter(([, one]) => one !== null)),
  );

// A list in a row of a table, folded until it is opened.
/** @param {Model} model @param {unknown[]} value @param {Schema} schema @param {{ place: Place, label: string, title: string, put: (value: unknown) => void }} options */
function innerSheet(model, value, schema, { place, label, title, put }) {
  const found = sheetOf(model, value, schema);
  const count = value.length ? counted(value.length, "row") : "empty";
  const name = `${label}, ${title}`;
  return folded(
    `inner ${name}`,
    `${title} (${count})`,
    grid({
      ...found,
      place,
      label: name,
      hint: schema.description,
      onChange: (rows) => put(found.read(rows, value)),
    }),
  );
}

// Lists and texts are written as they are; numbers in them are SI.
/** @param {Field | null} known */
const plain = (known) => ({
  label: typeof known?.unit === "string" ? unitText(known.unit) : "",
  written: "",
  factor: 1,
});

// A choice of named values; "own value", where allowed, opens a field for it.
/** @param {Draft} draft @param {Model} model @param {FieldOptions} options @param {Field} known @param {{ value: unknown, base: unknown, unset: string }} options */
function ofNames(draft, model, options, known, { value, base, unset }) {
  const { place } = options;
  const path = place[place.length - 1];
  const choices = [
    ["", unset],
    ...known.options.map((option) => [JSON.stringify(option), word(model, path, option)]),
  ];
  if (known.form === "named") choices.push([OWN, "a value of its own"]);
  /** @param {string} text */
  const onChange = (text) => {
    const own = typeof base === "object" ? structuredClone(base) : blank(model, known.schema);
    const chosen = text === OWN ? own : text ? JSON.parse(text) : undefined;
    if (text === OWN || typeof value === "object") draft.reshape(() => draft.set(place, chosen));
    else draft.set(place, chosen);
  };
  const shown = value === undefined ? "" : typeof value === "object" ? OWN : JSON.stringify(value);
  return choice(options, { value: shown, choices, onChange });
}

/** @param {Model} model @param {string} path @param {unknown} value */
function word(model, path, value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === undefined || value === null) return "none";
  return typeof value === "object" ? "a value of its own" : model.optionWords(path, String(value));
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
