// The search: its budget, the algorithm, and the limits of a run and of an evaluation.
/** @import { FieldOptions } from "./fields.js" */
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place } from "./draft.js" */
/** @import { Schemas } from "../../core/types.js" */
import { h } from "../../core/dom.js";
import { counted, unitText, words } from "../../core/format.js";
import { isTable, pointerOf } from "./draft.js";
import { area, button, choice, entry, folded, formatValue, parseValue, unitOfField } from "./fields.js";
import { startDesigns } from "./linked.js";
import { quantityName } from "./names.js";

// How the designs are searched, and what ends a run.
const UNITLESS = unitOfField("1", []);

// Budgets to begin with. A comparison of layouts needs several seeds, or chance alone may decide it.
/** @type {Record<string, { title: string, meaning: string, population: number, generations: number, seeds: number }>} */
const BUDGETS = {
  quick: { title: "Quick", meaning: "a first look", population: 24, generations: 15, seeds: 1 },
  thorough: { title: "Thorough", meaning: "to decide by", population: 60, generations: 40, seeds: 5 },
};
const LEAST_SEEDS = 5;

/** @param {Draft} draft */
const layoutsOf = (draft) => Object.keys(draft.get("layouts") ?? {}).length;
/** @param {Draft} draft @param {string} name */
const seedsOf = (draft, name) => (layoutsOf(draft) > 1 ? LEAST_SEEDS : BUDGETS[name].seeds);
/** @param {Draft} draft */
function givenSeeds(draft) {
  const seeds = draft.get("seeds");
  return Array.isArray(seeds) ? seeds.length : seeds === undefined ? LEAST_SEEDS : 1;
}

// The budget that the study has: a name of BUDGETS, else "own".
/** @param {Draft} draft */
function budgetOf(draft) {
  const { population, generations, evaluations } = draft.get("search") ?? {};
  const isIt = (/** @type {string} */ name) =>
    BUDGETS[name].population === population &&
    BUDGETS[name].generations === generations &&
    seedsOf(draft, name) === givenSeeds(draft) &&
    evaluations === undefined;
  return Object.keys(BUDGETS).find(isIt) ?? "own";
}

/** @param {Draft} draft @param {string} name */
function takeBudget(draft, name) {
  const { population, generations } = BUDGETS[name];
  draft.reshape((definition) => {
    const { evaluations, points, ...search } = definition.search ?? {};
    if (search.algorithm === "grid") delete search.algorithm;
    definition.search = { ...search, population, generations };
    definition.seeds = Array.from({ length: seedsOf(draft, name) }, (_, place) => place + 1);
  });
}

// What was chosen, in a line.
/** @param {Draft} draft */
export function searchInWords(draft) {
  const { population, generations, evaluations, from } = draft.get("search") ?? {};
  const budget = budgetOf(draft);
  const begins = Array.isArray(from) ? `; begins with designs of ${from.join(", ")}` : "";
  const size = evaluations
    ? `${evaluations} designs`
    : `${population ?? 40} designs in ${generations ? counted(generations, "generation") : "generations without limit"}`;
  return `${budget === "own" ? "Own" : BUDGETS[budget].title}: ${size}, ${counted(givenSeeds(draft), "seed")}${begins}`;
}

/** @param {Draft} draft @param {Schemas["AlgorithmResource"][]} algorithms @param {Model} model */
export function search(draft, algorithms, model) {
  const now = draft.get("search", "algorithm") ?? "nsga2";
  const budget = budgetOf(draft);
  const hasGenerations = algorithms.find(({ algorithm }) => algorithm === now)?.budget.length;
  const cards = Object.entries(BUDGETS).map(([name, { title, meaning, population, generations }]) =>
    h(
      "button",
      {
        type: "button",
        aria: { pressed: String(budget === name) },
        data: { budget: name },
        on: { click: () => takeBudget(draft, name) },
      },
      h("strong", {}, title),
      h(
        "span",
        { class: "note" },
        `${meaning}: ${population * generations} designs a run, ${counted(seedsOf(draft, name), "seed")}`,
      ),
    ),
  );
  return [
    h(
      "div",
      { class: "row budgets", role: "group", aria: { label: "How long to search" } },
      cards,
      h("span", { class: "own-budget", aria: { current: String(budget === "own") } }, "or your own numbers:"),
    ),
    h(
      "div",
      { class: "fields four", data: { pointer: "/search" } },
      count(draft, "population", "Designs at a time", now === "optuna-tpe" ? "8" : "40", ""),
      count(draft, "generations", "Generations", "no limit", ""),
      count(draft, "evaluations", "Designs of a run", "no limit", ""),
      seeds(draft),
      h("p", { class: "field-fault", hidden: true }),
    ),
    (hasGenerations || draft.get("search", "from")) && beginnings(draft),
    folded(
      "algorithm",
      `Algorithm (${now}) and limits`,
      h(
        "div",
        { class: "fields" },
        chooser(draft, algorithms, now),
        now === "grid" &&
          count(draft, "points", "Points", "10", "values of each real variable, ends included"),
        count(draft, "wall_time", "Time of a run", "no limit", "such as 2 h", "s"),
        count(draft, "stagnation", "Stagnation", "never", "generations without growth of the hypervolume"),
        limits(draft),
        ladder(draft),
      ),
      settings(
        draft,
        algorithms.find(({ algorithm }) => algorithm === now),
      ),
      startDesigns(draft, model, ["search", "initial"], Object.keys(draft.get("variables") ?? {})),
      indicators(draft, model),
    ),
  ];
}

