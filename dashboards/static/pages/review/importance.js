// Which variables matter: importance and correlation from the stored designs, and slices of a metric over variables.
/** @import { Study } from "./study.js" */
/** @import { Schemas } from "../../core/types.js" */
import { get, messageOf } from "../../core/api.js";
import { h, replace } from "../../core/dom.js";
import { count, number, words } from "../../core/format.js";
import { plotBox } from "../../core/plot.js";
import { FigureBox } from "../../core/scatter/figure_box.js";
import { cardTable } from "../../core/tables.js";
import { tipped } from "../../core/tooltips.js";
import { quantityOptions } from "./controls.js";
import { selected } from "./view_state.js";

/** @typedef {Schemas["MetricImportancesResource"]} Importances */

const HELP =
  "From the designs that the study has evaluated; nothing is computed anew. A search asks most often near its front, so this is a hint where to look.";
const CAPTION =
  "Importance: what tells the best tenth of the designs from all of them; the shares of all variables sum to 1. " +
  "Rank correlation: 1 where the metric always rises with the variable, \u22121 where it always falls.";
const HEADS = [
  ["variable", ""],
  [
    "importance",
    "importance: how well the variable tells the best tenth of the designs from all, as a share",
  ],
  [
    "rank correlation",
    "rank correlation (Spearman): 1 where the metric always rises with it, \u22121 where it falls",
  ],
];
const NO_METRICS = ["layout", "variable", "parameter"];

/** @param {Study} study */
export function createImportance(study) {
  const body = h("div", {});
  const element = h(
    "details",
    { class: "importance" },
    h("summary", {}, "Which variables matter"),
    h("p", { class: "quiet small" }, HELP),
    body,
  );
  /** @type {ReturnType<typeof createPanel> | null} */
  let panel = null;

  function update() {
    if (!element.open) return;
    if (!panel) {
      panel = createPanel(study);
      replace(body, panel.element);
    }
    panel.update();
  }

  element.addEventListener("toggle", update);
  return { element, update };
}

/** @param {Study} study */
function createPanel(study) {
  const chosen = selected().layout;
  const layout = h(
    "select",
    { on: { change: layoutChanged } },
    study.layouts.map((name) => h("option", { value: name, selected: name === chosen }, name)),
  );
  const metric = h("select", { on: { change: update } }, quantityOptions(study, null, NO_METRICS));
  const bars = createBars(study);
  const slice = createSlice(study);
  const element = h(
    "div",
    {},
    h(
      "div",
      { class: "row" },
      h("label", {}, "Metric ", metric),
      study.layouts.length > 1 && h("label", {}, "Layout ", layout),
    ),
    h("div", { class: "review" }, bars.element, slice.element),
  );

  function layoutChanged() {
    slice.offer(layout.value);
    update();
  }

  function update() {
    const wanted = { layout: layout.value, metric: metric.value };
    bars.update(`${study.path}/importances`, { layout: wanted.layout, metrics: wanted.metric });
    slice.update(wanted);
  }

  slice.offer(layout.value);
  return { element, update };
}

// Asks, and drops the answer to an older question; `show` gets the answer, and `fail` what went wrong.
/** @template Found @param {HTMLElement} element @param {(found: Found) => void} show @param {(text: string) => void} fail */
function createQuestion(element, show, fail) {
  let control = new AbortController();
  /** @param {(signal: AbortSignal) => Promise<Found>} ask */
  return async (ask) => {
    control.abort();
    const mine = (control = new AbortController());
    element.setAttribute("aria-busy", "true");
    try {
      const found = await ask(mine.signal);
      if (!mine.signal.aborted) show(found);
    } catch (error) {
      if (!mine.signal.aborted) fail(messageOf(error));
    }
    if (!mine.signal.aborted) element.removeAttribute("aria-busy");
  };
}

// ------------------------------------------------------------------ importance

