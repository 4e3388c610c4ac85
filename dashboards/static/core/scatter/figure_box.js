// Figures of the interface, which are Plotly's dictionaries, as `Scatter` draws them: those that hold marks alone.
/** @import { Figure, MarkGroup, PlotBox, ScatterFigure, Trace } from "../types.js" */
import { raised } from "../format.js";
import { draw, forget } from "../plot.js";
import { idealOf } from "./axes_2d.js";
import { Scatter } from "./scatter.js";

/** @type {Record<string, string>} */
const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
const KINDS = ["scatter", "scattergl", "scatter3d"];
const LETTERS = ["x", "y", "z"];

// A text of Plotly's without its markup.
/** @param {string} text */
const bare = (text) =>
  text
    .replace(/<\/?b>/g, "")
    .replace(/<sup>(.*?)<\/sup>/g, (_, power) => raised(power))
    .replace(/&(amp|lt|gt);/g, (entity) => ENTITIES[entity]);
/** @param {string} text */
const lines = (text) => text.split("<br>").map(bare);

// Null where a figure holds anything else than marks over two or three axes of numbers.
/** @param {Figure} options */
function scatterOf({ data, layout }) {
  const marks = data.every(({ type, mode }) => KINDS.includes(type) && mode === "markers");
  const letters = LETTERS.filter((letter) => data.every((trace) => trace[letter]));
  const named = letters.map((letter) => (layout.scene ?? layout)[`${letter}axis`]);
  if (!data.length || !marks || letters.length < 2 || named.some((axis) => !axis || axis.type === "category"))
    return null;
  const axes = named.map((axis, place) =>
    axisOf(
      axis,
      data.map((trace) => trace[letters[place]]),
      layout.meta?.better[place] ?? 0,
    ),
  );
  return {
    axes,
    groups: data.map((trace) => groupOf(trace, letters)),
    ideal: idealOf(axes),
    bands: (layout.shapes ?? []).map(bandOf),
    note: noteOf(layout.annotations ?? []),
  };
}

// A part of the first axis in a colour.
/** @param {Record<string, any>} shape */
const bandOf = ({ x0, x1, fillcolor }) => ({ from: x0, to: x1, colour: fillcolor });

// What dashboards/figures/axes.py marks a figure with.
/** @param {Record<string, any>[]} annotations */
function noteOf(annotations) {
  const found = annotations.find(({ name }) => name === "conditions");
  return found ? { text: bare(found.text), colour: found.font.color } : null;
}

/** @param {{ title?: { text?: string } }} options @param {(number | null)[][]} columns @param {number} better */
function axisOf({ title }, columns, better) {
  const [name] = lines(title?.text ?? "");
  const values = columns.flat().filter((value) => value !== null);
  const range = values.length
    ? [
        values.reduce((one, other) => Math.min(one, other)),
        values.reduce((one, other) => Math.max(one, other)),
      ]
    : [0, 0];
  return { title: name, range, better };
}

/** @param {(number | null)[]} values */
const numbersOf = (values) => values.map((value) => value ?? NaN);

/** @param {Trace} trace @param {string[]} letters */
function groupOf(trace, letters) {
  const { color, symbol, opacity } = trace.marker;
  const columns = letters.map((letter) => numbersOf(trace[letter]));
  /** @param {number} place */
  const text = (place) => (trace.text?.length ? lines(trace.text[place]) : [bare(trace.name)]);
  return {
    name: bare(trace.name),
    label: trace.legendgroup,
    columns,
    data: trace.customdata,
    colour: color,
    symbol,
    opacity,
    size: columns[0].length > 4000 ? 6 : 8,
    text,
  };
}

// ------------------------------------------------------------------ in a box

// A figure of the interface in its box: marks over two or three axes as `Scatter` draws them, all else by plotly.js.
export class FigureBox {
  // `onPick(key, label)` is called with the design of a clicked mark, and the label of its front.
  /** @param {HTMLElement} box @param {(key: string, label: string) => void} [onPick] */
  constructor(box, onPick) {
    this.box = /** @type {PlotBox} */ (box);
    this.onPick = onPick;
    /** @type {Scatter | null} */
    this.scatter = null;
  }

  /** @param {Figure} figure */
  async show(figure) {
    const marks = scatterOf(figure);
    if (marks) this.showMarks(marks, figure);
    else await this.showPlot(figure);
  }

  /** @param {ScatterFigure} marks @param {Figure} figure */
  showMarks(marks, figure) {
    if (!this.scatter) {
      forget(this.box);
      this.scatter = new Scatter(this.box, {
        /** @param {MarkGroup} group @param {number} number */
        pick: (group, number) => this.onPick?.(group.data?.[number], group.label ?? ""),
      });
    }
    this.scatter.show(marks, this.scatter.own);
    this.box.data = figure.data;
  }

  /** @param {Figure} figure */
  showPlot(figure) {
    this.scatter?.close();
    this.scatter = null;
    return draw(this.box, figure);
  }

  close() {
    if (this.scatter) this.scatter.close();
    else forget(this.box);
  }
}
