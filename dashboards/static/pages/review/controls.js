// Designs to begin with, one row of buttons per layout: best of each objective, knee, nearest to the ideal point.
import { selection } from "../../core/address.js";
import { h, replace } from "../../core/dom.js";
import { words } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { axes, brush, canBeLog, inside, select, selected, setBrush, setLog, setRange } from "./view.js";

const MEANINGS = {
  best: "the best value of this objective on the front",
  knee: "where the front bulges most towards the ideal point: less of one objective costs much of another",
  ideal: "nearest to the best values of all objectives at once, each scaled to the front's range",
};

export class Suggestions {
  constructor(study, box) {
    this.study = study;
    this.box = box;
    selection.watch(["layout", "key"], () => this.mark());
  }

  draw() {
    this.buttons = [];
    const { layouts, picks } = this.study;
    replace(
      this.box,
      layouts.map((layout) => {
        const mine = picks.filter((pick) => pick.layout === layout);
        if (!mine.length)
          return h(
            "p",
            { class: "quiet" },
            layouts.length > 1 ? `${layout}: no feasible design so far.` : "No feasible design so far.",
          );
        return h(
          "div",
          { class: "row", role: "group", aria: { label: `Designs of ${layout} to begin with` } },
          layouts.length > 1 && h("strong", { class: "layout" }, layout),
          mine.map((pick) => this.button(pick)),
        );
      }),
    );
    this.mark();
  }

  button(pick) {
    const text = { best: `Best ${words(pick.objective)}`, knee: "Knee", ideal: "Closest to ideal" }[
      pick.kind
    ];
    const button = h(
      "button",
      {
        type: "button",
        title: MEANINGS[pick.kind],
        data: { pick: pick.kind },
        on: { click: () => select(pick.layout, pick.key) },
      },
      text,
    );
    this.buttons.push({ button, pick });
    return button;
  }

  mark() {
    const { layout, key } = selected();
    this.buttons?.forEach(({ button, pick }) =>
      button.setAttribute("aria-pressed", String(pick.layout === layout && pick.key === key)),
    );
  }
}

// ------------------------------------------------------------------ axes of the front

// Which quantity stands along which axis of the front, and how the front is drawn.
const MODES = [
  ["3d", "In space"],
  ["2d", "In a plane"],
  ["matrix", "Every pair"],
];

export function axisChoice(study, box) {
  const update = () => {
    const { mode, columns, logs } = axes(study);
    const focused = box.contains(document.activeElement) ? document.activeElement.id : "";
    replace(
      box,
      h(
        "div",
        { class: "row", role: "group", aria: { label: "How the front is drawn" } },
        MODES.map(([name, label]) =>
          h(
            "button",
            {
              type: "button",
              id: `mode-${name}`,
              aria: { pressed: String(mode === name) },
              on: { click: () => selection.set({ view: name, axes: null, eye: null, zoom: null }) },
            },
            label,
          ),
        ),
      ),
      mode === "matrix"
        ? pairs(study, columns)
        : columns.map((_, place) => choice(study, columns, logs, place)),
    );
    if (focused) document.getElementById(focused)?.focus();
  };
  selection.watch(["view", "axes", "log"], update);
  update();
  return update;
}

function choice(study, columns, logs, place) {
  const known = study.columns.filter((column) => column.exists);
  const roles = [...new Set(known.map((column) => column.role))];
  const changed = (event) => {
    const next = columns.map((column) => column.id);
    next[place] = event.target.value;
    selection.set({ axes: next.join(","), eye: null, zoom: null });
  };
  const named = h(
    "label",
    { class: "axis" },
    "xyz"[place],
    h("span", { class: "unseen" }, " axis"),
    " ",
    h(
      "select",
      { id: `axis-${place}`, on: { change: changed } },
      roles.map((role) =>
        h(
          "optgroup",
          { label: GROUPS[role] },
          known
            .filter((column) => column.role === role)
            .map((column) =>
              h("option", { value: column.id, selected: column === columns[place] }, column.name),
            ),
        ),
      ),
    ),
  );
  const turn = (event) => setLog(columns[place].id, event.target.checked);
  const box = h("input", {
    type: "checkbox",
    id: `log-${place}`,
    checked: logs[place],
    aria: { label: `logarithmic ${"xyz"[place]}` },
    on: { change: turn },
  });
  return h("span", { class: "row axis" }, named, canBeLog(columns[place]) && h("label", {}, box, " log"));
}

const GROUPS = {
  layout: "layout",
  variable: "variables",
  objective: "objectives",
  constraint: "constraints",
  metric: "other metrics",
};

