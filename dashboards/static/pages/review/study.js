// The data of a study for its review, from the REST interface: front, picks, runs, and the meaning of each number.
/** @import { Range, Schemas } from "../../core/types.js" */
import { areDecades } from "../../core/scatter/far_values.js";
import { MOVING } from "../../core/tables.js";
import { all, get, pathPart, studyPath } from "../../core/api.js";
import { modelAt, schemaAt, valueAt } from "../../core/parameters.js";
import {
  description,
  heading,
  MISSING,
  number,
  scaleOf,
  shortKey,
  withUnit,
  words,
} from "../../core/format.js";
import { Annotations } from "./annotations.js";

// What a column reads of a design.
/** @typedef {{ layout: string, metrics: Record<string, number | null>, variables?: Record<string, unknown>, linked?: Record<string, unknown> }} Measured */
// A design on the front, or another one that was loaded, in the same form.
/** @typedef {Schemas["FrontDesignResource"]} KnownDesign */
/** @typedef {"layout" | "variable" | "objective" | "constraint" | "metric" | "parameter"} Role */
/** @typedef {{ id: string, role: Role, unit?: string, sense?: string, label?: string, meaning?: string, options?: unknown[] | null, optionNames?: Record<string, string>, countsAs?: Record<string, number>, read: (design: Measured) => unknown }} ColumnOptions */

export class Study {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.path = studyPath(name);
    this.annotations = new Annotations(name);
    /** @type {KnownDesign[]} */
    this.designs = [];
    /** @type {Schemas["PickResource"][]} */
    this.picks = [];
    /** @type {Schemas["RunResource"][]} */
    this.runs = [];
    /** @type {string[]} */
    this.layouts = [];
    /** @type {Column[]} */
    this.columns = [];
    /** @type {Schemas["QuantitiesResource"]} */
    this.quantities = {
      study: name,
      model: "",
      layouts: [],
      objectives: [],
      constraints: [],
      metrics: [],
      labels: {},
    };
    // By layout and key, the place among the designs.
    /** @type {Map<string, number>} */
    this.places = new Map();
    /** @type {Map<string, Schemas["DesignResource"]>} */
    this.details = new Map();
    /** @type {Map<string, KnownDesign>} */
    this.others = new Map();
  }

  async load() {
    const [quantities] = await Promise.all([
      get(`${this.path}/quantities`),
      this.refresh(),
      this.annotations.load(),
    ]);
    this.quantities = quantities;
    this.layouts = quantities.layouts.map((layout) => layout.layout);
    this.columns = [...columnsOf(quantities), ...(await linkedColumns(quantities, this.designs))];
    this.fill();
    return this;
  }

  // The back-end, without its code where that is not here.
  model() {
    return modelAt(`${this.path}/model`);
  }

  // Read again what changes while runs go on; says whether the front did.
  async refresh() {
    const [designs, picks, runs] = await Promise.all([
      all(`${this.path}/front`),
      all(`${this.path}/picks`),
      all(`${this.path}/runs`),
    ]);
    /** @param {KnownDesign[]} list */
    const identity = (list) => list.map((design) => `${design.layout} ${design.key} ${design.seeds}`).join();
    const changed = identity(designs) !== identity(this.designs);
    // One that leaves the front may be selected or pinned, and stays known.
    if (changed) this.designs.forEach((design) => this.others.set(design.key, design));
    this.designs = designs;
    this.picks = picks;
    this.runs = runs;
    this.fill();
    return changed;
  }

  fill() {
    this.places = new Map(this.designs.map((design, place) => [`${design.layout} ${design.key}`, place]));
    const names = this.columns.filter(({ isMetric }) => isMetric).map(({ id }) => id);
    /** @type {Set<string> | undefined} */
    let found;
    const present = () => (found ??= measured(this.designs, names));
    for (const column of this.columns) column.fill(this.designs, present);
  }

  /** @param {string} id */
  column(id) {
    return this.columns.find((column) => column.id === id);
  }

  // How a metric or another quantity is called.
  /** @param {string} id */
  nameOf(id) {
    return this.column(id)?.name ?? words(id);
  }

  // What a name of a metric, a variable or a parameter means.
  /** @param {string} id */
  tooltip(id) {
    return this.column(id)?.tooltip ?? "";
  }

  get objectives() {
    return this.columns.filter((column) => column.role === "objective");
  }

  // The main columns: the layout where there are several, variables, objectives and constraints.
  get main() {
    return this.columns.filter((column) =>
      column.role === "layout"
        ? this.layouts.length > 1
        : !["metric", "parameter"].includes(column.role) && column.exists,
    );
  }

  // The place of a design on the front; -1 when it is not there. The key may be its first letters alone.
  /** @param {string} layout @param {string} key */
  place(layout, key) {
    if (!key) return -1;
    const exact = this.places.get(`${layout} ${key}`);
    return (
      exact ??
      this.designs.findIndex((design) => design.key.startsWith(key) && (!layout || design.layout === layout))
    );
  }

  // A design on the front, or one that was loaded before.
  /** @param {string} layout @param {string} key */
  known(layout, key) {
    const place = this.place(layout, key);
    return place >= 0 ? this.designs[place] : this.others.get(key);
  }

  // The stored record of a design; it stays loaded, also when it is not on the front.
  /** @param {string} layout @param {string} key */
  async design(layout, key) {
    const known = this.details.get(key);
    if (known) return known;
    const found = await get(`${this.path}/designs/${pathPart(key)}`);
    this.details.set(found.key, found);
    if (this.place(layout, found.key) < 0) this.others.set(found.key, asDesign(found, layout, this.columns));
    return found;
  }

  // True while a run of the layout takes designs that somebody proposes.
  /** @param {string} layout */
  takesProposals(layout) {
    return this.runs.some(
      (run) => run.layout === layout && (MOVING.has(run.state) || run.state === "paused"),
    );
  }

  get moves() {
    return this.runs.some((run) => MOVING.has(run.state));
  }
}