/** @param {Study} study */
function createBars(study) {
  const box = plotBox({});
  const drawing = new FigureBox(box);
  const remark = h("p", { class: "quiet", role: "status" });
  const numbers = h("div", {});
  const element = h(
    "figure",
    { role: "group", aria: { label: "Importance of variables" } },
    h("h2", {}, "Importance and correlation"),
    remark,
    box,
    h("figcaption", {}, CAPTION),
    numbers,
  );
  const question = createQuestion(element, show, fail);

  /** @param {Schemas["ImportancesResource"]} found */
  function show(found) {
    const [metric] = found.metrics;
    replace(remark, metric.remark ? `${metric.remark}.` : `${count(metric.designs)} designs.`);
    box.hidden = !metric.variables.length;
    element.dataset.metric = metric.metric;
    replace(numbers, metric.variables.length > 0 && importanceTable(study, metric));
    if (box.hidden) return;
    box.style.height = `${metric.figure.layout.height}px`;
    drawing.show(/** @type {any} */ (metric.figure));
  }

  /** @param {string} text */
  function fail(text) {
    replace(remark, text);
    box.hidden = true;
    replace(numbers);
  }

  /** @param {`studies/${string}/importances`} path @param {{ layout: string, metrics: string }} query */
  const update = (path, query) => question((signal) => get(path, query, signal));
  return { element, update };
}

/** @param {Study} study @param {Importances} found */
function importanceTable(study, { metric, variables }) {
  const ordered = [...variables].sort(
    (one, other) =>
      (other.importance ?? 0) - (one.importance ?? 0) ||
      Math.abs(other.correlation ?? 0) - Math.abs(one.correlation ?? 0),
  );
  const caption = `Importance of variables for ${words(metric)}`;
  const heads = HEADS.map(([text, tooltip], place) =>
    h("th", { scope: "col", class: place > 0 && "number" }, tipped(text, tooltip)),
  );
  const rows = ordered.map((one) =>
    importanceRow(one, study.nameOf(one.variable), study.tooltip(one.variable)),
  );
  const table = cardTable(caption, heads, rows, { caption, kind: "dense" });
  return h("details", {}, h("summary", {}, "As numbers"), table);
}

/** @param {Schemas["ImportanceResource"]} options @param {string} name @param {string} tooltip */
function importanceRow({ importance, correlation }, name, tooltip) {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, tipped(name, tooltip)),
    h("td", { class: "number" }, number(importance, 2)),
    h("td", { class: "number" }, number(correlation, 2)),
  );
}

// ------------------------------------------------------------------ slices

/** @param {Study} study */
function createSlice(study) {
  const box = plotBox({});
  const drawing = new FigureBox(box);
  const caption = h("figcaption", {});
  const fault = h("p", { class: "fault", hidden: true });
  const variable = h("select", { on: { change: ask } });
  const other = h("select", { on: { change: ask } });
  const element = h(
    "figure",
    { role: "group", aria: { label: "Slice" } },
    h("h2", {}, "The metric over a variable"),
    h("div", { class: "row" }, h("label", {}, "Over ", variable), h("label", {}, "and ", other)),
    fault,
    box,
    caption,
  );
  const question = createQuestion(element, show, fail);
  let wanted = { layout: "", metric: "" };

  // The variables of a layout; what was chosen before stays.
  /** @param {string} layout */
  function offer(layout) {
    const variables = study.quantities.layouts.find((one) => one.layout === layout)?.variables ?? [];
    const before = variable.value;
    replace(
      variable,
      variables.map(({ path }) =>
        h(
          "option",
          { value: path, title: study.tooltip(path), selected: path === before },
          study.nameOf(path),
        ),
      ),
    );
    offerOthers();
  }

  function offerOthers() {
    const before = other.value;
    const rest = [...variable.options]
      .map((option) => option.value)
      .filter((path) => path !== variable.value);
    replace(
      other,
      h("option", { value: "" }, "no other"),
      rest.map((path) =>
        h(
          "option",
          { value: path, title: study.tooltip(path), selected: path === before },
          study.nameOf(path),
        ),
      ),
    );
  }

  /** @param {Schemas["SliceResource"]} found */
  function show(found) {
    fault.hidden = true;
    box.hidden = false;
    box.style.height = `${found.figure.layout.height ?? 300}px`;
    replace(caption, found.caption);
    drawing.show(/** @type {any} */ (found.figure));
    box.dataset.slice = [found.metric, found.variable, found.other ?? ""].join(" ").trim();
  }

  /** @param {string} text */
  function fail(text) {
    replace(fault, text);
    fault.hidden = false;
    box.hidden = true;
    replace(caption);
  }

  function ask() {
    offerOthers();
    const query = { ...wanted, variable: variable.value, other: other.value };
    question((signal) => get(`${study.path}/slice`, query, signal));
  }

  /** @param {{ layout: string, metric: string }} next */
  function update(next) {
    wanted = next;
    ask();
  }

  return { element, offer, update };
}
