// What somebody wants of a design, as fields: the rule, a weight and an aspiration level for each objective.
/** @import { Schemas } from "../../core/types.js" */
/** @import { Column, KnownDesign, Study } from "./study.js" */
import { selection } from "../../core/url_state.js";
import { h, replace } from "../../core/dom.js";
import { withUnit } from "../../core/format.js";
import { tipped } from "../../core/tooltips.js";
import { brush } from "./view_state.js";

/** @typedef {Schemas["RuleResource"]} Rule */

const MOST_WEIGHT = 10;
const JUDGEMENT = "judgement";

// Numbers by name, as the address holds them: "F2:3,workspace_volume:1".
/** @param {string} entry */
function numbers(entry) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const text of (selection.get()[entry] ?? "").split(",").filter(Boolean)) {
    const [value, ...name] = text.split(":").reverse();
    if (name.length && value !== "" && Number.isFinite(Number(value)))
      found[name.reverse().join(":")] = Number(value);
  }
  return found;
}

/** @param {string} entry @param {string} name @param {number | null} value */
function setNumber(entry, name, value) {
  const { [name]: _, ...others } = numbers(entry);
  const all = value === null ? others : { ...others, [name]: value };
  const texts = Object.entries(all).map(([key, one]) => `${key}:${Number(one.toPrecision(9))}`);
  selection.set({ [entry]: texts.join(",") });
}

// What is asked for, as the address says it; ranges of the page are filters.
/** @param {Study} study @param {Rule[]} rules */
export function preferences(study, rules) {
  const rule = ruleName(rules);
  const { weighs = false, aspires = false } = rules.find((one) => one.rule === rule) ?? {};
  const { filters, layout } = filtersOf(study);
  return {
    rule,
    weights: weighs ? weightsOf(study) : {},
    aspirations: aspires ? levelsOf(study) : {},
    filters,
    layout,
  };
}

/** @param {Rule[]} rules @returns {Rule["rule"]} */
function ruleName(rules) {
  const stated = selection.get().rule;
  if (stated === JUDGEMENT) return JUDGEMENT;
  return rules.find((one) => one.rule === stated)?.rule ?? rules[0].rule;
}

// Every objective has a weight; those that were not moved count alike.
/** @param {Study} study */
function weightsOf({ objectives }) {
  const stated = numbers("weights");
  return Object.fromEntries(objectives.map(({ id }) => [id, weightOf(stated, id)]));
}

const USUAL_WEIGHT = 5;
/** @param {Record<string, number>} stated @param {string} id */
const weightOf = (stated, id) => Math.min(Math.max(stated[id] ?? USUAL_WEIGHT, 0), MOST_WEIGHT);

/** @param {Study} study */
function levelsOf({ objectives }) {
  const known = new Set(objectives.map(({ id }) => id));
  return Object.fromEntries(Object.entries(numbers("levels")).filter(([id]) => known.has(id)));
}

// The ranges that are set on the page. One of an option cannot be sent, but that of a single layout.
/** @param {Study} study */
function filtersOf(study) {
  /** @type {Record<string, { lower: number | null, upper: number | null }>} */
  const filters = {};
  /** @type {string | null} */
  let layout = null;
  for (const [id, [low, high]] of brush()) {
    const column = study.column(id);
    if (column?.role === "layout" && low === high) layout = study.layouts[low] ?? null;
    if (!column || column.options || !(Number.isFinite(low) || Number.isFinite(high))) continue;
    const name = column.role === "variable" ? id.replace(/^variable /, "") : id;
    filters[name] = {
      lower: Number.isFinite(low) ? low : null,
      upper: Number.isFinite(high) ? high : null,
    };
  }
  return { filters, layout };
}

/** @typedef {ReturnType<typeof preferences>} Wanted */

// Why the server would rank nothing, in words; empty where it ranks.
/** @param {Study} study @param {Wanted} wanted */
export function whyNoRanking(study, { weights, filters, layout }) {
  if (!study.designs.length)
    return "There is no feasible design on a front yet, so there is nothing to rank.";
  const given = Object.values(weights);
  if (given.length && !given.some(Boolean))
    return "All weights are 0, so nothing is ranked. Give at least one objective a greater weight.";
  const designs = study.designs.filter((design) => !layout || design.layout === layout);
  /** @param {Wanted["filters"]} some */
  const left = (some) => designs.filter((design) => passes(design, some)).length;
  if (left(filters)) return "";
  const each = Object.entries(filters).map(
    ([name, range]) => `${study.nameOf(name)}: ${left({ [name]: range })}`,
  );
  const alone = each.length > 1 ? ` (each alone leaves ${each.join(", ")})` : "";
  return `No design lies in the ranges${alone}, so there is nothing to rank. Widen one of them.`;
}

// Whether a design lies in all filters, as studies/decision/decision.py has it: without a value of its own it does not.
/** @param {KnownDesign} design @param {Wanted["filters"]} filters */
function passes({ metrics, variables = {}, linked = {} }, filters) {
  return Object.entries(filters).every(([name, { lower, upper }]) => {
    const value = [metrics, variables, linked].find((values) => name in values)?.[name];
    return typeof value === "number" && value >= (lower ?? -Infinity) && value <= (upper ?? Infinity);
  });
}