// A stored design in the form of those on the front; `layout` is the layout of the selection.
/** @param {Schemas["DesignResource"]} options @param {string} layout @param {Column[]} columns */
function asDesign(
  { key, parameters, metrics, violation, variables: own = {}, linked = {}, unsafe },
  layout,
  columns,
) {
  const paths = columns
    .filter((column) => column.role === "variable")
    .map((column) => column.id.replace(/^variable /, ""));
  const variables = Object.fromEntries(
    paths.map((path) => [path, path in own ? own[path] : valueAt(parameters, path.split("."))]),
  );
  return { key, layout, seeds: [], variables, linked, metrics, violation, unsafe };
}

/** @param {string} key */
export const short = shortKey;

// ------------------------------------------------------------------ columns

// What can stand along an axis, in a column or in a range: the layout, variables, and metrics, in SI.
const ROLES = ["layout", "variable", "objective", "constraint", "metric", "parameter"];

/** @type {Record<string, string>} */
const KINDS = {
  variable: "a variable of the study",
  parameter: "a parameter that follows from variables",
  objective: "an objective of the study",
  constraint: "a metric that the study bounds",
  metric: "a metric of the back-end",
};

// One quantity. `values` holds it for every design, as numbers: NaN where there is none, and of what has options
// the place of its value among them. They are read at their first use: a page shows few of some eighty quantities.
export class Column {
  /** @type {KnownDesign[]} */
  #designs = [];
  /** @type {Float64Array<ArrayBuffer> | null} */
  #values = null;
  /** @type {ReturnType<typeof scaleOf> | null} */
  #scale = null;
  /** @type {boolean | null} */
  #exists = null;
  /** @type {Range | null | undefined} */
  #range;
  /** @type {boolean | null} */
  #decades = null;
  #present = () => /** @type {Set<string>} */ (new Set());

  // `countsAs` says for each layout what a design without the objective counts as.
  /** @param {ColumnOptions} options */
  constructor({
    id,
    role,
    unit = "1",
    sense = "",
    label = "",
    meaning = "",
    options = null,
    optionNames = {},
    countsAs = {},
    read,
  }) {
    this.id = id;
    this.name = label || words(id);
    this.role = role;
    this.unit = unit;
    this.sense = sense;
    this.meaning = meaning;
    this.options = options;
    this.optionNames = optionNames;
    this.countsAs = countsAs;
    this.read = read;
  }

