// The designs of the front as a table: sorted by any column, walked through with the arrow keys.
/** @import { Column, KnownDesign, Study } from "./study.js" */
import { selection } from "../../core/url_state.js";
import { find, findAll, h, replace, scrollBox } from "../../core/dom.js";
import { announce } from "../../core/messages.js";
import { asCards } from "../../core/tables.js";
import { unsafeMark } from "../../core/tooltips.js";
import { short } from "./study.js";
import { annotationMarks } from "./annotation_panel.js";
import { isMarkFiltered, starButton } from "./annotations.js";
import { axes, FILTERS, inside, isPinned, select, selected } from "./view_state.js";

// Up to WHOLE designs stand in one part; of more a part is smaller, as a selection in another one draws all its rows.
const WHOLE = 100;
const PART = 50;
/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

// By which column the designs are sorted; `sign` is -1 where the greatest value comes first.
/** @typedef {{ column: Column, sign: number }} Order */
/** @typedef {{ row: HTMLElement, button: HTMLElement, design: KnownDesign, showAnnotations: () => void }} Row */

// `filters` stand below.
/** @param {Study} study @param {HTMLElement[]} filters */
export function createTable(study, filters) {
  const box = scrollBox("Designs on the front");
  box.classList.add("tall");
  const foot = h("div", { class: "row" });
  const element = h(
    "section",
    { aria: { labelledby: "table-title" } },
    h("h2", { id: "table-title", class: "unseen" }, "Designs"),
    box,
    h("div", { class: "row small" }, foot, filters),
  );
  // Rows of the part that is shown, by the place of their design on the front.
  /** @type {Map<number, Row>} */
  const rows = new Map();
  // Places of the designs that are shown, in order, and the first one of the part.
  /** @type {number[]} */
  let places = [];
  let first = 0;
  let isWide = false;

  // How many rows stand in a part.
  const partSize = () => (places.length > WHOLE ? PART : WHOLE);

  function update() {
    places = sortedPlaces(study, orderOf(study));
    first = Math.min(first, Math.max(places.length - 1, 0));
    first -= first % partSize();
    const row = rowOfSelected();
    show(row);
    reveal(row);
  }

  // The number of the row on which the selected design stands; -1 when it is not shown.
  function rowOfSelected() {
    const { layout, key } = selected();
    const chosen = study.place(layout, key);
    return chosen < 0 ? -1 : places.indexOf(chosen);
  }

  // Show the part with a row, or the part that was shown.
  /** @param {number} row */
  function show(row) {
    if (row >= 0) first = row - (row % partSize());
    const columns = columnsOf(study, isWide);
    const order = orderOf(study);
    const all = study.designs.length;
    const caption = `Designs on the front: ${places.length}${places.length < all ? ` of ${all}` : ""}`;
    rows.clear();
    places.slice(first, first + partSize()).forEach((place, number) => {
      rows.set(place, createRow(study, study.designs[place], columns, first + number));
    });
    const heads = columns.map((column) => head(column, order, sort));
    const line = h("tr", {}, h("th", { scope: "col" }, "design"), heads);
    const body = h(
      "tbody",
      {},
      [...rows.values()].map(({ row }) => row),
    );
    const parts = [h("caption", {}, caption), h("thead", {}, line), body];
    replace(box, asCards(h("table", { class: "designs dense" }, parts)));
    showFoot();
    mark();
    box.dataset.rows = String(places.length);
  }

  /** @param {Column} column @param {string} text */
  function sort(column, text) {
    selection.set({ sort: text });
    findAll(box, ".sort")
      .find((button) => button.dataset.column === column.id)
      ?.focus();
  }

  // One row can be reached by Tab; the arrow keys go on from there.
  function mark() {
    const { layout, key } = selected();
    const chosen = study.place(layout, key);
    const [top] = rows.keys();
    const reached = rows.has(chosen) ? chosen : top;
    for (const [place, { row, button, design }] of rows) {
      if (place === chosen) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
      row.classList.toggle("pinned", isPinned(design.layout, design.key));
      button.tabIndex = place === reached ? 0 : -1;
    }
  }

  // The selection came from elsewhere, or from here: show its row.
  function follow() {
    const row = rowOfSelected();
    if (row >= 0 && (row < first || row >= first + partSize())) show(row);
    else mark();
    reveal(row);
  }

  // Scroll within the table alone, never the page.
  /** @param {number} number */
  function reveal(number) {
    const row = number < 0 ? undefined : rows.get(places[number])?.row;
    if (!row) return;
    const headHeight = find(box, "thead").offsetHeight;
    const bottom = row.offsetTop + row.offsetHeight;
    if (row.offsetTop < box.scrollTop + headHeight) box.scrollTop = row.offsetTop - headHeight;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }

  // Wherever somebody clicked in the table, the arrow keys go on from the selected design.
  /** @param {KeyboardEvent} event */
  function walk(event) {
    if (!(event.key in STEPS) || !places.length) return;
    event.preventDefault();
    rows.get(step(STEPS[event.key]))?.button.focus({ preventScroll: true });
  }

  // Select the design so many rows below the selected one; its place on the front.
  /** @param {number} by */
  function step(by) {
    const place = places[Math.min(Math.max(rowOfSelected() + by, 0), places.length - 1)];
    const design = study.designs[place];
    if (design) select(design.layout, design.key);
    return place;
  }

  function showFoot() {
    const size = partSize();
    const last = Math.min(first + size, places.length);
    /** @param {string} label @param {number} step @param {boolean} disabled */
    const button = (label, step, disabled) => {
      const click = () => {
        first += step;
        show(-1);
      };
      return h("button", { type: "button", disabled, on: { click } }, label);
    };
    const whole = h("input", { type: "checkbox", checked: isWide, on: { change: widen } });
    replace(
      foot,
      h("label", {}, whole, " All metrics"),
      places.length > size && [
        h("span", { class: "quiet" }, `Rows ${first + 1} to ${last} of ${places.length}`),
        button("Previous", -size, first === 0),
        button("Next", size, last === places.length),
      ],
    );
  }

  function widen() {
    isWide = !isWide;
    show(rowOfSelected());
    find(foot, "input").focus();
  }

  // What was written beside designs: rows stay as they are, but where it decides which are shown.
  function annotated() {
    if (!isMarkFiltered()) return rows.forEach((row) => row.showAnnotations());
    const hadFocus = box.contains(document.activeElement);
    update();
    if (hadFocus) box.focus({ preventScroll: true });
  }

  selection.watch([...FILTERS, "sort", "axes", "view"], update);
  study.annotations.listen(annotated);
  selection.watch(["layout", "key"], follow);
  selection.watch(["pins"], mark);
  box.addEventListener("keydown", walk);
  return { element, update, step };
}

