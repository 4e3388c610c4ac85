// A study as its review needs it, read through the interface: its front, picks and runs, and what each number means.
import { all, get, part } from "../api.js";
import { columnsOf } from "./columns.js";

export class Study {
  constructor(name) {
    this.name = name;
    this.path = `studies/${part(name)}`;
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
    Object.assign(this, { designs, picks, runs });
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

  // Columns that people look at first: the layout where there are several, what varies, what is wanted.
  get main() {
    return this.columns.filter((column) => (column.role === "layout" ? this.layouts.length > 1 : column.role !== "metric" && column.exists));
  }

  // The place of a design on the front; -1 when it is not there. The key may be its first letters alone.
  place(layout, key) {
    if (!key) return -1;
    const exact = this.places.get(`${layout} ${key}`);
    return exact ?? this.designs.findIndex((design) => design.key.startsWith(key) && (!layout || design.layout === layout));
  }

  // A design on the front, or one that was looked at before.
  known(layout, key) {
    const place = this.place(layout, key);
    return place >= 0 ? this.designs[place] : this.others.get(key);
  }

  // All that is stored of a design; what is not on the front is known from now on.
  async design(layout, key) {
    if (!this.details.has(key)) {
      const found = await get(`${this.path}/designs/${part(key)}`);
      this.details.set(found.key, found);
      if (this.place(layout, found.key) < 0) this.others.set(found.key, asDesign(found, layout, this.columns));
      return found;
    }
    return this.details.get(key);
  }

  get moves() {
    return this.runs.some((run) => ["queued", "running", "pausing", "cancelling"].includes(run.state));
  }
}

// A stored design as those on the front are told; `layout` is the one under which somebody found it.
function asDesign({ key, parameters, metrics, violation }, layout, columns) {
  const paths = columns.filter((column) => column.role === "variable").map((column) => column.id.replace(/^variable /, ""));
  const variables = Object.fromEntries(paths.map((path) => [path, valueAt(parameters, path)]));
  return { key, layout, seeds: [], variables, metrics, violation };
}

// The value at a dotted path of stored parameters.
export const valueAt = (tree, path) => path.split(".").reduce((node, step) => node?.[step], tree);

export const short = (key) => key.slice(0, 8);
