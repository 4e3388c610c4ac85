// What somebody chose of the picture of a robot, as the address says it: a field, a posture, a clip plane, an opacity.
/** @import { Figure, Query, Range } from "./types.js" */
import { clipped } from "./clip_plane.js";
import { selection } from "./url_state.js";

const AXES = /** @type {const} */ (["x", "y", "z"]);
const DIGITS = 5;
// Marks what can be made fainter, see dashboards/figures/scene.py.
const WORKSPACE = "workspace";
const EDGES = "workspace edges";
// Marks the trace that carries a scale of colours, see dashboards/figures/valued_lines.py.
const SCALE = "scale";

// A clip plane across an axis of the world.
/** @typedef {{ axis: string, side: 1 | -1, at: number }} Cut */

// The entries of the address that change what is drawn, and those that change what the server is asked for.
export const DRAWN = ["cut", "opacity", "hull"];
export const ASKED = ["field", "posture"];

export const fieldOf = () => selection.get().field ?? "";

// Values of the posture's coordinates in SI; empty for the design's own.
export function postureOf() {
  const values = (selection.get().posture || "none").split(",").map(Number);
  return values.every((value) => Number.isFinite(value)) ? values : [];
}

// What the interface is asked for; empty for the picture of the design as it is.
/** @returns {Query} */
export const viewQuery = () => ({ field: fieldOf() || null, posture: postureOf() });

/** @returns {Cut | null} */
export function cutOf() {
  const [axis, side, at] = (selection.get().cut ?? "").split(":");
  if (!AXES.some((name) => name === axis) || !at || !Number.isFinite(Number(at))) return null;
  return { axis, side: side === "above" ? -1 : 1, at: Number(at) };
}

// Whether the workspace is left out of pictures.
export const isHullHidden = () => selection.get().hull === "off";

/** @param {boolean} shown */
export const setHull = (shown) => selection.set({ hull: shown ? null : "off" });

// How opaque the workspace is, from 0 to 1; null for as it is drawn.
export function opacityOf() {
  const percent = Number(selection.get().opacity || NaN);
  return percent >= 0 && percent <= 100 ? percent / 100 : null;
}

/** @param {number} value */
const short = (value) => Number(value.toFixed(DIGITS));

/** @param {Cut | null} cut */
export function setCut(cut) {
  selection.set({ cut: cut && `${cut.axis}:${cut.side > 0 ? "below" : "above"}:${short(cut.at)}` });
}

// Rounded, but within the ends.
/** @param {{ value: number, lower: number, upper: number }[]} coordinates */
export function setPosture(coordinates) {
  const values = coordinates.map(({ value, lower, upper }) => Math.min(Math.max(short(value), lower), upper));
  selection.set({ posture: values.join(",") });
}

// ------------------------------------------------------------------ figures

// The axis of the picture along which an axis of the world runs.
/** @param {Figure} figure @param {string} name */
function pictured(figure, name) {
  const names = figure.layout.meta?.axes ?? AXES;
  return AXES[names.indexOf(name)];
}

// The ends of a figure along an axis of the world, the least first.
/** @param {Figure} figure @param {string} name @returns {Range} */
export function rangeAlong(figure, name) {
  const [from, to] = figure.layout.scene[`${pictured(figure, name)}axis`].range;
  return [Math.min(from, to), Math.max(from, to)];
}

// How opaque the workspace of a figure is drawn; null where there is none.
/** @param {Figure} figure */
export function ownOpacity({ data }) {
  const trace = data.find(({ meta }) => meta === WORKSPACE);
  return trace ? (trace.type === "mesh3d" ? trace.opacity : (trace.marker.opacity ?? 1)) : null;
}

// A figure with the opacity and without what lies beyond the clip plane that the address says.
/** @param {Figure} figure */
export function asChosen(figure) {
  const cut = cutOf();
  const opacity = opacityOf();
  const hide = isHullHidden();
  const data = figure.data.map((trace) => {
    if (hide && [WORKSPACE, EDGES].includes(trace.meta)) return { ...trace, visible: false };
    return opacity === null ? trace : fainter(trace, opacity);
  });
  const faint = { ...figure, data };
  return cut ? clipped(faint, { ...cut, axis: pictured(figure, cut.axis) }) : faint;
}

// A small picture leaves out the edges of the workspace and the scales, which have no room; a narrow one the numbers.
/** @param {Figure} figure @param {boolean} narrow @returns {Figure} */
export function sparse(figure, narrow) {
  const kept = figure.data.filter(({ meta, visible }) => ![EDGES, SCALE].includes(meta) && visible !== false);
  return { ...figure, data: narrow ? kept.map(unnumbered) : kept };
}

/** @param {Figure["data"][number]} trace */
const unnumbered = (trace) => (trace.legendgroup === "cables" ? { ...trace, mode: "lines" } : trace);

/** @param {Figure["data"][number]} trace @param {number} opacity */
function fainter(trace, opacity) {
  if (trace.meta !== WORKSPACE) return trace;
  return trace.type === "mesh3d" ? { ...trace, opacity } : { ...trace, marker: { ...trace.marker, opacity } };
}
