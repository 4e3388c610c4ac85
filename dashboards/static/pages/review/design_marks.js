// Above the front: rings around the selected and the pinned designs, and stars beside favourites.
/** @import { Point } from "../../core/types.js" */
/** @import { KnownDesign, Study } from "./study.js" */
import { svg } from "../../core/dom.js";
import { shapeOf } from "../../core/scatter/renderers.js";
import { inside, LETTERS, pins, selected } from "./view_state.js";

// A design that is marked above the front, and as what; a pinned one has a letter.
/** @typedef {{ design: KnownDesign, kind: "pinned" | "selected" | "favourite", letter: string }} MarkedDesign */

// Pinned designs with their letters, the selected one, then favourites.
/** @param {Study} study @returns {MarkedDesign[]} */
export function marked(study) {
  const designs = [
    ...pins().map((pin, place) => ({
      ...pin,
      kind: /** @type {const} */ ("pinned"),
      letter: LETTERS[place],
    })),
    { ...selected(), kind: /** @type {const} */ ("selected"), letter: "" },
  ];
  const others = designs.flatMap(({ layout, key, kind, letter }) => {
    const design = study.known(layout, key);
    return design ? [{ design, kind, letter }] : [];
  });
  const stars = favourites(study).map((design) => ({
    design,
    kind: /** @type {const} */ ("favourite"),
    letter: "",
  }));
  return [...others, ...stars];
}

// The favourites on the front that the filters let through.
/** @param {Study} study */
export function favourites(study) {
  const { annotations, designs } = study;
  if (!annotations.byKey.size) return [];
  const visible = inside(study);
  return designs.filter(({ key }, place) => visible[place] && annotations.isFavourite(key));
}

// ------------------------------------------------------------------ as they are drawn

// Where a design stands in the drawing, in pixels, and the lines from it to the floor.
/** @typedef {{ places: Point[], drops: Point[][] }} Position */

const SIZE = 9;
const STAR = { size: 12, away: 8 };
// The same in a saved picture.
export const SAVED = {
  pinned: { symbol: "square-open", size: 16 },
  selected: { symbol: "circle-open", size: 16 },
  favourite: { symbol: "star", ...STAR },
};

// Moving the marks draws nothing else.
export class DesignMarks {
  /** @type {MarkedDesign[]} */
  designs = [];

  /** @param {(design: KnownDesign) => Position} positionOf */
  constructor(positionOf) {
    this.positionOf = positionOf;
    this.layer = svg("svg", { class: "marks", "aria-hidden": "true" });
  }

  /** @param {MarkedDesign[]} designs */
  set(designs) {
    this.designs = designs;
    this.place();
  }

  place() {
    const marks = this.designs.flatMap(({ design, kind, letter }) => {
      const { places, drops } = this.positionOf(design);
      if (kind === "favourite") return places.map((place) => star(place, design.key));
      return [...drops.map(dropLine), ...places.map((place) => ring(place, letter, design.key))];
    });
    this.layer.replaceChildren(...marks);
  }
}

/** @param {Point[]} ends */
function dropLine([from, to]) {
  return svg("line", { class: "drop", x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
}

// Beside the mark, which keeps its colour.
/** @param {Point} place @param {string} key */
function star([x, y], key) {
  const at = `translate(${(x + STAR.away).toFixed(1)} ${(y - STAR.away).toFixed(1)})`;
  const d = shapeOf("star", STAR.size);
  return svg(
    "g",
    { transform: at, "data-key": key, class: "favourite" },
    svg("path", { d, class: "halo" }),
    svg("path", { d }),
  );
}

/** @param {Point} place @param {string} letter @param {string} key */
function ring([x, y], letter, key) {
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
