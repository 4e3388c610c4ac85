// The drawn front: chosen axes, marks of the selection above it, picking.
import { selection } from "../../core/address.js";
import { h, replace, svg } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { draw, forget, pickable, save } from "../../core/plot.js";
import { cameraOf, cameraText } from "../../core/scatter/axes_3d.js";
import { fillLegend, legendEntries, Scatter } from "../../core/scatter/scatter.js";
import { matrixFigure, matrixGroups, placesInMatrix, scatterFigure } from "./front_figure.js";
import { axes, inside, LETTERS, pins, selected, zoomOf, zoomText } from "./view.js";

export class Front {
  constructor(study, box, caption, onPick) {
    this.study = study;
    this.box = box;
    this.caption = caption;
    this.onPick = onPick;
    this.cloud = null;
    this.stopPicking = null;
    this.hidden = new Set();
    this.legend = h("div", { class: "row legend" });
    this.marks = new Marks((design) => this.positionOf(design));
    this.scatter = new Scatter(box, {
      pick: (group, number) =>
        group.background
          ? this.cloud?.pick(group.data[number])
          : this.onPick(study.designs[group.data[number]]),
      view: (change) => this.turned(change),
      drawn: () => this.marks.place(),
    });
    selection.watch(["view", "axes", "brush", "log", "range"], () => this.draw());
    selection.watch(["layout", "key", "pins"], () => this.mark());
    selection.watch(["eye", "zoom"], () => this.showAddressedView());
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
    if (this.stopPicking) this.leaveMatrix();
    const figure = scatterFigure(this.study, this.view, visible, this.cloud);
    this.scatter.show(figure, this.seenFrom);
    this.scatter.stage.append(this.marks.layer);
    // The drawn data, in the form that plotly.js gives a box.
    this.box.data = figure.groups.map(({ name, meta, data, columns, background }) => ({
      name,
      meta: background ? "evaluations" : meta,
      customdata: data,
      ...Object.fromEntries(columns.map((values, place) => ["xyz"[place], values])),
    }));
  }

  async drawMatrix(visible) {
    if (this.scatter.figure) this.scatter.close();
    this.listMatrix(visible);
    await draw(this.box, matrixFigure(this.study, this.view, visible, this.hidden));
    if (this.view.mode !== "matrix" || this.stopPicking || !this.box.dataset.drawn) return;
    this.box.after(this.marks.layer);
    this.stopPicking = pickable(this.box, (place) => this.onPick(this.study.designs[place]));
    for (const event of ["plotly_relayouting", "plotly_afterplot", "plotly_relayout"])
      this.box.on(event, () => this.marks.place());
  }

  // The legend of the matrix is ours: plotly.js's own would move the planes by an unknown height.
  listMatrix(visible) {
    const entries = legendEntries(matrixGroups(this.study, visible), this.hidden, () => this.draw());
    fillLegend(this.legend, entries);
    this.box.parentElement.before(this.legend);
  }

  leaveMatrix() {
    this.stopPicking();
    this.stopPicking = null;
    this.legend.remove();
    forget(this.box);
  }

  mark() {
    if (this.view) this.marks.set(this.marked());
  }

  // Pinned designs with their letters, then the selected one.
  marked() {
    const designs = [
      ...pins().map((pin, place) => ({ ...pin, letter: LETTERS[place] })),
      { ...selected(), letter: "" },
    ];
    return designs
      .map(({ layout, key, letter }) => ({ design: this.study.known(layout, key), letter }))
      .filter(({ design }) => design);
  }

  values(design) {
    return this.view.columns.map((column) => column.of(design) * column.scale.factor);
  }

  // The position of a design in the drawing in pixels, and the lines from it to the floor.
  positionOf(design) {
    if (this.view.mode === "matrix")
      return { places: this.stopPicking ? placesInMatrix(this.box, this.values(design)) : [], drops: [] };
    const values = this.values(design);
    const place = this.scatter.project(values);
    return place ? { places: [place], drops: this.scatter.drops(values) } : { places: [], drops: [] };
  }

