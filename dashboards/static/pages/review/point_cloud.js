// All evaluations behind the front: the values of the drawn axes as one array, and their marks.
/** @import { MarkGroup, Schemas, Table } from "../../core/types.js" */
/** @import { Column, Study } from "./study.js" */
/** @import { AxesView } from "./view_state.js" */
import { array, get } from "../../core/api.js";
import { count } from "../../core/format.js";
import { GREY } from "./front_figure.js";

/** @typedef {{ name: string, symbol: string, rows: number[] }} EvaluationGroup */

// All evaluations of the runs, as a cloud behind the front: only the values of the drawn axes, and at most MOST
// designs, which the server selects.
const MOST = 30_000;
const FIXED = ["run", "ask_no", "state", "violation", "rung"];
const STATE_DONE = 0;

// The server's name of a column.
/** @param {Column} column */
const stored = (column) => (column.role === "variable" ? column.id.replace(/^variable /, "") : column.id);

export class Evaluations {
  /** @param {Study} study @param {Table} found @param {(design: Schemas["AskedDesignResource"]) => void} onFound */
  constructor(study, found, onFound) {
    const [rows, width] = found.shape;
    this.study = study;
    this.onFound = onFound;
    this.width = width;
    this.rows = rows;
    this.values = found.values;
    this.asked = found.asked;
    this.columns = found.columns;
    // A variable may be called like a metric, which comes after it.
    this.at = new Map(found.columns.map((name, place) => [name, place]));
    const all = Array.from({ length: rows }, (_, row) => row);
    // What was evaluated on a rung only has no metrics of the study.
    const full = all.filter((row) => Number.isNaN(this.value(row, "rung")));
    const done = full.filter((row) => this.value(row, "state") === STATE_DONE);
    const isBroken = (/** @type {number} */ row) => this.value(row, "violation") > 0;
    /** @type {EvaluationGroup[]} */
    const groups = [
      { name: "evaluated", symbol: "circle", rows: done.filter((row) => !isBroken(row)) },
      { name: "evaluated, a constraint broken", symbol: "x", rows: done.filter(isBroken) },
    ];
    this.groups = groups.filter((group) => group.rows.length);
    this.done = done.length;
    this.full = full.length;
  }

  // What stands in a row under a name; NaN where there is no such column.
  /** @param {number} row @param {string} name */
  value(row, name) {
    const place = this.at.get(name);
    return place === undefined ? NaN : this.values[row * this.width + place];
  }

  // A group as `Scatter` draws it.
  /** @param {EvaluationGroup} group @param {Column[]} columns */
  drawn(group, columns) {
    const drawn = columns.map((column) => this.column(column, group.rows));
    return {
      name: `${group.name} (${count(group.rows.length)})`,
      columns: drawn,
      data: group.rows,
      background: true,
      colour: GREY,
      symbol: group.symbol,
      size: 3,
      opacity: 0.45,
    };
  }

  // The quantity of some rows as it is drawn; the layout is that of the row's run.
  /** @param {Column} column @param {number[]} rows */
  column(column, rows) {
    const layouts = this.study.runs.map((run) => this.study.layouts.indexOf(run.layout));
    /** @param {number} row */
    const layoutOf = (row) => layouts[this.value(row, "run")];
    if (column.role === "layout") return Float32Array.from(rows, layoutOf);
    const place =
      column.role === "variable" ? this.columns.indexOf(stored(column)) : this.at.get(stored(column));
    if (place === undefined || place < 0) return new Float32Array(rows.length).fill(NaN);
    /** @param {number} row */
    const read = (row) => this.values[row * this.width + place];
    if (!column.options) return Float32Array.from(rows, (row) => read(row) * column.scale.factor);
    // Each layout counts its own options; the column holds those of all.
    const own = this.study.quantities.layouts.map(
      ({ variables }) => variables.find((variable) => variable.path === column.id)?.options ?? [],
    );
    return Float32Array.from(rows, (row) => column.place(own[layoutOf(row)][read(row)]));
  }

  // How many designs lie outside the axes, which end where the front does.
  /** @param {Column[]} columns */
  countOutside(columns) {
    const out = columns.map((column) => {
      const [low, high] = (column.range ?? [-Infinity, Infinity]).map((end) => end * column.scale.factor);
      const room = (high - low) / 32;
      return (/** @type {number} */ value) => value < low - room || value > high + room;
    });
    return this.groups.reduce((sum, { rows }) => {
      const drawn = columns.map((column) => this.column(column, rows));
      return sum + rows.filter((_, place) => out.some((isOut, axis) => isOut(drawn[axis][place]))).length;
    }, 0);
  }

  // The text about the cloud in the figure's caption.
  /** @param {AxesView} options */
  description({ mode, columns, whole }) {
    if (mode === "matrix") return "The cloud of all evaluations is not drawn in the matrix.";
    const thinned =
      this.rows < this.asked
        ? ` Only ${count(this.rows)} of ${count(this.asked)} evaluations are drawn.`
        : "";
    const lost = this.full - this.done;
    const coarse = this.rows - this.full;
    const none =
      (lost ? ` ${count(lost)} more have no metrics.` : "") +
      (coarse ? ` ${count(coarse)} more were evaluated on a lower rung only.` : "");
    const outside = whole ? 0 : this.countOutside(columns);
    const remark = outside
      ? ` ${count(outside)} of them are not drawn: they lie beyond the ends of the axes, which are those of the front.`
      : "";
    return `${count(this.done)} evaluations in grey.${remark}${none}${thinned}`;
  }

  // The array has no keys: ask for the one of a row.
  /** @param {number} row */
  async pick(row) {
    const run = this.study.runs[this.value(row, "run")];
    const place = /** @type {const} */ (`runs/${run.id}/evaluations/${this.value(row, "ask_no")}`);
    this.onFound(await get(`${this.study.path}/${place}`));
  }
}

// The cloud over some columns; in a matrix there is none to draw, but its counts.
/** @param {Study} study @param {Column[]} columns @param {(design: Schemas["AskedDesignResource"]) => void} onFound */
export async function fetchEvaluations(study, columns, onFound) {
  const held = columns.filter((column) => column.role !== "layout" && column.role !== "parameter");
  const names = [...FIXED, ...held.map(stored)];
  return new Evaluations(
    study,
    await array(`${study.path}/evaluations/array`, { column: [...new Set(names)], most: MOST }),
    onFound,
  );
}