// Stored studies whose best designs come first.
/** @param {Draft} draft */
function beginnings(draft) {
  const given = draft.get("search", "from");
  const like = new URLSearchParams(location.search).get("from");
  const take = () => draft.reshape(() => draft.set(["search", "from"], [like]));
  return h(
    "div",
    { class: "fields" },
    entry(
      {
        place: ["search", "from"],
        label: "Begin with the designs of",
        tooltip: "stored studies, between commas: their best designs within the ranges come first",
      },
      {
        value: Array.isArray(given) ? given.join(", ") : given,
        placeholder: "no study",
        onType: (text) => {
          const names = text.split(/[\s,]+/).filter(Boolean);
          draft.set(["search", "from"], names.length ? names : undefined);
        },
      },
    ),
    like && !given && button(`Take those of ${like}`, take),
  );
}

/** @param {Draft} draft */
function seeds(draft) {
  const given = draft.get("seeds");
  return entry(
    {
      place: ["seeds"],
      label: "Seeds",
      tooltip: "one run for each layout and seed; five show the effect of chance",
    },
    {
      value: Array.isArray(given) ? given.join(", ") : given,
      placeholder: "1, 2, 3, 4, 5",
      inputmode: "numeric",
      onType: (text) => draft.set(["seeds"], numbers(text)),
    },
  );
}

/** @param {string} text */
function numbers(text) {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  return parts.length ? parts.map((word) => (/^\d+$/.test(word) ? Number(word) : word)) : undefined;
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
  return [h("h3", {}, "Settings of the algorithm"), h("div", { class: "fields" }, rows)];
}

/** @param {Draft} draft @param {string} name @param {string} hint @param {string} placeholder */
function oneSetting(draft, name, hint, placeholder) {
  const place = ["search", "settings", name];
  /** @param {string} text */
  const onType = (text) => draft.set(place, parseValue(text));
  return entry(
    { place, label: words(name), hint },
    { value: formatValue(draft.get(...place), UNITLESS), placeholder, onType },
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
    { value: formatValue(draft.get(...place), UNITLESS), placeholder, onType },
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
const WHAT =
  "A value for each objective; every useful design is better. If it is empty, it is taken from the first generation with a feasible design.";

/** @param {Draft} draft */
function limits(draft) {
  /** @param {string} key @param {string} label @param {string} placeholder @param {string} hint @param {string} [after] */
  const one = (key, label, placeholder, hint, after) =>
    plain(draft, ["evaluation", key], { label, hint, after }, placeholder);
  return [
    one("timeout", "Time of a design", "no limit", "such as 10 min", "s"),
    one("memory", "Memory of a design", "no limit", "such as 2 GiB", "byte"),
    one("max_failure_share", "Share of failures", "0.2", "with more, a run stops as failed"),
    one("seed", "Evaluation seed", "0", "of back-ends that draw random numbers"),
  ];
}

const LADDERS = [
  ["none", "every design in full"],
  ["model", "those of the back-end first"],
  ["own", "those that I state first"],
];

// Lower fidelities: none, those that the back-end declares, or rungs, each of which sets parameters.
/** @param {Draft} draft */
function ladder(draft) {
  const place = ["search", "ladder"];
  const given = draft.get(...place);
  const kind = given === true ? "model" : given === undefined || given === false ? "none" : "own";
  /** @type {Record<string, unknown>} */
  const begins = { none: undefined, model: true, own: [] };
  /** @param {string} to */
  const onChange = (to) => to !== kind && draft.reshape(() => draft.set(place, begins[to]));
  const kinds = choice(
    {
      place: kind === "own" ? [...place, "kind"] : place,
      label: "Fidelities",
      tooltip: "designs that a cheap evaluation shows to be far from the front are not evaluated in full",
    },
    { value: kind, choices: LADDERS, onChange },
  );
  return kind === "own" ? [kinds, rungs(draft, place, given)] : kinds;
}

/** @param {Draft} draft @param {Place} place @param {any} given */
function rungs(draft, place, given) {
  const lines = [given].flat().map((rung) =>
    isTable(rung)
      ? Object.entries(rung)
          .map(([name, value]) => `${name} = ${formatValue(value, UNITLESS)}`)
          .join("; ")
      : String(rung),
  );
  /** @param {string} line */
  const rung = (line) =>
    Object.fromEntries(
      line
        .split(";")
        .filter((part) => part.trim())
        .map((part) => {
          const [name, ...value] = part.split("=");
          return [name.trim(), parseValue(value.join("=")) ?? ""];
        }),
    );
  /** @param {string} text */
  const onType = (text) =>
    draft.set(
      place,
      text
        .split("\n")
        .filter((line) => line.trim())
        .map(rung),
    );
  return area(
    {
      place,
      label: "Rungs",
      hint: "One in each line, the cheapest first; parameters between semicolons. The full evaluation comes after the last.",
      wide: true,
    },
    { value: lines.join("\n"), placeholder: "cells = 20\ncells = 40", rows: 3, onType },
  );
}

/** @param {Draft} draft @param {Model} model */
function indicators(draft, model) {
  const place = ["indicators", "reference_point"];
  const names = Object.keys(draft.get("objectives") ?? {});
  /** @param {string} name */
  const unit = (name) => unitText(model.metric(name)?.unit ?? "");
  const values = names.map((name) =>
    plain(draft, [...place, name], { label: quantityName(model, name), tooltip: name, after: unit(name) }),
  );
  return [
    h("h3", {}, "Reference point of the hypervolume"),
    h("p", { class: "quiet small" }, WHAT),
    h(
      "div",
      { data: { pointer: pointerOf(["indicators"]) } },
      h("p", { class: "field-fault", hidden: true }),
      h("div", { class: "fields" }, values),
    ),
  ];
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