// A matrix shows those quantities that are ticked.
function pairs(study, columns) {
  const offered = study.columns.filter((column) => column.exists && column.role !== "layout");
  const changed = (column) => (event) => {
    const next = event.target.checked ? [...columns, column] : columns.filter((other) => other !== column);
    if (next.length >= 2)
      selection.set({
        axes: offered
          .filter((one) => next.includes(one))
          .map((one) => one.id)
          .join(","),
      });
    else event.target.checked = true;
  };
  return h(
    "details",
    { class: "menu" },
    h("summary", {}, `Quantities (${columns.length})`),
    h(
      "fieldset",
      { class: "ticks" },
      h("legend", { class: "unseen" }, "Quantities of the matrix"),
      offered.map((column, number) =>
        h(
          "label",
          {},
          h("input", {
            type: "checkbox",
            id: `pair-${number}`,
            checked: columns.includes(column),
            on: { change: changed(column) },
          }),
          " ",
          words(column.id),
        ),
      ),
    ),
  );
}

// ------------------------------------------------------------------ ranges

// Ranges as fields: what dragging does on the parallel coordinates, for the keyboard and for exact numbers.
export class Ranges {
  constructor(study, box, count) {
    this.study = study;
    this.box = box;
    this.count = count;
    selection.watch(["brush"], () => {
      this.fill();
      announce(this.describe());
    });
  }

  // Make the fields anew: after designs came, units may read differently.
  draw() {
    this.fields = this.study.main.map((column, number) =>
      column.options ? this.choice(column, number) : this.numbers(column, number),
    );
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    replace(
      this.box,
      this.fault,
      h(
        "table",
        {},
        h("caption", { class: "unseen" }, "Ranges for the designs"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["quantity", "least", "greatest", "on the front"].map((text) => h("th", { scope: "col" }, text)),
          ),
        ),
        h(
          "tbody",
          {},
          this.fields.map((field) => field.row),
        ),
      ),
    );
    this.fill();
  }

  // What is wrong with a field, if anything.
  showFault(text) {
    this.fault.hidden = !text;
    this.fault.textContent = text ?? "";
  }

  fill() {
    const ranges = brush();
    this.fields?.forEach((field) => field.show(ranges.get(field.column.id) ?? [-Infinity, Infinity]));
    if (this.fault) this.showFault();
    this.describe();
  }

  describe() {
    const visible = inside(this.study);
    const left = visible.reduce((sum, one) => sum + one, 0);
    const set = brush().size;
    const text = set
      ? `${left} of ${visible.length} designs lie in ${set === 1 ? "the range" : `all ${set} ranges`}.`
      : `No range is set: ${visible.length === 1 ? "the one design is" : `all ${visible.length} designs are`} shown.`;
    replace(
      this.count,
      text,
      set > 0 && h("button", { type: "button", on: { click: () => setBrush([]) } }, "Clear all ranges"),
    );
    return text;
  }

  row(column, low, high) {
    const range = column.range;
    const ends = range ? `${column.bare(range[0])} to ${column.text(range[1])}` : "";
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, column.heading),
      low,
      high,
      h("td", { class: "quiet" }, column.options ? "" : ends),
    );
  }

  numbers(column, number) {
    const inputs = ["least", "greatest"].map((end) =>
      h("input", {
        type: "text",
        inputmode: "decimal",
        size: 9,
        id: `range-${number}-${end}`,
        aria: { label: `${end} ${column.heading}` },
        on: { change: () => changed() },
      }),
    );
    const changed = () => {
      const values = inputs.map((input, end) => read(input.value, end) / column.scale.factor);
      inputs.forEach((input, end) =>
        Number.isNaN(values[end])
          ? input.setAttribute("aria-invalid", "true")
          : input.removeAttribute("aria-invalid"),
      );
      const wrong = inputs.find((_, end) => Number.isNaN(values[end]));
      this.showFault(
        wrong &&
          `\u201c${wrong.value}\u201d is not a number: write the number without its unit, which the row shows: ${column.heading}.`,
      );
      if (!wrong) setRange(column.id, ...values);
    };
    const show = (ends) =>
      inputs.forEach((input, end) => {
        input.value = Number.isFinite(ends[end])
          ? String(Number((ends[end] * column.scale.factor).toPrecision(6)))
          : "";
        input.removeAttribute("aria-invalid");
      });
    return { column, show, row: this.row(column, ...inputs.map((input) => h("td", {}, input))) };
  }

  choice(column, number) {
    const select = h(
      "select",
      { id: `range-${number}`, aria: { label: column.heading }, on: { change: () => changed() } },
      h("option", { value: "" }, "any"),
      column.options.map((_, place) => h("option", { value: place }, column.bare(place))),
    );
    const several = h("option", { value: "several", disabled: true, hidden: true }, "several");
    select.append(several);
    const changed = () => {
      const place = select.value === "" ? null : Number(select.value);
      setRange(column.id, place ?? -Infinity, place ?? Infinity);
    };
    const show = ([low, high]) => {
      select.value =
        !Number.isFinite(low) && !Number.isFinite(high) ? "" : low === high ? String(low) : "several";
    };
    return { column, show, row: this.row(column, h("td", { colspan: 2 }, select), null) };
  }
}

// A field's number; empty is no bound.
function read(text, end) {
  const cleaned = text.trim().replace("\u2212", "-").replace(",", ".");
  if (cleaned === "") return end ? Infinity : -Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cleaned) ? Number(cleaned) : NaN;
}
