// Tables that the server made of texts: { caption, head, rows: [[{ text, note, mark }]], numeric }. On a phone each row
// becomes a list of its cells, so that no column lies beyond the edge; roles keep what it is for screen readers.
import { h } from "./dom.js";

const LONG = 40;
const SHORT = 23;

export function textTable(table) {
  return h(
    "div",
    { class: "box", tabindex: 0, role: "region", aria: { label: table.caption } },
    h(
      "table",
      { class: "texts", role: "table" },
      h("caption", {}, table.caption),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, table.head.map((name, place) => h("th", { scope: "col", role: "columnheader", class: numeric(table, place) }, name)))),
      h("tbody", { role: "rowgroup" }, table.rows.map((row) => h("tr", { role: "row" }, row.map((cell, place) => cellOf(table, cell, place))))),
    ),
  );
}

function cellOf(table, cell, place) {
  const width = cell.text.length > LONG ? "long" : cell.text.length < SHORT ? "short" : "";
  const names = [cell.mark, numeric(table, place), width].filter(Boolean).join(" ");
  const content = [cell.text, cell.note && h("span", { class: "note" }, cell.note)];
  const attributes = { class: names || null, data: { head: table.head[place] } };
  return place === 0 ? h("th", { scope: "row", role: "rowheader", ...attributes }, content) : h("td", { role: "cell", ...attributes }, content);
}

const numeric = (table, place) => (table.numeric.includes(place) ? "number" : null);
