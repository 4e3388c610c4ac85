// The goals: one list of quantities, each with its better end and its limits in the same row.
/** @import { Model } from "../../core/parameters.js" */
/** @import { Draft, Place } from "./draft.js" */
import { h, plainPowers } from "../../core/dom.js";
import { isTable, pointerOf } from "./draft.js";
import { button, finder, formatValue, parseValue, rowClass, unitOfField } from "./fields.js";
import { expressions } from "./linked.js";
import { PROBABILITY, plainQuantity, quantityName, statisticsOf } from "./names.js";

const WHAT =
  "Press the better end of what the search shall improve. A design beyond a limit is never on a front, but it can guide the search.";
const MOST_RECOMMENDED = 6;

/** @type {[string, string, string][]} */
const SENSES = [
  ["maximize", "\u2191", "more"],
  ["minimize", "\u2193", "less"],
];

// Quantities that were found by the search, by back-end.
/** @type {Map<string, Set<string>>} */
const picked = new Map();

/** @param {Draft} draft */
const objectivesOf = (draft) => Object.keys(draft.get("objectives") ?? {});
/** @param {Draft} draft */
const constraintsOf = (draft) => Object.keys(draft.get("constraints") ?? {});

// The quantities that have a goal, then those that are `recommended`; a search finds all others.
/** @param {Draft} draft @param {Model} model @param {string[]} recommended */
export function goals(draft, model, recommended) {
  const found = picked.get(model.model) ?? new Set();
  const first = recommended.length ? recommended : model.metrics.map(({ metric }) => metric);
  const wanted = [
    ...objectivesOf(draft),
    ...constraintsOf(draft),
    ...found,
    ...first.slice(0, MOST_RECOMMENDED),
  ];
  const shown = [...new Set(wanted)];
  const others = () =>
    quantities(draft, model)
      .filter((name) => !shown.includes(name))
      .map((name) => ({
        key: name,
        title: quantityName(model, name),
        note: plainPowers([model.metric(name)?.meaning, unitOf(model, name)].filter(Boolean).join("; ")),
        tooltip: name,
      }));
  /** @param {string} name */
  const pick = (name) => {
    picked.set(model.model, found.add(name));
    draft.show(["objectives", name]);
  };
  const head = ["Quantity", "Better", "At least", "At most"].map((text) => h("span", {}, text));
  return [
    h("p", { class: "quiet small" }, WHAT),
    ["objectives", "constraints"].map((key) =>
      h("div", { data: { pointer: pointerOf([key]) } }, h("p", { class: "field-fault", hidden: true })),
    ),
    !objectivesOf(draft).length && recommendedOnes(draft, model, first),
    h("div", { class: "goal head", aria: { hidden: "true" } }, head),
    h(
      "div",
      { class: "goals" },
      shown.map((name) => goal(draft, model, name)),
    ),
    finder({ place: ["", "goal"], label: "Another quantity", items: others, onPick: pick }),
    expressions(draft),
  ];
}

const MOST_AT_ONCE = 2;

// Takes the first recommended goals in one step, each at the better end that its back-end names.
/** @param {Draft} draft @param {Model} model @param {string[]} recommended */
function recommendedOnes(draft, model, recommended) {
  const found = recommended.slice(0, MOST_AT_ONCE).map((name) => model.metric(name));
  const take = () =>
    draft.reshape(() => found.forEach((one) => one && draft.set(["objectives", one.metric], one.better)));
  const names = found.map((one) => one && quantityName(model, one.metric)).join(" and ");
  return found.every((one) => one?.better) && h("div", { class: "row add" }, button(`Take ${names}`, take));
}

/** @param {Model} model @param {string} name */
const unitOf = (model, name) =>
  name === PROBABILITY ? "" : unitOfField(model.metric(plainQuantity(name))?.unit, []).label;