/** @param {Study} study @param {boolean} isWide */
function columnsOf(study, isWide) {
  const { main } = study;
  const more = isWide
    ? study.columns.filter((column) => column.exists && column.role === "metric")
    : axes(study).columns;
  return [...main, ...more.filter((column) => !main.includes(column) && column.role !== "layout")];
}

// The order that the address states; else the best values of the first objective come first.
/** @param {Study} study @returns {Order} */
function orderOf(study) {
  const text = selection.get().sort ?? "";
  const column = study.column(text.replace("-", "")) ?? study.objectives[0];
  if (text) return { column, sign: text.startsWith("-") ? -1 : 1 };
  return { column, sign: column.sense === "maximize" ? -1 : 1 };
}

// Designs without the value come last whichever way it is sorted.
/** @param {Study} study @param {Order} order */
function sortedPlaces(study, { column, sign }) {
  const visible = inside(study);
  const places = study.designs.map((_, place) => place).filter((place) => visible[place]);
  return places.sort((one, other) => {
    const [a, b] = [column.values[one], column.values[other]];
    if (Number.isNaN(a) || Number.isNaN(b))
      return Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || one - other;
    return sign * (a - b) || one - other;
  });
}

/** @param {Column} column @param {Order} order @param {(column: Column, text: string) => void} sort */
function head(column, order, sort) {
  const isOrder = order.column === column;
  const isUp = order.sign > 0;
  const click = () => sort(column, isOrder && isUp ? `-${column.id}` : column.id);
  const aria = isOrder ? { sort: isUp ? "ascending" : "descending" } : {};
  return h(
    "th",
    { scope: "col", class: column.options ? "" : "number", aria },
    h(
      "button",
      { type: "button", class: "sort", title: column.tooltip, data: { column: column.id }, on: { click } },
      column.heading,
    ),
  );
}

/** @param {Study} study @param {KnownDesign} design @param {Column[]} columns @param {number} number @returns {Row} */
function createRow(study, design, columns, number) {
  const { annotations } = study;
  const { key, layout } = design;
  const star = annotations.writes
    ? starButton(annotations, key, { label: false, tabindex: -1, onFault: announce })
    : null;
  const marks = h("span", { class: "tags" });
  const showAnnotations = () => {
    star?.show();
    replace(marks, annotationMarks(annotations, key));
  };
  showAnnotations();
  const button = h("button", { type: "button", class: "pick", tabindex: -1 }, short(key));
  const cells = columns.map((column) =>
    h("td", { class: column.options ? "" : "number" }, column.shown(design)),
  );
  const row = h(
    "tr",
    { data: { key, layout, number }, on: { click: () => select(layout, key) } },
    h("th", { scope: "row" }, star?.button, button, unsafeMark(design.unsafe), marks),
    cells,
  );
  return { row, button, design, showAnnotations };
}
