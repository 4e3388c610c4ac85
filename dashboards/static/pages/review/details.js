// The details of the selected design: objectives, constraints, parameters, and computing time.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Child, Schema, Schemas } from "../../core/types.js" */
/** @import { DrawVaried } from "./what_if.js" */
/** @import { Column, KnownDesign, Measured, Study } from "./study.js" */
import { messageOf } from "../../core/api.js";
import { h, replace, saveFile } from "../../core/dom.js";
import { BETTER, description, duration, moment, number, quantity, words } from "../../core/format.js";
import { parameterText, schemaAt } from "../../core/parameters.js";
import { cardTable } from "../../core/tables.js";
import { tipped } from "../../core/tooltips.js";
import { designFileList } from "./design_file.js";
import { reevaluationForm } from "./reevaluation.js";
import { robustPanel } from "./robust.js";
import { limited, short } from "./study.js";
import { unsafeText, whatIfForm } from "./what_if.js";
import { isPinned, MOST_PINS, togglePin } from "./view_state.js";

/** @type {Record<string, string>} */

// `annotations` is the panel with what people wrote beside the design.
/** @param {Study} study @param {HTMLElement} box @param {{ layout: string, key: string }} options @param {() => boolean} isCurrent @param {{ annotations: { show: (key: string) => HTMLElement }, draw: DrawVaried }} parts */
export async function showDetails(study, box, { layout, key }, isCurrent, { annotations, draw }) {
  box.setAttribute("aria-busy", "true");
  try {
    const [design, model] = await Promise.all([study.design(layout, key), study.model()]);
    if (!isCurrent()) return null;
    replace(box, content(study, design, layout, model, annotations.show(design.key), draw));
    box.dataset.key = design.key;
    return design;
  } catch (error) {
    if (isCurrent())
      replace(box, h("h2", {}, `Design ${short(key)}`), h("p", { class: "fault" }, messageOf(error)));
    return null;
  } finally {
    if (isCurrent()) box.removeAttribute("aria-busy");
  }
}

/** @param {Study} study @param {Schemas["DesignResource"]} design @param {string} layout @param {Model} model @param {HTMLElement} annotations @param {DrawVaried} draw */
function content(study, design, layout, model, annotations, draw) {
  const known = study.known(layout, design.key);
  const onFront = study.place(layout, design.key) >= 0;
  const seeds =
    known && onFront
      ? `found by seed${known.seeds.length > 1 ? "s" : ""} ${known.seeds.join(", ")}`
      : "not on the front";
  return [
    h(
      "div",
      { class: "row" },
      h("h2", {}, `Design ${short(design.key)}`),
      h(
        "span",
        { class: "quiet small" },
        [
          study.layouts.length > 1 && layout,
          seeds,
          design.state === "done" ? "" : `${design.state}: ${design.reason}`,
        ]
          .filter(Boolean)
          .join(", "),
      ),
    ),
    actions(design, layout),
    unsafeText(design.unsafe),
    design.remark && h("p", { class: "notice small", role: "note" }, design.remark),
    design.warnings.length > 0 &&
      h(
        "div",
        { class: "notice" },
        h("strong", {}, "The back-end warns:"),
        h(
          "ul",
          {},
          design.warnings.map((text) => h("li", {}, text)),
        ),
      ),
    whatIfForm(study, design, layout, draw),
    constraintTable(study, design),
    metricTable(study, design, layout),
    known && variableTable(study, known),
    linkedTable(study, design, model.parameters),
    design.state === "done" && robustPanel(study, design),
    reevaluationForm(study, design, model),
    annotations,
    designFileList(study, design, model),
    h("details", {}, h("summary", {}, "All parameters"), parameterTable(design, model.parameters)),
    h("details", {}, h("summary", {}, "What it took"), tookTable(design)),
  ];
}

/** @param {Schemas["DesignResource"]} design @param {string} layout */
function actions(design, layout) {
  const { model, model_version, parameters } = design;
  const text = () => JSON.stringify({ model, model_version, parameters }, null, 2);
  const saveParameters = () =>
    saveFile(`${model}-${short(design.key)}.json`, new Blob([text()], { type: "application/json" }));
  const copy = h("button", { type: "button", on: { click: copyLink } }, "Copy link");
  async function copyLink() {
    await navigator.clipboard?.writeText(location.href);
    if (navigator.clipboard) copy.textContent = "Link copied";
  }
  return h(
    "div",
    { class: "row" },
    pinButton(layout, design.key),
    copy,
    h(
      "button",
      { type: "button", data: { icon: "save" }, on: { click: saveParameters } },
      "Parameters as JSON",
    ),
  );
}

// A button that pins a design or unpins it, and what it reports when no more can be pinned.
/** @param {string} layout @param {string} key */
function pinButton(layout, key) {
  const button = h("button", { type: "button", class: "pin", data: { icon: "pin" }, on: { click: press } });
  const full = h("span", { class: "quiet small", role: "status" });
  function label() {
    const pinned = isPinned(layout, key);
    button.textContent = pinned ? "Unpin" : "Pin to compare";
    button.setAttribute("aria-pressed", String(pinned));
  }
  function press() {
    const done = togglePin(layout, key);
    full.textContent = done ? "" : `${MOST_PINS} designs are pinned, which is the most. Unpin one first.`;
    label();
  }
  label();
  return [button, full];
}

/** @param {string} caption @param {string[]} heads @param {Child} rows */
const grid = (caption, heads, rows) => cardTable(caption, heads, rows, { caption, kind: "dense" });

