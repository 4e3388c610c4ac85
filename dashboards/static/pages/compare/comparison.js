// The comparison as it is shown: verdict, conditions, fronts, criteria, spread over seeds.
import { reviewAddress } from "../../core/address.js";
import { pathPart } from "../../core/api.js";
import { h, replace, scrollBox } from "../../core/dom.js";
import { textTable } from "../../core/tables.js";
import { createChosenDesign, createFigures } from "./figures.js";
import { createStudyChoice } from "./study_choice.js";

const SPREAD = ["spread", "history"];
const GUIDE =
  "Arrows on the axes point to the better end. The star is the ideal point: the best value of each axis at once.";

// { element, update(found), draw() }: `update` shows what changed, `draw` fetches and draws the figures.
export function createComparison(names, found) {
  const part = () => h("div");
  const parts = { head: part(), criteria: part(), rest: part(), seeds: part(), conditions: part() };
  const chosen = createChosenDesign();
  const fronts = createFigures(names, (figure) => !SPREAD.includes(figure.figure), {
    onPick: chosen.select,
    first: true,
  });
  const spread = createFigures(names, (figure) => SPREAD.includes(figure.figure));
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
    chosen.element,
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
    replace(
      parts.criteria,
      h(
        "p",
        {},
        `Every hypervolume is measured against one point: ${now.point}${origin(now)}. The better value of each row has a tick.`,
      ),
      textTable(now.tables.criteria),
    );
    replace(parts.rest, rest(now));
    replace(parts.seeds, textTable(now.tables.seeds));
    replace(parts.conditions, conditions(now));
    nothing.hidden = now.figures.length > 0;
    guide.hidden = !now.figures.length || ![2, 3].includes(now.objectives.length); // others are no marks over axes
    fronts.update(now.figures);
    spread.update(now.figures);
    chosen.update(now);
  }

  update(found);
  return { element, update, draw: () => Promise.all([fronts.draw(), spread.draw()]) };
}

function head(found) {
  const left = Object.entries(found.others).filter(([, names]) => names.length);
  const leftOut = left
    .map(([study, names]) => `${names.join(", ").replaceAll("_", " ")} of ${study}`)
    .join("; ");
  return [
    h(
      "div",
      { class: "verdict" },
      found.verdict.map((sentence) => h("p", {}, sentence)),
    ),
    found.conditions.length > 0 &&
      h(
        "p",
        { class: found.same_conditions && !found.unequal.length ? "quiet" : "notice", id: "same" },
        found.conditions.join(" "),
      ),
    leftOut &&
      h(
        "p",
        { class: "notice" },
        `Only the objectives that all studies have are compared. Left out: ${leftOut}.`,
      ),
    comparedTable(found.contenders),
  ];
}

const origin = (found) =>
  found.stated
    ? ", which the study files give"
    : ", a tenth of the joint range beyond the worst value on any front";

// What was computed and is neither objective nor constraint.
const rest = (found) =>
  found.tables.not_optimised && [
    h("h2", {}, "What was not optimised"),
    h("p", {}, found.not_optimised_note),
    textTable(found.tables.not_optimised),
  ];

function conditions(found) {
  const { differing, same } = found.tables;
  return [
    differing.rows.length ? textTable(differing) : h("p", {}, "Nothing differs."),
    h(
      "details",
      {},
      h("summary", {}, `${same.rows.length} conditions are the same for all`),
      textTable(same),
    ),
  ];
}

// Other studies can be chosen below a button; the list is fetched when it is first opened.
function change(names) {
  const place = h("div");
  const button = h(
    "button",
    { type: "button", aria: { expanded: "false" }, on: { click: toggle } },
    "Compare with other studies",
  );
  let made = false;

  async function toggle() {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    place.hidden = open;
    if (made || open) return;
    made = true;
    place.append(await createStudyChoice(names));
    place.querySelector("input").focus();
  }

  return h("div", { class: "change" }, button, place);
}

// ------------------------------------------------------------------ what is compared

// Who is compared, with the ways to each: run page, review and report.
const HEAD = ["compared", "model", "state", "runs done", "designs", "on the front", "look at"];

function comparedTable(contenders) {
  return scrollBox(
    "What is compared",
    h(
      "table",
      { class: "texts", role: "table" },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          HEAD.map((name, place) =>
            h(
              "th",
              { scope: "col", role: "columnheader", class: place > 2 && place < 6 ? "number" : null },
              name,
            ),
          ),
        ),
      ),
      h("tbody", { role: "rowgroup" }, contenders.map(row)),
    ),
  );
}

function row(contender) {
  const study = `/studies/${pathPart(contender.study)}`;
  const named = (text) => h("span", { class: "unseen" }, ` of ${text}`);
  const links = h(
    "span",
    {},
    h("a", { href: study }, "Runs", named(contender.label)),
    h("a", { href: reviewAddress(contender.study, contender.layout) }, "Review", named(contender.label)),
    h("a", { href: `${study}/report` }, "Report", named(contender.label)),
  );
  const cells = [
    ["short", contender.model],
    ["short", contender.state],
    ["number", `${contender.done} of ${contender.runs}`],
    ["number", String(contender.asked)],
    ["number", String(contender.front)],
    ["ways", links],
  ];
  return h(
    "tr",
    { role: "row" },
    h("th", { scope: "row", role: "rowheader" }, contender.label),
    cells.map(([kind, content], place) =>
      h("td", { class: kind, role: "cell", data: { head: HEAD[place + 1] } }, content),
    ),
  );
}
