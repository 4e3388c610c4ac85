// One parameter: its value in the unit that reads well, and in grey what it is when nothing is typed.
import { h } from "../dom.js";
import { unitText } from "../format.js";
import { area, choice, entry, field } from "./fields.js";
import { listed, readingOf, shown, typed } from "./reading.js";
import { isTable } from "./tree.js";

const OWN = "own value";
const READABLE = 5;
const SI = readingOf("1", []);
const BY_LAYOUT = "as in each layout";

export function parameter(draft, model, scope, path, known) {
  const place = [...scope, "parameters", path];
  const options = { place, label: path, hint: known?.description };
  if (draft.get(...scope, "variables", path) ?? draft.get("variables", path)) return varied(options);
  const value = draft.get(...place);
  const bases = basesOf(draft, model, scope, path);
  const isOne = bases.every((base) => same(base, bases[0], SI));
  const named = known?.form === "choice" || (known?.form === "named" && typeof value !== "object");
  if (named) return ofNames(draft, options, known, { value, base: bases[0], unset: isOne ? `not set: ${word(bases[0])}` : BY_LAYOUT });
  const stands = value ?? bases[0];
  const reading = typeof stands === "object" || known?.form !== "number" ? plain(known) : readingOf(known.unit, [stands]);
  const onType = (text) => draft.set(place, stated(typed(text, reading), bases, reading));
  if (isTable(stands) || isTable(stands?.[0]) || Array.isArray(stands?.[0])) {
    const placeholder = isOne ? textOf(bases[0]) : BY_LAYOUT;
    return area({ ...options, wide: true }, { value: textOf(value), placeholder, rows: 4, code: true, onType });
  }
  const placeholder = isOne ? shown(bases[0], reading, READABLE) || "not set" : BY_LAYOUT;
  return entry({ ...options, after: reading.label }, { value: shown(value, reading), placeholder, onType });
}

// What a parameter is when it is not set: one value for each layout that it goes for.
function basesOf(draft, model, scope, path) {
  const layouts = Object.values(draft.get("layouts") ?? {});
  const concerned = scope.length ? [draft.get(...scope)] : layouts.length ? layouts : [{}];
  return concerned.map(({ preset }) => model.base(path, preset ?? draft.get("preset")));
}

const varied = (options) =>
  field(options, (attributes) => h("input", { type: "text", value: "varies, see Variables", disabled: true, ...attributes }));

// Lists and texts are written as they are; numbers in them are SI.
const plain = (known) => ({ label: typeof known?.unit === "string" ? unitText(known.unit) : "", written: "", factor: 1 });

const textOf = (value) => (value === undefined || value === null ? "" : typeof value === "string" ? value : listed(value));

// One of some names; where a value of one's own may stand as well, choosing that opens a field for it.
function ofNames(draft, options, known, { value, base, unset }) {
  const { place } = options;
  const choices = [["", unset], ...known.options.map((option) => [JSON.stringify(option), word(option)])];
  if (known.form === "named") choices.push([OWN, "a value of its own"]);
  const onChange = (text) => {
    if (text === OWN) draft.reshape(() => draft.set(place, typeof base === "object" ? structuredClone(base) : {}));
    else draft.set(place, text ? JSON.parse(text) : undefined);
  };
  return choice(options, { value: value === undefined ? "" : JSON.stringify(value), choices, onChange });
}

function word(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === undefined || value === null) return "none";
  return typeof value === "object" ? "a value of its own" : String(value);
}

// What is to be written: nothing where the value is what it would be anyway.
const stated = (value, bases, reading) => (bases.every((base) => same(value, base, reading)) ? undefined : value);

function same(value, base, reading) {
  if (typeof value === "object" || typeof base === "object") return JSON.stringify(value) === JSON.stringify(base);
  if (typeof value !== "string" || typeof base !== "number") return value === base;
  return reading.factor !== null && shown(value, reading) === shown(base, reading);
}
