// Above the front: designs to begin with, and which quantity stands along which axis.
/** @import { Schemas } from "../../core/types.js" */
/** @import { Column, Study } from "./study.js" */
import { selection } from "../../core/url_state.js";
import { h, replace } from "../../core/dom.js";
import { words } from "../../core/format.js";
import { areLinesShown, axes, canBeLog, select, selected, setLog } from "./view_state.js";

const MEANINGS = {
  best: "the best value of this objective on the front",
  knee: "where the front bulges most towards the ideal point: less of one objective costs much of another",
  ideal: "nearest to the best values of all objectives at once, each scaled to the front's range",
};

// One row of buttons per layout: best of each objective, knee, nearest to the ideal point. A design that is several of
// them has one button.
/** @param {Study} study */
export function createSuggestions(study) {
  const element = h("div", { class: "picks" });
  /** @type {{ button: HTMLElement, pick: Schemas["PickResource"] }[]} */
  let buttons = [];

  function update() {
    const { layouts, picks } = study;
    buttons = merged(picks).map((same) => ({ button: suggestion(study, same), pick: same[0] }));
    replace(
      element,
      layouts.map((layout) => {
        const mine = buttons.filter(({ pick }) => pick.layout === layout);
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
          mine.map(({ button }) => button),
        );
      }),
    );
    mark();
  }

  function mark() {
    const { layout, key } = selected();
    for (const { button, pick } of buttons)
      button.setAttribute("aria-pressed", String(pick.layout === layout && pick.key === key));
  }

  selection.watch(["layout", "key"], mark);
  return { element, update };
}

// The picks of each design, in the order in which the designs appear first.
/** @param {Schemas["PickResource"][]} picks */
export function merged(picks) {
  /** @type {Map<string, Schemas["PickResource"][]>} */
  const found = new Map();
  for (const pick of picks) {
    const same = found.get(`${pick.layout} ${pick.key}`);
    if (same) same.push(pick);
    else found.set(`${pick.layout} ${pick.key}`, [pick]);
  }
  return [...found.values()];
}

// "best F2 and F3, knee, closest to ideal"
/** @param {Study} study @param {Schemas["PickResource"][]} picks */
export function pickText(study, picks) {
  const best = picks.filter(({ kind }) => kind === "best").map(({ objective }) => study.nameOf(objective));
  const kinds = new Set(picks.map(({ kind }) => kind));
  const parts = [
    best.length > 0 && `best ${listed(best)}`,
    kinds.has("knee") && "knee",
    kinds.has("ideal") && "closest to ideal",
  ];
  return parts.filter(Boolean).join(", ");
}

/** @param {Study} study @param {Schemas["PickResource"][]} picks */
function suggestion(study, picks) {
  const kinds = new Set(picks.map(({ kind }) => kind));
  const text = pickText(study, picks);
  const title = [...kinds].map((kind) => MEANINGS[kind]).join("; ");
  const { layout, key } = picks[0];
  const click = () => select(layout, key);
  const data = { pick: [...kinds].join(" ") };
  return h(
    "button",
    { type: "button", title, data, on: { click } },
    text.charAt(0).toUpperCase() + text.slice(1),
  );
}

/** @param {string[]} names */
const listed = (names) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : names[0];

// ------------------------------------------------------------------ axes of the front

// Which figure stands above the table: the front, drawn in one of several ways, or all designs as lines.
const FIGURES = [
  ["2d", "Plane"],
  ["3d", "Space"],
  ["matrix", "Pairs"],
  ["lines", "Lines"],
];

/** @param {Study} study @param {(name: string) => void} shown */
export function createFigureChoice(study, shown) {
  const buttons = FIGURES.map(([name, label]) => {
    const click = () => selection.set({ view: name, axes: null, eye: null, zoom: null });
    return { name, button: h("button", { type: "button", id: `mode-${name}`, on: { click } }, label) };
  });
  const element = h(
    "div",
    { class: "row", role: "group", aria: { label: "Figure" } },
    buttons.map(({ button }) => button),
  );

  function update() {
    const chosen = areLinesShown() ? "lines" : axes(study).mode;
    for (const { name, button } of buttons) button.setAttribute("aria-pressed", String(name === chosen));
    shown(chosen);
  }

  selection.watch(["view"], update);
  return { element, update };
}

// Which quantity stands along which axis of the front.
/** @param {Study} study */
export function createAxisChoice(study) {
  const element = h("div", { class: "row axes" });

  function update() {
    const { mode, columns, logs } = axes(study);
    const active = document.activeElement;
    const focused = active && element.contains(active) ? active.id : "";
    replace(
      element,
      mode === "matrix"
        ? pairs(study, columns)
        : columns.map((_, place) => choice(study, columns, logs, place)),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  selection.watch(["view", "axes", "log"], update);
  update();
  return { element, update };
}

/** @param {Study} study @param {Column[]} columns @param {boolean[]} logs @param {number} place */
function choice(study, columns, logs, place) {
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const changed = (event) => {
    const next = columns.map((column) => column.id);
    next[place] = event.currentTarget.value;
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
      { id: `axis-${place}`, title: columns[place].tooltip, on: { change: changed } },
      quantityOptions(study, columns[place]),
    ),
  );
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const turn = (event) => setLog(columns[place].id, event.currentTarget.checked);
  const box = h("input", {
    type: "checkbox",
    id: `log-${place}`,
    checked: logs[place],
    aria: { label: `logarithmic ${"xyz"[place]}` },
    on: { change: turn },
  });
  return h("span", { class: "row axis" }, named, canBeLog(columns[place]) && h("label", {}, box, " log"));
}

// The quantities of a study as options, in groups; `chosen` is selected.
/** @param {Study} study @param {Column | null} chosen @param {string[]} [without] */
export function quantityOptions(study, chosen, without = []) {
  const known = study.columns.filter((column) => column.exists && !without.includes(column.role));
  const roles = [...new Set(known.map((column) => column.role))];
  /** @param {Column} column */
  const option = (column) =>
    h("option", { value: column.id, title: column.tooltip, selected: column === chosen }, column.name);
  return roles.map((role) =>
    h("optgroup", { label: GROUPS[role] }, known.filter((column) => column.role === role).map(option)),
  );
}

/** @type {Record<string, string>} */
const GROUPS = {
  layout: "layout",
  variable: "variables",
  objective: "objectives",
  constraint: "constraints",
  metric: "other metrics",
  parameter: "parameters that follow from variables",
};

// A matrix shows those quantities that are ticked.
/** @param {Study} study @param {Column[]} columns */
function pairs(study, columns) {
  const offered = study.columns.filter((column) => column.exists && column.role !== "layout");
  /** @param {Column} column */
  const changed = (column) => (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
    const next = event.currentTarget.checked
      ? [...columns, column]
      : columns.filter((other) => other !== column);
    if (next.length >= 2)
      selection.set({
        axes: offered
          .filter((one) => next.includes(one))
          .map((one) => one.id)
          .join(","),
      });
    else event.currentTarget.checked = true;
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
            title: column.tooltip,
            on: { change: changed(column) },
          }),
          " ",
          h("span", { title: column.tooltip }, column.name),
        ),
      ),
    ),
  );
}
