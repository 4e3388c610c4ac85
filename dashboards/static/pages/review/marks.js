// Rings around the selected and the pinned designs, above the drawn front. Moving them draws nothing else.
import { svg } from "./svg.js";

const SIZE = 9;

export class Marks {
  // `where(design)` gives the places on the drawing at which a design stands, in pixels, and lines that lead there.
  constructor(where) {
    this.where = where;
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
      const { places, drops } = this.where(design);
      return [...drops.map(drop), ...places.map(([x, y]) => mark(x, y, letter, design.key))];
    });
    this.layer.replaceChildren(...marks);
  }
}

function drop([from, to]) {
  return svg("line", { class: "drop", x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
}

function mark(x, y, letter, key) {
  const group = svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, "data-key": key, class: letter ? "pinned" : "selected" });
  if (letter) {
    const box = { x: -SIZE, y: -SIZE, width: 2 * SIZE, height: 2 * SIZE, rx: 2 };
    group.append(svg("rect", { ...box, class: "halo" }), svg("rect", box), svg("text", { x: SIZE + 4, y: 4 }, letter));
  } else group.append(svg("circle", { r: SIZE, class: "halo" }), svg("circle", { r: SIZE }));
  return group;
}
