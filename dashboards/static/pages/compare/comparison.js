// The comparison as it is shown: answers, scoreboard and robots, one front, and the evidence in tabs.
/** @import { Asked, Comparison } from "./request.js" */
import { byId, find, h, replace } from "../../core/dom.js";
import { textTable } from "../../core/tables.js";
import { createTabs } from "../../core/tabs.js";
import { createChosenDesign } from "./chosen_design.js";
import { contendersTable } from "./contenders.js";
import { createFigures } from "./figures.js";
import { headline } from "./headline.js";
import { createKneeRobots } from "../../core/knee_robots.js";
import { createStudyChoice } from "./study_choice.js";

/** @param {{ figure: string }} about */
const isSpread = (about) => /^(spread|history|attainment-\d+)$/.test(about.figure);
// Layouts whose scoreboard leaves room for robots beside it.
const FEW = 2;
const GUIDE =
  "Arrows on the axes point to the better end. The star is the ideal point: the best value of each axis at once.";

// { element, update(found), draw() }: `update` shows what changed, `draw` fetches and draws the figures. `sweeps` is the
// evidence on other conditions.
/** @param {Asked} asked @param {Comparison} found @param {HTMLElement} sweeps */
export function createComparison(asked, found, sweeps) {
  const part = () => h("div");
  const parts = {
    head: part(),
    scores: h("div", { class: "scores" }),
    words: part(),
    rest: part(),
    seeds: part(),
    conditions: part(),
  };
  const robots = createKneeRobots();
  const chosen = createChosenDesign();
  const fronts = createFigures(asked, (figure) => !isSpread(figure), {
    onPick: chosen.select,
    choice: "front",
  });
  const spread = createFigures(asked, isSpread, { choice: "spread" });
  const choice = change(asked.names);
  replace(byId("links"), choice.button);
  const nothing = h("p", { class: "empty" }, "No design is on a front yet, so there is nothing to draw.");
  const guide = h("p", { class: "quiet small" }, GUIDE);
  const element = h(
    "div",
    {},
    choice.place,
    parts.head,
    h(
      "div",
      { class: found.contenders.length > FEW ? "overview many" : "overview" },
      parts.scores,
      robots.element,
    ),
    h("h2", {}, "Fronts"),
    nothing,
    fronts.element,
    guide,
    chosen.element,
    h("h2", {}, "Evidence"),
    createTabs("evidence", "Evidence", [
      { name: "seeds", title: "Seeds", content: [spread.element, parts.seeds] },
      { name: "rest", title: "Not optimised", content: parts.rest },
      { name: "conditions", title: "Conditions", content: parts.conditions },
      { name: "sweeps", title: "Other conditions", content: sweeps },
      { name: "words", title: "In words", content: parts.words },
    ]),
  );

  /** @param {Comparison} now */
  function update(now) {
    replace(parts.head, headline(now), warnings(now));
    replace(parts.scores, textTable(now.tables.scoreboard));
    replace(parts.words, inWords(now));
    replace(parts.rest, rest(now));
    replace(parts.seeds, seeds(now));
    replace(parts.conditions, conditions(now));
    nothing.hidden = now.figures.length > 0;
    guide.hidden = !now.figures.length || ![2, 3].includes(now.objectives.length); // others are no marks over axes
    robots.update(now);
    fronts.update(now.figures);
    spread.update(now.figures);
    chosen.update(now);
  }

  update(found);
  return { element, update, draw: () => Promise.all([fronts.draw(), robots.draw(), spread.draw()]) };
}

/** @param {Comparison} found */
const isOneStudy = ({ contenders }) => new Set(contenders.map(({ study }) => study)).size < 2;

// What puts the answers in doubt: conditions that differ, and objectives that are left out.
/** @param {Comparison} found */
function warnings(found) {
  const doubts = isOneStudy(found) || found.same_conditions ? (found.unequal ?? []) : found.conditions;
  const left = Object.entries(found.others).filter(([, names]) => names.length);
  const leftOut = left
    .map(([study, names]) => `${names.join(", ").replaceAll("_", " ")} of ${study}`)
    .join("; ");
  return [
    doubts.length > 0 && h("p", { class: "notice", id: "same" }, doubts.join(" ")),
    leftOut &&
      h(
        "p",
        { class: "notice" },
        `Only the objectives that all studies have are compared. Left out: ${leftOut}.`,
      ),
  ];
}

/** @param {Comparison} found */
function inWords(found) {
  const alike = (isOneStudy(found) || found.same_conditions) && found.conditions;
  const copy = h(
    "button",
    { type: "button", hidden: !navigator.clipboard, on: { click: copyAll } },
    "Copy as text",
  );
  async function copyAll() {
    await navigator.clipboard.writeText([...found.verdict, ...(alike || [])].join("\n"));
    copy.textContent = "Copied";
  }
  return [
    h(
      "div",
      { class: "verdict" },
      found.verdict.map((sentence) => h("p", {}, sentence)),
    ),
    alike && alike.length > 0 && h("p", { class: "quiet" }, alike.join(" ")),
    copy,
  ];
}

/** @param {Comparison} found */
const origin = (found) =>
  found.stated
    ? ", which the study files give"
    : ", a tenth of the joint range beyond the worst value on any front";

/** @param {Comparison} found */
const seeds = (found) => [
  found.tables.seed_tests && textTable(found.tables.seed_tests),
  found.tables.seed_tests && h("p", { class: "quiet" }, found.seed_tests_note),
  h(
    "p",
    { class: "quiet" },
    found.figures.length
      ? `Every hypervolume is measured against one point: ${found.point}${origin(found)}.`
      : "There is no front yet.",
  ),
];

// What was computed and is neither objective nor constraint.
/** @param {Comparison} found */
const rest = (found) =>
  found.tables.not_optimised
    ? [h("p", {}, found.not_optimised_note), textTable(found.tables.not_optimised)]
    : h("p", {}, "All metrics that were computed are objectives or constraints.");

/** @param {Comparison} found */
function conditions(found) {
  const { differing, same } = found.tables;
  return [
    contendersTable(found.contenders),
    differing.rows.length ? textTable(differing) : h("p", {}, "Nothing differs."),
    h(
      "details",
      {},
      h("summary", {}, `${same.rows.length} conditions are the same for all`),
      textTable(same),
    ),
  ];
}

// Other studies can be chosen below a button, in a place of their own; the list is fetched when it is first opened.
/** @param {string[]} names */
function change(names) {
  const place = h("div", { hidden: true });
  const button = h(
    "button",
    { type: "button", data: { icon: "plus" }, aria: { expanded: "false" }, on: { click: toggle } },
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
    find(place, "input").focus();
  }

  return { button, place };
}