/** @param {Draft} draft @param {Model} model @param {string} name */
function goal(draft, model, name) {
  const title = quantityName(model, name);
  const metric = model.metric(plainQuantity(name));
  const chosen = name in (draft.get("objectives") ?? {}) || name in (draft.get("constraints") ?? {});
  return h(
    "div",
    {
      class: rowClass(chosen ? "goal chosen-goal" : "goal", name),
      role: "group",
      aria: { label: title },
      data: { goal: name },
    },
    h(
      "div",
      {},
      h("span", { class: "tipped", tabindex: 0, title: model.tooltip(name) || name }, title),
      h("span", { class: "note", tabindex: -1 }, metric?.meaning),
      metric?.jumps && h("span", { class: "note", tabindex: -1 }, `Jumps where ${metric.jumps}.`),
      metric?.caution && h("span", { class: "note caution", tabindex: -1 }, `Caution: ${metric.caution}.`),
    ),
    better(draft, name, title, metric?.better),
    limits(draft, model, name, title),
  );
}

// The switch between the ends; pressed again, the quantity is no objective any more.
/** @param {Draft} draft @param {string} name @param {string} title @param {string | undefined} usual */
function better(draft, name, title, usual) {
  const place = ["objectives", name];
  const now = draft.get(...place);
  const buttons = SENSES.map(([sense, arrow, word]) =>
    button(
      `${arrow} ${word}`,
      () => draft.reshape(() => draft.set(place, now === sense ? undefined : sense)),
      {
        class: sense === usual ? "usual" : null,
        aria: { pressed: String(now === sense), label: `${title}: ${word} is better` },
      },
    ),
  );
  return h(
    "div",
    { class: "field switch", data: { pointer: pointerOf(place) } },
    buttons,
    h("p", { class: "field-fault", hidden: true }),
  );
}

/** @param {Draft} draft @param {Model} model @param {string} name @param {string} title */
function limits(draft, model, name, title) {
  const place = ["constraints", name];
  const bound = draft.get(...place) ?? {};
  const unit = name === PROBABILITY ? "1" : model.metric(plainQuantity(name))?.unit;
  const reading = unitOfField(unit, [bound.lower, bound.upper]);
  /** @param {string} key @param {string} text */
  const onType = (key, text) => {
    const other = draft.get(...place, key === "lower" ? "upper" : "lower");
    const value = parseValue(text, reading);
    if (value === undefined && other === undefined) draft.set(place, undefined);
    else draft.set([...place, key], value);
  };
  const ends = [
    ["lower", "at least"],
    ["upper", "at most"],
  ].map(([key, words]) =>
    h(
      "div",
      { class: "field", data: { pointer: pointerOf([...place, key]) } },
      h(
        "span",
        { class: "entry" },
        h("input", {
          type: "text",
          autocomplete: "off",
          spellcheck: "false",
          placeholder: words,
          value: formatValue(bound[key], reading),
          aria: { label: `${title}: ${words}` },
          on: { input: (event) => onType(key, event.currentTarget.value) },
        }),
        reading.label && h("span", { class: "unit" }, reading.label),
      ),
      h("p", { class: "field-fault", hidden: true }),
    ),
  );
  return h(
    "div",
    { class: "limits", data: { pointer: pointerOf(place) } },
    ends,
    h("p", { class: "field-fault", hidden: true }),
  );
}

// Metrics of the back-end, the expressions of the study and, where it has tolerances, statistics over robots.
/** @param {Draft} draft @param {Model} model */
function quantities(draft, model) {
  const own = draft.get("expressions");
  const known = [...(isTable(own) ? Object.keys(own) : []), ...model.metrics.map(({ metric }) => metric)];
  const tolerances = draft.get("tolerances");
  const robust = isTable(tolerances) && Object.keys(tolerances).length > 0;
  return robust ? [...known, PROBABILITY, ...known.flatMap(statisticsOf)] : known;
}

// What was chosen, in a line.
/** @param {Draft} draft @param {Model} model */
export function goalsInWords(draft, model) {
  const senses = draft.get("objectives") ?? {};
  const best = Object.keys(senses).map(
    (name) => `${senses[name] === "maximize" ? "\u2191" : "\u2193"} ${quantityName(model, name)}`,
  );
  const limited = constraintsOf(draft).length;
  return (
    [...best, limited ? `${limited} limit${limited > 1 ? "s" : ""}` : ""].filter(Boolean).join(", ") ||
    "none yet"
  );
}
