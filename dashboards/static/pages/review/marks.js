// Rings around the selected and the pinned designs, above the drawn front. Moving them draws nothing else: a figure in
// space takes the graphics card hundreds of milliseconds where there is none, and a selection must not wait for it.
import { svg } from "./svg.js";

const SIZE = 9;

export class Marks {
  // `box` is a drawn figure; the marks lie in the same parent, which is as large as the box.
  constructor(box) {
    this.box = box;
    this.layer = svg("svg", { class: "marks", "aria-hidden": "true" });
    box.after(this.layer);
    this.designs = [];
  }

  // Mark designs: [{ design, letter }], the letter empty for the selected one.
  set(designs, view) {
    this.designs = designs;
    this.view = view;
    this.place();
  }

  // Go along with what the figure shows; called once it is drawn.
  follow() {
    this.box.on("plotly_relayouting", () => this.place());
    this.box.on("plotly_afterplot", () => this.place());
    this.box.on("plotly_relayout", () => this.place());
    this.ride();
  }

  // A scene in space tells of each picture that it makes: the marks are moved with it.
  ride() {
    const plot = sceneOf(this.box)?.glplot;
    if (!plot || plot === this.ridden) return;
    this.ridden = plot;
    const own = plot.onrender;
    plot.onrender = () => {
      own?.();
      this.place();
    };
  }

  place() {
    const layout = this.box._fullLayout;
    if (!layout || !this.view) return;
    this.ride();
    const where = projection(this.box, this.view);
    const marks = this.designs.flatMap(({ design, letter }) => {
      const values = this.view.columns.map((column) => column.of(design) * column.scale.factor);
      return where(values).map(([x, y]) => mark(x, y, letter, design.key));
    });
    this.layer.replaceChildren(...marks);
  }
}

// Where values stand on the drawing: in a matrix at several places, outside of what is shown at none.
function projection(box, { mode }) {
  const layout = box._fullLayout;
  if (mode === "3d") {
    const scene = sceneOf(box);
    return scene ? (values) => inSpace(scene, layout, values) : () => [];
  }
  const number = (axis) => Number(axis._id.slice(1) || 1) - 1;
  const planes = Object.values(layout._plots ?? {});
  return (values) => planes.flatMap(({ xaxis, yaxis }) => {
    const [x, y] = mode === "matrix" ? [values[number(xaxis)], values[number(yaxis)]] : values;
    const [left, top] = [xaxis.l2p(x), yaxis.l2p(y)];
    const seen = left >= -1 && left <= xaxis._length + 1 && top >= -1 && top <= yaxis._length + 1;
    return seen ? [[left + xaxis._offset, top + yaxis._offset]] : [];
  });
}

const sceneOf = (box) => box._fullLayout?.scene?._scene;

// As plotly.js places its own annotations of a scene.
function inSpace({ glplot, dataScale }, { _size: size }, values) {
  if (values.some(Number.isNaN) || !glplot?.cameraParams) return [];
  const { model, view, projection: lens } = glplot.cameraParams;
  const [x, y, , w] = [model, view, lens].reduce(times, [...values.map((value, axis) => value * dataScale[axis]), 1]);
  return [[size.l + (0.5 + 0.5 * (x / w)) * size.w, size.t + (0.5 - 0.5 * (y / w)) * size.h]];
}

// A column-major 4 x 4 matrix times a vector.
function times(vector, matrix) {
  return [0, 1, 2, 3].map((row) => [0, 1, 2, 3].reduce((sum, column) => sum + matrix[4 * column + row] * vector[column], 0));
}

function mark(x, y, letter, key) {
  const group = svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, "data-key": key, class: letter ? "pinned" : "selected" });
  if (letter) {
    const box = { x: -SIZE, y: -SIZE, width: 2 * SIZE, height: 2 * SIZE, rx: 2 };
    group.append(svg("rect", { ...box, class: "halo" }), svg("rect", box), svg("text", { x: SIZE + 4, y: 4 }, letter));
  } else group.append(svg("circle", { r: SIZE, class: "halo" }), svg("circle", { r: SIZE }));
  return group;
}
