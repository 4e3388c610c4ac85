// All that the runs asked for, as a cloud behind the front: of the drawn axes alone, thinned by the server where there
// are more designs than anybody could tell apart.
import { array, get } from "../api.js";
import { count } from "../format.js";
import { GREY } from "./looks.js";

const MOST = 30_000;
const FIXED = ["run", "ask_no", "state", "violation"];
const STATE_DONE = 0;

// What the server calls a column.
const stored = (column) => (column.role === "variable" ? column.id.replace(/^variable /, "") : column.id);

export class Cloud {
  constructor(study, found, onFound) {
    const [rows, width] = found.shape;
    Object.assign(this, { study, onFound, width, rows, values: found.values, asked: found.asked, columns: found.columns });
    this.at = new Map(found.columns.map((name, place) => [name, place]));
    const [state, violation] = [this.at.get("state"), this.at.get("violation")];
    const done = [];
    for (let row = 0; row < rows; row += 1) if (found.values[row * width + state] === STATE_DONE) done.push(row);
    this.groups = [
      { name: "evaluated", symbol: "circle", rows: done.filter((row) => !(found.values[row * width + violation] > 0)) },
      { name: "evaluated, a constraint broken", symbol: "x", rows: done.filter((row) => found.values[row * width + violation] > 0) },
    ].filter((group) => group.rows.length);
    this.done = done.length;
  }

  // A group as `Scatter` draws it.
  drawn(group, columns) {
    const drawn = columns.map((column) => this.column(column, group.rows));
    return { name: `${group.name} (${count(group.rows.length)})`, columns: drawn, data: group.rows, behind: true, colour: GREY, symbol: group.symbol, size: 3, opacity: 0.45 };
  }

  // The quantity of some rows as it is drawn; the layout is that of the row's run.
  column(column, rows) {
    // A variable may be called like a metric, which comes after it.
    const place = column.role === "variable" ? this.columns.indexOf(stored(column)) : this.at.get(stored(column));
    const read = (row, name) => this.values[row * this.width + (name === undefined ? place : this.at.get(name))];
    const layouts = this.study.runs.map((run) => this.study.layouts.indexOf(run.layout));
    if (column.role === "layout") return Float32Array.from(rows, (row) => layouts[read(row, "run")]);
    if (place === undefined || place < 0) return new Float32Array(rows.length).fill(NaN);
    if (!column.options) return Float32Array.from(rows, (row) => read(row) * column.scale.factor);
    // Each layout counts its own options; the column holds those of all.
    const own = this.study.quantities.layouts.map(({ variables }) => variables.find((variable) => variable.path === column.id)?.options ?? []);
    return Float32Array.from(rows, (row) => column.place(own[layouts[read(row, "run")]][read(row)]));
  }

  // How many designs lie beyond the ends of the axes, which are those of the front.
  beyond(columns) {
    const out = columns.map((column) => {
      const [low, high] = (column.range ?? [-Infinity, Infinity]).map((end) => end * column.scale.factor);
      const room = (high - low) / 32;
      return (value) => value < low - room || value > high + room;
    });
    return this.groups.reduce((sum, { rows }) => {
      const drawn = columns.map((column) => this.column(column, rows));
      return sum + rows.filter((_, place) => out.some((isOut, axis) => isOut(drawn[axis][place]))).length;
    }, 0);
  }

  // What the figure says of it.
  told({ mode, columns, whole }) {
    if (mode === "matrix") return "The cloud of all evaluations is not drawn in the matrix.";
    const thinned = this.rows < this.asked ? ` Only ${count(this.rows)} of ${count(this.asked)} evaluations are drawn.` : "";
    const lost = this.rows - this.done;
    const none = lost ? ` ${count(lost)} more have no metrics.` : "";
    const beyond = whole ? 0 : this.beyond(columns);
    const outside = beyond ? ` ${count(beyond)} of them are not drawn: they lie beyond the ends of the axes, which are those of the front.` : "";
    return `${count(this.done)} evaluations in grey.${outside}${none}${thinned}`;
  }

  // The array has no keys: ask for the one of a row.
  async pick(row) {
    const value = (name) => this.values[row * this.width + this.at.get(name)];
    const run = this.study.runs[value("run")];
    this.onFound(await get(`${this.study.path}/runs/${run.id}/evaluations/${value("ask_no")}`));
  }
}

// The cloud over some columns; in a matrix there is none to draw, but its counts.
export async function fetchCloud(study, columns, onFound) {
  const wanted = [...FIXED, ...columns.filter((column) => column.role !== "layout").map(stored)];
  return new Cloud(study, await array(`${study.path}/evaluations/array`, { column: [...new Set(wanted)], most: MOST }), onFound);
}
