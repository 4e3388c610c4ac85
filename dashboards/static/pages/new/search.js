// The goals: objectives with their sense, constraints with their bounds.
/** @import { FieldOptions } from "./fields.js" */
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place, Tree } from "./draft.js" */
/** @import { Schemas } from "../../core/types.js" */
import { h } from "../../core/dom.js";
import { unitText, words } from "../../core/format.js";
import { isTable, pointerOf } from "./draft.js";
import {
  adder,
  area,
  button,
  choice,
  entry,
  folded,
  formatList,
  formatValue,
  parseValue,
  section,
  unitOfField,
} from "./fields.js";

const SENSES = [
  ["maximize", "maximise"],
  ["minimize", "minimise"],
];

/** @param {Draft} draft @param {Model} model */
export function objectives(draft, model) {
  const names = Object.keys(draft.get("objectives") ?? {});
  /** @param {string} name */
  const add = (name) =>
    draft.reshape(() => draft.set(["objectives", name], model.metric(name)?.better ?? "minimize"));
  return section(
    "Objectives",
    ["objectives"],
    names.length > 0 &&
      h(
        "div",
        { class: "items" },
        names.map((name) => objective(draft, model, name)),
      ),
    adder("Objective to add", "Add objective", free(draft, model, names), add, (name) => model.tooltip(name)),
  );
}

/** @param {Draft} draft @param {Model} model @param {string} name */
function objective(draft, model, name) {
  const place = ["objectives", name];
  const now = draft.get(...place);
  return h(
    "div",
    { class: "item", role: "group", aria: { label: `Objective ${name}` } },
    choice(
      { place, label: name },
      {
        value: now,
        choices: SENSES,
        onChange: (sense) => draft.set(place, sense),
      },
    ),
    remover(draft, place, "objective"),
    meaning(model, name),
  );
}

/** @param {Draft} draft @param {Model} model */
export function constraints(draft, model) {
  const names = Object.keys(draft.get("constraints") ?? {});
  /** @param {string} name */
  const add = (name) => draft.reshape(() => draft.set(["constraints", name], {}));
  return section(
    "Constraints",
    ["constraints"],
    h(
      "p",
      { class: "quiet small" },
      "A design outside these bounds is never on a front, but it can guide the search.",
    ),
    names.length > 0 &&
      h(
        "div",
        { class: "items" },
        names.map((name) => constraint(draft, model, name)),
      ),
    adder("Metric to constrain", "Add constraint", free(draft, model, names), add, (name) =>
      model.tooltip(name),
    ),
  );
}

/** @param {Draft} draft @param {Model} model @param {string} name */
function constraint(draft, model, name) {
  const place = ["constraints", name];
  const bound = draft.get(...place);
  const reading = unitOfField(model.metric(name)?.unit, [bound.lower, bound.upper]);
  /** @param {string} key @param {string} label */
  const end = (key, label) => {
    /** @param {string} text */
    const onType = (text) => draft.set([...place, key], parseValue(text, reading));
    const settings = { value: formatValue(bound[key], reading), placeholder: "no bound", onType };
    return entry({ place: [...place, key], label, after: reading.label }, settings);
  };
  return h(
    "div",
    {
      class: "item",
      role: "group",
      aria: { label: `Constraint ${name}` },
      data: { pointer: pointerOf(place) },
    },
    h("p", { class: "field-fault", hidden: true }),
    h(
      "div",
      { class: "fields three" },
      h("p", { class: "name" }, name),
      end("lower", "At least"),
      end("upper", "At most"),
    ),
    remover(draft, place, "constraint"),
    meaning(model, name),
  );
}

/** @param {Draft} draft @param {Place} place @param {string} what */
function remover(draft, place, what) {
  const remove = () => draft.reshape(() => draft.set(place, undefined));
  return button("Remove", remove, { aria: { label: `Remove ${what} ${place.at(-1)}` } });
}

/** @param {Model} model @param {string} name */
function meaning(model, name) {
  const metric = model.metric(name);
  if (!metric) return null;
  const text = [unitText(metric.unit), metric.meaning].filter(Boolean).join("; ");
  const better = `${text}. Better when ${metric.better === "maximize" ? "greater" : "smaller"}.`;
  const jumps = metric.jumps ? ` Jumps where ${metric.jumps}.` : "";
  const caution = metric.caution ? ` Caution: ${metric.caution}.` : "";
  return h("p", { class: "hint" }, better + jumps + caution);
}