  // `present` gives the names of the metrics that some design has.
  /** @param {KnownDesign[]} designs @param {() => Set<string>} present */
  fill(designs, present) {
    this.#designs = designs;
    this.#present = present;
    this.#values = this.#scale = this.#exists = this.#decades = null;
    this.#range = undefined;
  }

  get values() {
    if (this.#values) return this.#values;
    const values = new Float64Array(this.#designs.length);
    this.#designs.forEach((design, place) => (values[place] = this.of(design)));
    return (this.#values = values);
  }

  get scale() {
    return (this.#scale ??= this.options ? { factor: 1, unit: "" } : scaleOf(this.values, this.unit));
  }

  // The quantity of any design, as `values` hold it.
  /** @param {Measured} design */
  of(design) {
    const raw = this.read(design);
    if (this.options) return this.place(raw);
    return typeof raw === "number" ? raw : (this.countsAs[design.layout] ?? NaN);
  }

  // Whether a design has no value of its own, and counts as a limit of what was computed.
  /** @param {Measured} design */
  isLimit(design) {
    return !this.options && typeof this.read(design) !== "number" && design.layout in this.countsAs;
  }

  // A design's value as it is shown, in the column's unit; "≥ 1" where it is a limit.
  /** @param {KnownDesign} design */
  shown(design) {
    return limited(this.bare(this.of(design)), this.sense, this.isLimit(design));
  }

  /** @param {unknown} option */
  place(option) {
    const place = (this.options ?? []).findIndex((other) => same(other, option));
    return place < 0 ? NaN : place;
  }

  get heading() {
    return this.scale.unit ? `${this.name} [${this.scale.unit}]` : this.name;
  }

  // What it is, for tooltips.
  get tooltip() {
    const kind = this.role === "layout" ? "which layout a design belongs to" : KINDS[this.role];
    return description(this.id, this.meaning || kind, this.sense);
  }

  // An objective always stands among the axes: also where no design on the front has a value of its own.
  get exists() {
    return (this.#exists ??=
      this.role === "objective" ||
      (this.isMetric
        ? this.#present().has(this.id)
        : this.#designs.some((design) => !Number.isNaN(this.of(design)))));
  }

  get isMetric() {
    return this.role === "metric" || this.role === "constraint";
  }

  // As it is shown: in the column's unit, without naming it.
  /** @param {number | null | undefined} value */
  bare(value) {
    if (Number.isNaN(value) || value === null || value === undefined) return MISSING;
    return this.options
      ? optionText(this.options[value], this.optionNames)
      : number(value * this.scale.factor);
  }

  // With its unit.
  /** @param {number | null | undefined} value */
  text(value) {
    return withUnit(this.bare(value), this.scale.unit);
  }

  // Values that a logarithmic axis shows better.
  get decades() {
    return (this.#decades ??= areDecades(this.values));
  }

  // Least and greatest value, over all designs; null when there is none.
  get range() {
    if (this.#range === undefined) this.#range = this.options ? [0, this.options.length - 1] : this.#ends();
    return this.#range;
  }

  /** @returns {Range | null} */
  #ends() {
    let low = Infinity;
    let high = -Infinity;
    for (const value of this.values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? [low, high] : null;
  }
}

// Those metrics that some design has: most have all of them in the first one, others are looked for in all.
/** @param {KnownDesign[]} designs @param {string[]} names */
function measured(designs, names) {
  /** @type {Set<string>} */
  const found = new Set();
  let missing = names;
  for (const { metrics } of designs) {
    if (!missing.length) break;
    const before = found.size;
    for (const name of missing) if (typeof metrics[name] === "number") found.add(name);
    if (found.size > before) missing = missing.filter((name) => !found.has(name));
  }
  return found;
}

// "≥ 1" for what is at least that good and was not computed any further.
/** @param {string} text @param {string} sense @param {boolean} isLimit */
export const limited = (text, sense, isLimit) =>
  isLimit ? `${sense === "maximize" ? "≥" : "≤"} ${text}` : text;

// All columns of a study, in the order in which people read them.
/** @param {Schemas["QuantitiesResource"]} quantities */
function columnsOf(quantities) {
  const layouts = quantities.layouts.map((layout) => layout.layout);
  const order = quantities.objectives.map((objective) => objective.metric);
  const columns = [
    new Column({ id: "layout", role: "layout", options: layouts, read: (design) => design.layout }),
    ...variableColumns(quantities),
    ...quantities.metrics.map((metric) => metricColumn(quantities, metric)),
  ];
  /** @param {Column} column */
  const rank = (column) =>
    1000 * ROLES.indexOf(column.role) + (column.role === "objective" ? order.indexOf(column.id) : 0);
  return columns.sort((one, other) => rank(one) - rank(other));
}

// A variable that is called like a metric has "variable" before its name.
/** @param {Schemas["QuantitiesResource"]} quantities */
function variableColumns({ layouts, metrics }) {
  /** @type {Map<string, Schemas["VariableResource"]>} */
  const variables = new Map();
  for (const layout of layouts) for (const variable of layout.variables) merge(variables, variable);
  const names = new Set(metrics.map((metric) => metric.metric));
  return [...variables.values()].map(
    ({ path, label, unit, options, option_names: optionNames, meaning }) =>
      new Column({
        id: names.has(path) ? `variable ${path}` : path,
        label: names.has(path) ? `variable ${label}` : label,
        role: "variable",
        unit,
        meaning,
        options,
        optionNames,
        read: (design) => design.variables?.[path],
      }),
  );
}

/** @param {Schemas["QuantitiesResource"]} quantities @param {Schemas["MetricResource"]} metric */
function metricColumn({ objectives, constraints }, { metric, unit, better, label, meaning }) {
  const objective = objectives.find((one) => one.metric === metric);
  const constraint = constraints.find((one) => one.metric === metric);
  const role = objective ? "objective" : constraint ? "constraint" : "metric";
  return new Column({
    id: metric,
    role,
    unit,
    sense: objective?.sense ?? (constraint ? awayFrom(constraint) : better),
    label,
    meaning,
    countsAs: objective?.counts_as,
    read: (design) => design.metrics[metric],
  });
}

// The better end of what is bounded on one side lies away from the bound; between two bounds there is none.
/** @param {Schemas["ConstraintResource"]} constraint */
function awayFrom({ lower, upper }) {
  if (lower !== null && upper !== null) return "";
  return lower !== null ? "maximize" : "minimize";
}

// Parameters that follow from variables and are numbers, with the units of the model.
/** @param {Schemas["QuantitiesResource"]} quantities @param {KnownDesign[]} designs */
async function linkedColumns({ study, metrics, labels }, designs) {
  const paths = new Set(
    designs.flatMap(({ linked = {} }) =>
      Object.keys(linked).filter((path) => typeof linked[path] === "number"),
    ),
  );
  if (!paths.size) return [];
  const { parameters } = await modelAt(`${studyPath(study)}/model`);
  const names = new Set(metrics.map(({ metric }) => metric));
  return [...paths].map((path) => {
    const { unit, description: meaning = "" } = schemaAt(parameters, path) ?? {};
    return new Column({
      id: names.has(path) ? `parameter ${path}` : path,
      label: names.has(path) ? `parameter ${labels[path] ?? path}` : labels[path],
      role: "parameter",
      unit: typeof unit === "string" ? unit : "1",
      meaning,
      read: (design) => design.linked?.[path],
    });
  });
}

// Layouts may vary the same parameter over other options.
/** @param {Map<string, Schemas["VariableResource"]>} variables @param {Schemas["VariableResource"]} variable */
function merge(variables, variable) {
  const known = variables.get(variable.path);
  if (!known)
    variables.set(variable.path, { ...variable, options: variable.options && [...variable.options] });
  else if (known.options && variable.options) {
    const { options } = known;
    options.push(...variable.options.filter((option) => !options.some((other) => same(other, option))));
  }
}

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);
/** @param {unknown} option @param {Record<string, string>} [names] in words */
export const optionText = (option, names = {}) =>
  typeof option === "string" ? (names[option] ?? option) : JSON.stringify(option);
