// Small drawings of a study in the list: its front, and the hypervolume as it grew.
/** @import { Schemas } from "../../core/types.js" */
import { svg } from "../../core/dom.js";
import { percent, words } from "../../core/format.js";

const EDGE = 4;
const SIZE = 40;

// The first two objectives of the front of each layout: dots for the first layout, rings for the others.
/** @param {Schemas["StudyOverview"]} item */
export function frontThumbnail({ fronts, best }) {
  if (!fronts.length) return null;
  const [x, y] = best.map(({ objective }) => words(objective));
  const others = fronts.length > 1 ? `; dots: ${fronts[0].layout}, rings: ${names(fronts.slice(1))}` : "";
  const text = `front: ${y} over ${x}${others}`;
  const scale = (SIZE - 2 * EDGE) / 100;
  /** @param {number[]} point */
  const dot = ([across, up]) => `M${EDGE + across * scale} ${SIZE - EDGE - up * scale}h0`;
  const marks = fronts.flatMap(({ points }, place) => {
    const d = points.map(dot).join("");
    return [svg("path", { class: "mark", d }), place > 0 && svg("path", { class: "hole", d })];
  });
  return svg(
    "svg",
    {
      class: "front",
      viewBox: `0 0 ${SIZE} ${SIZE}`,
      width: SIZE,
      height: SIZE,
      role: "img",
      aria: { label: text },
    },
    svg("title", {}, text),
    svg("path", { class: "axes", d: `M.5 0V${SIZE - 0.5}H${SIZE}` }),
    marks,
  );
}

/** @param {{ layout: string }[]} fronts */
const names = (fronts) => fronts.map(({ layout }) => layout).join(", ");

// ------------------------------------------------------------------ hypervolume as a line

// How the hypervolume of a study grew, as a line without axes, and in words.
const WIDTH = 96;
const HEIGHT = 28;
const MARGIN = 2;

/** @param {number[]} growth */
export function sparkline(growth) {
  const first = growth.findIndex((value) => value > 0);
  if (first < 0) return null;
  const low = growth[first];
  const span = 1 - low || 1;
  /** @param {number} place */
  const x = (place) => MARGIN + ((WIDTH - 2 * MARGIN) * place) / (growth.length - 1);
  /** @param {number} value */
  const y = (value) => HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (value - low)) / span;
  const points = growth.map((value, place) => [place, value]).slice(first);
  const path = points
    .map(([place, value], i) => `${i ? "L" : "M"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("");
  return svg(
    "svg",
    {
      class: "spark",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      role: "img",
      aria: { label: inWords(growth, low) },
    },
    svg("title", {}, inWords(growth, low)),
    svg("path", { d: path }),
  );
}

// Users want to know whether it still grows.
/** @param {number[]} growth @param {number} low */
function inWords(growth, low) {
  const quarter = growth[Math.floor((growth.length - 1) * 0.75)];
  return `hypervolume: ${percent(1 / low - 1)} more than at the first front, ${percent(1 - quarter)} of it in the last quarter of the designs`;
}
