// A figure of the interface in its box: marks, lines and bars over axes as `Scatter` draws them, scenes in space as
// `SceneCanvas` does, several panels, maps and parallel coordinates by plotly.js.
/** @import { Camera, Figure, MarkGroup, PlotBox, ScatterFigure } from "../types.js" */
import { h, replace } from "../dom.js";
import { draw, forget } from "../plot.js";
import { bare } from "../plotly_values.js";
import { flatFigure } from "./flat_figure.js";
import { Scatter } from "./scatter.js";
import { SceneCanvas } from "./scene_canvas.js";

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
    const flat = flatFigure(figure);
    if (flat) this.showFlat(flat, figure);
    else if (!figure.data.length) this.showNone(figure);
    else if (figure.layout.scene) this.showSpace(figure, camera);
    else await this.showPlot(figure);
  }

  // The sentence of a figure in which nothing is drawn.
  /** @param {Figure} figure */
  showNone({ data, layout }) {
    this.close();
    const [note] = layout.annotations ?? [];
    replace(this.box, h("p", { class: "quiet" }, bare(note?.text ?? "")));
    this.box.removeAttribute("aria-busy");
    this.box.dataset.drawn = "yes";
    Object.assign(this.box, { data, layout });
  }

  /** @param {ScatterFigure} flat @param {Figure} figure */
  showFlat(flat, figure) {
    if (!this.marks) {
      this.close();
      this.marks = new Scatter(this.box, {
        /** @param {MarkGroup} group @param {number} number */
        pick: (group, number) => this.on.onPick?.(group.data?.[number], group.label ?? ""),
      });
    }
    this.marks.show(flat, this.marks.own);
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
