// States of studies and runs: an icon, a word, and a colour, so that none of them is needed alone.
/** @import { Child, Schemas } from "./types.js" */
import { h, plainPowers, replace, scrollBox } from "./dom.js";
import { tipped } from "./tooltips.js";

/** @type {Record<string, [string, string]>} */
const STYLES = {
  draft: ["edit", "quiet"],
  queued: ["clock", "quiet"],
  running: ["play", "lively"],
  pausing: ["pause", "unsure"],
  paused: ["pause", "unsure"],
  cancelling: ["close", "unsure"],
  cancelled: ["close", "quiet"],
  failed: ["warning", "bad"],
  diverged: ["warning", "bad"],
  done: ["check", "good"],
};

export const MOVING = new Set(["queued", "running", "pausing", "cancelling"]);
// A process works on it: it cannot be deleted.
export const BUSY = new Set(["running", "pausing", "cancelling"]);

/** @param {string} state */
export function stateMark(state) {
  const [icon, look] = STYLES[state] ?? ["", "quiet"];
  return h("span", { class: `state ${look}`, data: { state, icon } }, state);
}

// ------------------------------------------------------------------ tables of texts

// A table each of whose rows becomes a card on a phone, so that no column lies beyond the edge: every cell knows its
// heading, and roles keep what it is for screen readers. To be called again when rows changed.
/** @template {HTMLTableElement} T @param {T} table */
export function asCards(table) {
  table.classList.add("cards");
  table.setAttribute("role", "table");
  const heads = Array.from(table.tHead?.rows[0]?.cells ?? [], headText);
  for (const group of [table.tHead, ...table.tBodies]) group?.setAttribute("role", "rowgroup");
  for (const row of table.rows) {
    row.setAttribute("role", "row");
    for (const cell of row.cells) {
      const inHead = row.parentElement === table.tHead;
      const header = inHead ? "columnheader" : "rowheader";
      cell.setAttribute("role", cell.localName === "th" ? header : "cell");
      if (!inHead) cell.dataset.head = cell.colSpan > 1 ? "" : heads[cell.cellIndex];
    }
  }
  return table;
}

// A raised power has no place in an attribute.
/** @param {HTMLTableCellElement} cell */
function headText(cell) {
  const copy = /** @type {HTMLElement} */ (cell.cloneNode(true));
  for (const power of copy.querySelectorAll("sup")) power.replaceWith(`^${power.textContent}`);
  return cell.dataset.head ?? plainPowers(copy.textContent);
}

// A table in a box, of heads and rows. `kind` is its class; two columns fit a phone as they are.
/** @param {string} label @param {Child[]} heads @param {Child} rows @param {{ caption?: Child, kind?: string }} [options] */
export function cardTable(label, heads, rows, { caption = "", kind = "" } = {}) {
  const cells = /** @type {any[]} */ (heads)
    .flat(Infinity)
    .filter(Boolean)
    .map((head) => (head instanceof HTMLTableCellElement ? head : h("th", { scope: "col" }, head)));
  const table = h(
    "table",
    { class: kind || null },
    caption && h("caption", {}, caption),
    h("thead", {}, h("tr", {}, cells)),
    h("tbody", {}, rows),
  );
  return scrollBox(label, cells.length > 2 ? asCards(table) : table);
}

// Tables that the server made of texts: { caption, head, rows: [[{ text, note, mark, tooltip }]], numeric, tooltips }.
const LONG = 40;
const SHORT = 23;

/** @param {Schemas["TableResource"]} table */
export function textTable(table) {
  const heads = table.head.map((name, place) =>
    h("th", { scope: "col", class: numeric(table, place) }, tipped(name, table.tooltips?.[name])),
  );
  const rows = table.rows.map((row) =>
    h(
      "tr",
      {},
      row.map((cell, place) => cellOf(table, cell, place)),
    ),
  );
  return cardTable(table.caption, heads, rows, { caption: table.caption });
}

/** @param {Schemas["TableResource"]} table @param {Schemas["CellResource"]} cell @param {number} place */
function cellOf(table, cell, place) {
  const width = cell.text.length > LONG ? "long" : cell.text.length < SHORT ? "short" : "";
  const names = [cell.mark, numeric(table, place), width].filter(Boolean).join(" ");
  const words = tipped(cell.text, cell.tooltip);
  const text = cell.mark === "best" ? h("span", { class: "value" }, words) : words; // the tick follows it
  const content = [text, cell.note && h("span", { class: "note" }, cell.note)];
  const attributes = { class: names || null };
  return place === 0 ? h("th", { scope: "row", ...attributes }, content) : h("td", attributes, content);
}

/** @param {Schemas["TableResource"]} table @param {number} place */
const numeric = (table, place) => (table.numeric.includes(place) ? "number" : null);

// ------------------------------------------------------------------ lists

// A titled table whose rows are made from a list.
/** @param {{ title: string, heads: string[], none: string }} options */
export function createList({ title, heads, none }) {
  const body = h("tbody", {});
  const row = h(
    "tr",
    {},
    heads.map((text) => h("th", { scope: "col" }, text || h("span", { class: "unseen" }, "Actions"))),
  );
  const table = h("table", {}, h("thead", {}, row), body);
  const box = scrollBox(title, table);
  const empty = h("p", { class: "quiet" }, none);
  const element = h("div", {}, box, empty);

  /** @param {HTMLElement[]} rows */
  function show(rows) {
    box.hidden = !rows.length;
    empty.hidden = Boolean(rows.length);
    replace(body, rows);
    asCards(table);
  }

  return { element, show };
}

/** @param {Child} content */
export const cell = (content) => h("td", {}, content);
/** @param {Child} content */
export const rowHeader = (content) => h("th", { scope: "row" }, content);
/** @param {string} text */
export const shortCell = (text) => h("td", { class: "short" }, text);
