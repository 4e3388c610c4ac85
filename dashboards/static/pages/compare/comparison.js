// The comparison as it is shown: verdict, conditions, fronts, criteria, spread over seeds.
/** @import { Figure, Schemas } from "../../core/types.js" */
import { reviewAddress, selection } from "../../core/url_state.js";
import { ApiError, get, messageOf, pathPart } from "../../core/api.js";
import { find, h, replace, scrollBox } from "../../core/dom.js";
import { quantity, words } from "../../core/format.js";
import { drawAfter } from "../../core/plot.js";
import { FigureBox } from "../../core/scatter/figure_box.js";
import { textTable } from "../../core/tables.js";
import { createStudyChoice } from "./study_choice.js";

/** @param {{ figure: string }} about */
const isSpread = (about) => /^(spread|history|attainment-\d+)$/.test(about.figure);
const GUIDE =
  "Arrows on the axes point to the better end. The star is the ideal point: the best value of each axis at once.";

// { element, update(found), draw() }: `update` shows what changed, `draw` fetches and draws the figures.
/** @param {string[]} names @param {Comparison} found */
export function createComparison(names, found) {
  const part = () => h("div");
  const parts = { head: part(), criteria: part(), rest: part(), seeds: part(), conditions: part() };
  const chosen = createChosenDesign();
  const fronts = createFigures(names, (figure) => !isSpread(figure), {
    onPick: chosen.select,
    first: true,
  });
  const spread = createFigures(names, isSpread);
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

  /** @param {Comparison} now */
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
    replace(parts.seeds, seeds(now));
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

/** @param {Comparison} found */
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
        { class: found.same_conditions && !found.unequal?.length ? "quiet" : "notice", id: "same" },
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

/** @param {Comparison} found */
const origin = (found) =>
  found.stated
    ? ", which the study files give"
    : ", a tenth of the joint range beyond the worst value on any front";

/** @param {Comparison} found */
const seeds = (found) => [
  textTable(found.tables.seeds),
  found.tables.seed_tests && textTable(found.tables.seed_tests),
  found.tables.seed_tests && h("p", { class: "quiet" }, found.seed_tests_note),
];

// What was computed and is neither objective nor constraint.
/** @param {Comparison} found */
const rest = (found) =>
  found.tables.not_optimised && [
    h("h2", {}, "What was not optimised"),
    h("p", {}, found.not_optimised_note),
    textTable(found.tables.not_optimised),
  ];

/** @param {Comparison} found */
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
/** @param {string[]} names */
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
    find(place, "input").focus();
  }

  return h("div", { class: "change" }, button, place);
}

// ------------------------------------------------------------------ what is compared

// Who is compared, with the ways to each: run page, review and report.
const HEAD = ["compared", "model", "state", "runs done", "designs", "on the front", "look at"];

/** @param {Schemas["ContenderResource"][]} contenders */
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

