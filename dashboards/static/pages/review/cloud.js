// All that the runs asked for, as a cloud behind the front: one binary array, thinned where it is too much to draw.
import { array, get } from "../api.js";
import { GREY } from "./looks.js";

// Drawn at most: a plane stays fluid with so many, space with fewer.
const MOST = { "2d": 50000, "3d": 15000 };
const FIXED = 5;
const STATE_DONE = 0;

export class Cloud {
  constructor(study, found, onFound) {
    const [rows, width] = found.shape;
    Object.assign(this, { study, onFound, width, values: found.values, rows });
    this.at = new Map(found.columns.map((name, place) => [name, place]));
    this.metrics = new Map(found.columns.slice(FIXED).map((name, place) => [name, place + FIXED]));
    const state = this.at.get("state");
    const violation = this.at.get("violation");
    const done = [];
    for (let row = 0; row < rows; row += 1) if (found.values[row * width + state] === STATE_DONE) done.push(row);
    this.groups = [
      { name: "evaluated", symbol: "circle", rows: done.filter((row) => !(found.values[row * width + violation] > 0)) },
      { name: "evaluated, a constraint broken", symbol: "x", rows: done.filter((row) => found.values[row * width + violation] > 0) },
    ].filter((group) => group.rows.length);
    this.done = done.length;
  }

  // One trace for designs that hold the constraints, one for those that do not.
  traces(columns, points) {
    const step = this.step(columns.length === 3 ? "3d" : "2d");
    return this.groups.map((group) => {
      const rows = Int32Array.from(group.rows.filter((_, place) => place % step === 0));
      return {
        ...points((column) => this.column(column, rows)),
        name: `${group.name} (${group.rows.length})`, meta: "evaluations", customdata: rows, hoverinfo: "x+y+z",
        marker: { color: GREY, symbol: group.symbol, size: 3, opacity: 0.45 },
      };
    });
  }

  step(mode) {
    return Math.max(1, Math.ceil(this.done / MOST[mode]));
  }

  // The quantity of some rows as it is drawn; the layout is that of the row's run.
  column(column, rows) {
    const place = this.metrics.get(column.role === "variable" ? column.id.replace(/^variable /, "") : column.id);
    const read = (row, name) => this.values[row * this.width + (name === undefined ? place : this.at.get(name))];
    const layouts = this.study.runs.map((run) => this.study.layouts.indexOf(run.layout));
    if (column.role === "layout") return Float32Array.from(rows, (row) => layouts[read(row, "run")]);
    if (place === undefined) return new Float32Array(rows.length).fill(NaN);
    if (!column.options) return Float32Array.from(rows, (row) => read(row) * column.scale.factor);
    // Each layout counts its own options; the column holds those of all.
    const own = this.study.quantities.layouts.map(({ variables }) => variables.find((variable) => variable.path === column.id)?.options ?? []);
    return Float32Array.from(rows, (row) => column.place(own[layouts[read(row, "run")]][read(row)]));
  }

  // What the figure says of it.
  told(mode) {
    if (mode === "matrix") return "The cloud of all evaluations is not drawn in the matrix.";
    const step = this.step(mode);
    const lost = this.rows - this.done;
    const none = lost ? ` ${lost} more have no metrics.` : "";
    const all = `${this.done} evaluations in grey`;
    return (step === 1 ? `${all}, all drawn.` : `${all}; above ${MOST[mode]} they are thinned: every ${ordinal(step)} is drawn.`) + none;
  }

  // The array has no keys: ask for the one of a row.
  async pick(row) {
    const value = (name) => this.values[row * this.width + this.at.get(name)];
    const run = this.study.runs[value("run")];
    this.onFound(await get(`${this.study.path}/runs/${run.id}/evaluations/${value("ask_no")}`));
  }
}

const ordinal = (step) => `${step}${step === 2 ? "nd" : step === 3 ? "rd" : "th"}`;

export async function fetchCloud(study, onFound) {
  return new Cloud(study, await array(`${study.path}/evaluations/array`), onFound);
}
