// Figures of the interface, which are Plotly's dictionaries, as `Scatter` draws them: those that hold marks alone.
/** @import { Camera, Figure, MarkGroup, PlotBox, ScatterFigure, Trace } from "../types.js" */
import { draw, forget } from "../plot.js";
import { bare, bareLines } from "../plotly_values.js";
import { idealOf } from "./axes_2d.js";
import { Scatter } from "./scatter.js";
import { SceneCanvas } from "./scene_canvas.js";

const KINDS = ["scatter", "scattergl", "scatter3d"];
const LETTERS = ["x", "y", "z"];

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
  const [name] = bareLines(title?.text ?? "");
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
  const text = (place) => (trace.text?.length ? bareLines(trace.text[place]) : [bare(trace.name)]);
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

// A figure of the interface in its box: marks over two or three axes as `Scatter` draws them, scenes in space as
// `SceneCanvas` does, all else by plotly.js.
export class FigureBox {
  /** @type {Scatter | null} */
  marks = null;
  /** @type {SceneCanvas | null} */
  space = null;

  // `onPick(key, label)` is called with the design of a clicked mark and the label of its front, `onView(camera)` once
  // somebody has turned a scene.
  /** @param {HTMLElement} box @param {{ onPick?: (key: string, label: string) => void, onView?: (camera: Camera | null) => void }} [on] */
  constructor(box, on = {}) {
    this.box = /** @type {PlotBox} */ (box);
    this.on = on;
  }

  // `camera` is that of a scene, or null for the figure's own.
  /** @param {Figure} figure @param {Camera | null} [camera] */
  async show(figure, camera = null) {
    const marks = scatterOf(figure);
    if (marks) this.showMarks(marks, figure);
    else if (figure.layout.scene) this.showSpace(figure, camera);
    else await this.showPlot(figure);
  }

  /** @param {ScatterFigure} marks @param {Figure} figure */
  showMarks(marks, figure) {
    if (!this.marks) {
      this.close();
      this.marks = new Scatter(this.box, {
        /** @param {MarkGroup} group @param {number} number */
        pick: (group, number) => this.on.onPick?.(group.data?.[number], group.label ?? ""),
      });
    }
    this.marks.show(marks, this.marks.own);
    Object.assign(this.box, { data: figure.data, layout: figure.layout });
  }

  /** @param {Figure} figure @param {Camera | null} camera */
  showSpace(figure, camera) {
    if (!this.space) {
      this.close();
      this.space = new SceneCanvas(this.box, { view: (view) => this.on.onView?.(view.camera ?? null) });
    }
    this.space.showScene(figure, camera);
  }

  /** @param {Figure} figure */
  showPlot(figure) {
    if (this.marks || this.space) this.close();
    return draw(this.box, figure);
  }

  close() {
    if (!this.marks && !this.space) forget(this.box);
    this.marks?.close();
    this.space?.close();
    this.marks = this.space = null;
  }
}