// ------------------------------------------------------------------ fields

// `mended(text)` is told what no ranking and no decision can be made from, empty once it is right again.
/** @param {Study} study @param {Rule[]} rules @param {(fault: string) => void} mended */
export function createPreferencesForm(study, rules, mended) {
  /** @type {Map<string, string>} */
  const faults = new Map();
  /** @param {Column} column @param {string} text */
  const report = (column, text) => {
    if (text) faults.set(column.id, text);
    else faults.delete(column.id);
    mended([...faults.values()].join(" "));
  };
  const note = h("p", { class: "quiet small" });
  const fields = h("div", { class: "criteria" });
  const filters = h("p", { class: "quiet small" });
  const choice = h(
    "select",
    { id: "decision-rule", on: { change: (event) => selection.set({ rule: event.currentTarget.value }) } },
    rules.map(({ rule, label, score }) => h("option", { value: rule, title: score }, label)),
    h("option", { value: JUDGEMENT }, "Own judgement, no ranking"),
  );
  const element = h(
    "div",
    { class: "stack" },
    h("label", { class: "row" }, "Rule", choice),
    note,
    fields,
    filters,
  );

  // The fields that the rule uses; a slider that is moved stays as it is.
  function update() {
    const wanted = preferences(study, rules);
    const rule = rules.find((one) => one.rule === wanted.rule);
    choice.value = wanted.rule;
    note.textContent = rule
      ? `${rule.score[0].toUpperCase()}${rule.score.slice(1)}; ${rule.better === "maximize" ? "greater" : "smaller"} is better. ${rule.source}.`
      : "Any feasible design can be chosen, and nothing is ranked.";
    const kind = rule ? `${rule.weighs} ${rule.aspires}` : "";
    if (fields.dataset.kind !== kind) {
      fields.dataset.kind = kind;
      faults.clear();
      mended("");
      replace(fields, rule && study.objectives.map((column) => criterion(column, rule, report)));
    }
    const count = Object.keys(wanted.filters).length + (wanted.layout ? 1 : 0);
    const ranges = count === 1 ? "The range is a filter" : `The ${count} ranges are filters`;
    filters.textContent = count
      ? `${ranges}: only designs inside are ranked.`
      : "Ranges that are set among the Lines of Review become filters here.";
  }

  selection.watch(["rule", "brush"], update);
  update();
  return { element, update };
}

/** @typedef {(column: Column, text: string) => void} Report */

/** @param {Column} column @param {Rule} rule @param {Report} report */
function criterion(column, rule, report) {
  const name = `${column.name}, ${column.sense === "maximize" ? "more" : "less"} is better`;
  return h(
    "fieldset",
    {},
    h("legend", {}, tipped(name, column.tooltip)),
    rule.weighs && weightField(column),
    rule.aspires && levelField(column, report),
  );
}

/** @param {Column} column */
function weightField(column) {
  const value = weightOf(numbers("weights"), column.id);
  const shown = h("output", {}, String(value));
  const slider = h("input", {
    type: "range",
    min: 0,
    max: MOST_WEIGHT,
    step: 0.5,
    value,
    aria: { label: `Weight of ${column.name}` },
    data: { weight: column.id },
    on: { input: moved },
  });

  function moved() {
    shown.textContent = slider.value;
    setNumber("weights", column.id, Number(slider.value));
  }

  return h("label", { class: "row" }, "Weight", slider, shown);
}

// A level in the unit in which the column is shown.
/** @param {Column} column @param {Report} report */
function levelField(column, report) {
  const { factor, unit } = column.scale;
  const fault = h("p", { id: `level-fault-${column.id}`, class: "fault small", role: "alert", hidden: true });
  const stated = numbers("levels")[column.id];
  const input = h("input", {
    type: "text",
    inputmode: "decimal",
    size: 8,
    value: stated === undefined ? "" : String(Number((stated * factor).toPrecision(6))),
    placeholder: "best",
    aria: {
      label: `Aspiration level of ${column.name}${unit ? ` in ${unit}` : ""}`,
      describedby: fault.id,
    },
    data: { level: column.id },
    on: { input: changed, change: changed },
  });

  function changed() {
    const text = input.value.trim().replace("\u2212", "-").replace(",", ".");
    const value = text === "" ? null : Number(text) / factor;
    const isWrong = value !== null && !Number.isFinite(value);
    input.setAttribute("aria-invalid", String(isWrong));
    fault.hidden = !isWrong;
    fault.textContent = isWrong
      ? `\u201c${input.value.trim()}\u201d is not a number: write the number without its unit.`
      : "";
    if (!isWrong) setNumber("levels", column.id, value);
    report(column, isWrong ? `The aspiration level of ${column.name} is not a number.` : "");
  }

  const range = column.range;
  const ends = range && `${column.bare(range[0])} to ${withUnit(column.bare(range[1]), unit)}`;
  const label = h(
    "label",
    { class: "row" },
    "Good enough at",
    input,
    h("span", { class: "quiet small" }, `${unit} (front: ${ends ?? "none"})`),
  );
  return [label, fault];
}
