// Parameters that the study sets; what is left alone stays as the preset or the back-end has it.
import { h } from "../dom.js";
import { button, choice, field, folded, section } from "./fields.js";
import { groupsOf } from "./groups.js";
import { parameter } from "./parameter.js";
import { addVariable, varies } from "./variables.js";

const WHAT =
  "An empty field keeps the preset's value, shown in grey. You can write a unit after a number: 5 mm, 30 deg, 1.2 kN.";

export function parameters(draft, model) {
  const others = Object.keys(draft.get("parameters") ?? {}).filter((path) => !(path in model.fields));
  return section(
    "Parameters",
    ["parameters"],
    h("p", { class: "quiet small" }, WHAT),
    h("div", { class: "fields" }, presetChoice(draft, model, []), finder()),
    others.length > 0 && h("div", { class: "rows" }, others.map((path) => line(draft, model, [], path))),
    groupsOf(model).map(([title, names]) => group(draft, model, title, names)),
  );
}

function group(draft, model, title, names) {
  const set = names.filter((name) => draft.get("parameters", name) !== undefined).length;
  const lines = names.map((name) => line(draft, model, [], name));
  return folded(`parameters ${title}`, set ? `${title} (${set} set)` : title, h("div", { class: "rows" }, lines));
}

export function presetChoice(draft, model, scope) {
  const place = [...scope, "preset"];
  const now = draft.get(...place) ?? "";
  const unset = scope.length ? "as for all layouts" : "none: the back-end's own values";
  const choices = [["", unset], ...model.presets.map(({ preset }) => [preset, preset])];
  const onChange = (value) => draft.reshape(() => draft.set(place, value || undefined));
  return choice({ place, label: "Preset", hint: model.preset(now)?.description }, { value: now, choices, onChange });
}

// One parameter; one that a layout sets, or that is no parameter by itself, can be removed, others can vary.
export function line(draft, model, scope, path) {
  const known = model.field(path);
  const own = scope.length > 0 || !(path in model.fields);
  const remove = () => draft.reshape(() => draft.set([...scope, "parameters", path], undefined));
  const vary = () => addVariable(draft, model, scope, path);
  const canVary = !own && varies(model, path) && !draft.get("variables", path);
  return h(
    "div",
    { class: "line", data: { search: `${path} ${known?.description ?? ""}`.toLowerCase() } },
    parameter(draft, model, scope, path, known),
    own && button("Remove", remove, { aria: { label: `Remove ${path}` } }),
    canVary && button("Vary", vary, { aria: { label: `Vary ${path}` } }),
  );
}

function finder() {
  const input = (event) => narrow(event.target.closest("section"), event.target.value.trim().toLowerCase());
  return field({ place: ["", "find"], label: "Find a parameter" }, (attributes) =>
    h("input", { type: "search", placeholder: "name or meaning", ...attributes, on: { input } }),
  );
}

function narrow(part, wanted) {
  for (const fold of part.querySelectorAll(".fold")) {
    const lines = [...fold.querySelectorAll(".line")];
    lines.forEach((one) => (one.hidden = !one.dataset.search.includes(wanted)));
    fold.hidden = lines.every((one) => one.hidden);
    // What was folded before the search is folded again after it.
    if (wanted) {
      fold.dataset.before ??= fold.open ? "open" : "";
      fold.open = !fold.hidden;
    } else if (fold.dataset.before !== undefined) {
      fold.open = fold.dataset.before === "open";
      delete fold.dataset.before;
    }
  }
}