// Metrics of the back-end, the expressions of the study and, where it has tolerances, statistics over robots.
/** @param {Draft} draft @param {Model} model @param {string[]} taken */
const free = (draft, model, taken) => {
  const own = draft.get("expressions");
  const named = isTable(own) ? Object.keys(own) : [];
  const known = [...named, ...model.metrics.map(({ metric }) => metric)];
  const tolerances = draft.get("tolerances");
  const robust =
    isTable(tolerances) && Object.keys(tolerances).length
      ? [
          "robust.probability_feasible",
          ...known.flatMap((name) => STATISTICS.map((one) => `robust.${name}.${one}`)),
        ]
      : [];
  return [...known, ...robust].filter((name) => !taken.includes(name));
};

const STATISTICS = ["mean", "sd", "q05", "q50", "q95", "worst"];

// ------------------------------------------------------------------ search

// How the designs are searched, and what ends a run.
const UNITLESS_ = unitOfField("1", []);

/** @param {Draft} draft @param {Schemas["AlgorithmResource"][]} algorithms */
export function search(draft, algorithms) {
  const now = draft.get("search", "algorithm") ?? "nsga2";
  return section(
    "Search",
    ["search"],
    h(
      "div",
      { class: "fields" },
      chooser(draft, algorithms, now),
      count(draft, "population", "Population", now === "optuna-tpe" ? "8" : "40", "designs of a generation"),
      count(draft, "generations", "Generations", "no limit", "of one run"),
      count(draft, "evaluations", "Evaluations", "no limit", "designs that one run asks for"),
      now === "grid" && count(draft, "points", "Points", "10", "values of each real variable, ends included"),
    ),
    folded(
      "budgets",
      "Other budgets, and designs to start from",
      h(
        "div",
        { class: "fields" },
        count(draft, "wall_time", "Time of a run", "no limit", "such as 2 h", "s"),
        count(draft, "stagnation", "Stagnation", "never", "generations without growth of the hypervolume"),
        initial(draft),
      ),
    ),
    settings(
      draft,
      algorithms.find(({ algorithm }) => algorithm === now),
    ),
  );
}

// The settings of the algorithm, and those in the file that it does not have.
/** @param {Draft} draft @param {Schemas["AlgorithmResource"] | undefined} algorithm */
function settings(draft, algorithm) {
  const given = draft.get("search", "settings");
  const known = algorithm?.settings ?? [];
  const others = isTable(given) ? Object.keys(given) : [];
  const strange = others.filter((name) => !known.some(({ setting }) => setting === name));
  const rows = [
    ...known.map(({ setting, meaning, allowed, default: usual }) =>
      oneSetting(draft, setting, `${meaning}; ${allowed}`, usual),
    ),
    ...strange.map((name) => oneSetting(draft, name, "not a setting of this algorithm; empty the field", "")),
  ];
  if (!rows.length) return null;
  return folded("settings", "Settings of the algorithm", h("div", { class: "fields" }, rows));
}

/** @param {Draft} draft @param {string} name @param {string} hint @param {string} placeholder */
function oneSetting(draft, name, hint, placeholder) {
  const place = ["search", "settings", name];
  /** @param {string} text */
  const onType = (text) => draft.set(place, parseValue(text));
  return entry(
    { place, label: words(name), hint },
    { value: formatValue(draft.get(...place), UNITLESS_), placeholder, onType },
  );
}

/** @param {Draft} draft @param {Schemas["AlgorithmResource"][]} algorithms @param {string} now */
function chooser(draft, algorithms, now) {
  const place = ["search", "algorithm"];
  const known = algorithms.find(({ algorithm }) => algorithm === now);
  const goals = Object.keys(draft.get("objectives") ?? {}).length;
  const choices = algorithms.map((algorithm) => [algorithm.algorithm, named(algorithm, goals)]);
  /** @param {string} value */
  const onChange = (value) => draft.reshape(() => draft.set(place, value));
  return choice(
    { place, label: "Algorithm", hint: known && help(known), wide: true },
    { value: now, choices, onChange },
  );
}

