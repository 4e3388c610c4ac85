// Colour and size of the marks by any quantity: what the address says, the look of each design, and the scales.
/** @import { Column, Study } from "./study.js" */
import { selection } from "../../core/url_state.js";
import { h, replace } from "../../core/dom.js";
import { settings } from "../../core/plot.js";
import { quantityOptions } from "./controls.js";

// The columns that colour and size stand for; null where marks look as their layout does.
/** @typedef {{ colour: Column | null, size: Column | null }} Encoding */

// So many colours and sizes are told apart at most; marks of one look are painted once.
const STEPS = 24;
const SIZES = [5, 7, 9, 11, 13, 15, 17];
export const NO_VALUE = "#8A929C";

/** @param {Study} study @returns {Encoding} */
export function encoding(study) {
  const { colour, size } = selection.get();
  return { colour: encoded(study, colour), size: encoded(study, size) };
}

/** @param {Study} study @param {string | undefined} id */
function encoded(study, id) {
  const column = id ? study.column(id) : undefined;
  return column && column.exists && column.role !== "layout" ? column : null;
}

// Where a value stands between the least (0) and the greatest one (1) on the front; NaN where there is none.
/** @param {Column} column @param {number} value */
function shareOf(column, value) {
  const [low, high] = column.range ?? [0, 0];
  return high > low ? Math.min(Math.max((value - low) / (high - low), 0), 1) : value - value + 0.5;
}

// The colour of a value on the scale of its column.
/** @param {Column} column @param {number} value */
export function colourAt(column, value) {
  const share = shareOf(column, value);
  return Number.isNaN(share) ? NO_VALUE : rampColour(Math.round(share * STEPS) / STEPS);
}

/** @param {Column} column @param {number} value */
export function sizeAt(column, value) {
  const share = shareOf(column, value);
  return Number.isNaN(share) ? SIZES[0] : SIZES[Math.round(share * (SIZES.length - 1))];
}

// As dashboards/palette.py has it: `ramp_colour`.
/** @param {number} share */
function rampColour(share) {
  const { ramp } = settings;
  const place = share * (ramp.length - 1);
  const first = Math.min(Math.floor(place), ramp.length - 2);
  const [one, other] = ramp
    .slice(first, first + 2)
    .map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
  const mixed = one.map((channel, at) => Math.round(channel + (other[at] - channel) * (place - first)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

// ------------------------------------------------------------------ choice and scales

// Which quantities colour and size stand for, with their scales.
/** @param {Study} study */
export function createEncodingChoice(study) {
  const element = h("div", { class: "row axes encoding" });

  function update() {
    const chosen = encoding(study);
    const active = document.activeElement;
    const focused = active && element.contains(active) ? active.id : "";
    replace(
      element,
      choice(study, "colour", "Colour", "by layout", chosen.colour),
      chosen.colour && colourScale(chosen.colour),
      choice(study, "size", "Size", "the same", chosen.size),
      chosen.size && sizeScale(chosen.size),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  selection.watch(["colour", "size"], update);
  return { element, update };
}

/** @param {Study} study @param {"colour" | "size"} entry @param {string} label @param {string} none @param {Column | null} column */
function choice(study, entry, label, none, column) {
  const select = h(
    "select",
    {
      id: `${entry}-by`,
      title: column?.tooltip,
      on: { change: (event) => selection.set({ [entry]: event.currentTarget.value || null }) },
    },
    h("option", { value: "", selected: !column }, none),
    quantityOptions(study, column, ["layout"]),
  );
  return h("label", { class: "axis" }, label, " ", select);
}

/** @param {Column} column */
function colourScale(column) {
  if (column.options)
    return h(
      "span",
      { class: "row scale" },
      column.options.map((_, place) => [swatch(colourAt(column, place)), column.bare(place)]),
    );
  const [low, high] = column.range ?? [0, 0];
  const bar = h("span", { class: "ramp", aria: { hidden: "true" } });
  bar.style.background = `linear-gradient(to right, ${settings.ramp.join(", ")})`;
  return h("span", { class: "row scale" }, column.bare(low), bar, column.text(high));
}

/** @param {string} colour */
function swatch(colour) {
  const box = h("span", { class: "swatch", aria: { hidden: "true" } });
  box.style.background = colour;
  return box;
}

/** @param {Column} column */
function sizeScale(column) {
  const [low, high] = column.range ?? [0, 0];
  /** @param {number} size */
  const dot = (size) => {
    const mark = h("span", { class: "dot", aria: { hidden: "true" } });
    mark.style.width = mark.style.height = `${size}px`;
    return mark;
  };
  const great = SIZES[SIZES.length - 1];
  return h("span", { class: "row scale" }, dot(SIZES[0]), column.bare(low), dot(great), column.text(high));
}
