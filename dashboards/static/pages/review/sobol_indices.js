// Sobol indices: which variable explains which share of a metric's variance over the whole design space; and how
// indices of any factors are shown.
/** @import { Study } from "./study.js" */
/** @import { Schemas } from "../../core/types.js" */
import { send } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { count, number, sentence, words } from "../../core/format.js";
import { announce } from "../../core/messages.js";
import { plotBox } from "../../core/plot.js";
import { FigureBox } from "../../core/scatter/figure_box.js";
import { cardTable } from "../../core/tables.js";
import { tipped } from "../../core/tooltips.js";
import { evaluationForm } from "./stoppable_form.js";
import { selected } from "./view_state.js";

/** @typedef {Schemas["IndicesResource"]} Indices */

const HELP =
  "Designs are drawn over the whole design space and evaluated; they are kept, so that the same question is answered at once. A variable whose total index is near 0 can be fixed.";
const CAPTION =
  "First order: the share of the variance that a factor explains by itself. Total: with all its interactions. The lines are standard errors.";
const ROWS = [16, 32, 64, 128, 256, 512, 1024];
const USUAL = 64;

/** @param {Study} study */
export function createSensitivity(study) {
  const body = h("div", {});
  const element = h(
    "details",
    { class: "sensitivity" },
    h("summary", {}, "What the metrics are sensitive to"),
    h("p", { class: "quiet small" }, HELP),
    body,
  );
  element.addEventListener("toggle", () => element.open && !body.firstChild && body.append(form(study)));
  return { element };
}

/** @param {Study} study */
function form(study) {
  const chosen = selected().layout;
  const layout = h(
    "select",
    { on: { change: sayCost } },
    study.layouts.map((name) => h("option", { value: name, selected: name === chosen }, name)),
  );
  const rows = h(
    "select",
    { on: { change: sayCost } },
    ROWS.map((n) => h("option", { value: n, selected: n === USUAL }, count(n))),
  );
  const cost = h("p", { class: "quiet small" });

  function sayCost() {
    const space = study.quantities.layouts.find((one) => one.layout === layout.value);
    const n = (space?.variables.length ?? 0) + 2;
    const wanted = count(n * Number(rows.value));
    cost.textContent = `${count(n)} × ${count(Number(rows.value))} = ${wanted} evaluations; those that are stored are not computed again.`;
  }

  function ask() {
    const wanted = { layout: layout.value, rows: Number(rows.value) };
    /** @param {AbortSignal} signal */
    return (signal) => send("POST", `${study.path}/sensitivity`, wanted, { signal });
  }

  sayCost();
  const fields = [
    h(
      "div",
      { class: "row" },
      h("label", {}, "Rows ", rows),
      study.layouts.length > 1 && h("label", {}, "Layout ", layout),
    ),
    cost,
  ];
  return evaluationForm({ label: "Compute Sobol indices", fields, ask, show });
}

/** @param {HTMLElement} result @param {Schemas["SensitivityResource"]} found */
function show(result, found) {
  const shown = h("div", {});
  const select = h(
    "select",
    { on: { change: update } },
    found.indices.map(({ metric }) => h("option", { value: metric }, words(metric))),
  );

  function update() {
    replace(shown, indicesView(found.indices[select.selectedIndex], found.rows));
  }

  replace(
    result,
    h("p", {}, `${count(found.wanted)} designs of ${found.layout}.`),
    found.indices.length > 1 && h("div", { class: "row" }, h("label", {}, "Metric ", select)),
    shown,
  );
  const known = found.indices.findIndex((one) => one.factors.length);
  select.selectedIndex = Math.max(known, 0);
  if (found.indices.length) update();
  announce("Sobol indices are computed.");
}

// The indices of one metric: bars, what is missing, and the numbers.
/** @param {Indices} indices @param {number} rows */
export function indicesView(indices, rows) {
  const title = `Sobol indices of ${words(indices.metric)}`;
  if (!indices.figure)
    return h(
      "p",
      { class: "quiet" },
      `${title}: none. ${sentence(`${words(indices.metric)}: ${indices.reason}`)}`,
    );
  const box = plotBox({});
  box.style.height = `${indices.figure.layout.height}px`;
  new FigureBox(box).show(/** @type {any} */ (indices.figure));
  return h(
    "figure",
    { role: "group", data: { metric: indices.metric }, aria: { label: title } },
    h("h2", {}, title),
    box,
    h("figcaption", {}, CAPTION),
    indices.caution && h("p", { class: "small" }, `Caution: ${indices.caution}.`),
    indices.rows < rows &&
      h(
        "p",
        { class: "quiet small" },
        `${count(indices.rows)} of ${count(rows)} rows count: in the others, one does not work.`,
      ),
    h("details", {}, h("summary", {}, "As numbers"), indexTable(title, indices)),
  );
}

const HEADS = [
  ["factor", "factor: what varies in the samples"],
  ["first order", "first order: the share of the variance that the factor explains by itself"],
  ["total", "total: the share of the variance in which the factor takes part, alone or with others"],
];

/** @param {string} title @param {Indices} indices */
function indexTable(title, indices) {
  const ordered = [...indices.factors].sort((one, other) => other.total - one.total);
  const heads = HEADS.map(([text, tooltip], place) =>
    h("th", { scope: "col", class: place > 0 && "number" }, tipped(text, tooltip)),
  );
  return cardTable(title, heads, ordered.map(indexRow), { caption: title, kind: "dense" });
}

/** @param {Schemas["IndexResource"]} factor */
function indexRow({ label, first, first_error, total, total_error }) {
  /** @param {number} value @param {number} error */
  const cell = (value, error) =>
    h("td", { class: "number" }, number(value, 3), h("span", { class: "quiet" }, ` ± ${number(error, 2)}`));
  return h("tr", {}, h("th", { scope: "row" }, label), cell(first, first_error), cell(total, total_error));
}
