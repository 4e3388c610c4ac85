// The table of studies: a row for each, kept while it changes so that no focus is lost.
import { h } from "../dom.js";
import { selection } from "../selection.js";
import { createRow } from "./row.js";
import { compareBar } from "./compare.js";

const COLUMNS = [
  { id: "name", label: "Study", value: (item) => item.name },
  { id: "state", label: "State", value: (item) => item.state },
  { id: "progress", label: "Progress", value: (item) => item.share },
  { id: "growth", label: "Hypervolume" },
  { id: "best", label: "Best values" },
  { id: "owner", label: "Owner", value: (item) => item.owner },
  { id: "created", label: "Stored", value: (item) => item.created },
];

export function createTable({ who, actions }) {
  const rows = new Map();
  const chosen = new Set();
  const body = h("tbody", { role: "rowgroup" });
  const heads = COLUMNS.map(head);
  const line = h("tr", { role: "row" }, h("th", { role: "columnheader" }, h("span", { class: "unseen" }, "Choose")), heads, h("th", { role: "columnheader" }, h("span", { class: "unseen" }, "Actions")));
  const box = h("div", { class: "box", tabindex: 0, role: "region", aria: { label: "Studies" } }, h("table", { class: "studies", role: "table" }, h("thead", { role: "rowgroup" }, line), body));
  const bar = compareBar(chosen);
  const element = h("div", {}, bar.element, box);

  function choose(name, wanted) {
    wanted ? chosen.add(name) : chosen.delete(name);
    bar.update();
  }

  function update(items) {
    const owned = items.some((item) => item.owner);
    box.classList.toggle("unowned", !owned);
    const wanted = sorted(items);
    const names = new Set(wanted.map((item) => item.name));
    for (const [name, row] of rows) {
      if (names.has(name)) continue;
      row.element.remove();
      rows.delete(name);
      chosen.delete(name);
    }
    wanted.forEach((item, place) => {
      if (!rows.has(item.name)) rows.set(item.name, createRow(item, { who, actions, choose }));
      const row = rows.get(item.name);
      row.update(item);
      if (body.children[place] !== row.element) body.insertBefore(row.element, body.children[place] ?? null);
    });
    heads.forEach(mark);
    bar.update();
  }

  return { element, update };
}

function head(column) {
  const button = column.value && h("button", { type: "button", class: "sort", on: { click: () => sortBy(column.id) } }, column.label);
  return h("th", { scope: "col", role: "columnheader", class: column.id === "owner" ? "owner" : null, data: { column: column.id } }, button || column.label);
}

function mark(head) {
  const { sort, down } = selection.get();
  if (head.dataset.column === sort) head.setAttribute("aria-sort", down ? "descending" : "ascending");
  else head.removeAttribute("aria-sort");
}

// Up, down, and back to the newest first.
function sortBy(id) {
  const { sort, down } = selection.get();
  if (sort !== id) selection.set({ sort: id, down: null });
  else if (!down) selection.set({ down: "yes" });
  else selection.set({ sort: null, down: null });
}

function sorted(items) {
  const { sort, down } = selection.get();
  const column = COLUMNS.find(({ id, value }) => id === sort && value);
  if (!column) return items;
  const sign = down ? -1 : 1;
  const order = (one, other) => (one < other ? -sign : one > other ? sign : 0);
  return [...items].sort((one, other) => order(column.value(one), column.value(other)));
}
