// A line drawing of each of our own back-ends; others share one.
import { h } from "../dom.js";

const DRAWN = new Set(["hybrid-cable-robot", "continuum-statics"]);

export const isOurs = ({ model }) => DRAWN.has(model);

export function picture(model) {
  const name = DRAWN.has(model) ? model : "other";
  const src = new URL(`../models/${name}.svg`, import.meta.url).href;
  return h("img", { class: "picture", src, alt: "", width: 96, height: 96 });
}
