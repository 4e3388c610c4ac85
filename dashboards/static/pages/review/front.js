// The drawn front: chosen axes, marks of the selection above it, picking.
import { replace } from "../dom.js";
import { counted } from "../format.js";
import { draw, forget, pickable, save } from "../plot.js";
import { Scatter } from "../scatter.js";
import { selection } from "../selection.js";
import { cameraOf, cameraText } from "./camera.js";
import { matrixFigure, scatterFigure } from "./front_figure.js";
import { Marks } from "./marks.js";
import { axes, inside, LETTERS, pins, selected } from "./view.js";
import { zoomOf, zoomText } from "./zoom.js";

export class Front {
  constructor(study, box, caption, onPick) {
    Object.assign(this, { study, box, caption, onPick, cloud: null, unpick: null });
    this.marks = new Marks((design) => this.where(design));
    this.scatter = new Scatter(box, {
      pick: (group, number) => (group.behind ? this.cloud?.pick(group.data[number]) : this.onPick(study.designs[group.data[number]])),
      view: (change) => this.turned(change),
      drawn: () => this.marks.place(),
    });
    selection.watch(["view", "axes", "brush", "log", "range"], () => this.draw());
    selection.watch(["layout", "key", "pins"], () => this.mark());
    selection.watch(["eye", "zoom"], () => this.look());
  }

  async draw() {
    const view = axes(this.study);
    const visible = inside(this.study);
    this.view = view;
    if (view.mode === "matrix") await this.drawMatrix(visible);
    else this.drawScatter(visible);
    this.describe(visible);
    this.mark();
  }

  drawScatter(visible) {
    if (this.unpick) this.leaveMatrix();
    const figure = scatterFigure(this.study, this.view, visible, this.cloud);
    this.scatter.show(figure, this.seenFrom);
    this.scatter.stage.append(this.marks.layer);
    // What is drawn, as boxes that plotly.js has drawn tell it.
    this.box.data = figure.groups.map(({ name, meta, data, columns, behind }) => ({ name, meta: behind ? "evaluations" : meta, customdata: data, ...Object.fromEntries(columns.map((values, place) => ["xyz"[place], values])) }));
  }

  async drawMatrix(visible) {
    if (this.scatter.figure) this.scatter.close();
    await draw(this.box, matrixFigure(this.study, this.view, visible));
    if (this.view.mode !== "matrix" || this.unpick || !this.box.dataset.drawn) return;
    this.box.after(this.marks.layer);
    this.unpick = pickable(this.box, (place) => this.onPick(this.study.designs[place]));
    for (const event of ["plotly_relayouting", "plotly_afterplot", "plotly_relayout"]) this.box.on(event, () => this.marks.place());
  }

  leaveMatrix() {
    this.unpick();
    this.unpick = null;
    forget(this.box);
  }

  mark() {
    if (this.view) this.marks.set(this.marked());
  }

  // Pinned designs with their letters, then the selected one.
  marked() {
    const wanted = [...pins().map((pin, place) => ({ ...pin, letter: LETTERS[place] })), { ...selected(), letter: "" }];
    return wanted.map(({ layout, key, letter }) => ({ design: this.study.known(layout, key), letter })).filter(({ design }) => design);
  }

  values(design) {
    return this.view.columns.map((column) => column.of(design) * column.scale.factor);
  }

  // Where a design stands on the drawing, and what leads there.
  where(design) {
    if (this.view.mode === "matrix") return { places: inMatrix(this.box, this.values(design)), drops: [] };
    const values = this.values(design);
    const place = this.scatter.project(values);
    return place ? { places: [place], drops: this.scatter.drops(values) } : { places: [], drops: [] };
  }

  save(format) {
    const name = `${this.study.name}-front`;
    if (this.view.mode === "matrix") return save(this.box, format, name);
    return this.scatter.save(format, name, this.marked().map(({ design, letter }) => ({ values: this.values(design), letter })));
  }

  // From where a space is seen, or the part of a plane, as the address says; null: as is usual.
  get seenFrom() {
    const { eye, zoom } = selection.get();
    return this.view.mode === "3d" ? cameraOf(eye) : zoomOf(this.view.columns, zoom);
  }

  // Somebody turned or zoomed: the view is part of what a link shows, and is shown as the link has it.
  turned({ camera, zoom }) {
    if (this.view.mode === "3d") selection.set({ eye: camera && cameraText(camera) });
    else selection.set({ zoom: zoomText(this.view.columns, zoom) });
    this.scatter.look(this.seenFrom);
  }

  // The address was changed: look from there.
  look() {
    if (!this.scatter.figure || this.view.mode === "matrix") return;
    const { own } = this.scatter;
    const shown = this.view.mode === "3d" ? own && cameraText(own) : zoomText(this.view.columns, own);
    const wanted = this.view.mode === "3d" ? selection.get().eye : selection.get().zoom;
    if ((shown ?? "") !== (wanted ?? "")) this.scatter.look(this.seenFrom);
  }

  describe(visible) {
    const { designs } = this.study;
    const left = visible.reduce((sum, one) => sum + one, 0);
    const count = left === designs.length ? `${counted(designs.length, "design")} on the front` : `${left} of ${counted(designs.length, "design")} on the front ${left === 1 ? "is" : "are"} in the ranges`;
    const layouts = this.study.layouts.length > 1 ? `s of ${this.study.layouts.length} layouts` : "";
    const better = this.view.mode === "matrix" ? "" : "Arrows on the axes point to the better end.";
    const star = this.scatter.figure?.ideal ? "The star is the ideal point: the best value of each axis at once." : "";
    const texts = [`${count}${layouts && ` (front${layouts})`}.`, better, star, this.cloud?.told(this.view) ?? ""];
    replace(this.caption, texts.filter(Boolean).join(" "));
    this.box.dataset.designs = String(designs.length);
    this.box.dataset.inside = String(left);
  }
}

// Where values stand in a matrix of pairs: in each of its planes.
function inMatrix(box, values) {
  const number = (axis) => Number(axis._id.slice(1) || 1) - 1;
  return Object.values(box._fullLayout?._plots ?? {}).flatMap(({ xaxis, yaxis }) => {
    const [left, top] = [xaxis.l2p(values[number(xaxis)]), yaxis.l2p(values[number(yaxis)])];
    const seen = left >= -1 && left <= xaxis._length + 1 && top >= -1 && top <= yaxis._length + 1;
    return seen ? [[left + xaxis._offset, top + yaxis._offset]] : [];
  });
}
