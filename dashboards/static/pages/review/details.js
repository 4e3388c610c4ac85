// The details of the selected design: objectives, constraints, parameters, and computing time.
import { get, pathPart } from "../../core/api.js";
import { h, replace, saveFile, scrollBox } from "../../core/dom.js";
import { duration, moment, number, quantity, words } from "../../core/format.js";
import { schemaAt, valueText } from "../../core/parameters.js";
import { reevaluationForm } from "./reevaluation.js";
import { limited, short } from "./study.js";
import { isPinned, MOST_PINS, togglePin } from "./view.js";

const SENSES = { minimize: "less is better", maximize: "more is better" };

// The back-end's schema, requested when the first design is shown.
let model;
export const modelOf = (study) =>
  (model ??= get(`models/${pathPart(study.quantities.model)}`).catch((error) => {
    model = undefined;
    throw error;
  }));

export async function showDetails(study, box, { layout, key }, isCurrent) {
  box.setAttribute("aria-busy", "true");
  try {
    const [design, { parameters: schema }] = await Promise.all([study.design(layout, key), modelOf(study)]);
    if (!isCurrent()) return null;
    replace(box, content(study, design, layout, schema));
    box.dataset.key = design.key;
    return design;
  } catch (error) {
    if (isCurrent())
      replace(box, h("h2", {}, `Design ${short(key)}`), h("p", { class: "fault" }, error.message));
    return null;
  } finally {
    if (isCurrent()) box.removeAttribute("aria-busy");
  }
}

function content(study, design, layout, schema) {
  const known = study.known(layout, design.key);
  const onFront = study.place(layout, design.key) >= 0;
  const seeds = onFront
    ? `found by seed${known.seeds.length > 1 ? "s" : ""} ${known.seeds.join(", ")}`
    : "not on the front";
  return [
    h("h2", {}, `Design ${short(design.key)}`),
    h(
      "p",
      { class: "quiet" },
      [
        study.layouts.length > 1 && layout,
        seeds,
        design.state === "done" ? "" : `${design.state}: ${design.reason}`,
      ]
        .filter(Boolean)
        .join(", "),
    ),
    actions(design, layout),
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
    constraintTable(study, design),
    metricTable(study, design, layout),
    variableTable(study, known),
    h("details", {}, h("summary", {}, "All parameters"), parameterTable(design, schema)),
    h("details", {}, h("summary", {}, "What it took"), tookTable(design)),
    reevaluationForm(study, design, schema),
  ];
}

function actions(design, layout) {
  const pin = h("button", { type: "button", on: { click: () => press() } });
  const label = () => {
    const pinned = isPinned(layout, design.key);
    pin.textContent = pinned ? "Unpin" : "Pin to compare";
    pin.setAttribute("aria-pressed", String(pinned));
  };
  const full = h("span", { class: "quiet small", role: "status" });
  const press = () => {
    const done = togglePin(layout, design.key);
    full.textContent = done ? "" : `${MOST_PINS} designs are pinned, which is the most. Unpin one first.`;
    label();
  };
  label();
  const name = `${design.model}-${short(design.key)}.json`;
  const text = () =>
    JSON.stringify(
      { model: design.model, model_version: design.model_version, parameters: design.parameters },
      null,
      2,
    );
  const copy = h(
    "button",
    {
      type: "button",
      on: {
        click: () =>
          navigator.clipboard?.writeText(location.href).then(() => (copy.textContent = "Link copied")),
      },
    },
    "Copy link",
  );
  return h(
    "div",
    { class: "row" },
    pin,
    full,
    copy,
    h(
      "button",
      {
        type: "button",
        on: { click: () => saveFile(name, new Blob([text()], { type: "application/json" })) },
      },
      "Parameters as JSON",
    ),
  );
}

function grid(caption, head, rows) {
  return scrollBox(
    caption,
    h(
      "table",
      {},
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );
}

// Each constraint with its margin: positive where it is kept, negative where it is broken.
function constraintTable(study, design) {
  const { constraints } = study.quantities;
  if (!constraints.length) return null;
  const rows = constraints.map(({ metric, lower, upper }) => {
    const { unit } = study.quantities.metrics.find((one) => one.metric === metric);
    const value = design.metrics[metric] ?? null;
    const margins = [lower === null ? null : value - lower, upper === null ? null : upper - value].filter(
      (margin) => margin !== null,
    );
    const margin = value === null ? null : Math.min(...margins);
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
      h("th", { scope: "row" }, words(metric)),
      h("td", { class: "number" }, quantity(value, unit)),
      h("td", {}, bounds),
      h("td", { class: "number" }, quantity(margin, unit)),
      h("td", { class: verdict[0] }, verdict[1]),
    );
  });
  return grid("Constraints", ["constraint", "value", "bound", "margin", "verdict"], rows);
}

function metricTable(study, design, layout) {
  const { metrics } = study.quantities;
  const objectives = study.objectives.map((column) => column.id);
  const shown = metrics.filter(({ metric }) => metric in design.metrics);
  const order = ({ metric }) =>
    rank(objectives, metric) +
    (design.metrics[metric] === null && !objectives.includes(metric) ? metrics.length : 0);
  shown.sort((one, other) => order(one) - order(other));
  if (!shown.length) return null;
  const rows = shown.map(({ metric, unit, better, meaning }) => {
    const objective = study.objectives.find((column) => column.id === metric);
    const value = objective
      ? worth(objective, { ...design, layout })
      : quantity(design.metrics[metric], unit);
    const kind = objective ? `objective, ${SENSES[objective.sense]}` : (SENSES[better] ?? "");
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, words(metric), h("span", { class: "note" }, meaning)),
      h("td", { class: "number" }, value),
      h("td", { class: "quiet" }, kind),
    );
  });
  return grid("Metrics", ["metric", "value", "sense"], rows);
}

// What an objective is for a design; of one without a value of its own, the limit that it counts as.
const worth = (column, design) =>
  limited(quantity(numberOr(column.of(design)), column.unit), column.sense, column.isLimit(design));
const numberOr = (value) => (Number.isNaN(value) ? null : value);

const rank = (objectives, metric) =>
  objectives.includes(metric) ? objectives.indexOf(metric) : objectives.length;

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
        h("th", { scope: "row" }, column.id),
        h("td", { class: "number" }, column.text(column.of(known))),
      ),
    ),
  );
}

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
          name,
          field?.description && h("span", { class: "note" }, field.description),
        ),
        h("td", { class: "long" }, valueText(value, field?.unit)),
      );
    }),
  );
}

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
