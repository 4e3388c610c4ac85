// Tables that the server made of texts: { caption, head, rows: [[{ text, note, mark }]], numeric }.
import { h } from "./dom.js";

const LONG = 40;
const SHORT = 23;

export function textTable(table) {
  return h(
    "div",
    { class: "box", tabindex: 0, role: "region", aria: { label: table.caption } },
    h(
      "table",
      {},
      h("caption", {}, table.caption),
      h("thead", {}, h("tr", {}, table.head.map((name, place) => h("th", { scope: "col", class: numeric(table, place) }, name)))),
      h("tbody", {}, table.rows.map((row) => h("tr", {}, row.map((cell, place) => cellOf(table, cell, place))))),
    ),
  );
}

function cellOf(table, cell, place) {
  const width = cell.text.length > LONG ? "long" : cell.text.length < SHORT ? "short" : "";
  const names = [cell.mark, numeric(table, place), width].filter(Boolean).join(" ");
  const content = [cell.text, cell.note && h("span", { class: "note" }, cell.note)];
  const attributes = { class: names || null };
  return place === 0 ? h("th", { scope: "row", ...attributes }, content) : h("td", attributes, content);
}

const numeric = (table, place) => (table.numeric.includes(place) ? "number" : null);