/** @param {Schemas["ContenderResource"]} contender */
function row(contender) {
  const study = `/studies/${pathPart(contender.study)}`;
  /** @param {string} text */
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

// ------------------------------------------------------------------ figures

// Figures of the comparison, one box each. A box stays when its figure changes, and so does the view in it.

/** @typedef {Schemas["ContestResource"]} Comparison */
/** @typedef {ReturnType<typeof createFigure>} Drawn */

// A comparison, as the interface gives it.
/** @param {string[]} names */
export const load = (names) => get("comparison", { of: names });
/** @param {string[]} names @param {string} figure */
const loadFigure = (names, figure) =>
  /** @type {Promise<Figure>} */ (get(`comparison/figures/${pathPart(figure)}`, { of: names }));

// Those figures that `mine` takes; `onPick(key, label)` is called for a clicked mark. Those of a
// gallery that is `first` are seen before plotly.js keeps the page busy.
/** @param {string[]} names @param {(figure: Schemas["ComparedFigure"]) => boolean} belongsHere @param {{ onPick?: (key: string, label: string) => void, first?: boolean }} [options] */
function createFigures(names, belongsHere, { onPick, first = false } = {}) {
  const element = h("div", { class: "plots" });
  /** @type {Map<string, Drawn>} */
  const shown = new Map();

  /** @param {Schemas["ComparedFigure"][]} figures */
  function update(figures) {
    const requested = figures.filter(belongsHere);
    for (const [name, item] of shown) {
      if (requested.some((figure) => figure.figure === name)) continue;
      item.drawing.close();
      item.element.remove();
      shown.delete(name);
    }
    for (const figure of requested) {
      const item = shown.get(figure.figure) ?? createFigure(figure, onPick);
      shown.set(figure.figure, item);
      item.caption.textContent = figure.caption;
      element.append(item.element);
    }
  }

  // All are asked for at once, and drawn as they come.
  function draw() {
    const coming = [...shown].map(([name, item]) => ({ item, figure: loadFigure(names, name) }));
    if (first) drawAfter(Promise.allSettled(coming.map(({ figure }) => figure)));
    return Promise.all(coming.map(({ item, figure }) => drawOne(item, figure)));
  }

  /** @param {Drawn} item @param {Promise<Figure>} coming */
  async function drawOne(item, coming) {
    const figure = await coming;
    if (!item.element.isConnected) return;
    if (figure.layout.height) item.box.style.height = `${figure.layout.height}px`;
    await item.drawing.show(figure);
  }

  return { element, update, draw };
}

/** @param {Schemas["ComparedFigure"]} figure @param {((key: string, label: string) => void) | undefined} onPick */
function createFigure(figure, onPick) {
  const id = `figure-${figure.figure}`;
  const box = h("div", { class: "plot", data: { figure: figure.figure }, aria: { busy: "true" } });
  const frame =
    figure.kind === "wide"
      ? h("div", { class: "scroll-plot", tabindex: 0, role: "region", aria: { label: figure.title } }, box)
      : box;
  const caption = h("figcaption", { id: `${id}-caption` });
  const element = h(
    "figure",
    { class: figure.kind, role: "group", aria: { labelledby: `${id}-title`, describedby: `${id}-caption` } },
    h("h3", { id: `${id}-title` }, figure.title),
    frame,
    caption,
  );
  return { element, box, caption, drawing: new FigureBox(box, onPick) };
}

// ------------------------------------------------------------------ the chosen design

// The design that was picked in a front, kept in the address: whose it is, its objectives, and the way to its review.
const LETTERS = 10;

// { element, select(key, label), update(found) }
function createChosenDesign() {
  const element = h("p", { class: "picked", aria: { live: "polite" } });
  /** @type {Comparison | undefined} */
  let found;
  /** @type {string | undefined} */
  let shown;

  /** @param {string} key @param {string} label */
  const select = (key, label) => selection.set({ of: label, key });

  async function show() {
    const { of, key } = selection.get();
    const contender = found?.contenders.find((each) => each.label === of);
    const requested = contender && key ? `${of} ${key}` : "";
    if (requested === shown) return;
    shown = requested;
    if (!found || !contender || !requested) {
      replace(element, h("span", { class: "quiet" }, "Click a design in a figure to see it here."));
      return;
    }
    const way = h("a", { href: reviewAddress(contender.study, contender.layout, key) }, "Review this design");
    const head = [h("strong", {}, of), `, design ${key.slice(0, LETTERS)}: `];
    try {
      const design = await get(`studies/${pathPart(contender.study)}/designs/${pathPart(key)}`);
      const { objectives, units } = found;
      const values = objectives.map(
        (name, place) => `${words(name)} ${quantity(design.metrics[name], units[place])}`,
      );
      if (shown === requested) replace(element, head, `${values.join(", ")}. `, way);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (shown !== requested) return;
      shown = undefined;
      replace(element, head, `${messageOf(error)}.`);
    }
  }

  selection.listen(show);
  return {
    element,
    select,
    /** @param {Comparison} now */
    update(now) {
      found = now;
      show();
    },
  };
}
