// The drawn front: chosen axes, marks of the selection above it, picking.
import { replace } from "../dom.js";
import { draw, pickable, relayout, save } from "../plot.js";
import { selection } from "../selection.js";
import { cameraOf, cameraText, fromAfar, USUAL } from "./camera.js";
import { frontFigure, markTraces } from "./front_figure.js";
import { Marks } from "./marks.js";
import { sketch } from "./sketch.js";
import { axes, inside, LETTERS, pins, selected } from "./view.js";
import { zoomOf, zoomText } from "./zoom.js";

const FARTHER = [[480, 1.45], [640, 1.2]];

export class Front {
  constructor(study, box, caption, onPick) {
    Object.assign(this, { study, box, caption, onPick, cloud: null, marks: new Marks(box) });
    selection.watch(["view", "axes", "brush"], () => this.draw());
    selection.watch(["layout", "key", "pins"], () => this.mark());
    selection.watch(["eye", "zoom"], () => this.look());
  }

  // From where a front in space is seen: as the address says, or as is usual.
  get camera() {
    return cameraOf(selection.get().eye) ?? fromAfar(USUAL, this.box.clientWidth, FARTHER);
  }

  // Show the points at once, until the figure is drawn.
  begin() {
    const visible = inside(this.study);
    this.view = axes(this.study);
    this.describe(visible);
    this.sketched = sketch(this.study, this.view, visible, this.box, this.camera);
    this.box.after(this.sketched);
  }

  async draw() {
    const view = axes(this.study);
    const visible = inside(this.study);
    const figure = frontFigure(this.study, view, visible, this.cloud);
    if (view.mode === "3d") figure.layout.scene.camera = this.camera;
    if (view.mode === "2d") zoomed(figure.layout, zoomOf(view.columns, selection.get().zoom));
    this.view = view;
    this.describe(visible);
    await draw(this.box, figure);
    this.sketched?.remove();
    if (!this.listens && this.box.dataset.drawn) this.listen();
    this.mark();
  }

  mark() {
    if (this.view) this.marks.set(this.marked(), this.view);
  }

  // Pinned designs with their letters, then the selected one.
  marked() {
    const wanted = [...pins().map((pin, place) => ({ ...pin, letter: LETTERS[place] })), { ...selected(), letter: "" }];
    return wanted.map(({ layout, key, letter }) => ({ design: this.study.known(layout, key), letter })).filter(({ design }) => design);
  }

  save(format) {
    return save(this.box, format, `${this.study.name}-front`, markTraces(this.view, this.marked()));
  }

  listen() {
    this.listens = true;
    this.marks.follow();
    pickable(this.box, (datum, point) => {
      if (point.data.meta === "evaluations") this.cloud?.pick(datum);
      else this.onPick(this.study.designs[datum]);
    });
    // Where somebody looks from, and at what part of a plane, is part of the view that a link shows.
    this.box.on("plotly_relayout", (change) => {
      const camera = change["scene.camera"];
      if (camera) selection.set({ eye: cameraText(camera) });
      else if (this.view.mode === "2d") selection.set({ zoom: zoomText(this.view.columns, this.box.layout) });
    });
  }

  // The address was changed: look from there.
  look() {
    const { eye, zoom } = selection.get();
    const { layout } = this.box;
    const camera = cameraOf(eye);
    if (!layout || !this.view) return;
    if (camera && layout.scene && cameraText(layout.scene.camera) !== cameraText(camera)) relayout(this.box, { "scene.camera": camera });
    if (this.view.mode !== "2d" || zoomText(this.view.columns, layout) === (zoom ?? null)) return;
    const ranges = zoomOf(this.view.columns, zoom);
    relayout(this.box, ranges ? { "xaxis.range": ranges[0], "yaxis.range": ranges[1] } : { "xaxis.autorange": true, "yaxis.autorange": true });
  }

  describe(visible) {
    const { designs } = this.study;
    const left = visible.reduce((sum, one) => sum + one, 0);
    const count = left === designs.length ? `${designs.length} designs on the front` : `${left} of ${designs.length} designs on the front are in the ranges`;
    const layouts = this.study.layouts.length > 1 ? `s of ${this.study.layouts.length} layouts` : "";
    const texts = [`${count}${layouts && ` (front${layouts})`}.`, this.cloud?.told(this.view.mode) ?? ""];
    replace(this.caption, texts.filter(Boolean).join(" "));
    this.box.dataset.designs = String(designs.length);
    this.box.dataset.inside = String(left);
  }
}

function zoomed(layout, ranges) {
  if (ranges) [layout.xaxis, layout.yaxis].forEach((axis, place) => Object.assign(axis, { range: ranges[place], autorange: false }));
}
