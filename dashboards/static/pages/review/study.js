// The data of a study for its review, from the REST interface: front, picks, runs, and the meaning of each number.
import { MOVING } from "../../core/tables.js";
import { all, get, pathPart } from "../../core/api.js";
import { heading, MISSING, number, scaleOf, withUnit, words } from "../../core/format.js";

export class Study {
  constructor(name) {
    this.name = name;
    this.path = `studies/${pathPart(name)}`;
    this.designs = [];
    this.picks = [];
    this.runs = [];
    this.details = new Map();
    this.others = new Map();
  }

  async load() {
    const [quantities] = await Promise.all([get(`${this.path}/quantities`), this.refresh()]);
    this.quantities = quantities;
    this.layouts = quantities.layouts.map((layout) => layout.layout);
    this.columns = columnsOf(quantities);
    this.fill();
    return this;
  }

  // Read again what changes while runs go on; says whether the front did.
  async refresh() {
    const [designs, picks, runs] = await Promise.all([
      all(`${this.path}/front`),
      all(`${this.path}/picks`),
      all(`${this.path}/runs`),
    ]);
    const identity = (list) => list.map((design) => `${design.layout} ${design.key} ${design.seeds}`).join();
    const changed = identity(designs) !== identity(this.designs);
    // One that leaves the front may be selected or pinned, and stays known.
    if (changed) this.designs.forEach((design) => this.others.set(design.key, design));
    this.designs = designs;
    this.picks = picks;
    this.runs = runs;
    if (this.columns) this.fill();
    return changed;
  }

  fill() {
    this.places = new Map(this.designs.map((design, place) => [`${design.layout} ${design.key}`, place]));
    for (const column of this.columns) column.fill(this.designs);
  }

  column(id) {
    return this.columns.find((column) => column.id === id);
  }

  get objectives() {
    return this.columns.filter((column) => column.role === "objective");
  }

  // The main columns: the layout where there are several, variables, objectives and constraints.
  get main() {
    return this.columns.filter((column) =>
      column.role === "layout" ? this.layouts.length > 1 : column.role !== "metric" && column.exists,
    );
  }

  // The place of a design on the front; -1 when it is not there. The key may be its first letters alone.
  place(layout, key) {
    if (!key) return -1;
    const exact = this.places.get(`${layout} ${key}`);
    return (
      exact ??
      this.designs.findIndex((design) => design.key.startsWith(key) && (!layout || design.layout === layout))
    );
  }

  // A design on the front, or one that was loaded before.
  known(layout, key) {
    const place = this.place(layout, key);
    return place >= 0 ? this.designs[place] : this.others.get(key);
  }

  // The stored record of a design; it stays loaded, also when it is not on the front.
  async design(layout, key) {
    if (!this.details.has(key)) {
      const found = await get(`${this.path}/designs/${pathPart(key)}`);
      this.details.set(found.key, found);
      if (this.place(layout, found.key) < 0)
        this.others.set(found.key, asDesign(found, layout, this.columns));
      return found;
    }
    return this.details.get(key);
  }

  get moves() {
    return this.runs.some((run) => MOVING.has(run.state));
  }
}

// A stored design in the form of those on the front; `layout` is the layout of the selection.
function asDesign({ key, parameters, metrics, violation }, layout, columns) {
  const paths = columns
    .filter((column) => column.role === "variable")
    .map((column) => column.id.replace(/^variable /, ""));
  const variables = Object.fromEntries(paths.map((path) => [path, valueAt(parameters, path)]));
  return { key, layout, seeds: [], variables, metrics, violation };
}

// The value at a dotted path of stored parameters.
const valueAt = (tree, path) => path.split(".").reduce((node, step) => node?.[step], tree);

export const short = (key) => key.slice(0, 8);

// ------------------------------------------------------------------ columns

// What can stand along an axis, in a column or in a range: the layout, variables, and metrics, in SI.
const ROLES = ["layout", "variable", "objective", "constraint", "metric"];

// One quantity. `values` holds it for every design, as numbers: NaN where there is none, and of what has options
// the place of its value among them.
class Column {
  // `countsAs` says for each layout what a design without the objective counts as.
  constructor({ id, role, unit = "1", sense = "", meaning = "", options = null, countsAs = {}, read }) {
    this.id = id;
    this.role = role;
    this.unit = unit;
    this.sense = sense;
    this.meaning = meaning;
    this.options = options;
    this.countsAs = countsAs;
    this.read = read;
    this.values = new Float64Array(0);
    this.scale = scaleOf([], unit);
  }

