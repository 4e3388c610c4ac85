// How the hypervolume of a study grew, as a line without axes, and in words.
import { svg } from "../dom.js";
import { percent } from "../format.js";

const WIDTH = 96;
const HEIGHT = 28;
const EDGE = 2;

export function sparkline(growth) {
  const first = growth.findIndex((value) => value > 0);
  if (first < 0) return null;
  const low = growth[first];
  const span = 1 - low || 1;
  const x = (place) => EDGE + ((WIDTH - 2 * EDGE) * place) / (growth.length - 1);
  const y = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / span;
  const points = growth.map((value, place) => [place, value]).slice(first);
  const path = points.map(([place, value], i) => `${i ? "L" : "M"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return svg(
    "svg",
    { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img", aria: { label: inWords(growth, low) } },
    svg("title", {}, inWords(growth, low)),
    svg("path", { d: path }),
  );
}

// Whether it still grows is what one wants to know of it.
function inWords(growth, low) {
  const quarter = growth[Math.floor((growth.length - 1) * 0.75)];
  return `hypervolume: ${percent(1 / low - 1)} more than at the first front, ${percent(1 - quarter)} of it in the last quarter of the designs`;
}
