// Which quantity stands along which axis of the front, and how the front is drawn.
import { h, replace } from "../dom.js";
import { words } from "../format.js";
import { selection } from "../selection.js";
import { axes, canBeLog, setLog } from "./view.js";

const MODES = [["3d", "In space"], ["2d", "In a plane"], ["matrix", "Every pair"]];

export function axisChoice(study, box) {
  const update = () => {
    const { mode, columns, logs } = axes(study);
    const focused = box.contains(document.activeElement) ? document.activeElement.id : "";
    replace(
      box,
      h("div", { class: "row", role: "group", aria: { label: "How the front is drawn" } }, MODES.map(([name, label]) =>
        h("button", { type: "button", id: `mode-${name}`, aria: { pressed: String(mode === name) }, on: { click: () => selection.set({ view: name, axes: null, eye: null, zoom: null }) } }, label))),
      mode === "matrix" ? pairs(study, columns) : columns.map((_, place) => choice(study, columns, logs, place)),
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
  const named = h("label", { class: "axis" }, "xyz"[place], h("span", { class: "unseen" }, " axis"), " ",
    h("select", { id: `axis-${place}`, on: { change: changed } }, roles.map((role) =>
      h("optgroup", { label: GROUPS[role] }, known.filter((column) => column.role === role).map((column) =>
        h("option", { value: column.id, selected: column === columns[place] }, column.name))))));
  const turn = (event) => setLog(columns[place].id, event.target.checked);
  const box = h("input", { type: "checkbox", id: `log-${place}`, checked: logs[place], aria: { label: `logarithmic ${"xyz"[place]}` }, on: { change: turn } });
  return h("span", { class: "row axis" }, named, canBeLog(columns[place]) && h("label", {}, box, " log"));
}

export const GROUPS = { layout: "layout", variable: "variables", objective: "objectives", constraint: "constraints", metric: "other metrics" };

// A matrix shows those quantities that are ticked.
function pairs(study, columns) {
  const offered = study.columns.filter((column) => column.exists && column.role !== "layout");
  const changed = (column) => (event) => {
    const next = event.target.checked ? [...columns, column] : columns.filter((other) => other !== column);
    if (next.length >= 2) selection.set({ axes: offered.filter((one) => next.includes(one)).map((one) => one.id).join(",") });
    else event.target.checked = true;
  };
  return h("details", { class: "menu" }, h("summary", {}, `Quantities (${columns.length})`),
    h("fieldset", { class: "ticks" }, h("legend", { class: "unseen" }, "Quantities of the matrix"), offered.map((column, number) =>
      h("label", {}, h("input", { type: "checkbox", id: `pair-${number}`, checked: columns.includes(column), on: { change: changed(column) } }), " ", words(column.id)))));
}