  fill(designs) {
    this.designs = designs;
    this.values = Float64Array.from(designs, (design) => this.of(design));
    this.scale = this.options ? { factor: 1, unit: "" } : scaleOf(this.values, this.unit);
  }

  // The quantity of any design, as `values` hold it.
  of(design) {
    const raw = this.read(design);
    if (this.options) return this.place(raw);
    return typeof raw === "number" ? raw : (this.countsAs[design.layout] ?? NaN);
  }

  // Whether a design has no value of its own, and counts as a limit of what was computed.
  isLimit(design) {
    return !this.options && typeof this.read(design) !== "number" && design.layout in this.countsAs;
  }

  // A design's value as it is shown, in the column's unit; "≥ 1" where it is a limit.
  shown(design) {
    return limited(this.bare(this.of(design)), this.sense, this.isLimit(design));
  }

  place(option) {
    const place = this.options.findIndex((other) => same(other, option));
    return place < 0 ? NaN : place;
  }

  get name() {
    return words(this.id);
  }

  get heading() {
    return heading(this.id, this.scale.unit);
  }

  // An objective always stands among the axes: also where no design on the front has a value of its own.
  get exists() {
    return this.role === "objective" || this.values.some((value) => !Number.isNaN(value));
  }

  // As it is shown: in the column's unit, without naming it.
  bare(value) {
    if (Number.isNaN(value) || value === null || value === undefined) return MISSING;
    return this.options ? optionText(this.options[value]) : number(value * this.scale.factor);
  }

  // With its unit.
  text(value) {
    return withUnit(this.bare(value), this.scale.unit);
  }

  // Least and greatest value, over all designs; null when there is none.
  get range() {
    if (this.options) return [0, this.options.length - 1];
    let low = Infinity;
    let high = -Infinity;
    for (const value of this.values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? [low, high] : null;
  }
}

// "≥ 1" for what is at least that good and was not computed any further.
export const limited = (text, sense, isLimit) =>
  isLimit ? `${sense === "maximize" ? "≥" : "≤"} ${text}` : text;

// All columns of a study, in the order in which people read them.
function columnsOf(quantities) {
  const layouts = quantities.layouts.map((layout) => layout.layout);
  const objectives = new Map(quantities.objectives.map((objective) => [objective.metric, objective.sense]));
  const countsAs = new Map(quantities.objectives.map((objective) => [objective.metric, objective.counts_as]));
  const constraints = new Set(quantities.constraints.map((constraint) => constraint.metric));
  const metrics = new Set(quantities.metrics.map((metric) => metric.metric));
  const variables = new Map();
  for (const layout of quantities.layouts)
    for (const variable of layout.variables) merge(variables, variable);
  const columns = [
    new Column({ id: "layout", role: "layout", options: layouts, read: (design) => design.layout }),
    ...[...variables.values()].map(
      ({ path, unit, options }) =>
        new Column({
          id: metrics.has(path) ? `variable ${path}` : path,
          role: "variable",
          unit,
          options,
          read: (design) => design.variables[path],
        }),
    ),
    ...quantities.metrics.map((metric) => {
      const name = metric.metric;
      const role = objectives.has(name) ? "objective" : constraints.has(name) ? "constraint" : "metric";
      const sense = objectives.get(name) ?? (role === "metric" ? metric.better : "");
      return new Column({
        id: name,
        role,
        unit: metric.unit,
        sense,
        meaning: metric.meaning,
        countsAs: countsAs.get(name),
        read: (design) => design.metrics[name],
      });
    }),
  ];
  const order = [...objectives.keys()];
  const rank = (column) =>
    1000 * ROLES.indexOf(column.role) + (column.role === "objective" ? order.indexOf(column.id) : 0);
  return columns.sort((one, other) => rank(one) - rank(other));
}

// Layouts may vary the same parameter over other options.
function merge(variables, variable) {
  const known = variables.get(variable.path);
  if (!known)
    variables.set(variable.path, { ...variable, options: variable.options && [...variable.options] });
  else if (known.options && variable.options) {
    known.options.push(
      ...variable.options.filter((option) => !known.options.some((other) => same(other, option))),
    );
  }
}

const same = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);
const optionText = (option) => (typeof option === "string" ? option : JSON.stringify(option));
