// The designs of the front as a table: sorted by any column, walked through with the arrow keys.
import { selection } from "../../core/address.js";
import { h, replace } from "../../core/dom.js";
import { short } from "./study.js";
import { axes, inside, isPinned, select, selected } from "./view.js";

// Up to WHOLE designs stand in one part; of more a part is smaller, as a selection in another one draws all its rows.
const WHOLE = 100;
const PART = 50;

export class Table {
  constructor(study, box, foot) {
    this.study = study;
    this.box = box;
    this.foot = foot;
    this.first = 0;
    this.wide = false;
    this.rows = new Map();
    selection.watch(["brush", "sort", "axes", "view"], () => this.draw());
    selection.watch(["layout", "key"], () => this.follow());
    selection.watch(["pins"], () => this.mark());
    box.addEventListener("keydown", (event) => this.walk(event));
  }

  get columns() {
    const main = this.study.main;
    const more = this.wide
      ? this.study.columns.filter((column) => column.exists && column.role === "metric")
      : axes(this.study).columns;
    return [...main, ...more.filter((column) => !main.includes(column) && column.role !== "layout")];
  }

  // How many rows stand in a part.
  get part() {
    return this.places.length > WHOLE ? PART : WHOLE;
  }

  // Places of the designs that are shown, in order.
  sorted() {
    const visible = inside(this.study);
    const places = this.study.designs.map((_, place) => place).filter((place) => visible[place]);
    const text = selection.get().sort ?? "";
    const down = text.startsWith("-");
    const column = this.study.column(text.replace("-", "")) ?? this.study.objectives[0];
    const usual = column.sense === "maximize" ? -1 : 1;
    const sign = text ? (down ? -1 : 1) : usual;
    this.order = { column, sign };
    // Designs without the value come last whichever way it is sorted.
    return places.sort((one, other) => {
      const [a, b] = [column.values[one], column.values[other]];
      if (Number.isNaN(a) || Number.isNaN(b))
        return Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || one - other;
      return sign * (a - b) || one - other;
    });
  }

  draw() {
    this.places = this.sorted();
    this.first = Math.min(this.first, Math.max(this.places.length - 1, 0));
    this.first -= this.first % this.part;
    const row = this.place();
    this.show(row);
    if (row >= 0) this.reveal(this.rows.get(this.places[row]).row);
  }

  // The number of the row on which the selected design stands; -1 when it is not shown.
  place() {
    const { layout, key } = selected();
    const chosen = this.study.place(layout, key);
    return chosen < 0 ? -1 : this.places.indexOf(chosen);
  }

  // Show the part with a row, or the part that was shown.
  show(row) {
    if (row >= 0) this.first = row - (row % this.part);
    const columns = this.columns;
    this.rows.clear();
    const shown = this.places.slice(this.first, this.first + this.part);
    const rows = shown.map((place, number) => this.row(columns, place, this.first + number));
    const caption = `Designs on the front: ${this.places.length}${this.places.length < this.study.designs.length ? ` of ${this.study.designs.length}` : ""}`;
    replace(
      this.box,
      h(
        "table",
        { class: "designs" },
        h("caption", {}, caption),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "design"),
            columns.map((column) => this.head(column)),
          ),
        ),
        h("tbody", {}, rows),
      ),
    );
    this.parts();
    this.mark();
    this.box.dataset.rows = String(this.places.length);
  }

  head(column) {
    const mine = this.order.column === column;
    const arrow = mine ? (this.order.sign > 0 ? " \u2191" : " \u2193") : "";
    const next = mine && this.order.sign > 0 ? `-${column.id}` : column.id;
    const sort = mine ? (this.order.sign > 0 ? "ascending" : "descending") : null;
    return h(
      "th",
      { scope: "col", class: column.options ? "" : "number", aria: sort ? { sort } : {} },
      h(
        "button",
        {
          type: "button",
          class: "sort",
          data: { column: column.id },
          on: { click: () => this.sort(column, next) },
        },
        `${column.heading}${arrow}`,
      ),
    );
  }

  sort(column, next) {
    selection.set({ sort: next });
    [...this.box.querySelectorAll(".sort")].find((button) => button.dataset.column === column.id)?.focus();
  }

  row(columns, place, number) {
    const design = this.study.designs[place];
    const choose = () => select(design.layout, design.key);
    const button = h("button", { type: "button", class: "pick", tabindex: -1 }, short(design.key));
    const cells = columns.map((column) =>
      h("td", { class: column.options ? "" : "number" }, column.shown(design)),
    );
    const row = h(
      "tr",
      { data: { key: design.key, layout: design.layout, number }, on: { click: choose } },
      h("th", { scope: "row" }, button),
      cells,
    );
    this.rows.set(place, { row, button, design });
    return row;
  }

  // One row can be reached by Tab; the arrow keys go on from there.
  mark() {
    const { layout, key } = selected();
    const chosen = this.study.place(layout, key);
    const reached = this.rows.has(chosen) ? chosen : this.rows.keys().next().value;
    for (const [place, { row, button, design }] of this.rows) {
      if (place === chosen) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
      row.classList.toggle("pinned", isPinned(design.layout, design.key));
      button.tabIndex = place === reached ? 0 : -1;
    }
  }

  // The selection came from elsewhere, or from here: show its row.
  follow() {
    const row = this.place();
    if (row >= 0 && (row < this.first || row >= this.first + this.part)) this.show(row);
    else this.mark();
    const found = row >= 0 && this.rows.get(this.places[row]);
    if (found) this.reveal(found.row);
  }

  // Scroll within the table alone, never the page.
  reveal(row) {
    const head = this.box.querySelector("thead").offsetHeight;
    if (row.offsetTop < this.box.scrollTop + head) this.box.scrollTop = row.offsetTop - head;
    else if (row.offsetTop + row.offsetHeight > this.box.scrollTop + this.box.clientHeight)
      this.box.scrollTop = row.offsetTop + row.offsetHeight - this.box.clientHeight;
  }

  walk(event) {
    const button = event.target.closest?.(".pick");
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (!button || !(event.key in steps)) return;
    event.preventDefault();
    const now = Number(button.closest("tr").dataset.number);
    const next = Math.min(Math.max(now + steps[event.key], 0), this.places.length - 1);
    const design = this.study.designs[this.places[next]];
    select(design.layout, design.key);
    this.rows.get(this.places[next])?.button.focus({ preventScroll: true });
  }

  parts() {
    const last = Math.min(this.first + this.part, this.places.length);
    const go = (step) => () => {
      this.first += step;
      this.show(-1);
    };
    const whole = h(
      "label",
      {},
      h("input", {
        type: "checkbox",
        checked: this.wide,
        on: { change: (event) => this.widen(event.target.checked) },
      }),
      " All metrics",
    );
    replace(
      this.foot,
      whole,
      this.places.length > this.part && [
        h("span", { class: "quiet" }, `Rows ${this.first + 1} to ${last} of ${this.places.length}`),
        h(
          "button",
          { type: "button", disabled: this.first === 0, on: { click: go(-this.part) } },
          "Previous",
        ),
        h(
          "button",
          { type: "button", disabled: last === this.places.length, on: { click: go(this.part) } },
          "Next",
        ),
      ],
    );
  }

  widen(wide) {
    this.wide = wide;
    this.show(this.place());
    this.foot.querySelector("input").focus();
  }
}
