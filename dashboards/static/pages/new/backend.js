// A line drawing of each of our own back-ends; others share one.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft } from "./draft.js" */
/** @import { Schemas } from "../../core/types.js" */
import { h, scrollBox } from "../../core/dom.js";
import { unitText } from "../../core/format.js";
import { area, button, entry, folded, section } from "./fields.js";
import { ownRobots } from "./robot_files.js";

/** @param {{ model: string, built_in?: boolean }} options */
function picture({ model, built_in }) {
  const src = new URL(`./pictures/${built_in ? model : "other"}.svg`, import.meta.url).href;
  return h("img", { class: "picture", src, alt: "", width: 96, height: 96 });
}

// ------------------------------------------------------------------ choice of a back-end

// What a study begins with: a back-end, or an example of one.
const SEARCH = { algorithm: "nsga2", population: 40, generations: 25 };
const WHAT =
  "A back-end is a model of a robot, which computes the metrics of a design. Begin with its published robot, or with a study that is ready to launch.";

const PROBLEMS =
  "Functions with known solutions, which test search algorithms. They do not describe a robot.";

/** @param {Schemas["ModelSummary"][]} models @param {Schemas["ExampleResource"][]} examples @param {Pick<Draft, "begin">} draft */
export function backendChoice(models, examples, draft) {
  /** @param {Schemas["ModelSummary"]} options */
  const of = ({ model }) => examples.filter((example) => example.model === model);
  /** @param {Schemas["ModelSummary"][]} some */
  const cards = (some) =>
    h(
      "ul",
      { class: "cards" },
      some.map((model) => card(model, of(model), draft)),
    );
  const problems = models.filter((model) => model.test_problem);
  const others = models.filter((model) => !model.built_in && !model.test_problem);
  return h(
    "section",
    { aria: { labelledby: "begin" } },
    h("h2", { id: "begin" }, "Choose a back-end"),
    h("p", { class: "quiet" }, WHAT),
    cards(models.filter((model) => model.built_in)),
    ownRobots(draft.begin),
    others.length > 0 && [h("h2", {}, "From other packages"), cards(others)],
    problems.length > 0 && [
      h("h2", {}, "Test problems"),
      h("p", { class: "quiet" }, PROBLEMS),
      cards(problems),
    ],
  );
}

/** @param {Schemas["ModelSummary"]} model @param {Schemas["ExampleResource"][]} examples @param {Pick<Draft, "begin">} draft */
function card(model, examples, draft) {
  const { model: name, metrics, presets, summary } = model;
  const ready = h(
    "ul",
    { class: "examples" },
    examples.map((example) => readyMade(example, draft)),
  );
  return h(
    "li",
    { class: "card", data: { model: name } },
    picture(model),
    h(
      "div",
      {},
      h("h3", {}, name),
      h("p", { class: "small" }, summary),
      h("p", { class: "small quiet" }, `${metrics} metrics. Presets: ${presets.join(", ") || "none"}.`),
      button("New study", () => draft.begin({ definition: fresh(model) }), {
        aria: { label: `New study of ${name}` },
      }),
      examples.length > 0 && [h("h4", {}, "Ready to launch"), ready],
    ),
  );
}

/** @param {Schemas["ExampleResource"]} options @param {Pick<Draft, "begin">} draft */
function readyMade({ example, toml, answers }, draft) {
  const start = button(example, () => draft.begin({ text: toml }), { class: "link", data: { example } });
  return h("li", {}, start, h("span", { class: "note" }, answers));
}

/** @param {Schemas["ModelSummary"]} options */
function fresh({ model, presets }) {
  const preset = presets.length ? { preset: presets[0] } : {};
  return { schema_version: 1, name: model, model, seeds: [1], ...preset, search: { ...SEARCH } };
}

// ------------------------------------------------------------------ the chosen back-end

// The chosen back-end: its picture, what it computes, and what the study is called.
/** @param {Model} model */
export function backendSummary(model) {
  const errors = new Set(model.metrics.map(({ error }) => error));
  const metrics = model.metrics.filter(({ metric }) => !errors.has(metric));
  return h(
    "div",
    { class: "chosen" },
    picture(model),
    h(
      "div",
      {},
      h("h2", {}, model.model),
      h("p", {}, model.summary),
      h("p", { class: "small quiet" }, `Version ${model.version}. ${model.source}`),
      folded("metrics", `What it computes (${metrics.length} metrics)`, metricsTable(metrics)),
    ),
  );
}

/** @param {Schemas["MetricResource"][]} metrics */
function metricsTable(metrics) {
  const head = ["metric", "unit", "better", "meaning"].map((text) => h("th", { scope: "col" }, text));
  const rows = metrics.map(({ metric, unit, better, meaning }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, metric),
      h("td", { class: "short" }, unitText(unit)),
      h("td", {}, better),
      h("td", { class: "long" }, meaning),
    ),
  );
  return scrollBox("Metrics", h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)));
}

/** @param {Draft} draft */
export function studyFields(draft) {
  const seeds = draft.get("seeds");
  return section(
    "Study",
    null,
    h(
      "div",
      { class: "fields" },
      entry(
        { place: ["name"], label: "Name", hint: "a to z, 0 to 9 and hyphens; it is part of addresses" },
        { value: draft.get("name"), onType: (text) => draft.set(["name"], text.trim() || undefined) },
      ),
      entry(
        {
          place: ["seeds"],
          label: "Seeds",
          hint: "one run for each layout and seed; three or more show the effect of chance",
        },
        {
          value: Array.isArray(seeds) ? seeds.join(", ") : seeds,
          placeholder: "1",
          inputmode: "numeric",
          onType: (text) => draft.set(["seeds"], numbers(text)),
        },
      ),
      area(
        { place: ["description"], label: "Description", wide: true },
        {
          value: draft.get("description"),
          rows: 2,
          /** @param {string} text */
          onType: (text) => draft.set(["description"], text || undefined),
        },
      ),
    ),
  );
}

/** @param {string} text */
function numbers(text) {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  return parts.length ? parts.map((word) => (/^\d+$/.test(word) ? Number(word) : word)) : undefined;
}
