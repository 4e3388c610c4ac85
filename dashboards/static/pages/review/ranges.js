// Ranges as fields: what dragging does on the parallel coordinates, for the keyboard and for exact numbers.
/** @import { Child, Range } from "../../core/types.js" */
/** @import { Column, Study } from "./study.js" */
import { selection } from "../../core/url_state.js";
import { h, replace } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { cardTable } from "../../core/tables.js";
import { tipped } from "../../core/tooltips.js";
import { isMarkFiltered, markFilterWords } from "./annotations.js";
import { brush, FILTERS, inside, setBrush, setRange } from "./view_state.js";

// A row of the table: the fields of a column, and how they show a range.
/** @typedef {{ column: Column, row: HTMLElement, show: (range: Range) => void }} RangeFields */

// `count` reports how many designs lie in the ranges.
/** @param {Study} study */
export function createRanges(study) {
  const element = h("div", {});
  const count = h("div", { class: "row", id: "in-ranges" });
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  /** @type {RangeFields[]} */
  let fields = [];

  // Make the fields anew: after designs came, units may read differently.
  function update() {
    fields = study.main.map((column, number) =>
      column.options ? optionField(column, number) : numberFields(column, number, showFault),
    );
    const rows = fields.map((field) => field.row);
    replace(element, fault, cardTable("Ranges", ["quantity", "least", "greatest", "on the front"], rows));
    fill();
  }

  // What is wrong with a field, if anything.
  /** @param {string} [text] */
  function showFault(text = "") {
    fault.hidden = !text;
    fault.textContent = text;
  }

  function fill() {
    const ranges = brush();
    for (const field of fields) field.show(ranges.get(field.column.id) ?? [-Infinity, Infinity]);
    showFault();
    describe();
  }

  function describe() {
    const text = inWords(inside(study));
    const clear = h("button", { type: "button", on: { click: () => setBrush([]) } }, "Clear all ranges");
    replace(count, text, brush().size > 0 && clear);
    return text;
  }

  selection.watch(FILTERS, () => {
    fill();
    announce(describe());
  });
  study.annotations.listen(describe);
  return { element, count, update };
}

/** @param {Uint8Array} visible */
function inWords(visible) {
  const left = visible.reduce((sum, one) => sum + one, 0);
  const set = brush().size;
  const ranges = set === 1 ? "in the range" : `in all ${set} ranges`;
  if (isMarkFiltered()) {
    const conditions = [...markFilterWords(), ...(set ? [ranges] : [])].join(", ");
    return `${left} of ${counted(visible.length, "design")} shown: ${conditions}.`;
  }
  if (set) return `${left} of ${visible.length} designs lie ${ranges}.`;
  const all = visible.length === 1 ? "the one design is" : `all ${visible.length} designs are`;
  return `No range is set: ${all} shown.`;
}

/** @param {Column} column @param {...Child} cells */
function rangeRow(column, ...cells) {
  const { range } = column;
  const ends = range && !column.options ? `${column.bare(range[0])} to ${column.text(range[1])}` : "";
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, tipped(column.heading, column.tooltip)),
    cells,
    h("td", { class: "quiet" }, ends),
  );
}

/** @param {Column} column @param {number} number @param {(text?: string) => void} showFault @returns {RangeFields} */
function numberFields(column, number, showFault) {
  const inputs = ["least", "greatest"].map((end) =>
    h("input", {
      type: "text",
      inputmode: "decimal",
      size: 9,
      id: `range-${number}-${end}`,
      aria: { label: `${end} ${column.heading}` },
      on: { change: changed },
    }),
  );

  function changed() {
    const values = inputs.map((input, end) => read(input.value, end) / column.scale.factor);
    inputs.forEach((input, end) => setInvalid(input, Number.isNaN(values[end])));
    const wrong = inputs.find((_, end) => Number.isNaN(values[end]));
    showFault(
      wrong &&
        `\u201c${wrong.value}\u201d is not a number: write the number without its unit, which the row shows: ${column.heading}.`,
    );
    if (!wrong) setRange(column.id, values[0], values[1]);
  }

  /** @param {Range} range */
  function show(range) {
    inputs.forEach((input, end) => {
      const value = range[end] * column.scale.factor;
      input.value = Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "";
      setInvalid(input, false);
    });
  }

  return { column, show, row: rangeRow(column, ...inputs.map((input) => h("td", {}, input))) };
}

/** @param {HTMLElement} input @param {boolean} isInvalid */
function setInvalid(input, isInvalid) {
  if (isInvalid) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

/** @param {Column} column @param {number} number @returns {RangeFields} */
function optionField(column, number) {
  const field = h(
    "select",
    { id: `range-${number}`, aria: { label: column.heading }, on: { change: changed } },
    h("option", { value: "" }, "any"),
    (column.options ?? []).map((_, place) => h("option", { value: place }, column.bare(place))),
    h("option", { value: "several", disabled: true, hidden: true }, "several"),
  );

  function changed() {
    const place = field.value === "" ? null : Number(field.value);
    setRange(column.id, place ?? -Infinity, place ?? Infinity);
  }

  /** @param {Range} range */
  function show([low, high]) {
    const isAny = !Number.isFinite(low) && !Number.isFinite(high);
    field.value = isAny ? "" : low === high ? String(low) : "several";
  }

  return { column, show, row: rangeRow(column, h("td", { colspan: 2 }, field)) };
}

// A field's number; empty is no bound.
/** @param {string} text @param {number} end */
function read(text, end) {
  const cleaned = text.trim().replace("\u2212", "-").replace(",", ".");
  if (cleaned === "") return end ? Infinity : -Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cleaned) ? Number(cleaned) : NaN;
}
