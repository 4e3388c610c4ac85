// The comparison as it is shown: verdict, conditions, fronts, criteria, spread over seeds.
import { h, replace } from "../dom.js";
import { textTable } from "../tables.js";
import { contendersTable } from "./contenders.js";
import { gallery } from "./gallery.js";
import { picked } from "./picked.js";
import { picker } from "./picker.js";

const SPREAD = ["spread", "history"];
const GUIDE = "Arrows on the axes point to the better end. The star is the ideal point: the best value of each axis at once.";

// { element, update(found), draw() }: `update` shows what changed, `draw` fetches and draws the figures.
export function contestView(names, found) {
  const part = () => h("div");
  const parts = { head: part(), criteria: part(), rest: part(), seeds: part(), conditions: part() };
  const pick = picked();
  const fronts = gallery(names, (figure) => !SPREAD.includes(figure.figure), { onPick: pick.select, first: true });
  const spread = gallery(names, (figure) => SPREAD.includes(figure.figure));
  const nothing = h("p", { class: "empty" }, "No design is on a front yet, so there is nothing to draw.");
  const guide = h("p", { class: "quiet" }, GUIDE);
  const element = h(
    "div",
    {},
    parts.head,
    change(names),
    h("h2", {}, "Fronts"),
    nothing,
    guide,
    fronts.element,
    pick.element,
    h("h2", {}, "Criteria"),
    parts.criteria,
    parts.rest,
    h("h2", {}, "Hypervolume and seeds"),
    spread.element,
    parts.seeds,
    h("h2", {}, "Conditions"),
    parts.conditions,
  );

  function update(now) {
    replace(parts.head, head(now));
    replace(parts.criteria, h("p", {}, `Every hypervolume is measured against one point: ${now.point}${origin(now)}. The better value of each row has a tick.`), textTable(now.tables.criteria));
    replace(parts.rest, rest(now));
    replace(parts.seeds, textTable(now.tables.seeds));
    replace(parts.conditions, conditions(now));
    nothing.hidden = now.figures.length > 0;
    guide.hidden = !now.figures.length || ![2, 3].includes(now.objectives.length); // others are no marks over axes
    fronts.update(now.figures);
    spread.update(now.figures);
    pick.update(now);
  }

  update(found);
  return { element, update, draw: () => Promise.all([fronts.draw(), spread.draw()]) };
}

function head(found) {
  const left = Object.entries(found.others).filter(([, names]) => names.length);
  const told = left.map(([study, names]) => `${names.join(", ").replaceAll("_", " ")} of ${study}`).join("; ");
  return [
    h("div", { class: "verdict" }, found.verdict.map((sentence) => h("p", {}, sentence))),
    found.conditions.length > 0 && h("p", { class: found.same_conditions && !found.unequal.length ? "quiet" : "notice", id: "same" }, found.conditions.join(" ")),
    told && h("p", { class: "notice" }, `Only the objectives that all studies have are compared. Left out: ${told}.`),
    contendersTable(found.contenders),
  ];
}

const origin = (found) => (found.stated ? ", which the study files give" : ", a tenth of the joint range beyond the worst value on any front");

// What was computed and is neither objective nor constraint.
const rest = (found) =>
  found.tables.not_optimised && [h("h2", {}, "What was not optimised"), h("p", {}, found.not_optimised_note), textTable(found.tables.not_optimised)];

function conditions(found) {
  const { differing, same } = found.tables;
  return [
    differing.rows.length ? textTable(differing) : h("p", {}, "Nothing differs."),
    h("details", {}, h("summary", {}, `${same.rows.length} conditions are the same for all`), textTable(same)),
  ];
}

// Other studies can be chosen below a button; the list is fetched when it is first opened.
function change(names) {
  const place = h("div");
  const button = h("button", { type: "button", aria: { expanded: "false" }, on: { click: toggle } }, "Compare with other studies");
  let made = false;

  async function toggle() {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    place.hidden = open;
    if (made || open) return;
    made = true;
    place.append(await picker(names));
    place.querySelector("input").focus();
  }

  return h("div", { class: "change" }, button, place);
}
