// The beginning of a study: a robot, an example that is ready to launch, or files of one's own.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft } from "./draft.js" */
/** @import { Schemas } from "../../core/types.js" */
import { h } from "../../core/dom.js";
import { counted, words } from "../../core/format.js";
import { area, button, entry, folded } from "./fields.js";
import { capital, presetName } from "./names.js";
import { ownRobots } from "./robot_files.js";

const BUILT_IN = new Set([
  "hybrid-cable-robot",
  "continuum-statics",
  "continuum-kinematics",
  "continuum-dynamics",
  "flexible-arm",
]);

/** @param {string} name */
function picture(name, size = 96) {
  const src = new URL(`./pictures/${name}.svg`, import.meta.url).href;
  return h("img", { class: "picture", src, alt: "", width: size, height: size });
}

/** @param {string} model */
const symbol = (model, size = 96) => picture(BUILT_IN.has(model) ? model : "other", size);

// ------------------------------------------------------------------ what a study begins with

const SEARCH = { algorithm: "nsga2", population: 40, generations: 25 };
const PROBLEMS = "Functions with known fronts, on which search algorithms can be compared. None is a robot.";

/** @param {Schemas["ModelSummary"][]} models @param {Schemas["ExampleResource"][]} examples @param {Pick<Draft, "begin">} draft */
export function backendChoice(models, examples, draft) {
  /** @param {Schemas["ModelSummary"][]} some @param {...HTMLElement} others */
  const cards = (some, ...others) =>
    h(
      "ul",
      { class: "cards" },
      some.map((model) => card(model, draft)),
      others,
    );
  const titles = new Map(models.map(({ model, title }) => [model, title]));
  const problems = models.filter((model) => model.test_problem);
  const others = models.filter((model) => !model.built_in && !model.test_problem);
  return h(
    "div",
    { class: "beginnings" },
    h("h2", {}, "Choose a robot"),
    cards(
      models.filter((model) => model.built_in),
      ownRobots(draft.begin),
    ),
    h("h2", {}, "Or an example that is ready to launch"),
    h(
      "ul",
      { class: "examples" },
      examples.map((example) => readyMade(example, titles.get(example.model) ?? example.model, draft)),
    ),
    others.length > 0 && [h("h2", {}, "Or a robot from another package"), cards(others)],
    problems.length > 0 &&
      folded(
        "test problems",
        `${capital(counted(problems.length, "test problem"))} for search algorithms`,
        h("p", { class: "quiet small" }, PROBLEMS),
        cards(problems),
      ),
  );
}

/** @param {Schemas["ModelSummary"]} model @param {Pick<Draft, "begin">} draft */
function card(model, draft) {
  const { model: name, title, metrics, presets, summary, test_problem: isProblem } = model;
  const robots = isProblem ? [] : presets;
  const published = robots.length ? ` Published robots: ${robots.map(presetName).join(", ")}.` : "";
  return h(
    "li",
    { class: "card", data: { model: name } },
    symbol(name),
    h(
      "div",
      {},
      h("h3", {}, h("span", { title: name }, title)),
      h("p", { class: "small" }, summary),
      h("p", { class: "small quiet" }, `${metrics} quantities.${published}`),
      button("New study", () => draft.begin({ definition: fresh(model) }), {
        aria: { label: `New study: ${title}` },
      }),
    ),
  );
}

/** @param {Schemas["ExampleResource"]} options @param {string} title @param {Pick<Draft, "begin">} draft */
function readyMade({ example, model, toml, answers, time }, title, draft) {
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "example",
        data: { example },
        on: { click: () => draft.begin({ text: toml }) },
      },
      picture(`examples/${example}`, 120),
      h(
        "span",
        {},
        h("strong", {}, capital(words(example).replaceAll("-", " "))),
        h("span", { class: "note" }, answers),
        h("span", { class: "note" }, title),
        h("span", { class: "time" }, `${capital(time)} on two cores`),
      ),
    ),
  );
}

/** @param {Schemas["ModelSummary"]} options */
function fresh({ model, presets }) {
  const preset = presets.length ? { preset: presets[0] } : {};
  return { schema_version: 1, name: model, model, seeds: [1], ...preset, search: { ...SEARCH } };
}

// ------------------------------------------------------------------ the chosen robot

// The chosen back-end: its picture and what it computes.
/** @param {Model} model */
export function backendSummary(model) {
  return h(
    "div",
    { class: "chosen", data: { model: model.model } },
    symbol(model.model, 64),
    h(
      "div",
      {},
      h("p", {}, model.summary),
      h(
        "p",
        { class: "small quiet" },
        `${model.source} (`,
        h("span", { title: model.model }, model.title),
        `, version ${model.version})`,
      ),
    ),
  );
}

// Name and description of the study, above the steps.
/** @param {Draft} draft */
export function studyFields(draft) {
  return h(
    "div",
    { class: "fields naming" },
    entry(
      {
        place: ["name"],
        label: "Name of the study",
        tooltip: "a to z, 0 to 9 and hyphens; it is part of addresses",
      },
      { value: draft.get("name"), onType: (text) => draft.set(["name"], text.trim() || undefined) },
    ),
    area(
      { place: ["description"], label: "Description" },
      {
        value: draft.get("description"),
        rows: 1,
        /** @param {string} text */
        onType: (text) => draft.set(["description"], text || undefined),
      },
    ),
  );
}