// Each constraint with its margin: positive where it is kept, negative where it is broken.
/** @param {Study} study @param {Schemas["DesignResource"]} design */
function constraintTable(study, design) {
  const { constraints } = study.quantities;
  if (!constraints.length) return null;
  const rows = constraints.map(({ metric, lower, upper }) => {
    const unit = study.quantities.metrics.find((one) => one.metric === metric)?.unit ?? "";
    const value = design.metrics[metric] ?? null;
    const margin =
      value === null ? null : Math.min(value - (lower ?? -Infinity), (upper ?? Infinity) - value);
    const bounds = [
      lower === null ? "" : `at least ${quantity(lower, unit)}`,
      upper === null ? "" : `at most ${quantity(upper, unit)}`,
    ]
      .filter(Boolean)
      .join(", ");
    const verdict =
      margin === null ? ["unsure", "no value"] : margin >= 0 ? ["good", "kept"] : ["bad", "broken"];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, tipped(study.nameOf(metric), study.tooltip(metric))),
      h("td", { class: "number" }, quantity(value, unit)),
      h("td", {}, bounds),
      h("td", { class: "number" }, quantity(margin, unit)),
      h("td", { class: verdict[0] }, verdict[1]),
    );
  });
  return grid("Constraints", ["constraint", "value", "bound", "margin", "verdict"], rows);
}

/** @param {Study} study @param {Schemas["DesignResource"]} design @param {string} layout */
function metricTable(study, design, layout) {
  const { metrics } = study.quantities;
  const objectives = study.objectives.map((column) => column.id);
  const known = metrics.filter(({ metric }) => metric in design.metrics);
  const empty = known.filter(({ metric }) => design.metrics[metric] === null && !objectives.includes(metric));
  const shown = known.filter((one) => !empty.includes(one));
  shown.sort((one, other) => rank(objectives, one.metric) - rank(objectives, other.metric));
  if (!shown.length) return null;
  const rows = shown.map(({ metric, unit, better, meaning }) => {
    const objective = study.objectives.find((column) => column.id === metric);
    const value = objective
      ? worth(objective, { ...design, layout })
      : quantity(design.metrics[metric], unit);
    const kind = objective ? `objective, ${BETTER[objective.sense]}` : (BETTER[better] ?? "");
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, tipped(study.nameOf(metric), meaning)),
      h("td", { class: "number" }, value),
      h("td", { class: "quiet" }, kind),
    );
  });
  const left = empty.map(({ metric }) => study.nameOf(metric)).join(", ");
  return h(
    "div",
    {},
    grid("Metrics", ["metric", "value", "sense"], rows),
    left && h("p", { class: "quiet small" }, `Without a value, and left out: ${left}.`),
  );
}

// What an objective is for a design; of one without a value of its own, the limit that it counts as.
/** @param {Column} column @param {Measured} design */
const worth = (column, design) =>
  limited(quantity(numberOr(column.of(design)), column.unit), column.sense, column.isLimit(design));
/** @param {number} value */
const numberOr = (value) => (Number.isNaN(value) ? null : value);

/** @param {string[]} objectives @param {string} metric */
const rank = (objectives, metric) =>
  objectives.includes(metric) ? objectives.indexOf(metric) : objectives.length;

/** @param {Study} study @param {KnownDesign} known */
function variableTable(study, known) {
  const columns = study.columns.filter(
    (column) => column.role === "variable" && !Number.isNaN(column.of(known)),
  );
  return grid(
    "Variables",
    ["variable", "value"],
    columns.map((column) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, tipped(column.name, column.tooltip)),
        h("td", { class: "number" }, column.text(column.of(known))),
      ),
    ),
  );
}

// The parameters that follow from variables, where there are some.
/** @param {Study} study @param {Schemas["DesignResource"]} design @param {Schema} schema */
function linkedTable({ quantities }, { linked = {} }, schema) {
  const paths = Object.keys(linked);
  if (!paths.length) return null;
  const rows = paths.map((path) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        tipped(
          quantities.labels[path] ?? words(path),
          description(path, schemaAt(schema, path)?.description),
        ),
      ),
      h("td", { class: "number" }, parameterText(schema, path, linked[path])),
    ),
  );
  const title = "Parameters that follow from variables";
  return h("details", {}, h("summary", {}, title), grid(title, ["parameter", "value"], rows));
}

/** @param {Schemas["DesignResource"]} design @param {Schema} schema */
function parameterTable(design, schema) {
  return grid(
    "Parameters",
    ["parameter", "value"],
    Object.entries(design.parameters).map(([name, value]) => {
      const field = schemaAt(schema, name);
      return h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          h("span", { title: name }, words(name)),
          field?.description && h("span", { class: "note" }, field.description),
        ),
        h("td", { class: "long" }, parameterText(schema, name, value)),
      );
    }),
  );
}

/** @param {Schemas["DesignResource"]} design */
function tookTable(design) {
  const rows = [
    ["computed in", design.seconds < 1 ? quantity(design.seconds, "s") : duration(design.seconds)],
    ["finished", moment(design.finished)],
    ["worker", design.worker],
    ["back-end", `${design.model}, version ${design.model_version}, cost class ${design.cost_class}`],
    ...Object.entries(design.counters).map(([name, count]) => [words(name), number(count)]),
    ["key", design.key],
  ];
  return grid(
    "What it took",
    ["what", "value"],
    rows.map(([name, value]) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "key" }, value)),
    ),
  );
}