  save(format) {
    const name = `${this.study.name}-front`;
    if (this.view.mode === "matrix") return save(this.box, format, name);
    return this.scatter.save(
      format,
      name,
      this.marked().map(({ design, letter }) => ({ values: this.values(design), letter })),
    );
  }

  // The camera of a space, or the part of a plane, from the address; null for the default.
  get seenFrom() {
    const { eye, zoom } = selection.get();
    return this.view.mode === "3d" ? cameraOf(eye) : zoomOf(this.view.columns, zoom);
  }

  // The user turned or zoomed: the address gets the view, and the drawing shows it with the address's precision.
  turned({ camera, zoom }) {
    if (this.view.mode === "3d") selection.set({ eye: camera && cameraText(camera) });
    else selection.set({ zoom: zoomText(this.view.columns, zoom) });
    this.scatter.showView(this.seenFrom);
  }

  // The address has changed: show its view.
  showAddressedView() {
    if (!this.scatter.figure || this.view.mode === "matrix") return;
    const { own } = this.scatter;
    const shown = this.view.mode === "3d" ? own && cameraText(own) : zoomText(this.view.columns, own);
    const stated = this.view.mode === "3d" ? selection.get().eye : selection.get().zoom;
    if ((shown ?? "") !== (stated ?? "")) this.scatter.showView(this.seenFrom);
  }

  describe(visible) {
    const { designs } = this.study;
    const left = visible.reduce((sum, one) => sum + one, 0);
    const count =
      left === designs.length
        ? `${counted(designs.length, "design")} on the front`
        : `${left} of ${counted(designs.length, "design")} on the front ${left === 1 ? "is" : "are"} in the ranges`;
    const layouts = this.study.layouts.length > 1 ? `s of ${this.study.layouts.length} layouts` : "";
    const better = this.view.mode === "matrix" ? "" : "Arrows on the axes point to the better end.";
    const star = this.scatter.figure?.ideal
      ? "The star is the ideal point: the best value of each axis at once."
      : "";
    const texts = [
      `${count}${layouts && ` (front${layouts})`}.`,
      better,
      star,
      this.cloud?.description(this.view) ?? "",
    ];
    replace(this.caption, texts.filter(Boolean).join(" "));
    this.box.dataset.designs = String(designs.length);
    this.box.dataset.inside = String(left);
  }
}

// ------------------------------------------------------------------ rings around designs

// Rings around the selected and the pinned designs, above the drawn front. Moving them draws nothing else.
const SIZE = 9;

class Marks {
  // `positionOf(design)` gives the positions of a design in the drawing in pixels, and the lines to the floor.
  constructor(positionOf) {
    this.positionOf = positionOf;
    this.layer = svg("svg", { class: "marks", "aria-hidden": "true" });
    this.designs = [];
  }

  // Mark designs: [{ design, letter }], the letter empty for the selected one.
  set(designs) {
    this.designs = designs;
    this.place();
  }

  place() {
    const marks = this.designs.flatMap(({ design, letter }) => {
      const { places, drops } = this.positionOf(design);
      return [...drops.map(dropLine), ...places.map(([x, y]) => markShape(x, y, letter, design.key))];
    });
    this.layer.replaceChildren(...marks);
  }
}

function dropLine([from, to]) {
  return svg("line", { class: "drop", x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
}

function markShape(x, y, letter, key) {
  const group = svg("g", {
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    "data-key": key,
    class: letter ? "pinned" : "selected",
  });
  if (letter) {
    const box = { x: -SIZE, y: -SIZE, width: 2 * SIZE, height: 2 * SIZE, rx: 2 };
    group.append(
      svg("rect", { ...box, class: "halo" }),
      svg("rect", box),
      svg("text", { x: SIZE + 4, y: 4 }, letter),
    );
  } else group.append(svg("circle", { r: SIZE, class: "halo" }), svg("circle", { r: SIZE }));
  return group;
}
