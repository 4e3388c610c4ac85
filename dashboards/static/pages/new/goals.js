// What is wanted: objectives with their sense, constraints with their bounds.
import { h } from "../dom.js";
import { unitText } from "../format.js";
import { adder, button, choice, entry, section } from "./fields.js";
import { readingOf, shown, typed } from "./reading.js";
import { pointerOf } from "./tree.js";

const SENSES = [
  ["maximize", "maximise"],
  ["minimize", "minimise"],
];

export function objectives(draft, model) {
  const names = Object.keys(draft.get("objectives") ?? {});
  const add = (name) => draft.reshape(() => draft.set(["objectives", name], model.metric(name).better));
  return section(
    "Objectives",
    ["objectives"],
    names.length > 0 && h("div", { class: "items" }, names.map((name) => objective(draft, model, name))),
    adder("Objective to add", "Add objective", free(model, names), add),
  );
}

function objective(draft, model, name) {
  const place = ["objectives", name];
  const now = draft.get(...place);
  return h(
    "div",
    { class: "item", role: "group", aria: { label: `Objective ${name}` } },
    choice({ place, label: name }, { value: now, choices: SENSES, onChange: (sense) => draft.set(place, sense) }),
    remover(draft, place, "objective"),
    meaning(model, name),
  );
}

export function constraints(draft, model) {
  const names = Object.keys(draft.get("constraints") ?? {});
  const add = (name) => draft.reshape(() => draft.set(["constraints", name], {}));
  return section(
    "Constraints",
    ["constraints"],
    h("p", { class: "quiet small" }, "A design outside these bounds is never on a front, but it can guide the search."),
    names.length > 0 && h("div", { class: "items" }, names.map((name) => constraint(draft, model, name))),
    adder("Metric to constrain", "Add constraint", free(model, names), add),
  );
}

function constraint(draft, model, name) {
  const place = ["constraints", name];
  const bound = draft.get(...place);
  const reading = readingOf(model.metric(name)?.unit, [bound.lower, bound.upper]);
  const end = (key, label) => {
    const onType = (text) => draft.set([...place, key], typed(text, reading));
    const settings = { value: shown(bound[key], reading), placeholder: "no bound", onType };
    return entry({ place: [...place, key], label, after: reading.label }, settings);
  };
  return h(
    "div",
    { class: "item", role: "group", aria: { label: `Constraint ${name}` }, data: { pointer: pointerOf(place) } },
    h("p", { class: "told", hidden: true }),
    h("div", { class: "fields three" }, h("p", { class: "name" }, name), end("lower", "At least"), end("upper", "At most")),
    remover(draft, place, "constraint"),
    meaning(model, name),
  );
}

function remover(draft, place, what) {
  const remove = () => draft.reshape(() => draft.set(place, undefined));
  return button("Remove", remove, { aria: { label: `Remove ${what} ${place.at(-1)}` } });
}

function meaning(model, name) {
  const metric = model.metric(name);
  if (!metric) return null;
  const text = [unitText(metric.unit), metric.meaning].filter(Boolean).join("; ");
  return h("p", { class: "hint" }, `${text}. Better when ${metric.better === "maximize" ? "greater" : "smaller"}.`);
}

const free = (model, taken) => model.metrics.map(({ metric }) => metric).filter((name) => !taken.includes(name));