/** @param {Draft} draft @param {string} key @param {string} label @param {string} placeholder @param {string} hint @param {string} [after] */
function count(draft, key, label, placeholder, hint, after = "") {
  const place = ["search", key];
  /** @param {string} text */
  const onType = (text) => draft.set(place, parseValue(text));
  return entry(
    { place, label, hint, after },
    { value: formatValue(draft.get(...place), UNITLESS_), placeholder, onType },
  );
}

/** @param {Draft} draft */
function initial(draft) {
  const place = ["search", "initial"];
  const given = draft.get(...place);
  const hint = "a list of tables in JSON, each with a value for every variable";
  return area(
    { place, label: "Designs to start from", hint, wide: true },
    {
      value: given === undefined ? "" : formatList(given),
      placeholder: example(draft.get("variables") ?? {}),
      code: true,
      /** @param {string} text */
      onType: (text) => draft.set(place, parseValue(text)),
    },
  );
}

// An algorithm that does not take as many objectives says how many it takes.
/** @param {Schemas["AlgorithmResource"]} options @param {number} goals */
function named({ algorithm, objectives: [least, most] }, goals) {
  if (!goals || (goals >= least && goals <= most)) return algorithm;
  return `${algorithm} (${least === most ? least : `${least} to ${most}`} objective${most > 1 ? "s" : ""})`;
}

/** @param {Schemas["AlgorithmResource"]} options */
function help({ suits, summary, constraints, package: offeredBy }) {
  const limits = constraints ? "" : " It takes no constraints.";
  return `Choose it when you have ${suits}. ${summary}${limits}${offeredBy && ` It comes from ${offeredBy}.`}`;
}

// ------------------------------------------------------------------ limits and indicators

// The limits of one evaluation, and the reference point of the hypervolume.
const UNITLESS = unitOfField("1", []);
const WHAT =
  "A value for each objective; every useful design is better. If it is empty, it is taken from the first generation with a feasible design.";

/** @param {Draft} draft */
export function limits(draft) {
  /** @param {string} key @param {string} label @param {string} placeholder @param {string} hint @param {string} [after] */
  const one = (key, label, placeholder, hint, after) =>
    plain(draft, ["evaluation", key], { label, hint, after }, placeholder);
  return folded(
    "limits",
    "Limits of an evaluation",
    h(
      "div",
      { class: "fields" },
      one("timeout", "Time of a design", "no limit", "such as 10 min", "s"),
      one("memory", "Memory of a design", "no limit", "such as 2 GiB", "byte"),
      one("max_failure_share", "Share of failures", "0.2", "with more, a run stops as failed"),
      one("seed", "Evaluation seed", "0", "of back-ends that draw random numbers"),
    ),
  );
}

/** @param {Draft} draft @param {Model} model */
export function indicators(draft, model) {
  const place = ["indicators", "reference_point"];
  const names = Object.keys(draft.get("objectives") ?? {});
  /** @param {string} name */
  const unit = (name) => unitText(model.metric(name)?.unit ?? "");
  const values = names.map((name) =>
    plain(draft, [...place, name], { label: name, tooltip: model.tooltip(name), after: unit(name) }),
  );
  return folded(
    "indicators",
    "Reference point of the hypervolume",
    h("p", { class: "quiet small" }, WHAT),
    h(
      "div",
      { data: { pointer: pointerOf(["indicators"]) } },
      h("p", { class: "field-fault", hidden: true }),
      h("div", { class: "fields" }, values),
    ),
  );
}

/** @param {Draft} draft @param {Place} place @param {Omit<FieldOptions, "place">} options @param {string} [placeholder] */
function plain(draft, place, options, placeholder) {
  /** @param {string} text */
  const onType = (text) => draft.set(place, parseValue(text));
  return entry(
    { place, ...options },
    { value: formatValue(draft.get(...place), UNITLESS), placeholder, onType },
  );
}

// A design at the lower ends of the variables.
/** @param {Tree} variables */
const example = (variables) =>
  JSON.stringify([
    Object.fromEntries(
      Object.entries(variables).map(([name, table]) => [name, table?.lower ?? table?.options?.[0] ?? 1]),
    ),
  ]);
